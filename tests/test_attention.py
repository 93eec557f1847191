import math

import pytest
import torch
from hypothesis import given, strategies as st
from torch import nn
from torch.nn import functional

from viz_core import attention
from viz_core.attention import MultiHead, attend

close = torch.testing.assert_close


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(1)


@pytest.fixture
def query():
    return torch.randn(2, 3, 8)


@pytest.fixture
def keys():
    return torch.randn(2, 5, 8)


# ---- score functions --------------------------------------------------------------------------


def test_dot_is_the_sum_of_products(query, keys):
    close(attention.dot(query, keys), (query[:, :, None] * keys[:, None]).sum(-1))


def test_scaled_dot_is_dot_over_the_root_of_the_width(query, keys):
    close(attention.scaled_dot(query, keys), attention.dot(query, keys) / math.sqrt(8))


def test_general_is_a_bilinear_form(query, keys):
    weight = torch.randn(8, 8)
    close(
        attention.general(query, keys, weight),
        torch.einsum("bqi,ij,bkj->bqk", query, weight, keys),
    )


def test_content_is_torchs_cosine_similarity(query, keys):
    close(
        attention.content(query, keys),
        functional.cosine_similarity(query[:, :, None], keys[:, None], dim=-1),
    )


def test_additive_is_v_tanh_of_one_matrix_on_both_states(query, keys):
    w_query, w_key, vector = torch.randn(8, 6), torch.randn(8, 6), torch.randn(6)
    stacked = torch.cat((w_query, w_key))  # (16, 6)
    both = torch.cat(
        (query[:, :, None].expand(-1, -1, 5, -1), keys[:, None].expand(-1, 3, -1, -1)), dim=-1
    )
    close(
        attention.additive(query, keys, w_query, w_key, vector),
        (both @ stacked).tanh() @ vector,
    )


def test_location_reads_the_query_alone(query, keys):
    score = attention.Location(8, 20)
    assert torch.equal(score(query, keys), score(query, torch.randn_like(keys)))
    close(score(query, keys), query @ score.weight[:, :5])


def test_location_says_how_many_positions_it_has(query):
    with pytest.raises(ValueError, match=r"4 positions.* 5 tokens"):
        attention.Location(8, 4)(query, torch.randn(2, 5, 8))


@pytest.mark.parametrize(
    ("name", "closed_form"),
    [
        ("dot", lambda m, q, k: attention.dot(q, k)),
        ("scaled-dot", lambda m, q, k: attention.scaled_dot(q, k)),
        ("general", lambda m, q, k: attention.general(q, k, m.weight)),
        ("content", lambda m, q, k: 8 * attention.content(q, k)),
        ("additive", lambda m, q, k: attention.additive(q, k, m.w_query, m.w_key, m.vector)),
        ("location", lambda m, q, k: attention.location(q, m.weight, 5)),
    ],
)
def test_each_learned_score_is_its_function(name, closed_form, query, keys):
    module = attention.SCORES[name](8, 20)
    close(module(query, keys), closed_form(module, query, keys))


# ---- from scores to a context -----------------------------------------------------------------


@pytest.mark.parametrize("masked", [False, True])
def test_attend_is_torchs_scaled_dot_product_attention(query, keys, masked):
    values = torch.randn(2, 5, 4)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 1, 0]]).bool()[:, None] if masked else None
    context, _ = attend(attention.scaled_dot(query, keys), values, mask)
    close(context, functional.scaled_dot_product_attention(query, keys, values, mask))


@given(st.data(), st.integers(1, 3), st.integers(1, 5), st.integers(1, 9))
def test_masked_keys_get_exactly_zero_and_rows_sum_to_one(data, batch, queries, keys):
    allowed = st.lists(st.booleans(), min_size=keys, max_size=keys).filter(any)
    mask = torch.tensor([data.draw(allowed) for _ in range(batch)])[:, None]
    scores = 10 * torch.randn(batch, queries, keys)
    context, weights = attend(scores, torch.randn(batch, keys, 2), mask)
    assert (weights[~mask.expand_as(weights)] == 0).all()
    close(weights.sum(-1), torch.ones(batch, queries))
    assert context.isfinite().all()


def test_the_hard_match_is_the_limit_of_the_soft_one():
    scores, values = torch.tensor([[[1.0, 3.0, 2.0]]]), torch.tensor([[[10.0], [20.0], [30.0]]])
    context, weights = attend(scores / 1e-3, values)
    assert weights.tolist() == [[[0, 1, 0]]] and context.item() == 20


def test_the_causal_mask_hides_what_comes_later():
    _, weights = attend(torch.randn(6, 6), torch.randn(6, 2), attention.causal_mask(6))
    assert (weights.triu(1) == 0).all()
    assert (weights.tril()[torch.ones(6, 6).tril().bool()] > 0).all()


