import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from viz_core import attention, by_hand, probe
from viz_core.by_hand import numbers as typed_numbers
from viz_core.models import transformer

X = typed_numbers.read_matrix("1 0 1 0; 0 2 0 2; 1 1 1 1", "x")
WK = typed_numbers.read_matrix("[[0,0,1],[1,1,0],[0,1,0],[1,1,0]]", "Wk")
WQ = typed_numbers.read_matrix("[[1,0,1],[1,0,0],[0,0,1],[0,1,1]]", "Wq")
WV = typed_numbers.read_matrix("[[0,2,0],[0,3,0],[1,0,3],[1,1,0]]", "Wv")
WORDS = ("I", "love", "you")


def three_words(**options):
    return by_hand.self_attention(WORDS, X, (WQ, WK, WV), **options)


def exactly(found, wanted, decimals=4):
    np.testing.assert_array_equal(np.round(found, decimals), np.array(wanted))


# ---- self-attention by hand: the numbers of every lecture --------------------------------------


def test_three_inputs_give_the_known_queries_keys_and_values():
    found = three_words()
    exactly(found.keys, [[0, 1, 1], [4, 4, 0], [2, 3, 1]])
    exactly(found.queries, [[1, 0, 2], [2, 2, 2], [2, 1, 3]])
    exactly(found.values, [[1, 2, 3], [2, 8, 0], [2, 6, 3]])


def test_three_inputs_give_the_known_scores_and_unscaled_outputs():
    found = three_words(scaled=False)
    exactly(found.scores, [[2, 4, 4], [4, 16, 12], [4, 12, 10]])
    exactly(
        found.outputs,
        [[1.9366, 6.6831, 1.5951], [2.0000, 7.9640, 0.0540], [1.9997, 7.7599, 0.3584]],
    )


def test_scaled_by_the_root_of_three_the_first_row_is_softer():
    found = three_words()
    assert found.divisor == math.sqrt(3)
    exactly(found.weights[0], [0.1361, 0.4319, 0.4319])


@pytest.mark.parametrize("masked", [False, True])
def test_every_step_equals_torch(masked):
    found = three_words(masked=masked)
    parts = [torch.tensor(part)[None] for part in (found.queries, found.keys, found.values)]
    mask = attention.causal_mask(3) if masked else None
    outputs, weights = attention.attend(attention.scaled_dot(*parts[:2]), parts[2], mask)
    np.testing.assert_allclose(found.weights, weights[0], atol=1e-12)
    np.testing.assert_allclose(found.outputs, outputs[0], atol=1e-12)
    oracle = torch.nn.functional.scaled_dot_product_attention(*parts, is_causal=masked)
    np.testing.assert_allclose(found.outputs, oracle[0], atol=1e-12)


def test_a_masked_word_gets_exactly_no_weight():
    found = three_words(masked=True)
    assert not np.triu(found.weights, 1).any()
    assert np.isneginf(found.scaled[0, 1:]).all()
    exactly(found.outputs[0], found.values[0])


def test_shuffled_words_give_the_same_outputs_in_the_shuffled_order():
    order = [2, 0, 1]
    found = by_hand.self_attention([WORDS[i] for i in order], X[order], (WQ, WK, WV))
    np.testing.assert_allclose(found.outputs, three_words().outputs[order], atol=1e-12)


@pytest.mark.parametrize("with_positions", [False, True])
def test_only_the_mask_or_positions_make_the_order_count(with_positions):
    order, places = [2, 0, 1], by_hand.positions(3, 4) * with_positions
    first = by_hand.self_attention(WORDS, X + places, (WQ, WK, WV), masked=not with_positions)
    second = by_hand.self_attention(
        WORDS, X[order] + places, (WQ, WK, WV), masked=not with_positions
    )
    assert np.abs(second.outputs - first.outputs[order]).max() > 0.05


