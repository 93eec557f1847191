"""Costs of long texts against counted masks and a library's convolution."""

import numpy as np
import pytest
import torch

from viz_core.attention import block_mask
from viz_core.by_hand.long_text import FORMS, compress, looks, megabytes


@pytest.mark.parametrize("tokens", [1, 5, 12, 100])
@pytest.mark.parametrize("block", [1, 4, 7, 200])
def test_local_scores_are_those_that_the_mask_of_the_model_allows(tokens, block):
    found = looks("local blocks", tokens, block)
    mask = np.zeros((tokens, tokens), bool)
    for top, bottom, left, right in found.seen:
        mask[top:bottom, left:right] = True
    assert (mask == block_mask(tokens, block).numpy()).all()
    assert found.scores == mask.sum()


def test_one_block_and_one_key_a_token_cost_what_full_attention_costs():
    full = looks("full attention", 37).scores
    assert full == 37 * 37
    assert looks("local blocks", 37, 37).scores == looks("compressed keys", 37, stride=1).scores
    assert looks("local blocks", 37, 37).scores == full


def test_compressed_keys_are_a_strided_convolution():
    rng = np.random.default_rng(1)
    keys, kernel = rng.normal(size=(8, 5)), rng.normal(size=3)
    filled = torch.nn.functional.pad(torch.from_numpy(keys.T)[:, None], (0, 1))  # (width, 1, 9)
    theirs = torch.nn.functional.conv1d(filled, torch.from_numpy(kernel)[None, None], stride=3)
    assert np.allclose(compress(keys, kernel), theirs[:, 0].T.numpy())
    assert len(compress(keys, kernel)) == looks("compressed keys", 8, stride=3).keys


def test_cost_grows_with_the_square_or_with_the_length():
    once, twice = ([looks(form, n, 64).scores for form in FORMS] for n in (640, 1280))
    assert [b / a for a, b in zip(once, twice, strict=True)] == pytest.approx([4, 2, 4], abs=0.02)


def test_megabytes_are_four_bytes_a_score_and_head():
    assert megabytes(looks("full attention", 1000), 8) == 32
