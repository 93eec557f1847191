"""The pictures on Home: one for every page, drawn by the models that are on board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import altair as alt
import numpy as np
from numpy.typing import NDArray

from viz_core import by_hand, probe
from viz_core.analysis import (
    documents as documents_told,
    dream as in_dreams,
    few_shot as episodes,
    image as seen,
    machine as told_of,
    patches as in_patches,
    ponder as pondering,
    summary as titled,
)
from viz_core.analysis.context import cosines
from viz_core.atlas.abstracts import ABSTRACTS
from viz_core.by_hand import sizes, table
from viz_core.by_hand.layers import KINDS
from viz_core.by_hand.numbers import read_matrix
from viz_core.charts import gaze, machine as machines, score_steps, thumbnail
from viz_core.charts.kit.room import Room
from viz_core.charts.thumbnail import Small
from viz_core.decoding.table import LECTURE as TABLE
from viz_core.probe import scores
from viz_core.traces.photo import Photo, squared
from viz_core.ui.first_tiles import (
    gates,
    memory,
    music,
    reading,
    recurrent,
    the_bottleneck,
    vectors,
    word2vec,
)
from viz_core.ui.page import scale
from viz_core.ui.photographs import on_board
from viz_core.ui.run import known, run
from viz_core.ui.translator import translated
from viz_core.ui.translators import ALIGNING

PARLIAMENT = "The European Parliament has adopted new economic rules."
TIRED = "The animal didn't cross the street because it was too tired."
BANKS = ("She opened an account at the bank.", "We walked along the bank of the lake.")
STUDENT, UMBRELLA = "I am a student.", "I left my red umbrella in the kitchen."
CAT, REVIEW = "The cat sat on the mat.", "A warm, funny film with a wonderful cast."
FILM = "The opening is slow. But stay with it! It is a superb thriller. We loved the old detective."
STORE, MILK = "The man went to the store.", "He bought a gallon of milk."
LARGE = (360, 340)  # pixels of the machine, the largest: a phone shrinks it a little
PARK = "Tom and Anna went to the park. They saw"
DREAM = (1, "oxeye daisy")  # seed and kind
NUMBERS = np.array([[1.0, 4.0, 2.0], [3.0, 0.0, 5.0], [2.0, 2.0, 8.0], [6.0, 1.0, 1.0]])


def _heat(values: NDArray[np.floating], said: str) -> Small:
    """Any numbers as squares from white to blue."""
    low, high = float(values.min()), float(values.max())
    return thumbnail.heat((values - low) / max(high - low, 1e-9), said)


def machine(text: str = STUDENT) -> alt.LayerChart:
    trace = run(probe.machine, "transformer", text)
    wide, high = (side * scale() for side in LARGE)
    room = Room(wide, high, high, scale())
    return machines.machine(trace, len(told_of.moments(trace)) - 1, room=room, named=False)


def documents() -> Small:
    trace = run(probe.document, "han", FILM)
    widest = max(map(len, trace.sentences))
    rows = np.stack([np.pad(row, (0, widest - len(row))) for row in trace.products])
    return thumbnail.heat(rows / rows.max(), documents_told.finding(trace))


def alignment(text: str = PARLIAMENT) -> Small:
    return thumbnail.alignment(translated(ALIGNING[0], text).words().cross)


def context_vector() -> Small:
    trace = run(probe.mixture, "rnn-additive", UMBRELLA, 4)
    weighted = trace.weights[:, None] * trace.states[:, :12]
    return _heat(np.concatenate((trace.states[:, :12], weighted), axis=1).T, "States and their sum")


def caption() -> Small:
    photo = on_board("photographer").photo
    words = run(probe.caption, "caption-soft", photo)
    look = words.weights[seen.sharpest(words)]
    ratio = photo.height / photo.width
    address = gaze.lit(photo, (270, round(270 * ratio)), look / look.max())
    return thumbnail.photograph(address, ratio, seen.finding(words))


def patches() -> Small:
    trace = run(probe.look, "vit", squared(on_board("horse").photo, 32))
    return _heat(in_patches.rolled(trace, 0), in_patches.finding(trace, 0))


def dream() -> Small:
    drawn = run(probe.draw, "sagan", *DREAM)
    address = gaze.lit(Photo.of(drawn.image), (270, 270), None)
    return thumbnail.photograph(address, 1.0, in_dreams.reach(drawn))


def score_functions() -> Small:
    rows = (read_matrix(text, name) for name, (_, text) in score_steps.EXAMPLE.items())
    trace = scores.by_hand(*rows)
    return thumbnail.heat(trace.weights, score_steps.finding(trace))


def local() -> Small:
    return thumbnail.alignment(run(probe.local, "rnn-local-p", UMBRELLA).attention)


def lookup() -> Small:
    keys = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-0.6, 0.8]])
    heats = np.stack([by_hand.tempered(keys @ keys[1], heat) for heat in (2.0, 1.0, 0.5, 0.2, 0.0)])
    return thumbnail.heat(heats, "A soft match turns hard as the temperature falls")


def search() -> Small:
    asked = (table.read_condition(wanted) for wanted in ("ID LIKE '00512317%'", "ID = '00512'"))
    both = [table.select(table.read_table(table.PERSONS), each, 0.2).weights for each in asked]
    return thumbnail.heat(np.stack(both, axis=1), "A table of persons, asked twice")


def reach() -> Small:
    found = [by_hand.reach(kind, 9, 3, 6) for kind in KINDS]
    seen = [np.isfinite(one.steps[::-1]).astype(float) for one in found]
    return thumbnail.heat(np.concatenate(seen, axis=1), "Three nets, three layers: what is seen")


def self_attention() -> Small:
    x, w = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[1.0, 2.0], [0.0, 1.0]])
    trace = by_hand.self_attention(("a", "b", "c"), x, [w] * 3)
    return thumbnail.heat(trace.weights, "Three words attend to each other")


def split() -> Small:
    heads = run(probe.split_heads, "transformer", STUDENT).heads[:, :, :3]  # (head, token, number)
    parted = np.pad(heads, ((0, 0), (0, 0), (0, 1))).transpose(1, 0, 2)  # a gap after each head
    return _heat(parted.reshape(len(parted), -1)[:, :-1], "Queries cut into heads")


def positions() -> Small:
    return thumbnail.curves(by_hand.positions(60, 32)[:, 6:10].T, "Four sine and cosine curves")


def transformer(text: str = TIRED) -> Small:
    return thumbnail.alignment(run(probe.encoded, "transformer", text).words())


def it() -> Small:
    shares = np.array(known("transformer").measured["it resolved"])
    return thumbnail.heat(shares, "How often each head finds what it means")


def decoder(text: str = UMBRELLA) -> Small:
    masked = run(probe.translate, "transformer", text).decoder
    assert masked is not None  # the Transformer always has one
    return thumbnail.alignment(masked)


def ablation() -> Small:
    rises = np.array(known("transformer").measured["ablation"]["encoder"])
    return _heat(rises, "What the loss gains when a head is silent")


def block() -> Small:
    return _heat(run(probe.stream, "transformer", TIRED).added, "What each half layer adds")


def norms() -> Small:
    both = np.concatenate((by_hand.layer_norm(NUMBERS), by_hand.batch_norm(NUMBERS)), axis=1)
    return _heat(both, "The same numbers, by row and by column")


def context() -> Small:
    one, other = (run(probe.states, "elmo", text).words() for text in BANKS)
    at = [found.tokens.index("bank") for found in (one, other)]
    alike = [
        float(cosines(x[at[0]], y[at[1]][None])[0])
        for x, y in zip(one.values, other.values, strict=True)
    ]
    return thumbnail.bars(alike, "How alike bank is in two sentences, layer by layer")


def ponder() -> Small:
    facts = (
        "Mary got the football there.",
        "John went to the kitchen.",
        "Mary went to the garden.",
    )
    trace = run(probe.ponder, "universal", facts, "Where is the football?")
    return thumbnail.heat(pondering.looked(trace).T, pondering.finding(trace))


def few_shot() -> Small:
    kept = run(probe.kept_drawings, "snail")
    made = episodes.episode(kept, next(iter(kept)), 1, 1)
    trace = run(probe.drawn_few_shot, "snail", made.examples, made.labels, made.questions[0])
    first, *examples = trace.drawings[-1], *trace.drawings[:-1]
    ink = np.block([[first, *examples[:2]], [*examples[2:5]]])
    coarse = ink.reshape(28, 2, 42, 2).max((1, 3))  # two pixels are one: a tile has few
    return thumbnail.heat(coarse, episodes.verdict(trace))


def bert(text: str = TIRED) -> Small:
    return thumbnail.alignment(run(probe.encode, "bert-mini", text).words())


def mask() -> Small:
    guesses = run(probe.filled, "bert-mini", CAT, (6,)).guesses[0]
    return thumbnail.bars(guesses.probabilities, "Ten guesses for a hidden word")


def pair() -> Small:
    chance = run(probe.next_sentence, "bert-mini", STORE, MILK)
    return thumbnail.bars((chance, 1 - chance), "Whether the second sentence follows")


def embeddings() -> Small:
    trace = run(probe.embeddings, "bert-mini", CAT)
    return _heat(trace.total[:, :32], "Three vectors added, a row for each token")


def tasks() -> Small:
    weighed = run(probe.importance, "bert-sentiment", REVIEW)
    return thumbnail.bars(weighed.left_out, "Which words decide whether a review is good")


def own() -> Small:
    trace = run(probe.encode, "bert-mini", UMBRELLA).words()
    return thumbnail.heat(trace.matrix(0, 0), "One head of a model that you brought")


def gpt() -> Small:
    trace = run(probe.generate, "gpt", PARK, 12, 0.0).attention
    return thumbnail.heat(trace.matrix(2, None), "A triangle that grows with the story")


def inside_gpt() -> Small:
    stream = run(probe.lens, "gpt", PARK)
    return thumbnail.heat(stream.probabilities[::-1, :, 0], "How sure each block is of a word")


def summary() -> Small:
    trace = run(probe.summarise, "summary", ABSTRACTS["A new word"]).words()
    assert trace.copying is not None
    # The first words of the text: a tile has few squares.
    return thumbnail.heat(trace.copying.weights[:, :24], titled.finding(trace, len(trace.target)))


def size_of_parts() -> Small:
    counts = [part.count / 1e8 for part in sizes.parts(sizes.BERT_BASE)]
    return thumbnail.bars(counts, "Where the parameters of BERT are")


def beam() -> Small:
    return thumbnail.tree(run(probe.beam, "rnn-additive", STUDENT, 4), "A tree of words")


def beam_table() -> Small:
    table = np.array([row.probabilities for row in TABLE.rows])
    return thumbnail.heat(table, "The chances of four words at every step")


def eras() -> Small:
    written: Sequence[NDArray[np.floating]] = [
        run(probe.align, name, STUDENT, "Je suis étudiant.").words().cross.matrix(-1, None)
        for name in ("rnn-additive", "transformer")
    ]
    return thumbnail.heat(np.concatenate(written, axis=1), "Two models on the same sentence")


def models() -> Small:
    losses = np.array([[point["held_out"] for point in known("transformer").curve]])
    return thumbnail.curves(losses, "The held-out loss falls while the Transformer learns")


def gallery() -> Small:
    return alignment()


def talk() -> Small:
    return thumbnail.heat(np.linspace(0.1, 1, 12).reshape(2, 6), "Slides in an order")


PICTURES: dict[str, Callable[..., Small | alt.LayerChart]] = {
    "machine": machine,
    "vectors": vectors,
    "word2vec": word2vec,
    "recurrent": recurrent,
    "gates": gates,
    "music": music,
    "the_bottleneck": the_bottleneck,
    "memory": memory,
    "reading": reading,
    "documents": documents,
    "alignment": alignment,
    "context_vector": context_vector,
    "scores": score_functions,
    "local": local,
    "caption": caption,
    "patches": patches,
    "dream": dream,
    "lookup": lookup,
    "search": search,
    "reach": reach,
    "self_attention": self_attention,
    "split": split,
    "positions": positions,
    "transformer": transformer,
    "it": it,
    "decoder": decoder,
    "ablation": ablation,
    "block": block,
    "norms": norms,
    "context": context,
    "ponder": ponder,
    "few_shot": few_shot,
    "bert": bert,
    "mask": mask,
    "pair": pair,
    "embeddings": embeddings,
    "tasks": tasks,
    "own": own,
    "gpt": gpt,
    "inside_gpt": inside_gpt,
    "summary": summary,
    "sizes": size_of_parts,
    "beam": beam,
    "beam_table": beam_table,
    "eras": eras,
    "models": models,
    "gallery": gallery,
    "talk": talk,
}
# these draw any sentence
OF_SENTENCES = {"reading", "machine", "alignment", "transformer", "decoder", "bert"}


def small_picture(stem: str, text: str = "", low: bool = False) -> Small | alt.LayerChart:
    """A page's small picture, of this sentence where it can be.

    In a low tile the words of the machine could not be read: its attention stands for it.
    """
    draw = transformer if low and stem == "machine" else PICTURES[stem]
    return draw(text) if text and stem in OF_SENTENCES else draw()