def test_in_two_orders_words_move_and_places_stay():
    order, places = [2, 0, 1], by_hand.positions(3, 4)
    before, after = by_hand.attended_in_two_orders(WORDS, X, (WQ, WK, WV), order, places)
    assert after.tokens == ("you", "I", "love")
    exactly(before.inputs, np.round(X + places, 4))
    exactly(after.inputs, np.round(X[order] + places, 4))
    bare = by_hand.attended_in_two_orders(WORDS, X, (WQ, WK, WV), order, 0 * places, scaled=False)
    np.testing.assert_allclose(bare[1].outputs, bare[0].outputs[order], atol=1e-12)


def test_two_heads_are_joined_and_mixed_as_in_torch():
    torch.manual_seed(1)
    oracle = torch.nn.MultiheadAttention(4, 2, bias=False, batch_first=True, dtype=torch.float64)
    x = torch.tensor(X)[None]
    wanted = oracle(x, x, x)[0][0].detach().numpy()
    parts = [part.detach().numpy().T for part in oracle.in_proj_weight.chunk(3)]
    heads = [
        by_hand.self_attention(WORDS, X, [part[:, start : start + 2] for part in parts])
        for start in (0, 2)
    ]
    mixed = by_hand.mix(heads, oracle.out_proj.weight.detach().numpy().T)
    assert mixed.joined.shape == (3, 4)
    np.testing.assert_allclose(mixed.outputs, wanted, atol=1e-12)


@pytest.mark.parametrize(
    ("wq", "wk", "sentence"),
    [
        (WQ[:3], WK, "x has 4 columns but Wq has 3 rows"),
        (WQ[:, :2], WK, "Wq has 2 columns and Wk has 3"),
    ],
)
def test_shapes_that_do_not_fit_are_both_named(wq, wk, sentence):
    with pytest.raises(ValueError, match=sentence):
        by_hand.self_attention(WORDS, X, (wq, wk, WV))


def test_an_output_matrix_that_does_not_fit_is_named():
    with pytest.raises(ValueError, match="Concat has 6 columns but Wo has 4 rows"):
        by_hand.mix([three_words(), three_words()], np.ones((4, 4)))


@given(st.integers(0, 9), st.integers(0, 50))
def test_shuffled_is_another_order_of_the_same(count, seed):
    order = by_hand.shuffled(range(count), seed)
    assert sorted(order) == list(range(count))
    assert count < 2 or order != sorted(order)
    assert order == by_hand.shuffled(range(count), seed)


# ---- look-up ----------------------------------------------------------------------------------

KEYS = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [-0.6, 0.8]])


VALUES = np.array([[3.0], [2.0], [1.0], [5.0]])


def looked_up(query, temperature=1.0):
    return by_hand.look_up("abcd", KEYS, VALUES, np.array(query), temperature)


@pytest.mark.parametrize("row", range(4))
def test_hard_match_is_the_limit_of_the_soft_one(row):
    limit = looked_up(KEYS[row], 0)
    assert limit.rows == (row,)
    exactly(limit.weights, np.eye(4)[row])
    exactly(limit.soft, VALUES[row])
    distances = [
        np.abs(looked_up(KEYS[row], heat).weights - limit.weights).sum()
        for heat in (1, 0.3, 0.1, 0.01)
    ]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 1e-6


def test_a_high_temperature_takes_every_row_alike():
    np.testing.assert_allclose(looked_up(KEYS[0], 1e9).weights, 0.25, atol=1e-6)


def test_keys_that_tie_share_the_weight_in_the_limit():
    exactly(by_hand.tempered(np.array([1.0, 1.0, 0.0]), 0), [0.5, 0.5, 0])


def test_a_query_that_no_key_equals_has_no_hard_match_but_a_soft_one():
    found = looked_up([0.8, 0.6], 0.1)
    assert found.rows == ()
    assert found.weights.sum() == pytest.approx(1)
    assert VALUES.min() < found.soft[0] < VALUES.max()


def test_a_hard_match_returns_every_equal_row():
    keys = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    found = by_hand.look_up("abc", keys, keys, np.array([1.0, 0.0]))
    assert found.rows == (0, 2)


