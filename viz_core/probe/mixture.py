"""A recurrent translator stopped at one word: its context vector, and another in its place."""

from __future__ import annotations

import torch
from torch import Tensor

from viz_core import decoding, interruption
from viz_core.checkpoints import Bundle
from viz_core.models.rnn import Look, Step
from viz_core.probe.translator import Translating, is_recurrent, read, room
from viz_core.text import END, START
from viz_core.traces.mixture import MixtureTrace

SHOWN = 5  # next tokens named, with the model's weights and with the others


@torch.inference_mode()
def mixture(
    bundle: Bundle, text: str, step: int, key: int = 0, weight: float | None = None
) -> MixtureTrace:
    """The sum at one step; with a weight, the key gets it and the others share what is left."""
    model = bundle.model
    if not is_recurrent(model) or model.score is None:
        raise ValueError(f"{bundle.card.name} mixes no states of a reader: choose rnn-additive.")
    if weight is not None and not 0 <= weight <= 1:
        raise ValueError("A weight is a number from 0 to 1.")
    source = read(bundle, text)
    ids = torch.tensor([source.ids])
    steps, limit = Translating(bundle, ids), room(source)
    written = decoding.greedy(steps, 1, limit)[0].ids
    step, key = min(max(step, 0), len(written) - 1), min(max(key, 0), len(source.ids) - 1)
    given = [START, *written[:step]]
    state = steps.first()
    if step:
        state = steps.run(state, torch.tensor([given[:-1]])).state
    last = torch.tensor([[given[-1]]])
    found = steps.run(state, last)
    own = found.weights[0, -1]  # (key,)
    weights = own if weight is None else moved(own, key, weight)
    other = model.decode(steps.memory, state, last, Look(weights=weights.view(1, 1, -1)))
    before, after = (
        model.logits(each.features[0, -1]).softmax(-1) for each in (found, other)
    )  # (vocabulary,)
    likely = set(before.topk(SHOWN).indices.tolist()) | set(after.topk(SHOWN).indices.tolist())
    tokens = sorted(likely, key=lambda token: -max(float(before[token]), float(after[token])))
    going_on = written if weight is None else [*written[:step], *_written(steps, other, limit)]
    forward, backward = steps.memory.states[0].chunk(2, dim=-1)
    return MixtureTrace(
        source=source.tokens,
        target=bundle.tokenizer.show(written).tokens,
        step=step,
        forward=forward.numpy(),
        backward=backward.numpy(),
        own=own.numpy(),
        weights=weights.numpy(),
        tokens=tuple(map(bundle.tokenizer.label, tokens)),
        before=tuple(before[tokens].tolist()),
        after=tuple(after[tokens].tolist()),
        text=bundle.tokenizer.decode(written),
        moved_text=bundle.tokenizer.decode(going_on),
    )


def moved(weights: Tensor, key: int, weight: float) -> Tensor:
    """One weight set; the others keep their proportions and share what is left."""
    others = weights.clone()
    others[key] = 0
    if others.sum() < 1e-6:  # all was on this one: nothing tells how to share
        others = torch.ones_like(weights)
        others[key] = 0
    found = others / others.sum().clamp_min(1e-6) * (1 - weight)
    found[key] = weight if len(weights) > 1 else 1.0
    return found  # (key,)


def _written(steps: Translating, first: Step, limit: int) -> list[int]:
    """Greedy from a step that was taken already."""
    ids, state = [int(steps.model.logits(first.features[0, -1]).argmax())], first.state
    while ids[-1] != END and len(ids) < limit:
        interruption.point()
        log_probs, _, state = steps.step(state, torch.tensor(ids[-1:]))
        ids.append(int(log_probs[0].argmax()))
    return ids
