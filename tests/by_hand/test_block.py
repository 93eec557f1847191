"""A block by hand against torch: norms, attention, feed-forward, and two convolutions."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from viz_core import by_hand, probe
from viz_core.charts import block
from viz_core.text import CONTINUED

X = np.array([[1.0, 0, 2], [0, 3, 1], [2, 2, 0]])
W1 = np.array([[1.0, 0, -1, 2], [0, 1, 1, 0], [1, -1, 0, 1]])
W2 = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, -1, 0]])
MEMORY = np.array([[1.0, 1, 0], [0, 2, 2]])


def in_torch(x, memory, norm_first):
    w_1, w_2 = torch.tensor(W1), torch.tensor(W2)

    def norm(values):
        return F.layer_norm(values, (3,))

    def attend(queries, keys, causal=False):
        return F.scaled_dot_product_attention(queries, keys, keys, is_causal=causal)

    halves = [lambda y: attend(y, y, memory is not None)]
    if memory is not None:
        halves.append(lambda y: attend(y, memory))
    halves.append(lambda y: (y @ w_1).relu() @ w_2)
    for half in halves:
        x = x + half(norm(x)) if norm_first else norm(x + half(x))
    return x


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("memory", [None, MEMORY], ids=["encoder", "decoder"])
def test_a_block_is_what_torch_computes(norm_first, memory):
    found = by_hand.block(X, W1, W2, norm_first=norm_first, memory=memory)
    looked = None if memory is None else torch.tensor(memory)
    assert found.out == pytest.approx(in_torch(torch.tensor(X), looked, norm_first).numpy())
    assert len(found.halves) == (2 if memory is None else 3)
    chart = block.block(found, ("I", "love", "you"), W1, W2)
    assert chart.to_dict()["description"].startswith("love gains most")
    assert "convolutions of width 1 give the same (difference 0)" in block.said(
        found, ("I", "love", "you"), W1, W2
    )


@pytest.mark.parametrize("width", [1, 3])
def test_a_convolution_slides_as_torch_does(width):
    kernel = np.random.default_rng(1).normal(size=(width, 3, 4))
    weight = torch.tensor(kernel).permute(2, 1, 0)
    wanted = F.conv1d(torch.tensor(X).T[None], weight, padding=width // 2)[0].T
    assert by_hand.convolved(X, kernel) == pytest.approx(wanted.numpy())


def test_a_trained_feed_forward_net_is_two_convolutions_of_width_one(bundle_of):
    found = probe.position_wise(bundle_of("transformer"), "The cat sees the dog.")
    assert found.convolved < 1e-5 < found.largest
    assert found.reversed < 1e-5
    assert (found.width, found.inner) == (16, 32)


def test_the_decoders_stream_reads_its_own_words_and_ends_at_the_next(bundle_of):
    bundle = bundle_of("transformer")
    found = probe.stream(bundle, "The cat sees the dog.", True)
    written = probe.translate(bundle, "The cat sees the dog.")
    assert found.tokens[0] == "<s>"
    assert len(found.stages) == 1 + 3 * bundle.model.config.decoder_layers
    # Out of context every piece goes on; in its place one may open a word after an apostrophe.
    ends = [row[0].removeprefix(CONTINUED) for row in found.nearest[-1]]
    assert ends == [guess.tokens[0].removeprefix(CONTINUED) for guess in written.predictions]


@pytest.mark.parametrize(
    ("x", "w_1", "w_2", "said"),
    [
        (X, W1[:2], W2, "W1 needs 3 rows"),
        (X, W1, W2[:3], "W2 must be 4 x 3"),
    ],
)
def test_numbers_that_do_not_fit_get_a_sentence(x, w_1, w_2, said):
    with pytest.raises(ValueError, match=said):
        by_hand.block(x, w_1, w_2, norm_first=True)