def test_a_table_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="query has 3 numbers and each key 2"):
        looked_up([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="4 keys and 3 values"):
        by_hand.look_up("abcd", KEYS, VALUES[:3], KEYS[0])


def test_apple_is_the_weighted_sum_of_its_words():
    weights = np.array([0.1, 0.1, 0.5, 0.1, 0.2])  # she is eating a green
    values = np.array([[1, 5], [2, 2], [6, 4], [1, 1], [4, 6]])
    exactly(by_hand.weighted_sum(weights, values), [4.2, 4.0])
    exactly(by_hand.weighted_sum(weights, np.eye(5)), weights)
    with pytest.raises(ValueError, match="4 weights for 5 values"):
        by_hand.weighted_sum(weights[:4], values)


# ---- positions --------------------------------------------------------------------------------


def test_four_dimensions_are_the_closed_form():
    place = np.arange(50)
    wanted = [np.sin(place), np.cos(place), np.sin(place / 100), np.cos(place / 100)]
    np.testing.assert_allclose(by_hand.positions(50, 4), np.stack(wanted, 1), atol=1e-12)


@pytest.mark.parametrize(("length", "width", "base"), [(100, 20, 1e4), (60, 32, 1e4), (9, 5, 50.0)])
def test_positions_are_those_of_the_trained_transformer(length, width, base):
    wanted = transformer.positions(length, width, base).numpy()
    np.testing.assert_allclose(by_hand.positions(length, width, base), wanted, atol=1e-4)


@pytest.mark.parametrize(("width", "base"), [(4, 1e4), (20, 1e4), (32, 100.0)])
def test_the_dot_product_depends_on_the_offset_alone(width, base):
    code = by_hand.positions(100, width, base)
    dots = code @ code.T
    for offset in range(100):
        line = np.diagonal(dots, offset)
        wanted = np.cos(offset * by_hand.rates(width, base)).sum()
        np.testing.assert_allclose(line, wanted, atol=1e-9)


@given(st.integers(0, 200), st.integers(0, 100), st.integers(0, 9))
def test_one_rotation_moves_any_position_by_the_same_offset(place, offset, pair):
    code = by_hand.positions(place + offset + 1, 20)[:, 2 * pair : 2 * pair + 2]
    turn = by_hand.rotation(offset, by_hand.rates(20)[pair])
    np.testing.assert_allclose(turn @ code[place], code[place + offset], atol=1e-9)
    np.testing.assert_allclose(turn @ turn.T, np.eye(2), atol=1e-12)


def test_wavelengths_grow_from_two_pi_towards_two_pi_times_the_base():
    found = by_hand.wavelengths(512)
    assert found[0] == pytest.approx(2 * math.pi)
    assert found[-1] == pytest.approx(2 * math.pi * 10_000 ** (510 / 512))
    np.testing.assert_allclose(found[1:] / found[:-1], 10_000 ** (2 / 512))


# ---- norms, gates, lengths --------------------------------------------------------------------


@given(arrays(float, (4, 5), elements=st.floats(-100, 100)))
def test_norms_are_those_of_torch(values):
    given_values = torch.tensor(values)
    wanted = torch.nn.functional.layer_norm(given_values, (5,))
    np.testing.assert_allclose(by_hand.layer_norm(values), wanted, atol=1e-6)
    wanted = torch.nn.functional.batch_norm(given_values, None, None, training=True)
    np.testing.assert_allclose(by_hand.batch_norm(values), wanted, atol=1e-6)


def test_a_row_is_layer_normed_alone_but_batch_normed_with_its_batch():
    first = np.array([[1.0, 2, 3, 4], [2, 4, 6, 8], [5, 5, 1, 1]])
    second = first.copy()
    second[2] = [100, -100, 50, 0]
    exactly(by_hand.layer_norm(first)[:2], np.round(by_hand.layer_norm(second)[:2], 4))
    assert np.abs(by_hand.batch_norm(first)[:2] - by_hand.batch_norm(second)[:2]).max() > 0.5
    assert not by_hand.batch_norm(first[:1]).any()  # a batch of one has nothing to say


def test_a_closed_gate_keeps_and_an_open_gate_replaces():
    found = by_hand.gate([0, 1, 0, 0, 0, 1], range(10, 16), [8, 9, 3, 7, 5, 8])
    exactly(found, [8, 11, 3, 7, 5, 15])


# ---- the same inside a trained model ----------------------------------------------------------


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, 3)])
def test_a_models_vectors_go_through_the_same_steps_to_its_own_attention(bundle_of, layer, head):
    bundle = bundle_of("transformer")
    found = probe.vectors(bundle, "The cat sees it.", layer, head)
    np.testing.assert_allclose(found.scores, found.queries @ found.keys.T, atol=1e-4)
    np.testing.assert_allclose(found.weights, by_hand.softmax(found.scaled), atol=1e-5)
    wanted = probe.translate(bundle, "The cat sees it.").encoder
    assert wanted is not None and wanted.queries == found.tokens
    np.testing.assert_allclose(found.weights, wanted.matrix(layer, head), atol=1e-6)
    module = bundle.model.encoder[layer].self_attention
    rows = slice(4 * head, 4 * head + 4)  # width 16, 4 heads
    values = found.inputs @ module.value.weight[rows].numpy().T + module.value.bias[rows].numpy()
    np.testing.assert_allclose(found.values, values, atol=1e-4)
    assert found.divisor == 2


