"""Vectors learned from the little story, and from whatever is typed."""

import numpy as np
import pytest

from viz_core import probe
from viz_core.charts.skip_gram import near
from viz_core.models.skip_gram import log_sigmoid
from viz_core.probe import skip_gram
from viz_core.probe.skip_gram import STORY

FAMILIES = [
    {"king", "queen", "prince", "princess"},
    {"cat", "dog", "kitten", "puppy"},
    {"monday", "tuesday", "wednesday", "thursday", "friday"},
]


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_words_that_are_used_alike_come_to_stand_together(seed):
    last = probe.course(STORY, seed, 300, 100)[-1]
    hits = [
        last.words[near(last, last.words.index(word))[0]] in family
        for family in FAMILIES
        for word in family
    ]
    assert np.mean(hits) >= 0.8


def test_the_loss_begins_at_guessing_and_falls():
    last = probe.course(STORY, 1, 300, 100)[-1]
    assert last.losses[0] == pytest.approx((1 + skip_gram.DRAWN) * np.log(2), abs=0.1)
    assert np.mean(last.losses[-20:]) < 0.5 * last.losses[0]


def test_moments_come_while_it_learns_and_the_same_seed_is_the_same_lesson():
    moments = probe.course(STORY, 5, 50, 25)
    assert [moment.updates for moment in moments] == [1, 25, 50]
    np.testing.assert_array_equal(moments[-1].vectors, probe.course(STORY, 5, 50, 25)[-1].vectors)
    assert not np.array_equal(moments[-1].vectors, probe.course(STORY, 6, 50, 25)[-1].vectors)


def test_the_numbers_of_a_pair_are_finite_costs():
    moment = probe.course(STORY, 1, 10, 10)[-1]
    assert {*moment.pair, *moment.drawn} <= set(moment.words)
    assert np.isfinite(log_sigmoid(np.array(moment.scores))).all()


def test_the_map_does_not_jump_when_it_is_turned_over():
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(20, 6))
    turned = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    first = skip_gram.on_map(vectors, None)
    np.testing.assert_allclose(skip_gram.on_map(vectors @ turned, first), first, atol=1e-9)


@pytest.mark.parametrize("text", ["", "one two", "word. " * 50, "💥 💥 💥", "a a a a a a a a"])
def test_a_text_with_too_few_words_gets_a_sentence(text):
    with pytest.raises(ValueError, match="at least 6 different words"):
        next(probe.learn(text))


@pytest.mark.parametrize(
    "text",
    [
        "Der König liebt die Königin. Die Königin liebt den König sehr.",
        "این یک جمله است و این یک جمله دیگر است",
        "<b>bold</b> and $x$ and {0} and __import__ are only words.",
        " ".join(f"word{number}" for number in range(400)),
    ],
)
def test_any_other_text_is_learned(text):
    last = probe.course(text, 1, 20, 20)[-1]
    assert np.isfinite(last.places).all()
    assert len(last.words) <= skip_gram.MOST


def test_a_text_that_is_too_long_gets_a_sentence():
    with pytest.raises(ValueError, match="4,000 can be learned"):
        next(probe.learn("many words " * 1000))
