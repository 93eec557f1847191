"""BERT's masking rule (Devlin et al. 2019, section 3.1), for training and for looking at it.

15% of the tokens are to be named; of these 80% are replaced by [MASK], 10% by a random token, and
10% stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viz_core.text.wordpiece import CLS, MASK, SEP, SPECIAL, WordPiece

SHARE, AS_MASK, AS_RANDOM = 0.15, 0.8, 0.1
FATES = ("masked", "random", "kept")

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Masked:
    ids: Ids  # (row, token), changed at places
    places: Ids  # (row, chosen), in order
    wanted: Ids  # (row, chosen): what stood there
    fates: Ids  # (row, chosen): an index into FATES


class Masking:
    """The rule for one vocabulary: what may be chosen, and what a random token may be."""

    def __init__(self, tokenizer: WordPiece) -> None:
        self.cls, self.sep, self.mask = (tokenizer.special[name] for name in (CLS, SEP, MASK))
        self.ordinary = np.array(
            [
                number
                for number, token in enumerate(tokenizer.vocabulary)
                if token not in SPECIAL and not token.startswith("[unused")
            ]
        )

    def __call__(self, ids: Ids, rng: np.random.Generator) -> Masked:
        """Rows of one length, with as many [SEP] each: so all have as many chosen tokens."""
        ordinary = (ids != self.cls) & (ids != self.sep)
        count = max(1, round(SHARE * int(ordinary[0].sum())))
        order = np.where(ordinary, rng.random(ids.shape), 2.0)
        places = np.sort(np.argpartition(order, count - 1, axis=1)[:, :count], axis=1)
        rows = np.arange(len(ids))[:, None]
        wanted = ids[rows, places]
        fates = np.digitize(rng.random(places.shape), (AS_MASK, AS_MASK + AS_RANDOM))
        random = self.ordinary[rng.integers(len(self.ordinary), size=places.shape)]
        changed = ids.copy()
        changed[rows, places] = np.choose(fates, (np.full_like(wanted, self.mask), random, wanted))
        return Masked(changed, places, wanted, fates)
