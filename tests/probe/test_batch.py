"""A padded batch: with both masks as if each sentence were alone; without them, not."""

import numpy as np
import pytest

from viz_core import probe
from viz_core.traces.batch import PAD

TEXTS = ("The cat sees it.", "The dog didn't see the red umbrella.")


@pytest.fixture(scope="module")
def found(bundle_of):
    return {
        masks: probe.in_batch(bundle_of("transformer"), TEXTS, *masks)
        for masks in ((True, True), (False, True), (True, False))
    }


def test_with_both_masks_each_sentence_is_read_as_if_it_were_alone(found, bundle_of):
    together = found[True, True]
    for text, one, alone in zip(TEXTS, together.sentences, together.alone, strict=True):
        assert one.text == alone
        by_itself = probe.encoded(bundle_of("transformer"), text)
        words = len(by_itself.keys)
        assert one.encoder.weights[:, :, :words, :words] == pytest.approx(
            by_itself.weights, abs=1e-5
        )
        assert not one.encoder.weights[..., words:].any()
        assert not one.cross.weights[..., words:].any()


def test_the_shorter_sentence_is_filled_up_and_the_decoder_begins_with_its_start(found):
    short, long = found[True, True].sentences
    assert short.source[-1] == PAD and PAD not in long.source
    assert len(short.source) == len(long.source)
    assert short.decoder.queries[0] == "<s>"


def test_without_the_padding_mask_words_look_at_the_filling(found):
    assert found[True, True].on_padding(0) == 0
    assert found[False, True].on_padding(0) > 0.01
    assert found[False, True].on_padding(1) == 0  # the longer sentence has none
    assert found[False, True].padding.all()


def test_without_the_causal_mask_words_look_at_what_comes_later(found):
    for sentence in (0, 1):
        assert found[True, True].on_future(sentence) == 0
        assert found[True, False].on_future(sentence) > 0.01
    causal = found[True, True].causal
    assert np.array_equal(causal, np.tril(np.ones_like(causal)))
