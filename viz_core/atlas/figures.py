"""The figures of the attention lectures: where each one opens, and the numbers published with it.

Closed-form figures are computed by the same functions that draw their pages. What a trained model
does is filled in by whoever can run it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from viz_core import by_hand
from viz_core.atlas.published import ANALOGIES
from viz_core.by_hand.numbers import read_matrix
from viz_core.by_hand.table import PERSONS, read_condition, read_table, select
from viz_core.decoding.table import LECTURE, WORDS
from viz_core.traces import AttentionTrace
from viz_core.traces.rnn import LocalTrace

Numbers = Mapping[str, float]
NEAR = 0.0006  # published numbers are rounded to three or four decimals

TIRED = "The animal didn't cross the street because it was too tired."
AGREEMENT = "The agreement on the European Economic Area was signed in August 1992."
ACCORD = "L'accord sur la zone économique européenne a été signé en août 1992."


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure. `ours` computes a closed form; a trained figure names its check instead."""

    title: str
    source: str
    page: str
    look: str  # what the figure claims
    params: Mapping[str, str] = field(default_factory=dict)
    published: Numbers = field(default_factory=dict)
    derived: bool = False  # nobody prints these numbers: they follow from what the source says
    ours: Callable[[], Numbers] | None = None
    check: str = ""
    pairs: tuple[str, ...] = ()  # which word looks at which: a claim of a figure without numbers

    def agrees(self, found: Numbers) -> bool:
        """Whether every published number of a closed form came out."""
        return all(abs(found[name] - value) <= NEAR for name, value in self.published.items())


def _by_hand() -> Numbers:
    x = read_matrix("1 0 1 0; 0 2 0 2; 1 1 1 1", "x")
    projections = ("1 0 1; 1 0 0; 0 0 1; 0 1 1", "0 0 1; 1 1 0; 0 1 0; 1 1 0")
    values = "0 2 0; 0 3 0; 1 0 3; 1 1 0"
    three = [read_matrix(each, "W") for each in (*projections, values)]
    words = ("I", "love", "you")
    plain = by_hand.self_attention(words, x, three, scaled=False)
    names = ("output 1", "output 2", "output 3")
    return dict(zip(names, plain.outputs[0].tolist(), strict=True))


def _persons() -> Numbers:
    table = read_table(PERSONS)
    asked = {"rows that are equal": "ID = '015843268901'", "rows like": "ID LIKE '00512317%'"}
    return {
        name: float(len(select(table, read_condition(each), 0.1).rows))
        for name, each in asked.items()
    }


def _weighted() -> Numbers:
    values = read_matrix("1 5; 2 2; 6 4; 1 1; 4 6", "values")
    weights = read_matrix("0.1 0.1 0.5 0.1 0.2", "weights")
    first, second = by_hand.weighted_sum(weights, values).ravel().tolist()
    return {"v_apple, first": first, "v_apple, second": second}


def _looked_up() -> Numbers:
    keys = read_matrix("1 0; 0.6 0.8; 0 1; -0.6 0.8", "keys")
    found = by_hand.tempered(keys @ np.array([0.6, 0.8]), 0.01)
    return {"weight of the equal key at T = 0.01": float(found.max())}


def _greedy() -> Numbers:
    found = {}
    for said in ("A B C <eos>", "A C B <eos>"):
        words = said.split()
        rows = [LECTURE.row(words[:place]).probabilities for place in range(len(words))]
        chances = [row[WORDS.index(word)] for row, word in zip(rows, words, strict=True)]
        found[said] = float(np.prod(chances))
    return found


def _positions() -> Numbers:
    code = by_hand.positions(60, 32)
    moved = [float(code[p] @ code[p + 7]) for p in (0, 20, 50)]
    return {"largest difference between PE(p) · PE(p + 7)": max(moved) - min(moved)}


