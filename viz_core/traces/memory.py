"""What a machine with a memory did: where its heads wrote and read, step after step."""

from __future__ import annotations

from dataclasses import dataclass, fields

from viz_core.traces.attention import Vectors, Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressTrace:
    """How one head came to its weighting at each step (Graves et al. 2014, eq. 5 to 9)."""

    before: Weights  # (time, place): its weighting a step earlier
    similarity: Weights  # (time, place): K, cosine of its key and what is at a place
    strength: Weights  # (time,): beta
    content: Weights  # (time, place): the softmax of beta K
    gate: Weights  # (time,): g
    gated: Weights  # (time, place): g of the content, 1 - g of the weighting before
    shift: Weights  # (time, 3): s, one place back, none, one place on
    shifted: Weights  # (time, place)
    sharpness: Weights  # (time,): gamma
    weights: Weights  # (time, place): in the end

    def __post_init__(self) -> None:
        for field in fields(self):
            found = getattr(self, field.name)
            if len(found) != len(self.weights):
                raise ValueError(
                    f"{len(self.weights)} steps of weights but {len(found)} of {field.name}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTrace:
    """Bits that were read in, a step each, then an end mark, then the answer, a step each."""

    bits: Weights  # (length, bit): what was to be copied
    probabilities: Weights  # (length, bit): that a bit of the answer is 1
    write: AddressTrace
    read: AddressTrace
    vectors: Vectors  # (time, width): what was read, r
    memory: Vectors  # (time, place, width): after the step was written, M
    longest: int  # what the model was trained on

    def __post_init__(self) -> None:
        if self.bits.shape != self.probabilities.shape:
            raise ValueError(
                f"bits are {self.bits.shape} but the answer is {self.probabilities.shape}"
            )
        steps = 2 * len(self.bits) + 1
        for name, found in (("writes", self.writes), ("reads", self.reads)):
            if found.shape != self.memory.shape[:2] or len(found) != steps:
                raise ValueError(
                    f"{steps} steps, {self.memory.shape[:2]} of memory, but {name} are "
                    f"{found.shape}"
                )

    @property
    def output(self) -> Weights:
        """(length, bit): the answer, of 0 and 1."""
        answer: Weights = (self.probabilities > 0.5).astype(self.bits.dtype)
        return answer

    @property
    def writes(self) -> Weights:
        """(time, place)"""
        return self.write.weights

    @property
    def reads(self) -> Weights:
        """(time, place)"""
        return self.read.weights

    @property
    def length(self) -> int:
        return len(self.bits)

    @property
    def wrong(self) -> int:
        """Bits of the answer that are not the ones asked for."""
        return int((self.output != self.bits).sum())