def test_heads_that_are_not_there_are_named(bundle_of):
    with pytest.raises(ValueError, match="no head 9 in layer 1"):
        probe.vectors(bundle_of("transformer"), "The cat.", 0, 8)
    with pytest.raises(ValueError, match="no heads to open"):
        probe.vectors(bundle_of("rnn-dot"), "The cat.", 0, 0)
    with pytest.raises(ValueError, match="no learned positions"):
        probe.learned_positions(bundle_of("transformer"))


def test_a_trace_whose_parts_do_not_fit_is_refused():
    found = three_words()
    with pytest.raises(ValueError, match="2 tokens but 3 rows of inputs"):
        replace(found, tokens=("I", "love"))


# ---- two heads from one query -----------------------------------------------------------------


def _two_heads(per_head, seed=0):
    draw = np.random.default_rng(seed).normal
    inputs, w_out = draw(size=(3, 4)), draw(size=(4, 4))
    three = [draw(size=(4, 4)) for _ in range(3)]
    found = by_hand.split_heads(("a", "b", "c"), inputs, three, per_head(draw), w_out)
    return inputs, three, w_out, found


def test_two_heads_from_one_query_are_one_projection_for_each_head():
    kept = []

    def any_matrices(draw):
        kept.extend([[draw(size=(4, 2)) for _ in range(3)] for _ in range(2)])
        return kept

    inputs, three, w_out, found = _two_heads(any_matrices)
    alone = [
        by_hand.self_attention(
            ("a", "b", "c"), inputs, [w @ own for w, own in zip(three, head, strict=True)]
        )
        for head in kept
    ]
    for head, other in zip(found.heads, alone, strict=True):
        np.testing.assert_allclose(head.queries, other.queries)
        np.testing.assert_allclose(head.weights, other.weights)
        np.testing.assert_allclose(head.outputs, other.outputs)
    np.testing.assert_allclose(found.mixed.outputs, by_hand.mix(alone, w_out).outputs)


def test_with_ones_and_zeros_the_heads_are_a_split_and_nothing_more():
    halves = np.split(np.eye(4), 2, axis=1)
    _, _, _, found = _two_heads(lambda draw: [[half] * 3 for half in halves])
    for i, head in enumerate(found.heads):
        np.testing.assert_array_equal(head.queries, found.whole[0][:, 2 * i : 2 * i + 2])
        np.testing.assert_array_equal(head.values, found.whole[2][:, 2 * i : 2 * i + 2])


def test_matrices_of_heads_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match="q has 4 columns but Wq1 has 3 rows"):
        _two_heads(lambda draw: [[draw(size=(3, 2))] * 3] * 2)
