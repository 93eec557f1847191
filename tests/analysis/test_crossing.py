"""What is read from right to left is found in the weights of the sentence itself."""

from dataclasses import replace

import numpy as np

from viz_core.analysis import crossing
from viz_core.traces import AttentionTrace


def trace(queries: str, keys: str, looks: list[int]) -> AttentionTrace:
    weights = np.eye(len(keys.split()), dtype=np.float32)[looks]
    return AttentionTrace(
        kind="alignment",
        queries=tuple(queries.split()),
        keys=tuple(keys.split()),
        weights=weights[None, None],
    )


def test_an_adjective_that_changes_its_place_is_a_crossing():
    found = trace("une voiture rouge .", "a red car .", [0, 2, 1, 3])
    assert crossing.crossing(found) == ([1, 2], [2, 1])
    assert "“voiture rouge” is read from right to left, from car, then red" in crossing.hint(found)


def test_the_longest_crossing_is_told():
    found = trace("la x yyyy aaaa bbbb cccc", "the q p t s r", [0, 2, 1, 5, 4, 3])
    assert crossing.crossing(found) == ([3, 4, 5], [5, 4, 3])


def test_two_small_words_turned_round_are_noise():
    found = trace("il a faim .", "has he hunger .", [1, 0, 2, 3])
    assert crossing.crossing(found) == ([], [])


def test_a_look_that_is_spread_says_nothing():
    found = trace("une voiture rouge .", "a red car .", [0, 2, 1, 3])
    blurred = replace(found, weights=found.weights * 0.3 + 0.175)
    assert crossing.crossing(blurred) == ([], [])


def test_without_a_crossing_the_diagonal_is_told():
    found = trace("il dort .", "he sleeps .", [0, 1, 2])
    assert crossing.crossing(found) == ([], [])
    assert "the diagonal" in crossing.hint(found)


def test_no_order_is_claimed_where_a_word_has_jumped_or_few_are_sure():
    jumped = trace("我 昨天 丢了 雨伞", "I lost it yesterday", [0, 3, 1, 2])
    assert crossing.crossing(jumped) == ([], [])  # its words are too short to tell
    rising = trace("mẹ tôi về nhà", "我 妈 妈 回 家", [0, 1, 3, 4])
    vague = rising.weights.copy()
    vague[..., 1:, :] = 0.2  # one word that is sure of its place says nothing of the others
    column = trace("mẹ tôi về nhà", "我 妈 妈 回 家", [1, 1, 1, 1])
    for found in (jumped, replace(rising, weights=vague), column):
        assert "diagonal" not in crossing.hint(found)
        assert "bluest square of each row" in crossing.hint(found)


def test_beside_a_script_from_right_to_left_a_crossing_is_read_backwards():
    told = crossing.hint(trace("کتاب بزرگ", "large book", [1, 0]))
    assert "is read backwards, from book, then large" in told
    assert "right to left" not in told
