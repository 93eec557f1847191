"""What a card says of heads becomes labels and sentences, and luck is called luck."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from viz_core.analysis import HeadProfile, habits
from viz_core.cards import Card
from viz_core.traces import AttentionTrace

NOTHING = HeadProfile(previous=0.1, own=0.1, next=0.1, first=0.2, separator=0.1, entropy=2.0)
BEFORE = HeadProfile(previous=0.7, own=0.1, next=0.0, first=0.1, separator=0.0, entropy=1.0)


def card(score: float = 0.8, sentences: int = 126, measured: bool = True) -> Card:
    riddles = {
        "it resolved": score,
        "layer": 1.0,
        "head": 1.0,
        "chance": 0.5,
        "sentences": float(sentences),
    }
    classic = {"it to animal": 0.61, "it to street": 0.07, "layer": 1.0, "head": 2.0}
    return Card(
        name="bert-mini",
        title="",
        paper="",
        architecture="bert",
        config={},
        parameters=0,
        data=[],
        command="",
        seed=1,
        steps=0,
        metrics={"it, dpr": riddles, "it, classic": classic} if measured else {},
        examples=[],
        sha256={},
        measured={"profiles": [[asdict(NOTHING), asdict(BEFORE)]]} if measured else {},
    )


def test_a_habit_names_the_head_and_so_does_what_it_means():
    assert habits.labels(card()) == [["it", "previous"]]


@pytest.mark.parametrize(("score", "real"), [(0.62, False), (0.63, True), (0.5, False)])
def test_luck_is_two_standard_errors_over_the_scored_half(score, real):
    """63 sentences: sqrt(.25 / 63) = .063, so luck reaches .626."""
    found = habits.riddles(card(score))
    assert found is not None
    assert found.luck == pytest.approx(0.626, abs=5e-4)
    assert found.is_real is real
    assert habits.labels(card(score))[0][0] == ("it" if real else "")


def test_the_page_opens_with_the_head_that_looks_at_the_animal():
    assert habits.start(card()) == (0, 1)


def test_a_score_like_a_coin_is_said_to_be_one():
    assert "**80%** of the other half, better than luck" in habits.said_of_it(card())
    assert "no better than luck" in habits.said_of_it(card(0.55))
    assert "0.61, and 0.07 to “street”" in habits.said_of_it(card())


def test_a_head_is_described_by_where_its_weight_goes():
    assert "a “previous” head" in habits.habit(card(), 0, 1)
    assert "the token before gets 70%" in habits.habit(card(), 0, 1)
    assert "no fixed habit" in habits.habit(card(0.5), 0, 0)
    assert "finds what “it” means" in habits.habit(card(), 0, 0)


def test_a_model_that_was_not_measured_has_no_labels():
    bare = card(measured=False)
    assert habits.labels(bare) == [] and habits.start(bare) == (0, 0)
    assert habits.habit(bare, 0, 0) == ""
    assert "was not measured" in habits.said_of_it(bare)


def followed(right: float) -> Card:
    figures = {"right": right, "fixed distance": 0.4, "layer": 1.0, "head": 1.0, "pairs": 99.0}
    plain = card(0.5)
    return replace(plain, metrics=plain.metrics | {"syntax, object": figures})


@pytest.mark.parametrize(("right", "label"), [(0.62, "object"), (0.49, "")])
def test_a_head_follows_the_grammar_if_it_beats_a_fixed_distance(right, label):
    assert habits.labels(followed(right))[0][0] == label
    said = habits.said_of_grammar(followed(right))
    assert f"from an object to its verb: layer 1 head 1, **{right:.0%}** (a fixed distance" in said


def test_grammar_that_was_not_measured_is_not_spoken_of():
    assert habits.said_of_grammar(card()) == ""


def test_the_head_that_looks_at_the_animal_is_found_among_all_and_called_lucky():
    words = ("The", "animal", "saw", "the", "street", ";", "it", "slept")
    weights = np.full((2, 3, 8, 8), 0.125, dtype=np.float32)
    weights[1, 2, 6] = [0, 0.7, 0, 0, 0.25, 0.05, 0, 0]
    trace = AttentionTrace(kind="self", queries=words, keys=words, weights=weights)
    said = habits.said_of_typed(trace)
    assert "**layer 2 head 3** looks most: 0.70, and 0.25 to “street”" in said
    assert "the best of 6 heads on one sentence, which luck alone may bring about" in said
    other = replace(
        trace, queries=("a", *words[1:6], "he", "x"), keys=("a", *words[1:6], "he", "x")
    )
    assert habits.said_of_typed(other) == ""
