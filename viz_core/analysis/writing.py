"""What a decoder wrote and what it cost, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz_core.text import SPACE, join_words
from viz_core.traces.attention import AttentionTrace, Translation
from viz_core.traces.search import BeamTrace
from viz_core.traces.transformer import StreamTrace
from viz_core.traces.writing import Generated

TEACHER = "teacher's perplexity"  # on a card
SILENT = ("<s>", "</s>", "<unk>", SPACE)  # of tokens, those that a finished text does not have
INDUCTION = 0.3  # of a head's weight: less is no habit


def so_far(found: Generated, step: int) -> str:
    """The text as it stands when `step` tokens are written, spaced as the model spaces it."""
    return _spaced(found.text, found.attention.until(found.given + step).words().queries)


def translated(found: Translation, step: int) -> str:
    """A translation as it stands when `step` tokens are written, without its closing mark."""
    return _spaced(found.text, found.cross.until(step).words().queries if step else ())


def _spaced(text: str, read: Sequence[str]) -> str:
    """The beginning of a text that these words are, with the text's own spaces."""
    words = [word for word in read if word not in SILENT]
    letters = "".join("".join(words).split())
    ends = [place for place, sign in enumerate(text, start=1) if not sign.isspace()]
    spaced = text[: ends[len(letters) - 1]] if 0 < len(letters) <= len(ends) else ""
    # What was typed in signs that the model never saw is in its words alone.
    return spaced if "".join(spaced.split()) == letters else join_words(words)[0]


def verdict(found: Generated, step: int) -> str:
    """How sure the model was of the word that it wrote, in words."""
    guess, chance = found.predictions[step], found.probabilities[step]
    named = found.tokens[step].removeprefix("##")
    if chance >= guess.probabilities[0]:
        return f"“{named}” was written, the likeliest word ({chance:.2f})"
    best = f"“{guess.tokens[0].removeprefix('##')}” ({guess.probabilities[0]:.2f}) was likelier"
    small = f"{chance:.2f}" if chance >= 0.005 else "less than 0.01"
    return f"“{named}” was drawn with a chance of {small}; {best}"


def chain(found: Generated, step: int, shown: int = 5) -> str:
    """The chain rule with the numbers of this text, in LaTeX: the last few factors and the sum."""
    chances = found.probabilities[: step + 1]
    factors = [rf"\ln {_chance(chance)}" for chance in chances[-shown:]]
    before = r"\ldots + " if len(chances) > shown else ""
    total = float(np.log(np.maximum(chances, 1e-12)).sum())
    return (
        r"\ln P = \sum_t \ln p(x_t \mid x_{<t}) = "
        rf"{before}{' + '.join(factors)} = {total:.2f}"
    )


def _chance(chance: float) -> str:
    """In LaTeX, rounded to what can still be read."""
    if chance >= 0.001:
        return f"{chance:.2g}" if chance < 0.1 else f"{chance:.{2 if chance < 0.995 else 4}f}"
    digit, power = f"{max(chance, 1e-12):.0e}".split("e")
    return rf"({digit} \cdot 10^{{{int(power)}}})"


def quality(metrics: Mapping[str, Mapping[str, float]]) -> str:
    """The measured perplexity, from a card, beside the least that anyone could have."""
    found, written = metrics.get("stories test", {}), metrics.get("stories written", {})
    if "perplexity" not in found:
        return ""
    most = f"The teacher wrote {written['tokens'] / 1e6:.1f} million tokens. " if written else ""
    return most + (
        f"Perplexity on {found['stories']:.0f} stories that it never read: "
        f"{found['perplexity']:.2f}, where the teacher that drew their words has "
        f"{found[TEACHER]:.2f}."
    )


# ---- the layers ---------------------------------------------------------------------------------


def settled(stream: StreamTrace, token: int) -> int:
    """The first stage from which on the likeliest word stays the one that is said at the end."""
    words = [stage[token][0] for stage in stream.nearest]
    return next(i for i in range(len(words)) if set(words[i:]) == {words[-1]})


def lens_finding(stream: StreamTrace, token: int) -> str:
    said = stream.nearest[-1][token][0].removeprefix("##")
    at, last = settled(stream, token), len(stream.stages) - 1
    chance = float(stream.probabilities[-1, token, 0])
    own = stream.tokens[token].removeprefix("##")
    when = "only the last block says so" if at == last else f"read there since {stream.stages[at]}"
    return f"After “{own}” the model expects “{said}” ({chance:.2f}); {when}"


def lens_formula(stream: StreamTrace, token: int) -> str:
    """The output layer laid upon every block, with the chance of the word that is said; where it
    is none of the words that were kept, it has less than the last of those."""
    said = stream.nearest[-1][token][0]
    chances = []
    for stage, row in zip(stream.nearest, stream.probabilities, strict=True):
        kept = dict(zip(stage[token], map(float, row[token]), strict=True))
        least = np.ceil(100 * float(row[token][-1])) / 100
        chances.append(f"{kept[said]:.2f}" if said in kept else f"{{<}}{max(least, 0.01):.2f}")
    told = r",\; ".join(chances)
    return (
        r"p_l = \mathrm{softmax}(E\,\mathrm{norm}(x_l)),\quad "
        rf"p_0, \ldots, p_{{{len(chances) - 1}}} \text{{ of the word that is said: }} {told}"
    )


