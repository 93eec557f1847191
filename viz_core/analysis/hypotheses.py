"""What a search tree says: its outputs, who beat whom, and two futures in one tree."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.traces.search import BeamTrace, Hypothesis

Decode = Callable[[Sequence[int]], str]  # token ids -> text


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a search gave, with the figures by which it is compared."""

    text: str
    ids: tuple[int, ...]
    log_prob: float
    score: float  # log_prob, normalised by length
    finished: bool = True
    proved: bool = False  # that there is none better
    note: str = ""  # why it is not the best, or how sure it is to be

    @property
    def length(self) -> int:
        """Tokens, the closing one included."""
        return len(self.ids)

    @property
    def probability(self) -> float:
        return math.exp(self.log_prob)


def output(trace: BeamTrace, index: int, decode: Decode) -> Output:
    node, ids = trace.nodes[index], trace.token_ids(index)
    finished = node.status == "finished"
    return Output(
        text=decode(ids),
        ids=ids,
        log_prob=node.log_prob,
        score=node.score,
        finished=finished,
        note=node.reason if finished else "unfinished: the limit came first",
    )


def outputs(trace: BeamTrace, decode: Decode) -> tuple[Output, ...]:
    """The finished hypotheses, best first; where none finished, the best unfinished one."""
    return tuple(output(trace, index, decode) for index in trace.finished or (trace.best,))


def rows(found: Sequence[Output]) -> list[dict[str, Any]]:
    """A line for each output, as a table shows it and as it is downloaded."""
    return [
        {
            "rank": rank,
            "text": each.text,
            "log-probability": round(each.log_prob, 4),
            "length": each.length,
            "normalised score": round(each.score, 4),
            "note": each.note,
        }
        for rank, each in enumerate(found, start=1)
    ]


# ---- nodes ------------------------------------------------------------------------------------


def find(trace: BeamTrace, ids: Sequence[int]) -> int | None:
    """The node at which these tokens have been written."""
    at = 0
    for token in ids:
        below = [i for i, node in enumerate(trace.nodes) if node.parent == at]
        step = [i for i in below if trace.nodes[i].token_id == token]
        if not step:
            return None
        at = step[0]
    return at


def least_sure(trace: BeamTrace) -> int:
    """The node of the winning path whose token was the least probable."""
    return min(trace.path(trace.best)[1:], key=lambda i: trace.nodes[i].probability, default=0)


def following(trace: BeamTrace, index: int, top: int = 5) -> tuple[int, ...]:
    """The most probable recorded continuations of a node."""
    below = [i for i, node in enumerate(trace.nodes) if node.parent == index]
    return tuple(sorted(below, key=lambda i: -trace.nodes[i].probability)[:top])


def futures(free: BeamTrace, forced: BeamTrace) -> BeamTrace:
    """Both searches in one tree: where they part, both ways go on. The forced one's best leads.

    A hypothesis that one search pruned and the other one kept has lived, and says both.
    """
    nodes: list[Hypothesis] = list(free.nodes)
    known = {free.token_ids(i): i for i in range(len(nodes))}
    place: list[int] = []  # of each forced node in the common tree
    added: list[int] = []
    for index, node in enumerate(forced.nodes):
        ids = forced.token_ids(index)
        if ids in known:
            place.append(known[ids])
            nodes[place[-1]] = _lived(nodes[place[-1]], node)
        else:
            place.append(len(nodes))
            known[ids] = len(nodes)
            added.append(index)
            nodes.append(node._replace(parent=place[node.parent]))
    attention = None
    if free.attention is not None and forced.attention is not None:
        attention = np.concatenate((free.attention, forced.attention[added]))
    return BeamTrace(
        nodes=tuple(nodes),
        source=free.source,
        attention=attention,
        best=place[forced.best],
        complete=forced.complete,
    )


def _lived(free: Hypothesis, forced: Hypothesis) -> Hypothesis:
    if free.status == "pruned" and forced.status != "pruned":
        return forced._replace(parent=free.parent, reason=f"forced; else {free.reason}")
    return free


def why_shown(node: Hypothesis, forced: bool) -> str:
    """Why this word of the tree is the one that is looked at closely."""
    return node.reason or ("forced" if forced else "the least sure word of the winner")


# ---- greedy, beam, exhaustive -----------------------------------------------------------------


