"""Questions on a story, run for a view."""

import numpy as np
import pytest

from tests import tiny
from viz_core import checkpoints, probe

WHERE = "Where is the milk?"


def test_a_trace_is_in_the_order_of_the_story():
    trace = probe.ponder(tiny.universal(), tiny.STORY, WHERE)
    assert trace.sentences == (*tiny.STORY, WHERE)
    assert sum(trace.probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert trace.answer == max(trace.probabilities, key=trace.probabilities.__getitem__)
    np.testing.assert_allclose(trace.halting.sum(0), 1, atol=1e-5)
    np.testing.assert_allclose(trace.attention.sum(-1), 1, atol=1e-5)
    assert [int((column > 0).sum()) for column in trace.halting.T] == list(trace.steps)
    assert trace.thought == max(trace.steps)


def test_only_the_last_facts_of_a_long_story_are_read():
    trace = probe.ponder(tiny.universal(), tiny.STORY * 4, WHERE)
    assert len(trace.sentences) == 7 and trace.left_out == 6


@pytest.mark.parametrize(
    ("story", "question", "said"),
    [
        ([], WHERE, "no fact yet"),
        (["", " . "], WHERE, "no fact yet"),
        (tiny.STORY, "?", "no question yet"),
        (tiny.STORY, "Where is Zorp?", "“zorp”"),
        (tiny.STORY, "the " * 17, "at most 16"),
        ("Mary got the milk.", WHERE, "list of sentences"),
    ],
)
def test_what_cannot_be_pondered_gets_a_sentence(story, question, said):
    with pytest.raises(ValueError, match=said):
        probe.ponder(tiny.universal(), story, question)


def test_another_model_gets_a_sentence():
    with pytest.raises(ValueError, match="choose universal"):
        probe.ponder(tiny.ntm(), tiny.STORY, WHERE)


@pytest.mark.parametrize(
    ("story", "question", "answer"),
    [
        (
            ["Mary moved to the bathroom.", "John went to the hallway."],
            "Where is Mary?",
            "bathroom",
        ),
        (["Sumit is tired."], "Where will Sumit go?", "bedroom"),
    ],
)
def test_the_trained_one_answers_plain_questions(story, question, answer):
    assert probe.ponder(checkpoints.load("universal"), story, question).answer == answer
