"""Episodes by number, and what is said of them."""

import numpy as np
import pytest

from tests import tiny
from viz_core.analysis import few_shot as told
from viz_core.traces.few_shot import FewShot
from viz_core.training import snail

KEPT = {
    name: [[f"{name}{kind}{person}" for person in range(6)] for kind in range(8)]
    for name in ("Alpha", "Beta_one")
}


def trace(looked, answer=1, labels=(0, 1, 2, 3, 4)):
    attention = np.zeros((1, 1, len(looked), len(looked)), dtype=np.float32)
    attention[0, 0, -1] = looked
    return FewShot(
        drawings=np.zeros((len(looked), 28, 28), dtype=np.float32),
        labels=labels,
        probabilities=np.eye(5, dtype=np.float32)[answer] * 0.8 + 0.04,
        attention=attention,
    )


def test_an_episode_has_five_kinds_and_a_question_of_each_by_another_person():
    made = told.episode(KEPT, "Alpha", 3, shots=5)
    assert len(made.examples) == 25 and sorted(made.labels) == sorted(list(range(5)) * 5)
    assert not set(made.questions) & set(made.examples)
    for label, question in enumerate(made.questions):
        own = {
            e[:-1] for e, told_ in zip(made.examples, made.labels, strict=True) if told_ == label
        }
        assert own == {question[:-1]}
    assert made == told.episode(KEPT, "Alpha", 3, shots=5)
    assert made != told.episode(KEPT, "Alpha", 4, shots=5)


def test_an_episode_stays_in_its_alphabet_unless_all_are_asked_for():
    of = [told.episode(KEPT, name, n, 1).questions for name in ("Alpha",) for n in range(9)]
    assert all(q.startswith("Alpha") for questions in of for q in questions)
    mixed = {q[:4] for n in range(9) for q in told.episode(KEPT, told.MIXED, n, 1).questions}
    assert mixed == {"Alph", "Beta"}


def test_what_is_said_follows_from_the_weights():
    assert "0.70 of its weight to the examples of B, which it then says" in told.finding(
        trace([0.1, 0.7, 0.1, 0.0, 0.0, 0.1]), 0
    )
    assert "but says C" in told.finding(trace([0.1, 0.7, 0.1, 0.0, 0.0, 0.1], answer=2), 0)
    assert "to itself (0.60)" in told.finding(trace([0.1, 0.1, 0.1, 0.1, 0.0, 0.6]), 0)
    assert "no kind much more" in told.finding(trace([0.2, 0.2, 0.2, 0.1, 0.1, 0.2]), 0)


def test_the_verdict_names_the_right_kind_where_it_is_known():
    found = trace([0.2, 0.2, 0.2, 0.2, 0.2, 0.0])
    assert told.verdict(found) == "It says B (84%)"
    assert told.verdict(found, 1).endswith(": right")
    assert told.verdict(found, 3).endswith(": wrong, it is D")


def test_the_card_tells_how_often_the_question_finds_its_own_kind():
    card = tiny.card("snail", "snail", measured={told.FINDS: [0.9, 0.7]})
    assert told.found(card).endswith("its own kind: 90% in block 1, 70% in block 2.")


def test_the_card_tells_what_each_kind_of_block_adds():
    rows = {
        name: {"steps": 580, **{split: {told.ACCURACY: share} for split in told.PUBLISHED}}
        for name, share in (("snail-short", 0.9), ("snail-attention", 0.8))
    }
    card = tiny.card("snail", "snail", measured={told.ALONE: rows})
    assert [row["blocks"] for row in told.compared(card)] == ["both", "attention alone"]
    assert "for 580 steps of the same episodes" in told.comparison(card)
    assert "attention alone 80.0% and 80.0%" in told.comparison(card)
    assert "learned nothing" not in told.comparison(card)
    # Two shares of about 0.88: 1.96 standard errors of their difference.
    margin = 1.96 * (2 * 0.88 * 0.12 / snail.EPISODES) ** 0.5
    assert margin == pytest.approx(0.02, abs=0.001)
    assert f"{snail.EPISODES:,} questions" in told.comparison(card)
    rows["snail-convolutions"] = {
        "steps": 300, **{split: {told.ACCURACY: 0.2} for split in told.PUBLISHED}
    }  # fmt: skip
    assert "Convolutions alone had learned nothing by then" in told.comparison(card)
    assert "for 300 to 580 steps" in told.comparison(card)
    assert told.comparison(tiny.card("snail", "snail")) == ""