def verdict(greedy: Output, beam: Output, exact: Output, of: str = "there is") -> str:
    """Who won, in Markdown and with the numbers; `of` says among which outputs."""
    if not beam.finished:
        return (
            "**No hypothesis finished** within the maximum length: the best unfinished one leads."
        )
    if not greedy.finished:
        start = "**Greedy search did not finish** within the maximum length; the beam did"
    elif greedy.ids == beam.ids:
        start = "**Greedy search and the beam find the same output**"
    elif beam.score > greedy.score:
        times = math.exp(beam.log_prob - greedy.log_prob)
        start = f"**Greedy loses**, {greedy.score:.2f} to {beam.score:.2f}"
        often = f"{times:.1f}" if times < 10 else f"{times:,.0f}"
        start += f": the beam's output is {often} times as probable" if times > 1 else ""
    else:
        start = f"**The beam loses**, {beam.score:.2f} to {greedy.score:.2f} of greedy search"
    best = max(greedy, beam, key=lambda each: each.score if each.finished else -math.inf)
    return start + _judged(best, exact, of)


def _judged(best: Output, exact: Output, of: str) -> str:
    if exact.ids != best.ids and exact.score > best.score:
        missed = f"the best output {of}" if exact.proved else "an output that scores more"
        missed += "" if exact.text else ", the empty one"
        return f". Both missed {missed}, {exact.score:.2f}: a search error."
    if exact.ids == best.ids and exact.proved:
        return f", and it is proved to be the best {of}."
    return "."


def price(free: Output, forced: Output) -> str:
    """What forcing a beginning changed."""
    if free.ids == forced.ids:
        return " The forced beginning is the one that wins anyway."
    verb = "costs" if forced.score < free.score else "gains"
    return (
        f" Forcing {verb} {abs(free.score - forced.score):.2f}: {forced.score:.2f} "
        f"instead of {free.score:.2f}."
    )


# ---- formulas with this example's own numbers --------------------------------------------------


def score_formula(found: Output, alpha: float, gnmt: bool = False) -> str:
    """The length-normalised score in LaTeX, with the output's numbers."""
    size, number = r"L^\alpha", rf"{found.length}^{{{alpha:g}}}"
    if gnmt:
        size = r"\left(\frac{5+L}{6}\right)^\alpha"
        number = rf"\left(\frac{{5+{found.length}}}{{6}}\right)^{{{alpha:g}}}"
    return (
        rf"\text{{score}} = \frac{{\log P}}{{{size}}}"
        rf" = \frac{{{found.log_prob:.2f}}}{{{number}}} = {found.score:.3f}"
    )


def root_formula(name: str, chances: Sequence[float]) -> str:
    """The n-th root of a product of n probabilities, in LaTeX."""
    product, count = math.prod(chances), len(chances)
    factors = r" \cdot ".join(f"{chance:.2g}" for chance in chances)
    return (
        rf"\text{{{name}}}: \quad \sqrt[{count}]{{{factors}}}"
        rf" = \sqrt[{count}]{{{product:.4f}}} = {product ** (1 / count):.3f}"
    )


def cost_formula(size: int, length: int, vocabulary: int) -> str:
    """Continuations that beam search weighs against the outputs that there are, in LaTeX."""
    beam, power = size * length * vocabulary, length * math.log10(vocabulary)
    if power < 9:
        every = f"= {vocabulary**length:,}"
    else:
        front = f"{10 ** (power % 1):.1f}"
        every = r"\approx " + ("" if front == "1.0" else rf"{front} \cdot ")
        every += f"10^{{{math.floor(power)}}}"
    return (
        rf"k \cdot n \cdot V = {size} \cdot {length} \cdot {vocabulary:,} = {beam:,}"
        rf" \quad\text{{against}}\quad V^n = {vocabulary:,}^{{{length}}} {every}"
    ).replace(",", "{,}")


def tally(trace: BeamTrace) -> list[str]:
    """For each step, how many hypotheses were kept, finished and pruned."""
    last = max(node.step for node in trace.nodes)
    found = []
    for step in range(1, last + 1):
        fates = [node.status for node in trace.nodes if node.step == step]
        counts = [f"{fates.count(fate)} {fate}" for fate in ("kept", "finished", "pruned")]
        found.append(f"step {step}, {', '.join(counts)}")
    return ["the search begins", *found]
