"""The Vision Transformer against torch's own attention, and against its equations."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from tests import tiny


@torch.inference_mode()
def test_attention_equals_scaled_dot_product_attention():
    block = tiny.vit().model.blocks[0]
    states = torch.randn(2, 17, 8, generator=torch.Generator().manual_seed(2))
    normed = block.attention_norm(states)
    found, weights = block.attention(normed, *block.attention.project(normed))
    query = block.attention.split(block.attention.query(normed))
    keys, values = block.attention.project(normed)
    context = scaled_dot_product_attention(query, keys, values)
    expected = block.attention.out(context.transpose(1, 2).flatten(-2))
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(weights @ values, context)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 17))


@torch.inference_mode()
def test_the_equations_written_out_give_the_same_answer():
    model = tiny.vit().model
    pixels = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(3)) * 255
    patches = model.patches((pixels - 128) / 64)[0].flatten(1).T
    states = torch.cat((model.label[None], patches)) + model.positions  # eq. 1
    for block in model.blocks:
        normed = block.attention_norm(states)[None]
        states = states + block.attention(normed, *block.attention.project(normed))[0][0]  # eq. 2
        states = states + block.inner(block.inner_norm(states))  # eq. 3
    expected = model.answer(model.norm(states[0]))  # eq. 4
    found = model(pixels)
    torch.testing.assert_close(found.logits[0], expected)
    assert found.weights.shape == (1, 2, 2, 17, 17)