def _window() -> Numbers:
    words, flat = ("",) * 11, np.full((1, 11), 1 / 11, dtype=np.float32)
    trace = AttentionTrace(kind="cross", queries=("",), keys=words, weights=flat[None, None])
    local = LocalTrace(attention=trace, content=flat, centres=flat[:, 0] * 0, sigma=5.0, reach=10.0)
    return {
        "factor at p": float(local.gaussian[0, 0]),
        "factor at p ± D": float(local.gaussian[0, 10]),
    }


def _gated() -> Numbers:
    found = by_hand.gate([0, 1, 0, 0, 0, 1], [10, 11, 12, 13, 14, 15], [8, 9, 3, 7, 5, 8])
    return {f"number {place}": float(value) for place, value in enumerate(found, 1)}


CLOSED = (
    Figure(
        title="Self-attention by hand",
        source="three inputs, “I love you”",
        page="self_attention",
        look="Scores, softmax and outputs of three words.",
        params={"scaled": "false"},
        published={
            "output 1": 1.9366,
            "output 2": 6.6831,
            "output 3": 1.5951,
        },
        ours=_by_hand,
    ),
    Figure(
        title="A weighted sum of values",
        source="She is eating a green apple",
        page="lookup",
        look="apple is a mixture of the words before it. The weights are the lecture's, the "
        "values are ours.",
        ours=_weighted,
    ),
    Figure(
        title="Attention as a soft look-up",
        source="hard match beside soft match",
        page="lookup",
        look="The hard match is the limit at temperature 0.",
        params={"temperature": "0"},
        published={"weight of the equal key at T = 0.01": 1.0},
        derived=True,
        ours=_looked_up,
    ),
    Figure(
        title="A table of persons",
        source="WHERE ID = '015843268901' and WHERE ID LIKE '00512317%'",
        page="search",
        look="A hard match returns the rows that fit, a soft one a bit of every row.",
        published={"rows that are equal": 1.0, "rows like": 2.0},
        ours=_persons,
    ),
    Figure(
        title="Greedy is not best",
        source="Dive into Deep Learning, figures 10.8.1 and 10.8.2",
        page="beam_table",
        look="Taking the second best word leads to the more probable sentence.",
        params={"alpha": "0"},
        published={"A B C <eos>": 0.048, "A C B <eos>": 0.054},
        ours=_greedy,
    ),
    Figure(
        title="Positional encoding",
        source="Vaswani et al. 2017, section 3.5",
        page="positions",
        look="The dot product depends on the offset alone.",
        params={"d": "32", "length": "60", "dims": "6-9"},
        published={"largest difference between PE(p) · PE(p + 7)": 0.0},
        derived=True,
        ours=_positions,
    ),
    Figure(
        title="The local window",
        source="Luong et al. 2015, equation 10",
        page="local",
        look="1 at its centre, exp(-2) at its edge.",
        published={"factor at p": 1.0, "factor at p ± D": 0.1353},
        derived=True,
        ours=_window,
    ),
    Figure(
        title="Six score functions",
        source="the lecture's table",
        page="scores",
        look="The same vectors through all six formulas.",
        params={"part": "By hand"},
    ),
    Figure(
        title="A gate by hand",
        source="g x + (1 - g) s",
        page="gates",
        look="An open gate takes the new number, a closed one keeps the old.",
        params={"view": "A gate by hand"},
        published={f"number {i}": v for i, v in enumerate((8.0, 11.0, 3.0, 7.0, 5.0, 15.0), 1)},
        ours=_gated,
    ),
    Figure(
        title="Gradients over distance",
        source="Bengio et al. 1994; Pascanu et al. 2013",
        page="gates",
        look="A plain net's gradient vanishes or explodes; a GRU's and attention's reach far.",
        params={"view": "Gradients"},
    ),
    Figure(
        title="BERT's masking",
        source="Devlin et al. 2019: 15%, of them 80 / 10 / 10",
        page="mask",
        look="Sampled again and again, the shares come out.",
    ),
)

