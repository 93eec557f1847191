"""Blocks, words and summaries keep what they should, and every shown cell knows its origin."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from viz_core import analysis
from viz_core.analysis import selection
from viz_core.analysis.selection import BLOCKS, MEAN, PIECES, ROLLOUT, WORDS, Look
from viz_core.traces import AttentionTrace

TOKENS = ("[CLS]", "um", "##brel", "##la", "[SEP]", "di", "##d", "it", "[SEP]")
NUMBERS = (0, 1, 1, 1, 2, 3, 3, 4, 5)
SEGMENTS = (0, 0, 0, 0, 0, 1, 1, 1, 1)


def trace(layers: int = 2, heads: int = 3) -> AttentionTrace:
    rng = np.random.default_rng(3)
    weights = rng.random((layers, heads, 9, 9)).astype(np.float32)
    return AttentionTrace(
        kind="self",
        queries=TOKENS,
        keys=TOKENS,
        weights=weights / weights.sum(-1, keepdims=True),
        query_words=NUMBERS,
        key_words=NUMBERS,
        segments=SEGMENTS,
    )


@pytest.mark.parametrize("level", [WORDS, PIECES])
@pytest.mark.parametrize("summary", selection.SUMMARIES)
def test_the_four_blocks_of_a_pair_reassemble_to_the_whole(level, summary):
    whole = selection.shown(trace(), Look(level=level, summary=summary))
    parts = {
        name: selection.shown(trace(), Look(level=level, summary=summary, block=name)).weights
        for name in BLOCKS
    }
    above = np.concatenate([parts["within A"], parts["A → B"]], axis=3)
    below = np.concatenate([parts["B → A"], parts["within B"]], axis=3)
    np.testing.assert_array_equal(np.concatenate([above, below], axis=2), whole.weights)


@pytest.mark.parametrize("level", [WORDS, PIECES])
@pytest.mark.parametrize("summary", selection.SUMMARIES)
def test_rows_still_sum_to_one(level, summary):
    whole = selection.shown(trace(), Look(level=level, summary=summary))
    np.testing.assert_allclose(whole.weights.sum(-1), 1, atol=1e-5)


def test_rollout_is_computed_on_tokens_and_then_merged():
    seen = selection.shown(trace(), Look(summary=ROLLOUT))
    flow = analysis.rollout(trace().weights)
    assert seen.queries == ("[CLS]", "umbrella", "[SEP]", "did", "it", "[SEP]")
    assert seen.weights.shape == (1, 1, 6, 6)
    assert seen.weights[0, 0, 4, 1] == pytest.approx(flow[7, 1:4].sum())


def test_a_summary_is_drawn_as_its_only_head():
    assert Look(layer=1, heads=(0, 2)).at == (1, (0, 2))
    assert Look(layer=1, heads=(0, 2), summary=MEAN).at == (1, (0,))
    assert Look(layer=1, heads=(0, 2), summary=ROLLOUT).at == (0, (0,))


@given(
    level=st.sampled_from([WORDS, PIECES]),
    block=st.sampled_from([selection.WHOLE, *BLOCKS]),
    layer=st.integers(0, 1),
    head=st.integers(0, 2),
    data=st.data(),
)
def test_the_origin_of_a_shown_cell_is_its_heaviest_token_pair(level, block, layer, head, data):
    look = Look(level=level, block=block, layer=layer, heads=(head,))
    whole, seen = trace(), selection.shown(trace(), look)
    query = data.draw(st.integers(0, len(seen.queries) - 1))
    key = data.draw(st.integers(0, len(seen.keys) - 1))
    i, j = selection.origin(whole, look, query, key)
    for found, shown in ((i, seen.queries[query]), (j, seen.keys[key])):
        assert TOKENS[found].removeprefix("##") in shown
    if block in BLOCKS:
        assert (SEGMENTS[i], SEGMENTS[j]) == BLOCKS[block]
    if level == PIECES:
        assert whole.weights[layer, head, i, j] == seen.weights[layer, head, query, key]
    else:  # no token pair of the same two words is heavier
        same = [
            whole.weights[layer, head, a, b]
            for a in range(9)
            for b in range(9)
            if (NUMBERS[a], NUMBERS[b]) == (NUMBERS[i], NUMBERS[j])
        ]
        assert whole.weights[layer, head, i, j] == max(same)


def test_a_window_keeps_the_weights_of_its_words():
    whole = trace()
    part = selection.window(whole, slice(2, 5), slice(4, 9))
    assert (part.queries, part.keys) == (TOKENS[2:5], TOKENS[4:9])
    np.testing.assert_array_equal(part.weights, whole.weights[:, :, 2:5, 4:9])
    assert part.segments == SEGMENTS[2:5]
