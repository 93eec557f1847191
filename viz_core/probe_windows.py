"""Local attention with its window moved by hand, to see what the translator says then."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from viz_core import decoding, probe
from viz_core.checkpoints import Bundle
from viz_core.decoding import Next, State
from viz_core.models.rnn import AS_TRAINED, RNN, Look
from viz_core.probe import Options, Translating
from viz_core.rnn_traces import MovedTrace
from viz_core.text import START

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
    """Shift the centre of one step; the target words before it stay those of the translation."""
    model = bundle.model
    if not (isinstance(model, RNN) and model.is_local):
        raise ValueError(f"{bundle.card.name} has no local attention: choose rnn-local-p.")
    if math.isnan(shift):
        raise ValueError("A window is moved by a number of words, and this is no number.")
    source = probe.read(bundle, text)
    ids = torch.tensor([source.ids])
    steps = Translating(bundle, ids, Options(look=look))
    limit = probe.room(source)
    written: Sequence[int] = decoding.greedy(steps, 1, limit)[0].ids
    row = min(max(row, 0), len(written) - 1)
    own = torch.from_numpy(probe.taken_apart(bundle, steps, source, written, look).centres.copy())
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
    once = MovedOnce(bundle, ids, look, row, centres[row])
    search = decoding.Beam(size=1, limit=limit, record=False)
    tree = decoding.beam(once, search, written[:row])
    return MovedTrace(
        row=row,
        predicted=float(own[row]),
        local=probe.taken_apart(bundle, moved, source, written, look),
        tokens=tuple(map(bundle.tokenizer.label, tokens)),
        before=tuple(before[tokens].tolist()),
        after=tuple(after[tokens].tolist()),
        text=bundle.tokenizer.decode(written),
        moved_text=bundle.tokenizer.decode(tree.tokens(tree.best)),
    )
