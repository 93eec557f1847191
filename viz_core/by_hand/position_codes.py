"""Sine and cosine positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import numpy as np

from viz_core.by_hand.attention import Numbers


def rates(width: int, base: float = 10_000.0) -> Numbers:
    """Radians that each pair of dimensions turns by from one position to the next."""
    return np.asarray(base ** (-np.arange(0, width, 2) / width))


def wavelengths(width: int, base: float = 10_000.0) -> Numbers:
    """Positions until each pair of dimensions has turned once: 2 pi base^(2k/width)."""
    found: Numbers = 2 * np.pi / rates(width, base)
    return found


def positions(length: int, width: int, base: float = 10_000.0) -> Numbers:
    """Vaswani et al. 2017, section 3.5: PE(pos, 2k) = sin(pos / base^(2k/width)), 2k+1 its cos."""
    angle = np.arange(length)[:, None] * rates(width, base)
    waves = np.stack((np.sin(angle), np.cos(angle)), axis=-1)  # (position, pair, 2)
    return waves.reshape(length, -1)[:, :width]


def rotation(offset: float, rate: float) -> Numbers:
    """The matrix that moves a pair (sin, cos) by an offset, whatever its position."""
    turn = offset * rate
    return np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
