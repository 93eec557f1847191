"""Few-shot learning, run for a view."""

import numpy as np
import pytest

from tests import tiny
from viz_core import checkpoints, probe
from viz_core.analysis import few_shot as told
from viz_core.text import ink

RANDOM = np.random.default_rng(1)
IMAGES, QUERY = RANDOM.random((5, 28, 28)).round(), RANDOM.random((28, 28)).round()


def test_a_trace_holds_the_answer_and_every_attention_block():
    trace = probe.few_shot(tiny.snail(), IMAGES, [2, 0, 1, 4, 3], QUERY)
    assert trace.probabilities.sum() == pytest.approx(1, abs=1e-5)
    assert trace.attention.shape == (3, 1, 6, 6)
    np.testing.assert_allclose(trace.attention.sum(-1), 1, atol=1e-5)
    assert (np.triu(trace.attention[0, 0], 1) == 0).all()
    assert trace.by_label(0)[2] == pytest.approx(trace.looked(0)[0])
    np.testing.assert_allclose(trace.by_label(1).sum() + trace.looked(1)[-1], 1, atol=1e-5)


def test_drawings_as_text_are_the_same():
    labels = (0, 1, 2, 3, 4)
    texts = tuple(ink.write(image) for image in IMAGES)
    one = probe.few_shot(tiny.snail(), IMAGES, labels, QUERY)
    other = probe.drawn_few_shot(tiny.snail(), texts, labels, ink.write(QUERY))
    np.testing.assert_array_equal(one.probabilities, other.probabilities)


@pytest.mark.parametrize(
    ("images", "labels", "query", "said"),
    [
        (IMAGES, range(5), np.zeros((28, 28)), "no stroke"),
        (IMAGES, range(5), np.ones((28, 27)), "must be of shape"),
        (IMAGES, range(5), np.full((28, 28), np.nan), "from 0, paper, to 1"),
        (IMAGES[:4], range(5), QUERY, "a label for each"),
        (IMAGES, [0, 1, 2, 3, 3], QUERY, "every one of the labels"),
        (IMAGES, [0, 1, 2, 3, 9], QUERY, "every one of the labels"),
        (IMAGES, "abcde", QUERY, "every one of the labels"),
        ([], [], QUERY, "every one of the labels"),
        (np.zeros((30, 28, 28)), list(range(5)) * 6, QUERY, "at most 25"),
        ("x", range(5), QUERY, "must be of shape"),
    ],
)
def test_what_is_no_episode_gets_a_sentence(images, labels, query, said):
    with pytest.raises(ValueError, match=said):
        probe.few_shot(tiny.snail(), images, labels, query)


def test_another_model_gets_a_sentence():
    with pytest.raises(ValueError, match="choose snail"):
        probe.few_shot(tiny.ntm(), IMAGES, range(5), QUERY)


def test_the_trained_one_names_characters_of_alphabets_it_never_saw():
    bundle = checkpoints.load("snail")
    kept = probe.kept_drawings(bundle)
    right = 0
    for number in range(8):
        made = told.episode(kept, told.MIXED, number, 1)
        for wanted, question in enumerate(made.questions):
            trace = probe.drawn_few_shot(bundle, made.examples, made.labels, question)
            right += trace.answer == wanted
    assert right >= 0.9 * 40
