"""The plain reader against torch's own cell."""

import torch

from tests import tiny
from viz_core.models.gru_last import side_by_side


def test_the_answer_after_each_word_is_that_of_a_cell_run_by_hand():
    model = tiny.gru_last().model
    cell = torch.nn.GRUCell(6, 5).requires_grad_(False)
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        getattr(cell, name).copy_(getattr(model.reader, f"{name}_l0"))
    ids, h = torch.tensor([[2, 5, 3, 9]]), torch.zeros(1, 5)
    found = model(ids)
    for step, number in enumerate(ids[0]):
        h = cell(model.embedding(number)[None], h)
        torch.testing.assert_close(found.logits[:, step], model.answer(h), atol=1e-5, rtol=1e-4)


def test_padding_behind_a_document_does_not_reach_its_last_state():
    model = tiny.gru_last().model
    short, long = torch.tensor([2, 3]), torch.tensor([4, 5, 6, 7])
    ids, last = side_by_side([short, long])
    assert last.tolist() == [1, 3]
    torch.testing.assert_close(model(ids).logits[0, 1], model(short[None]).logits[0, -1])
