"""A whole model as a diagram: boxes in stacks, what came out of each, and what is inside one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from viz_core.traces.attention import Vectors, Weights, same_size

Kind = Literal["embedding", "encoder", "decoder", "cell", "context", "output"]
Way = Literal["", "forward", "backward"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One box of the diagram and its output, a row for each token."""

    name: str
    kind: Kind
    values: Vectors  # (token, width), or the first of so many
    width: int  # of the whole output
    way: Way = ""  # a cell for each token that hands its state on, this way
    formula: str = ""

    @property
    def shape(self) -> str:
        return f"{len(self.values)} × {self.width}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Boxes from the bottom up, over the tokens that go in."""

    tokens: tuple[str, ...]
    boxes: tuple[Box, ...]

    def __post_init__(self) -> None:
        for box in self.boxes:
            same_size(box.name, self.tokens, len(box.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineTrace:
    """A sentence on its way through a model: what reads it, and what writes the answer.

    A model that only reads (BERT) has no writer, one that only writes (GPT) no reader.
    """

    model: str
    reader: Stack | None
    writer: Stack | None
    said: tuple[str, ...]  # over the last stack: the likeliest word at each token
    chances: tuple[float, ...]  # of these words
    wanted: tuple[str, ...] = ()  # in training: what should have been said
    given: int = 1  # tokens of the writer that it did not write itself
    together: bool = False  # the writer reads all its tokens at once
    summary: Vectors | None = None  # (1, width): one vector from reader to writer
    weights: Weights | None = None  # (query, key): how the writer looked back at the reader

    def __post_init__(self) -> None:
        last = self.writer or self.reader
        if last is None:
            raise ValueError("a machine reads, writes or both")
        same_size("said", self.said, len(last.tokens))
        same_size("chance", self.chances, len(last.tokens))
        if self.weights is not None:
            shape = tuple(len(each.tokens) for each in (self.writer, self.reader) if each)
            if self.weights.shape != shape:
                raise ValueError(f"weights are {self.weights.shape} but the tokens {shape}")

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All of them, in the order in which the sentence comes through."""
        return tuple(box for stack in (self.reader, self.writer) if stack for box in stack.boxes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One step inside a box: vectors, a row for each token, or the weights of heads."""

    name: str
    formula: str
    values: Vectors  # (token, width), or (head, query, key) in [0, 1]
    heads: int = 1  # blocks side by side in the vectors
    width: int = 0  # of the whole vector, where only its largest numbers are kept

    @property
    def shape(self) -> str:
        *rest, width = self.values.shape
        return " × ".join(f"{size:,}" for size in (*rest, self.width or width))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Parts from left to right; those of one column stand over each other."""

    name: str
    columns: tuple[tuple[Part, ...], ...]
    added: int | None = None  # the column to which the first one is added

    @property
    def out(self) -> Vectors:
        """What goes on from here."""
        return self.columns[-1][-1].values


@dataclass(frozen=True, slots=True, kw_only=True)
class InsideTrace:
    """A box opened: rows of parts, the last of which is what comes out of it."""

    box: str
    kind: Kind
    layer: int  # of its kind, from 0
    tokens: tuple[str, ...]
    keys: tuple[str, ...]  # where it looks outside of its own tokens
    rows: tuple[Row, ...]
