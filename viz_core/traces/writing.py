"""What a language model wrote on, word by word."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import AttentionTrace, Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A text written on from its beginning, one token after the other.

    The row before a token is the look that wrote it.
    """

    text: str  # all of it, the beginning too
    tokens: tuple[str, ...]  # what was written; the last may be </s>
    attention: AttentionTrace  # masked, over <s>, the beginning and what was written
    predictions: tuple[Prediction, ...]  # one a written token: what it was drawn from
    probabilities: tuple[float, ...]  # of each written token among what it was drawn from
    unknown: tuple[str, ...] = ()  # signs of the beginning that the model has never seen

    def __post_init__(self) -> None:
        for what in ("predictions", "probabilities"):
            if len(getattr(self, what)) != len(self.tokens):
                raise ValueError(f"{len(self.tokens)} tokens but {len(getattr(self, what))} {what}")

    @property
    def given(self) -> int:
        """Tokens that were read before the first one was written, <s> included."""
        return len(self.attention.queries) - len(self.tokens)
