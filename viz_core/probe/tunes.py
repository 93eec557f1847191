"""A character model that writes a tune: one sign after the other, drawn by its own chances."""

from __future__ import annotations

import torch

from viz_core import interruption
from viz_core.checkpoints import Bundle
from viz_core.models.characters import Characters
from viz_core.text.characters import BREAK

MOST = 600  # signs of a tune
GIVEN = 200  # signs that a visitor may begin with


@torch.inference_mode()
def compose(
    bundle: Bundle, beginning: str, temperature: float = 0.7, seed: int = 1, most: int = MOST
) -> str:
    """The beginning and what the model writes after it, up to the end that it finds itself."""
    model = bundle.model
    if not isinstance(model, Characters) or BREAK not in bundle.tokenizer.vocabulary:
        raise ValueError(f"{bundle.card.name} writes no tunes: choose char-abc.")
    encoded = bundle.tokenizer.encode(BREAK + beginning)
    if encoded.unknown:
        signs = " ".join(dict.fromkeys(encoded.unknown))
        raise ValueError(f"Not a sign of a tune: {signs[:40]}. Type notes such as GAB c2d|")
    if len(encoded.ids) > GIVEN:
        raise ValueError(f"Begin with {GIVEN} signs at most: here are {len(encoded.ids) - 1}.")
    rng = torch.Generator().manual_seed(seed)  # its own: visitors compose at the same time
    reading = model(torch.tensor([encoded.ids]))
    written, ends = beginning, bundle.tokenizer.encode(BREAK).ids[0]
    for _ in range(most - len(beginning)):
        interruption.point()
        logits = reading.logits[0, -1] / max(temperature, 0.05)
        logits[0] = -torch.inf  # the sign for whatever is rare
        sign = int(torch.multinomial(logits.softmax(-1), 1, generator=rng))
        if sign == ends:
            break
        written += bundle.tokenizer.vocabulary[sign]
        reading = model(torch.tensor([[sign]]), reading.state)
    return written