TRAINED = (
    Figure(
        title="king − man + woman",
        source="Mikolov et al. 2013; Pennington et al. 2014, table 2 (300 numbers a word)",
        page="vectors",
        look="queen is the nearest word; accuracy on the public questions.",
        published=dict(ANALOGIES),
        check="analogies",
    ),
    Figure(
        title="Families of arrows",
        source="the lecture: male and female, verb tense, country and capital",
        page="vectors",
        look="Pairs with the same relation give nearly parallel arrows.",
        params={"view": "Families"},
    ),
    Figure(
        title="Alignment (a)",
        source="Bahdanau et al. 2015, figure 3",
        page="alignment",
        look="European Economic Area is read from right to left.",
        params={"text": AGREEMENT, "target": ACCORD, "model": "rnn-general"},
        pairs=("zone → Area", "économique → Economic", "européenne → European"),
        check="alignment",
    ),
    Figure(
        title="Alignment (b)",
        source="Bahdanau et al. 2015, figure 3",
        page="alignment",
        look="marine environment, turned round.",
        params={
            "text": "It should be noted that the marine environment is the least known of "
            "environments."
        },
    ),
    Figure(
        title="Alignment (c)",
        source="Bahdanau et al. 2015, figure 3",
        page="alignment",
        look="Destruction of the equipment: nearly in order.",
        params={
            "text": "Destruction of the equipment means that Syria can no longer produce new "
            "chemical weapons."
        },
    ),
    Figure(
        title="Alignment (d)",
        source="Bahdanau et al. 2015, figure 3",
        page="alignment",
        look="The quotation marks and the man said.",
        params={"text": '"This will change my future with my family," the man said.'},
    ),
    Figure(
        title="The bottleneck",
        source="Bahdanau et al. 2015, table 1: BLEU, trained on up to 50 words",
        page="the_bottleneck",
        look="Attention beats no attention, most on long sentences.",
        published={"without attention": 17.82, "with attention": 26.75},
        check="bottleneck",
    ),
    Figure(
        title="The whole Transformer",
        source="Vaswani et al. 2017, figure 1",
        page="machine",
        look="The sentence goes up the encoders; every decoder gets keys and values of the last.",
    ),
    Figure(
        title="Multi-head attention",
        source="Vaswani et al. 2017, figure 2",
        page="split",
        look="One Q cut into heads and joined again; no number moves before the join.",
    ),
    Figure(
        title="NTM copy",
        source="Graves et al. 2014, figures 3 to 6",
        page="memory",
        look="Inputs are written place by place, and the read head goes along the same places.",
    ),
    Figure(
        title="Show, attend and tell",
        source="Xu et al. 2015, figures 2 and 3; table 1: BLEU on Flickr8k, soft",
        page="caption",
        look="One look at the picture for each word of its caption.",
        published={"BLEU-1": 67.0, "BLEU-4": 19.5},
        check="captions",
    ),
    Figure(
        title="Learned places of patches",
        source="Dosovitskiy et al. 2021, figures 6 and 7",
        page="patches",
        look="Places in the same row or column are alike; heads look near by and far.",
    ),
    Figure(
        title="Where a drawn flower looks",
        source="Zhang et al. 2019, figures 1 and 6",
        page="dream",
        look="Points on a drawn picture, and a map of the same colour for each.",
    ),
    Figure(
        title="Music, letter by letter",
        source="Karpathy 2015, with Irish folk tunes",
        page="music",
        look="A tune that it wrote itself, and whether its bars are full.",
    ),
    Figure(
        title="Reading with a tape",
        source="Cheng et al. 2016, figure 1",
        page="reading",
        look="One line a word: the current word red, earlier words blue by their weight.",
    ),
    Figure(
        title="play in two senses",
        source="Peters et al. 2018, table 4",
        page="context",
        look="The nearest uses of play: the theatre in one sentence, the game in the other.",
        params={
            "word": "play",
            "text": "He wrote a play about the war.",
            "second": "The boys play outside until dark.",
        },
    ),
    Figure(
        title="A review, shaded twice",
        source="Yang et al. 2016, figures 5 and 6",
        page="documents",
        look="The sentence and the words that carry the verdict are the deepest.",
    ),
    Figure(
        title="Ponder time",
        source="Dehghani et al. 2019, figure 4 and section 3.1",
        page="ponder",
        look="What the question looks at in each step of thought, and how long a fact is pondered.",
    ),
    Figure(
        title="Five-way Omniglot",
        source="Mishra et al. 2018, table 1: accuracy with one example and with five",
        page="few_shot",
        look="The question finds the example of its own kind.",
    ),
    Figure(
        title="Local attention is sharp",
        source="Luong et al. 2015, table 6: AER",
        page="local",
        look="Alignment error rates of global and local attention.",
        published={"global (location)": 0.39, "local-m": 0.34, "local-p": 0.36},
        check="alignment errors",
    ),
    Figure(
        title="What does “it” mean?",
        source="Google AI blog 2017; Alammar 2018",
        page="it",
        look="animal when it is tired, street when it is wide.",
        check="it",
    ),
    Figure(
        title="making … more difficult",
        source="Vaswani et al. 2017, figure 3",
        page="transformer",
        look="Long-distance dependencies in the encoder.",
        params={
            "text": "It is in this spirit that a majority of American governments have passed new "
            "laws since 2009 making the registration or voting process more difficult."
        },
    ),
    Figure(
        title="its → Law",
        source="Vaswani et al. 2017, figures 4 and 5",
        page="transformer",
        look="Heads that look from its to Law and to application.",
        params={
            "text": "The Law will never be perfect, but its application should be just - this is "
            "what we are missing, in my opinion."
        },
    ),
    Figure(
        title="The decoder by time step",
        source="Alammar 2018",
        page="decoder",
        look="The masked triangle grows by one row a step.",
        params={"text": "I am a student."},
    ),
    Figure(
        title="What BERT looks at",
        source="Clark et al. 2019",
        page="bert",
        look="Previous, next, separator, broad: heads with a habit.",
        params={"text": TIRED},
    ),
    Figure(
        title="Does it follow?",
        source="Devlin et al. 2019, next sentence prediction",
        page="pair",
        look="The man went to the store: IsNext or NotNext.",
    ),
    Figure(
        title="GPT-2, block by block",
        source="Alammar 2019, The Illustrated GPT-2; the lens after nostalgebraist 2020",
        page="inside_gpt",
        look="The vector of a position, read as a word after every decoder block.",
    ),
    Figure(
        title="Encoder and decoder blocks",
        source="Alammar 2019, The Illustrated GPT-2",
        page="inside_gpt",
        look="BERT sees the full square, GPT the triangle before each word.",
        params={"view": "BERT and GPT"},
    ),
    Figure(
        title="A B … A: induction",
        source="Olsson et al. 2022",
        page="inside_gpt",
        look="A head that looks for what came after the same word before.",
        params={"view": "Induction"},
    ),
    Figure(
        title="Writing and copying",
        source="See et al. 2017, figure 3 and equation 9",
        page="summary",
        look="Each word of the title with its chance to be copied, and where it looked.",
    ),
    Figure(
        title="Summaries of long texts",
        source="Liu et al. 2018, table 1 and section 4.2.4",
        page="summary",
        look="Full attention beside local blocks and compressed keys: the filled area is the cost.",
        params={"view": "Long texts"},
    ),
    Figure(
        title="BERT-Base and Large",
        source="Devlin et al. 2019: 110 and 340 million parameters",
        page="sizes",
        look="Where the parameters are, part by part.",
    ),
    Figure(
        title="Which heads matter",
        source="Voita et al. 2019: 38 of 48 encoder heads pruned for 0.15 BLEU",
        page="ablation",
        look="Most heads can be silenced at little cost.",
        check="ablation",
    ),
)
