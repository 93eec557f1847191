"""What a trace says, checked against closed forms."""

import math

import numpy as np
import pytest

from viz_core import analysis
from viz_core.traces import AttentionTrace


def trace(weights, queries="abc", keys="abc", **more):
    table = np.array(weights, dtype=np.float32)
    table = table.reshape(-1, 1, len(queries), len(keys)) if table.ndim < 4 else table
    return AttentionTrace(
        kind="self", queries=tuple(queries), keys=tuple(keys), weights=table, **more
    )


def test_entropy_is_zero_for_one_key_and_log_n_for_all_alike():
    found = analysis.entropy(np.array([[1, 0, 0, 0], [0.25] * 4], dtype=np.float32))
    assert found == pytest.approx([0, math.log(4)])


def test_entropy_does_not_need_rows_that_sum_to_one():
    assert analysis.entropy(np.array([0.1, 0.1])) == pytest.approx(math.log(2))
    assert analysis.entropy(np.zeros(3)) == 0


def test_rollout_of_self_loops_is_the_identity():
    loops = np.broadcast_to(np.eye(3), (2, 4, 3, 3))
    assert analysis.rollout(loops) == pytest.approx(np.eye(3))


def test_rollout_keeps_row_sums():
    weights = np.random.default_rng(0).dirichlet(np.ones(5), size=(3, 2, 5))
    assert analysis.rollout(weights).sum(axis=-1) == pytest.approx(np.ones(5))


def test_rollout_of_cross_attention_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="encoder self"):
        analysis.rolled_out(trace(np.ones((2, 3)) / 3, "ab", "xyz"))


def test_averaged_heads_are_their_mean():
    weights = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4, 3)).astype(np.float32)
    found = analysis.averaged(trace(weights))
    assert found.weights.shape == (2, 1, 3, 3)
    assert found.weights[:, 0] == pytest.approx(weights.mean(axis=1))


def test_rank_correlation_equals_its_closed_form_without_ties():
    one, two = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 4, 3, 5])
    squares = ((one - two) ** 2).sum()
    assert analysis.rank_correlation(one, two) == pytest.approx(1 - 6 * squares / (5 * 24))


def test_rank_correlation_shares_ties_and_is_zero_where_one_side_is_flat():
    assert analysis.rank_correlation(np.array([1, 1, 2]), np.array([3, 3, 9])) == pytest.approx(1)
    assert analysis.rank_correlation(np.ones(4), np.arange(4)) == 0


def test_links_take_the_largest_weight_and_leave_special_tokens_out():
    matrix = np.array([[0.1, 0.9, 0.0], [0.2, 0.1, 0.7]])
    assert analysis.links(matrix, ["a", "b", "</s>"]) == {(1, 0)}


def test_alignment_error_rate_of_och_and_ney():
    sure, possible = {(0, 0), (1, 1)}, {(2, 2)}
    assert analysis.alignment_error_rate([({(0, 0), (1, 1)}, sure, possible)]) == 0
    assert analysis.alignment_error_rate([({(0, 0), (1, 1), (2, 2)}, sure, possible)]) == 0
    # found 2, of which 1 sure: 1 - (1 + 1) / (2 + 2)
    assert analysis.alignment_error_rate([({(0, 0), (3, 3)}, sure, possible)]) == 0.5
    assert analysis.alignment_error_rate([]) == 1


def test_merged_spans_average_rows_and_add_columns():
    matrix = np.array([[0.2, 0.3, 0.5], [0.6, 0.2, 0.2]])
    assert analysis.merge_spans(matrix, [0, 0], [0, 0, 1]) == pytest.approx(
        np.array([[0.65, 0.35]])
    )


def test_the_surest_cell_is_between_two_words():
    weights = [[0.1, 0.8, 0.1], [0.4, 0.5, 0.1], [0, 0, 1.0]]
    assert analysis.surest(trace(weights)) == (0, 1)


def test_the_strongest_cell_lies_inside_the_words_cell():
    weights = [[0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0, 0, 1.0]]
    found = trace(weights, query_words=(0, 0, 1), key_words=(0, 0, 1))
    assert analysis.strongest(found, 0, 0) == (1, 0)


@pytest.mark.parametrize(("offset", "label"), [(-1, "previous"), (0, "self"), (1, "next")])
def test_a_head_on_a_diagonal_is_labelled_by_its_offset(offset, label):
    weights = np.clip(np.eye(9, k=offset) + 0.001, 0, 1)
    found = analysis.profiles([trace(weights, "abcdefghi", "abcdefghi")])
    assert found[0][0].label == label


def test_separator_first_and_broad_heads_have_their_labels():
    keys = ["[CLS]", *"abcdefg", "[SEP]"]
    separator, first = np.zeros((9, 9)), np.zeros((9, 9))
    separator[:, 8] = first[:, 0] = 1
    labels = [
        analysis.profiles([trace(weights, keys, keys)])[0][0].label
        for weights in (separator, first)
    ]
    assert labels == ["separator", "first"]
    many = [str(i) for i in range(60)]
    broad = analysis.profiles([trace(np.full((60, 60), 1 / 60), many, many)])
    assert broad[0][0].label == "broad"


def test_it_is_resolved_by_the_margin_over_the_best_other_noun():
    weights = np.array([[[[0.5, 0.3, 0.2]]]])
    assert analysis.resolved(weights, 0, 0, [1, 2]) == pytest.approx(np.array([[0.2]]))


def test_a_word_that_is_not_there_gets_a_sentence():
    assert analysis.position(("It", "is", "it"), "it") == 2
    with pytest.raises(ValueError, match='no "it"'):
        analysis.position(("a", "b"), "it")


def test_agreement_is_a_symmetric_table_of_rank_correlations():
    tables = [np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([[1.0, 2], [3, 4]]), -np.arange(4.0)]
    found = analysis.agreement(tables)
    assert found == pytest.approx(np.array([[1, 1, -1], [1, 1, -1], [-1, -1, 1]]))


def test_the_sharpest_head_is_the_one_whose_rows_are_surest():
    weights = np.full((2, 2, 3, 3), 1 / 3, dtype=np.float32)
    weights[1, 0] = np.eye(3)
    words = ("a", "b", "c")
    trace = AttentionTrace(kind="self", queries=words, keys=words, weights=weights)
    assert analysis.sharpest(trace) == (1, 0)


def test_what_it_looks_at_is_a_word_and_not_itself_or_a_full_stop():
    words, row = ("The", "cat", "saw", "it", ".", "</s>"), (0.1, 0.2, 0.05, 0.3, 0.15, 0.2)
    assert [words[place] for place in analysis.looked_at(words, row)] == ["cat", "The", "saw"]


def test_two_endings_change_its_mind_or_not():
    words = ("The", "cake", "oven", "it")
    first, second = (0.0, 0.7, 0.2, 0.1), (0.0, 0.1, 0.8, 0.1)
    both = analysis.two_minds([words, words], [first, second])
    assert both == "at “cake” (0.70) in the first sentence, at “oven” (0.80) in the second"
    assert "the same word" in analysis.two_minds([words, words], [first, first])
