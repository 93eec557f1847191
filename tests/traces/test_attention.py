from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from viz_core.traces import AttentionTrace, Translation
from viz_core.traces.rnn import LocalTrace
from viz_core.traces.search import BeamTrace, Hypothesis


def random_rows(*shape: int) -> np.ndarray:
    weights = np.random.default_rng(1).random(shape, dtype=np.float32)
    return weights / weights.sum(-1, keepdims=True)


def trace(layers=2, heads=3, queries=4, keys=5, **others) -> AttentionTrace:
    return AttentionTrace(
        kind="cross",
        queries=tuple(f"q{i}" for i in range(queries)),
        keys=tuple(f"k{i}" for i in range(keys)),
        weights=random_rows(layers, heads, queries, keys),
        **others,
    )


# ---- AttentionTrace ---------------------------------------------------------------------------


def test_a_wrong_number_of_queries_is_refused_with_both_sizes():
    with pytest.raises(ValueError, match=r"3 query tokens .* 4"):
        replace(trace(), queries=("a", "b", "c"), query_words=())


def test_a_wrong_number_of_keys_is_refused_with_both_sizes():
    with pytest.raises(ValueError, match=r"6 key tokens .* 5"):
        replace(trace(), keys=tuple("abcdef"), key_words=())


def test_word_numbers_must_fit_the_tokens():
    with pytest.raises(ValueError, match=r"2 key word.* 5"):
        trace(key_words=(0, 1))


def test_weights_without_layer_and_head_are_refused():
    with pytest.raises(ValueError, match=r"2 axes"):
        AttentionTrace(kind="self", queries=("a",), keys=("b",), weights=random_rows(1, 1))


def test_a_trace_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        trace().kind = "bert"


def test_layers_and_heads_are_counted():
    assert (trace().layers, trace().heads) == (2, 3)


def test_the_matrix_of_no_head_is_the_mean_of_all():
    given_trace = trace()
    heads = [given_trace.matrix(1, head) for head in range(3)]
    assert np.array_equal(heads[2], given_trace.weights[1, 2])
    np.testing.assert_allclose(given_trace.matrix(1, None), sum(heads) / 3, rtol=1e-6)


def numbers(size: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Word numbers of so many tokens: each token goes on with the last word or opens a new one."""
    opens = st.lists(st.booleans(), min_size=size - 1, max_size=size - 1)
    return opens.map(lambda steps: tuple(int(n) for n in np.cumsum([0, *steps])))


@given(numbers(4), numbers(5))
def test_merged_words_average_rows_and_sum_columns(query_words, key_words):
    given_trace = trace(query_words=query_words, key_words=key_words)
    merged = given_trace.words()
    shape = (max(query_words) + 1, max(key_words) + 1)
    assert (len(merged.queries), len(merged.keys)) == merged.weights.shape[2:] == shape
    np.testing.assert_allclose(merged.weights.sum(-1), 1, rtol=1e-5)
    for q, k in np.ndindex(shape):  # each cell by hand
        rows = given_trace.weights[:, :, np.array(query_words) == q]
        cell = rows[..., np.array(key_words) == k].sum(-1).mean(-1)
        np.testing.assert_allclose(merged.weights[:, :, q, k], cell, rtol=1e-5)


def test_merged_words_carry_whole_words():
    given_trace = replace(
        trace(queries=3, keys=2),
        queries=("anim", "##al", "."),
        query_words=(0, 0, 1),
    )
    assert given_trace.words().queries == ("animal", ".")


def test_merging_words_twice_changes_nothing():
    once = trace(query_words=(0, 0, 1, 1)).words()
    assert np.array_equal(once.words().weights, once.weights)


def test_a_translations_words_are_those_of_its_attention():
    cross = trace(query_words=(0, 0, 1, 2), key_words=(0, 1, 1, 1, 2))
    own = trace(queries=5, keys=5, query_words=(0, 1, 1, 1, 2), key_words=(0, 1, 1, 1, 2))
    merged = Translation(
        source=cross.keys, target=cross.queries, text="", log_prob=0.0, cross=cross, encoder=own
    ).words()
    assert merged.source == merged.cross.keys and len(merged.source) == 3
    assert merged.target == merged.cross.queries and len(merged.target) == 3
    assert merged.encoder is not None and merged.encoder.keys == merged.source
    assert merged.decoder is None


# ---- LocalTrace -------------------------------------------------------------------------------


def local(**others) -> LocalTrace:
    given_parts = {
        "attention": trace(1, 1),
        "content": random_rows(4, 5),
        "centres": np.array([0.0, 2.0, 1.0, 4.0], dtype=np.float32),
        "sigma": 1.0,
        "reach": 2.0,
    }
    return LocalTrace(**{**given_parts, **others})


def test_the_gaussian_is_1_at_the_centre_and_exp_minus_2_at_the_edge():
    bell = local().gaussian
    assert bell[1, 2] == 1
    np.testing.assert_allclose([bell[1, 0], bell[1, 4], bell[0, 2]], np.exp(-2), rtol=1e-6)


def test_a_local_trace_checks_its_parts():
    with pytest.raises(ValueError, match=r"\(4, 4\).*\(4, 5\)"):
        local(content=random_rows(4, 4))
    with pytest.raises(ValueError, match=r"4 query tokens .* 3"):
        local(centres=np.zeros(3, dtype=np.float32))


# ---- BeamTrace --------------------------------------------------------------------------------


def node(parent: int, score: float = 0.0, status="kept", token_id: int = 7) -> Hypothesis:
    return Hypothesis(
        parent=parent,
        step=0,
        token="x",
        token_id=token_id,
        log_prob=score,
        score=score,
        status=status,
    )


@pytest.mark.parametrize("parent", [1, 2])
def test_a_child_before_its_parent_is_refused(parent):
    with pytest.raises(ValueError, match=rf"node 1 comes before its parent {parent}"):
        BeamTrace(nodes=(node(-1), node(parent), node(0)))


def test_each_node_needs_its_attention():
    with pytest.raises(ValueError, match=r"2 tree tokens .* 3"):
        BeamTrace(nodes=(node(-1), node(0)), attention=random_rows(3, 4))


def test_a_path_leads_from_the_root_and_its_tokens_leave_the_start_out():
    tree = BeamTrace(nodes=(node(-1), node(0, token_id=5), node(0), node(1, token_id=6)))
    assert tree.path(3) == (0, 1, 3)
    assert tree.token_ids(3) == (5, 6)


def test_finished_hypotheses_come_best_first():
    nodes = (node(-1), node(0, -3, "finished"), node(0, -1, "finished"), node(0, 0, "pruned"))
    assert BeamTrace(nodes=nodes).finished == (2, 1)


def test_a_grid_of_patches_has_no_more_places_than_keys():
    weights = np.full((1, 1, 1, 5), 0.2, dtype=np.float32)
    keys = ("[class]", "0,0", "0,1", "1,0", "1,1")
    trace = AttentionTrace(
        kind="self", queries=("[class]",), keys=keys, weights=weights, grid=(2, 2)
    )
    assert trace.grid == (2, 2)
    with pytest.raises(ValueError, match=r"\(3, 2\) patches but 5 keys"):
        AttentionTrace(kind="self", queries=("a",), keys=keys, weights=weights, grid=(3, 2))
