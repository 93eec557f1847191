"""How much a loss hears of each earlier input."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientTrace:
    """norms (network, step): |d loss_T / d x_t|; the last step is the one of the loss."""

    scale: float
    names: tuple[str, ...]
    norms: Vectors

    def __post_init__(self) -> None:
        if len(self.names) != len(self.norms):
            raise ValueError(f"{len(self.names)} names but norms for {len(self.norms)} networks")

    def kept(self, network: int) -> float:
        """The first input's gradient over the last one's."""
        last = float(self.norms[network, -1])
        return float(self.norms[network, 0]) / last if last else 0.0
