"""Recurrent translators taken apart: what their states keep, and where their windows stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from viz_core import decoding
from viz_core.checkpoints import Bundle
from viz_core.decoding import Next, State
from viz_core.models.rnn import AS_TRAINED, Look
from viz_core.probe.translation import as_target, as_trace
from viz_core.probe.translator import PLAIN, Options, Translating, is_recurrent, read, room
from viz_core.text import START, Encoded, merge_words
from viz_core.traces.rnn import FadingTrace, LocalTrace, MovedTrace


@torch.inference_mode()
def memory(bundle: Bundle, text: str) -> FadingTrace:
    """How much of every word is left in every state of both readers."""
    model, source = bundle.model, read(bundle, text)
    if not is_recurrent(model):
        raise ValueError(f"{bundle.card.name} has no recurrent states: choose an RNN.")
    # words are numbered from 0 without gaps, </s> among them
    numbers = np.unique(np.array(source.words), return_inverse=True)[1]
    count = int(numbers.max()) + 1
    embedded = model.embedding(torch.tensor(source.ids)).repeat(count + 1, 1, 1)
    for word in range(count):  # row 0 reads everything, row j + 1 a blank in the place of word j
        embedded[word + 1, torch.from_numpy(numbers == word)] = 0.0
    states, _ = model.encoder(embedded)  # (reading, token, 2 * half)
    forward, backward = (states[1:] - states[:1]).chunk(2, dim=-1)
    first = np.searchsorted(numbers, np.arange(count))
    last = np.searchsorted(numbers, np.arange(count), side="right") - 1
    return FadingTrace(
        words=merge_words(source.tokens, source.words),
        forward=forward.norm(dim=-1)[:, last].T.numpy(),  # (state, word)
        backward=backward.norm(dim=-1)[:, first].T.numpy(),
    )


@torch.inference_mode()
def local(
    bundle: Bundle, text: str, target: str | None = None, options: Options = PLAIN
) -> LocalTrace:
    """Local attention taken apart, along its own translation or a given one."""
    model = bundle.model
    if not getattr(model, "is_local", False):
        raise ValueError(f"{bundle.card.name} has no local attention: choose rnn-local-p.")
    source = read(bundle, text)
    steps = Translating(bundle, torch.tensor([source.ids]), options)
    if target is None:
        ids: Sequence[int] = decoding.greedy(steps, 1, room(source))[0].ids
    else:
        ids = as_target(bundle, target).ids
    return taken_apart(bundle, steps, source, ids, options.look)


def taken_apart(
    bundle: Bundle, steps: Translating, source: Encoded, ids: Sequence[int], look: Look
) -> LocalTrace:
    """What local attention does along given ids: content weights, centres and window."""
    model = steps.model
    step = steps.run(steps.first(), torch.tensor([[START, *ids[:-1]]]))
    reach = float(model.config.reach if look.reach is None else look.reach)
    return LocalTrace(
        attention=as_trace(
            "alignment", bundle.tokenizer.show(ids), source, step.weights[0][None, None]
        ),
        content=step.local.content[0].numpy(),
        centres=step.local.centres[0].numpy(),
        # The monotonic window has no Gaussian: one without end is 1 everywhere.
        sigma=math.inf if model.centre is None else look.sigma or reach / 2,
        reach=reach,
    )


SHOWN = 4  # next tokens named, of the model as it is and with its window moved


class MovedOnce(Translating):
    """A translator whose window stands somewhere else at one step, and is its own otherwise."""

    def __init__(
        self, bundle: Bundle, source: Tensor, look: Look, row: int, centre: Tensor
    ) -> None:
        super().__init__(bundle, source, Options(look=look))
        self.row, self.there = row, look._replace(centres=centre.view(1, 1))

    def step(self, state: State, tokens: Tensor) -> Next:
        if int(state[-1][0]) != self.row:  # the state counts the tokens written so far
            return super().step(state, tokens)
        step = self.model.decode(self.memory, state, tokens.unsqueeze(1), self.there)
        log_probs = self.model.logits(step.features[:, -1]).log_softmax(-1)
        return Next(log_probs, step.weights[:, -1], step.state)


@torch.inference_mode()
def move(bundle: Bundle, text: str, row: int, shift: float, look: Look = AS_TRAINED) -> MovedTrace:
    """Shift the centre of one step; the target words before it stay as they were."""
    model = bundle.model
    if not getattr(model, "is_local", False):
        raise ValueError(f"{bundle.card.name} has no local attention: choose rnn-local-p.")
    if math.isnan(shift):
        raise ValueError("A window is moved by a number of words, and this is no number.")
    source = read(bundle, text)
    ids = torch.tensor([source.ids])
    steps = Translating(bundle, ids, Options(look=look))
    limit = room(source)
    written: Sequence[int] = decoding.greedy(steps, 1, limit)[0].ids
    row = min(max(row, 0), len(written) - 1)
    own = torch.from_numpy(taken_apart(bundle, steps, source, written, look).centres.copy())
    centres = own.clone()
    centres[row] = (own[row] + shift).clamp(0, len(source.ids) - 1)
    moved = Translating(bundle, ids, Options(look=look._replace(centres=centres[None])))
    given = torch.tensor([[START, *written[:-1]]])
    before, after = (
        model.logits(each.run(each.first(), given).features[0, row]).softmax(-1)
        for each in (steps, moved)
    )  # (vocabulary,)
    likely = set(before.topk(SHOWN).indices.tolist()) | set(after.topk(SHOWN).indices.tolist())
    tokens = sorted(likely, key=lambda token: -float(before[token]))
    moved_written = written
    if shift:
        once = MovedOnce(bundle, ids, look, row, centres[row])
        search = decoding.Beam(size=1, limit=limit, record=False)
        tree = decoding.beam(once, search, written[:row])
        moved_written = tree.tokens(tree.best)
    return MovedTrace(
        row=row,
        predicted=float(own[row]),
        local=taken_apart(bundle, moved, source, written, look),
        tokens=tuple(map(bundle.tokenizer.label, tokens)),
        before=tuple(before[tokens].tolist()),
        after=tuple(after[tokens].tolist()),
        text=bundle.tokenizer.decode(written),
        moved_text=bundle.tokenizer.decode(moved_written),
    )
