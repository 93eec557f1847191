"""What is said of a thought, from numbers that are known."""

import numpy as np
import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import ponder as told
from viz_core.traces.ponder import PonderTrace


@pytest.fixture
def trace():
    """Two facts and a question that thinks twice: of the second fact, then of the first."""
    attention = np.zeros((2, 1, 3, 3), dtype=np.float32)
    attention[0, 0, 2], attention[1, 0, 2] = (0.1, 0.7, 0.2), (0.9, 0.05, 0.05)
    halting = np.array([[1.0, 0.4, 0.3], [0.0, 0.6, 0.7]], dtype=np.float32)
    return PonderTrace(
        sentences=("A is here.", "B is there.", "Where is A?"),
        probabilities={"here": 0.9, "there": 0.1},
        steps=(1, 2, 2),
        halting=halting,
        attention=attention,
    )


def test_the_facts_that_the_question_looked_at_are_named_in_turn(trace):
    assert told.finding(trace) == (
        "Of the facts the question looks most at “B is there” (0.70), then “A is here” (0.90)"
    )


def test_a_sentence_that_has_halted_looks_at_nothing(trace):
    assert told.looked(trace, query=0)[1].sum() == 0
    assert told.looked(trace)[1].sum() == pytest.approx(1)


def test_what_was_thought_over_longest_is_named(trace):
    assert told.longest(trace) == "“B is there” and 1 more are gone over 2 times, others only once"


def test_the_formula_has_the_numbers_of_the_question(trace):
    formula = told.halting_formula(trace)
    assert "0.30 + 0.70 = 1.00" in formula and "= 2," in formula and "R = 0.70" in formula


def test_an_unsure_answer_is_called_a_guess():
    trace = probe.ponder(tiny.universal(), tiny.STORY, "Where is the milk?")
    assert ("a guess" in told.verdict(trace)) == (trace.probabilities[trace.answer] < 0.5)


def test_a_question_in_another_form_is_noticed():
    forms = ["where is", "what is", "is john"]
    assert told.strange("Where is Mary?", forms) == ""
    assert "begins with “who has”" in told.strange("Who has the milk?", forms)
    assert told.strange("", forms) == ""


@pytest.mark.parametrize(
    ("steps", "said"), [((2.0, 2.5, 3.0), "More facts, more steps"), ((2.0, 2.1, 2.0), "does not")]
)
def test_whether_it_thinks_longer_is_said_either_way(steps, said):
    rows = [
        {"name": told.TASKS[n], "steps": step, "question steps": step}
        for n, step in enumerate(steps, start=1)
    ]
    assert said in told.by_facts(tiny.card("universal", "universal", measured={"pondered": rows}))
