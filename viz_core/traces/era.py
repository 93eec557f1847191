"""What a model of some year made of a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import AttentionTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Era:
    """text is what it wrote; seconds is how long the first computation took on this machine."""

    text: str
    trace: AttentionTrace
    seconds: float
