"""e' = e + p, the product W [x; p], and the score of joined vectors."""

import numpy as np
import pytest

from viz_core import by_hand

WORDS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])


def test_the_sum_is_the_words_plus_the_sines_and_cosines_of_their_places():
    found = by_hand.placed(WORDS, 7)
    for row, place in enumerate((7, 8, 9)):
        waves = [np.sin(place), np.cos(place), np.sin(place / 100), np.cos(place / 100)]
        assert found.sums[row] == pytest.approx(WORDS[row] + waves)
        assert found.weight @ found.one_hot(row, row) == pytest.approx(found.sums[row])


def test_the_four_products_are_the_score_of_the_sums_and_two_of_them_that_of_joined_vectors():
    found = by_hand.placed(WORDS, 3)
    joined = np.concatenate((found.words, found.codes), axis=1)
    for query in range(3):
        for key in range(3):
            parts = found.score(query, key)
            assert sum(parts) == pytest.approx(float(found.sums[query] @ found.sums[key]))
            assert parts[0] + parts[3] == pytest.approx(float(joined[query] @ joined[key]))
