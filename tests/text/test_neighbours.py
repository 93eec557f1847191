"""Pairs for next sentence prediction: half are true neighbours, the others from another text."""

import pytest

from viz_core.text import neighbours

TEXT = "One. Two. Three.\nFour! Five?\nSix."


def test_half_of_the_pairs_are_true_neighbours_and_the_others_come_from_elsewhere():
    pairs = neighbours.draw(TEXT, 2000, seed=1)
    assert sum(pair.follows for pair in pairs) / 2000 == pytest.approx(0.5, abs=0.04)
    true = {(pair.first, pair.second) for pair in pairs if pair.follows}
    assert true == {("One.", "Two."), ("Two.", "Three."), ("Four!", "Five?")}
    lines = [line.split() for line in TEXT.split("\n")]
    for pair in pairs:
        together = any(pair.first in line and pair.second in line for line in lines)
        assert together == pair.follows


@pytest.mark.parametrize("text", ["", "One. Two.", "One.\nTwo.\nThree."])
def test_too_few_sentences_get_a_sentence(text):
    with pytest.raises(ValueError, match="at least 3 sentences"):
        neighbours.draw(text, 1, 1)
