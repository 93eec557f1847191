"""The neural Turing machine, run for a view: bits in and out, and all that its heads did."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from viz_core.checkpoints import Bundle
from viz_core.models.ntm import HEADS, NTM, Addressing, copying
from viz_core.traces.memory import AddressTrace, MemoryTrace

LONGEST_COPY = 120  # inputs: the longest of the paper, and the memory has 128 places


@torch.inference_mode()
def copy(bundle: Bundle, bits: ArrayLike) -> MemoryTrace:
    """Let it copy bits (length, bit) of 0 and 1, and keep what it wrote and read where."""
    model = bundle.model
    if not isinstance(model, NTM):
        raise ValueError(f"{bundle.card.name} has no memory to write to: choose ntm.")
    given = checked(bits, model.config.bits)
    found = model(copying(torch.from_numpy(given)[None]))
    first = model.first_weights.softmax(-1)
    write, read = (head(found.addressing, first, number) for number in range(len(HEADS)))
    return MemoryTrace(
        bits=given,
        probabilities=found.logits[0, -len(given) :].sigmoid().numpy(),
        write=write,
        read=read,
        vectors=found.reads[0].numpy(),
        memory=found.memory[0].numpy(),
        longest=model.config.longest,
    )


def checked(bits: ArrayLike, width: int) -> NDArray[np.float32]:
    """The bits as float32 (length, bit), or a sentence about what is wrong with them."""
    try:
        given = np.asarray(bits, dtype=np.float32)
    except (TypeError, ValueError):
        raise ValueError(f"Give rows of {width} bits each, of 0 and 1.") from None
    if given.ndim != 2 or given.shape[1] != width or not len(given):
        raise ValueError(f"Give rows of {width} bits each: these are of shape {given.shape}.")
    if not np.isin(given, (0, 1)).all():
        raise ValueError("Give bits: only 0 and 1 can be copied.")
    if len(given) > LONGEST_COPY:
        raise ValueError(
            f"These are {len(given):,} inputs; at most {LONGEST_COPY} fit into the memory."
        )
    return given


def head(found: Addressing, first: torch.Tensor, number: int) -> AddressTrace:
    """One head of the first example, all its steps."""
    own = Addressing(*(part[0, number] for part in found))  # (time, ...)
    return AddressTrace(
        before=torch.cat((first[number][None], own.weights[:-1])).numpy(),
        similarity=own.similarity.numpy(),
        strength=own.strength[:, 0].numpy(),
        content=own.content.numpy(),
        gate=own.gate[:, 0].numpy(),
        gated=own.gated.numpy(),
        shift=own.shift.numpy(),
        shifted=own.shifted.numpy(),
        sharpness=own.sharpness[:, 0].numpy(),
        weights=own.weights.numpy(),
    )
