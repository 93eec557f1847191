"""What many look at is drawn once, what differs is drawn again, and not everything is kept."""

import altair as alt
import numpy as np
import pandas as pd
import pytest

from viz_core.charts import matrix
from viz_core.charts.kit import cache as module
from viz_core.charts.kit.cache import content, drawn, forget
from viz_core.charts.kit.room import Room
from viz_core.traces import AttentionTrace


@pytest.fixture(autouse=True)
def nothing_kept():
    forget()
    yield
    forget()


def trace(weight: float = 0.25, word: str = "cat") -> AttentionTrace:
    weights = np.array([[[[weight, 1 - weight]]]])
    return AttentionTrace(kind="cross", queries=("chat",), keys=("the", word), weights=weights)


def test_the_same_record_is_drawn_once():
    assert matrix.matrix(trace()) is matrix.matrix(trace())


def test_another_record_or_another_size_is_drawn_again():
    first = matrix.matrix(trace())
    assert matrix.matrix(trace(0.5)) is not first
    assert matrix.matrix(trace(word="dog")) is not first
    assert matrix.matrix(trace(), room=Room(600, 400, 400, 2.0)) is not first


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        ((1, 2), [1, 2]),
        (("a", "b"), ("b", "a")),
        ({"a": 1}, {"a": 2}),
        (np.zeros(4), np.zeros((2, 2))),
        (np.zeros(2, np.float32), np.zeros(2, np.int32)),
        (np.array(["a", None], object), np.array(["a", "b"], object)),
        (pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]})),
        (range(2), range(3)),
    ],
)
def test_what_is_drawn_differently_has_different_content(one, other):
    assert content(one) == content(one)
    assert content(one) != content(other)


def test_a_part_of_an_array_is_not_taken_for_the_whole():
    whole = np.arange(6.0).reshape(2, 3)
    assert content(whole.T) == content(whole.T.copy())
    assert content(whole[:, :2]) != content(whole[:, 1:])


def test_the_oldest_pictures_are_forgotten(monkeypatch):
    monkeypatch.setattr(module, "KEPT", 3)
    made: list[int] = []

    @drawn
    def chart(number: int) -> list[int]:
        made.append(number)
        return [number]

    for number in (1, 2, 3, 1, 4, 1, 2):  # 1 is asked for again, so 2 is the oldest
        assert chart(number) == [number]
    assert made == [1, 2, 3, 4, 2]
    assert len(module._kept) == 3


def test_pictures_are_bounded_by_their_bytes(monkeypatch):
    monkeypatch.setattr(module, "BYTES", 1_000_000)

    @drawn
    def table(number: int) -> alt.Chart:
        rows = pd.DataFrame({"word": [f"word {number}"] * 2000})  # a quarter of a megabyte
        return alt.Chart(rows).mark_rect()

    for number in range(10):
        table(number)
    assert len(module._kept) == 3
    assert module._kept.held == sum(size for _, size in module._kept.values()) <= 1_000_000


def test_a_picture_costs_the_same_however_many_are_kept():
    """A walk over all that is kept, at every picture, was half of a crowded server's work."""
    read = []

    class Word:
        def __hash__(self) -> int:
            read.append(self)
            return 1

    @drawn
    def chart(number: int, word: Word) -> int:
        return number

    word = Word()
    for number in range(50):
        chart(number, word)
    assert len(read) == 50


def test_a_picture_weighs_more_the_more_it_shows():
    def lines(words: int) -> int:
        tokens = tuple(f"word{i}" for i in range(words))
        weights = np.full((1, 1, words, words), 1 / words)
        return module.weight(
            matrix.matrix(
                AttentionTrace(kind="cross", queries=tokens, keys=tokens, weights=weights)
            )
        )

    assert 2_000 < lines(3) < lines(12) < lines(40) < 5_000_000
