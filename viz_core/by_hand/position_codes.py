"""Sine and cosine positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Words with the codes of their places added, and the same as one product W [x; p]."""

    words: Numbers  # (word, n): e
    codes: Numbers  # (word, n): p, of the places first, first + 1, ...
    first: int

    @property
    def sums(self) -> Numbers:
        """e' = e + p."""
        found: Numbers = self.words + self.codes
        return found

    @property
    def weight(self) -> Numbers:
        """(n, 2 * word): W = [W_I, W_P]; its columns are the words, then the places."""
        return np.concatenate((self.words, self.codes)).T

    def one_hot(self, word: int, place: int) -> Numbers:
        """(2 * word,): [x; p], a one for the word and a one for its place."""
        found: Numbers = np.zeros(2 * len(self.words))
        found[[word, len(self.words) + place]] = 1.0
        return found

    def score(self, query: int, key: int) -> tuple[float, float, float, float]:
        """The four products of (e_i + p_i) . (e_j + p_j): words, word and place twice, places.

        Joined, [e_i; p_i] . [e_j; p_j], only the first and the last of them are there.
        """
        e, p = self.words, self.codes
        return (
            float(e[query] @ e[key]),
            float(e[query] @ p[key]),
            float(p[query] @ e[key]),
            float(p[query] @ p[key]),
        )


def placed(words: Numbers, first: int, base: float = 10_000.0) -> Placed:
    """Words at the places first, first + 1, ...: each gets the sines and cosines of its place."""
    if words.shape[1] % 2:
        raise ValueError(
            f"A word has {words.shape[1]} numbers; sines and cosines come in pairs: take 2 or 4."
        )
    codes = positions(first + len(words), words.shape[1], base)[first:]
    return Placed(words=words, codes=codes, first=first)
