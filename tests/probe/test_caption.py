"""Captions as the pages ask for them."""

import math

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core import decoding, probe
from viz_core.decoding import Beam
from viz_core.models.efficientnet import pixels_of
from viz_core.probe.caption import LONGEST, Writing, picture_of

IMAGE = np.random.default_rng(2).integers(0, 256, (40, 60, 3), np.uint8)


@pytest.fixture(params=["soft", "hard"])
def bundle(request):
    return tiny.captioner(request.param)


def test_every_word_has_a_look_that_sums_to_one_and_a_probability(bundle):
    caption = probe.caption(bundle, IMAGE)
    assert caption.text == " ".join(caption.tokens)
    assert caption.weights.shape == (len(caption.tokens), 7, 7)
    np.testing.assert_allclose(caption.weights.sum((1, 2)), 1, rtol=1e-5)
    assert all(0 < chance <= 1 for chance in caption.probabilities)
    assert bool(caption.places) == (bundle.card.name == "caption-hard")
    for word, first in zip(caption.tokens, caption.predictions, strict=True):
        assert word == first.tokens[0]  # greedy


def test_a_beam_finds_nothing_less_probable_than_greedy_search():
    bundle = tiny.captioner()

    def total(beam):
        with torch.inference_mode():
            writing = Writing(bundle, picture_of(bundle, pixels_of(torch.tensor(IMAGE))))
            tree = decoding.beam(writing, Beam(size=beam, limit=LONGEST, record=False))
        return tree.nodes[tree.best].log_prob

    greedy, wide = probe.caption(bundle, IMAGE), probe.caption(bundle, IMAGE, beam=5)
    assert total(5) >= total(1) - 1e-5
    with torch.inference_mode():
        writing = Writing(bundle, picture_of(bundle, pixels_of(torch.tensor(IMAGE))))
        (alone,) = decoding.greedy(writing, 1, LONGEST)
    assert greedy.text == bundle.tokenizer.decode(alone.ids)
    assert math.prod(wide.probabilities) > 0


def test_a_caption_begins_as_it_is_told(bundle):
    caption = probe.caption(bundle, IMAGE, beginning="Two people")
    assert caption.tokens[:2] == ("two", "people")


def test_weights_by_hand_take_the_place_of_its_own():
    looking = np.zeros((7, 7))
    looking[2, 3] = 5
    caption = probe.caption(tiny.captioner(), IMAGE, looking=looking)
    assert (caption.weights[:, 2, 3] == 1).all()


def test_a_seed_draws_the_places_and_the_same_seed_the_same():
    bundle = tiny.captioner("hard")
    drawn = [probe.caption(bundle, IMAGE, seed=seed).places for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    heaviest = probe.caption(bundle, IMAGE)
    for weights, place in zip(heaviest.weights, heaviest.places, strict=True):
        assert weights[place] == weights.max()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"image": np.zeros((4, 4), np.uint8)}, "red, green and blue"),
        ({"image": np.zeros((40, 40, 3))}, "bytes"),
        ({"beam": 0}, "from 1 to 10"),
        ({"beginning": "a zebra"}, "zebra"),
        ({"beginning": "<script> سلام"}, "No caption"),
        ({"beginning": "a " * 5000}, "24 words"),
        ({"looking": np.zeros((7, 7))}, "Nothing is looked at"),
        ({"looking": [[1, 2]]}, "7 x 7"),
    ],
)
def test_what_cannot_be_done_is_answered_with_a_sentence(asked, sentence):
    with pytest.raises(ValueError, match=sentence):
        probe.caption(tiny.captioner(), **{"image": IMAGE, **asked})


def test_another_model_writes_no_captions():
    with pytest.raises(ValueError, match="writes no captions"):
        probe.caption(tiny.ntm(), IMAGE)


def test_the_encoder_alone_names_a_picture_and_even_weights_change_nothing():
    bundle = tiny.captioner()
    whole = probe.objects(bundle, IMAGE)
    even = probe.objects(bundle, IMAGE, np.ones((7, 7)))
    assert whole.tokens == even.tokens and len(set(whole.tokens)) == 5
    np.testing.assert_allclose(whole.probabilities, even.probabilities, rtol=1e-4)