# ---- local windows ----------------------------------------------------------------------------


@given(st.floats(0, 30), st.floats(1, 20))
def test_the_gaussian_is_1_at_the_centre_and_exp_minus_2_at_the_edge(centre, reach):
    positions = torch.tensor([centre - reach, centre, centre + reach])
    bell = attention.gaussian(positions, torch.tensor([[centre]]), reach / 2)
    close(bell, torch.tensor([[[math.exp(-2), 1, math.exp(-2)]]]), atol=1e-5, rtol=1e-4)


def test_the_window_reaches_d_to_each_side_and_no_further():
    inside = attention.window_mask(torch.arange(10.0), torch.tensor([[4.5]]), 2)
    assert inside[0, 0].nonzero().flatten().tolist() == [3, 4, 5, 6]
    inside = attention.window_mask(torch.arange(10.0), torch.tensor([[4.0]]), 2)
    assert inside[0, 0].nonzero().flatten().tolist() == [2, 3, 4, 5, 6]


def test_the_centre_is_the_length_times_a_sigmoid(query):
    centre = attention.Centre(8)
    lengths = torch.tensor([5.0, 9.0])
    share = torch.sigmoid(torch.tanh(query @ centre.weight) @ centre.vector)
    close(centre(query, lengths), torch.stack((5 * share[0], 9 * share[1])))


# ---- multiple heads ---------------------------------------------------------------------------


def copied(module: MultiHead) -> nn.MultiheadAttention:
    oracle = nn.MultiheadAttention(16, module.heads, batch_first=True)
    with torch.no_grad():
        parts = (module.query, module.key, module.value)
        oracle.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        oracle.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
        oracle.out_proj.load_state_dict(module.out.state_dict())
    return oracle


@pytest.mark.parametrize("heads", [1, 4, 16])
def test_multi_head_is_torchs_with_the_same_weights(heads):
    module, states, memory = MultiHead(16, heads), torch.randn(2, 3, 16), torch.randn(2, 5, 16)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]).bool()
    found, weights = module(states, *module.project(memory), mask[:, None, None])
    wanted, wanted_weights = copied(module)(
        states, memory, memory, key_padding_mask=~mask, average_attn_weights=False
    )
    close(found, wanted)
    close(weights, wanted_weights)


def test_silencing_every_head_leaves_the_bias():
    module, states = MultiHead(16, 4), torch.randn(2, 3, 16)
    found, _ = module(states, *module.project(states), keep=torch.zeros(4))
    close(found, module.out.bias.expand(2, 3, 16))


def test_each_head_speaks_for_itself():
    """The output is the bias and one share per head, so that heads can be taken away singly."""
    module, states = MultiHead(16, 4), torch.randn(2, 3, 16)
    kept = module.project(states)
    alone = [module(states, *kept, keep=row)[0] - module.out.bias for row in torch.eye(4)]
    close(module(states, *kept)[0], sum(alone) + module.out.bias)


def test_a_width_that_heads_do_not_divide_is_refused():
    with pytest.raises(ValueError, match=r"width 10 is not a multiple of 4 heads"):
        MultiHead(10, 4)


# ---- self-attention by hand -------------------------------------------------------------------

X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_KEY = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_QUERY = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_VALUE = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])


def test_self_attention_by_hand_gives_the_lectures_numbers():
    keys, queries, values = X @ W_KEY, X @ W_QUERY, X @ W_VALUE
    assert keys.tolist() == [[0, 1, 1], [4, 4, 0], [2, 3, 1]]
    assert queries.tolist() == [[1, 0, 2], [2, 2, 2], [2, 1, 3]]
    assert values.tolist() == [[1, 2, 3], [2, 8, 0], [2, 6, 3]]
    scores = attention.dot(queries, keys)
    assert scores.tolist() == [[2, 4, 4], [4, 16, 12], [4, 12, 10]]
    outputs, _ = attend(scores, values)
    wanted = [[1.9366, 6.6831, 1.5951], [2.0, 7.9640, 0.0540], [1.9997, 7.7599, 0.3584]]
    close(outputs, torch.tensor(wanted), atol=6e-5, rtol=0)
    _, scaled = attend(attention.scaled_dot(queries, keys), values)
    close(scaled[0], torch.tensor([0.1361, 0.4319, 0.4319]), atol=6e-5, rtol=0)


def test_shuffled_words_give_shuffled_outputs():
    """Without positions attention does not know the order: that is why they are added."""
    order = torch.tensor([2, 0, 1])

    def outputs(x: torch.Tensor) -> torch.Tensor:
        return attend(attention.scaled_dot(x @ W_QUERY, x @ W_KEY), x @ W_VALUE)[0]

    close(outputs(X[order]), outputs(X)[order])
