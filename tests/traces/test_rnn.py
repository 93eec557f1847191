"""Records of the recurrent translators: shapes that must fit, and what is derived from them."""

import numpy as np
import pytest

from viz_core.traces.rnn import SCORES, FadingTrace, ScoresTrace


def memory(**more):
    forward = np.array([[2.0, 0, 0], [1.0, 4, 0], [0.5, 1, 1]], dtype=np.float32)
    backward = np.array([[1.0, 3, 1], [0, 3, 2], [0, 0, 2]], dtype=np.float32)
    return FadingTrace(
        **{"words": ("a", "b", "</s>"), "forward": forward, "backward": backward, **more}
    )


def test_a_mark_is_whole_where_the_word_was_just_read():
    trace = memory()
    assert np.diagonal(trace.faded("forward")).tolist() == [1, 1, 1]
    assert trace.faded("forward")[-1].tolist() == [0.25, 0.25, 1]
    assert trace.faded("backward")[0].tolist() == [1, 1, 0.5]


def test_what_is_left_joins_the_ends_of_both_readers():
    wanted = [np.hypot(0.5, 1) / np.hypot(2, 1), np.hypot(1, 3) / np.hypot(4, 3)]
    assert memory().left[:2] == pytest.approx(wanted)


def test_a_word_without_a_mark_leaves_nothing():
    nothing = np.zeros((3, 3), dtype=np.float32)
    trace = memory(forward=nothing, backward=nothing)
    assert trace.left.tolist() == [0, 0, 0]


def test_sizes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"2 words but forward is \(3, 3\)"):
        memory(words=("a", "b"))
    keys = np.ones((2, 2))
    with pytest.raises(ValueError, match=r"scores are \(5, 2\), not \(6, 2\)"):
        ScoresTrace(
            query=np.ones(2),
            keys=keys,
            w_general=keys,
            w_query=keys,
            w_key=keys,
            vector=np.ones(2),
            w_location=keys,
            scores=np.ones((len(SCORES) - 1, 2)),
            weights=np.ones((len(SCORES), 2)),
        )