def halves(encoder: AttentionTrace, decoder: AttentionTrace) -> str:
    """How much of either attention lies on what comes later, in words."""
    later = [
        float(np.triu(trace.matrix(), 1).sum() / max(len(trace.queries), 1))
        for trace in (encoder, decoder)
    ]
    return (
        f"BERT gives {later[0]:.0%} of its weight to words that come later, GPT {later[1]:.0%}: "
        "one reads a finished text, the other writes, and must not see what is not yet there"
    )


def ways(beam: BeamTrace) -> str:
    """The first words that are still open at the end of the tree."""
    ends = [i for i, node in enumerate(beam.nodes) if node.step == beam.nodes[-1].step]
    first = {beam.nodes[beam.path(i)[1]].token for i in ends if len(beam.path(i)) > 1}
    named = " or ".join(f"“{word.removeprefix('##')}”" for word in sorted(first))
    return f"Of all first words, those still open at step {beam.nodes[-1].step} are {named}"


# ---- keys and values that are kept --------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheCost:
    """One more token with keys and values kept, and without."""

    tokens: int  # read before
    layers: int
    kept: int  # numbers that wait in the cache
    new: int  # numbers that this token adds to it
    products: int  # multiplications with the cache
    products_anew: int  # the same if everything were computed again

    @property
    def times(self) -> float:
        return self.products_anew / self.products


def cache_cost(config: Mapping[str, Any], tokens: int) -> CacheCost:
    """Of a GPT by its card: each layer has 4 d^2 + 3 d inner weights, and each query meets the keys
    and values before it, 2 d products a pair; the words are named once, d times the vocabulary."""
    width, layers, inner = config["width"], config["layers"], config["inner"]
    token = layers * (4 * width**2 + 3 * width * inner)
    pair = layers * 2 * width
    named = config["vocabulary"] * width
    pairs = (tokens + 1) * (tokens + 2) // 2
    return CacheCost(
        tokens=tokens,
        layers=layers,
        kept=2 * layers * width * tokens,
        new=2 * layers * width,
        products=token + pair * (tokens + 1) + named,
        products_anew=token * (tokens + 1) + pair * pairs + named,
    )


def cache_finding(cost: CacheCost) -> str:
    if not cost.tokens:
        return f"Nothing was read before, so nothing is kept yet: {cost.new:,} numbers are computed"
    return (
        f"{cost.kept:,} numbers of {cost.tokens} tokens are kept, {cost.new:,} are computed anew. "
        f"That takes {cost.products / 1e6:.1f} million multiplications in place of "
        f"{cost.products_anew / 1e6:.1f}: {cost.times:.1f} times fewer"
    )


def cache_formula(config: Mapping[str, Any], cost: CacheCost) -> str:
    new, kept = f"{cost.new:,}".replace(",", "{,}"), f"{cost.kept:,}".replace(",", "{,}")
    return (
        rf"2 \cdot {cost.layers} \text{{ layers}} \cdot {config['width']} = {new}"
        rf"\text{{ numbers a token}},\qquad {new} \cdot {cost.tokens} = {kept} \text{{ kept}}"
    )


# ---- A B ... A -> B -----------------------------------------------------------------------------


def induction_scores(measured: Mapping[str, Any]) -> NDArray[np.float64]:
    """(layer, head): the weight on what came after the same token before, from a card."""
    found: NDArray[np.float64] = np.array(measured["induction"]["after"], dtype=float)
    return found


def induction_head(measured: Mapping[str, Any]) -> tuple[int, int, float]:
    """Layer, head and score of the best one."""
    scores = induction_scores(measured)
    layer, head = np.unravel_index(int(scores.argmax()), scores.shape)
    return int(layer), int(head), float(scores[layer, head])


def induction_finding(measured: Mapping[str, Any]) -> str:
    layer, head, score = induction_head(measured)
    told = measured["induction"]
    where = f"layer {layer + 1}, head {head + 1}"
    there = (
        f"There is an induction head: {where} gives {score:.2f} of its weight"
        if score >= INDUCTION
        else f"There is no induction head in this model: the nearest to one, {where}, gives only "
        f"{score:.2f} of its weight"
    )
    taught = f". In training {told['taught']}" if told.get("taught") else ""
    return (
        f"{there} to the word that came after the same word before. Of a list of random words that "
        f"comes a second time the model says {told['said']:.0%} of the next words right{taught}"
    )


def repeat(tokens: Sequence[str]) -> tuple[int | None, int | None]:
    """The last token that stood there before, and the place after its earlier one."""
    for row in range(len(tokens) - 1, 0, -1):
        before = [i for i in range(row - 1) if tokens[i] == tokens[row]]
        if before:
            return row, before[-1] + 1
    return None, None


def repeat_finding(trace: AttentionTrace, layer: int, head: int) -> str:
    """What this head does with the last repeat of a typed text."""
    row, after = repeat(trace.keys)
    if row is None or after is None:
        return "In this text no word comes twice"
    weight = float(trace.matrix(layer, head)[row, after])
    token, then = (trace.keys[place].removeprefix("##") for place in (row, after))
    return f"Here “{token}” came before, and then “{then}”: the head gives {weight:.2f} to it"
