"""Beam search and exhaustive search of a translator, as traces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from viz_core import decoding
from viz_core.analysis.hypotheses import Output
from viz_core.checkpoints import Bundle
from viz_core.decoding import Normalisation
from viz_core.decoding.exhaustive import search as exact_search
from viz_core.probe.translator import PLAIN, Options, Translating, read, room
from viz_core.traces.search import BeamTrace, Hypothesis


@torch.inference_mode()
def beam(
    bundle: Bundle,
    text: str,
    size: int = 5,
    length_penalty: float = 0.0,
    prefix: Sequence[int] = (),
    *,
    normalisation: Normalisation = "plain",
    limit: int | None = None,
    options: Options = PLAIN,
) -> BeamTrace:
    """Beam search with the whole tree; prefix is a forced beginning, as token ids."""
    source = read(bundle, text)
    check_size(size)
    _check(bundle, prefix)
    steps = Translating(bundle, torch.tensor([source.ids]), options)
    search = decoding.Beam(
        size=min(size, bundle.tokenizer.size),
        limit=limit or room(source),
        alpha=length_penalty,
        normalisation=normalisation,
    )
    tree = decoding.beam(steps, search, prefix)
    return record(tree, bundle.tokenizer.label, source.tokens)


@torch.inference_mode()
def exhaustive(
    bundle: Bundle,
    text: str,
    length_penalty: float = 0.0,
    prefix: Sequence[int] = (),
    *,
    normalisation: Normalisation = "plain",
    limit: int | None = None,
    budget: int = 500,
) -> Output:
    """The best output of all, proved so if it could be within the budget; else the best found."""
    source = read(bundle, text)
    _check(bundle, prefix)
    steps = Translating(bundle, torch.tensor([source.ids]))
    length = limit or room(source)
    beam = decoding.Beam(size=5, limit=length, alpha=length_penalty, normalisation=normalisation)
    return exact_search(steps, beam, prefix, budget).output(bundle.tokenizer.decode)


def greedy_losses(bundle: Bundle, texts: Sequence[str], size: int) -> dict[str, float]:
    """The sentences on which greedy search finds less than the beam: clearest first, in nats."""
    losses = {}
    for text in texts:
        greedy, wide = (beam(bundle, text, width) for width in (1, size))
        gap = wide.nodes[wide.best].log_prob - greedy.nodes[greedy.best].log_prob
        if greedy.complete and wide.complete and gap > 0.005:
            losses[text] = gap
    return dict(sorted(losses.items(), key=lambda item: -item[1]))


def check_size(beam: int) -> None:
    if beam < 1:
        raise ValueError(f"A beam of {beam} keeps nothing: choose 1 or more.")


def _check(bundle: Bundle, prefix: Sequence[int]) -> None:
    for token in prefix:
        if not 0 <= token < bundle.tokenizer.size:
            raise ValueError(
                f"Token {token} cannot be forced: the vocabulary has {bundle.tokenizer.size}."
            )


def record(
    tree: decoding.Tree, label: Callable[[int], str], source: tuple[str, ...] = ()
) -> BeamTrace:
    """A search tree as a trace; label names a token."""
    make = Hypothesis._make  # from a tuple, half the time of a call with nine arguments
    nodes = tuple(
        make(
            (
                node.parent,
                node.step,
                label(node.token),
                node.token,
                node.log_prob,
                node.score,
                node.status,
                node.reason,
                node.probability,
            )
        )
        for node in tree.nodes
    )
    attention = None
    if tree.weights:
        # One table of all rows; the first, of zeros, is for the root, which nothing wrote.
        table = torch.cat((torch.zeros(1, len(source)), *tree.weights)).numpy()
        starts = np.cumsum([1, *map(len, tree.weights)]).tolist()
        places = [0 if n.row[0] < 0 else starts[n.row[0]] + n.row[1] for n in tree.nodes]
        attention = table[places]
    return BeamTrace(
        nodes=nodes, source=source, attention=attention, best=tree.best, complete=tree.complete
    )
