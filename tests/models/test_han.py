"""The hierarchical attention network against its equations, written out again in numpy."""

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core.models.han import together

DOCUMENTS = [[[2, 3, 4], [5, 6], [7, 8, 9, 10]], [[3, 3]]]


@pytest.fixture(scope="module")
def batch():
    return together([[torch.tensor(ids) for ids in document] for document in DOCUMENTS])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class ByHand:
    """Eq. 1 to 11 of Yang et al. 2016 on one document, step by step."""

    def __init__(self, model):
        self.weights = {
            name: value.numpy().astype(float) for name, value in model.state_dict().items()
        }

    def gru(self, name, inputs, suffix=""):
        w = {kind: self.weights[f"{name}.{kind}_l0{suffix}"] for kind in
             ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}  # fmt: skip
        h, states = np.zeros(w["weight_hh"].shape[1]), []
        for x in inputs:
            i = np.split(w["weight_ih"] @ x + w["bias_ih"], 3)
            g = np.split(w["weight_hh"] @ h + w["bias_hh"], 3)
            r, z = sigmoid(i[0] + g[0]), sigmoid(i[1] + g[1])  # eq. 2, 4
            h = (1 - z) * np.tanh(i[2] + r * g[2]) + z * h  # eq. 1, 3
            states.append(h)
        return states

    def level(self, name, inputs):
        ahead = self.gru(f"{name}_reader", inputs)
        back = self.gru(f"{name}_reader", inputs[::-1], "_reverse")[::-1]
        states = np.array([np.concatenate(pair) for pair in zip(ahead, back, strict=True)])
        hidden = states @ self.weights[f"{name}_attention.hidden.weight"].T
        u = np.tanh(hidden + self.weights[f"{name}_attention.hidden.bias"])  # eq. 5, 8
        powers = np.exp(u @ self.weights[f"{name}_attention.context"])
        weights = powers / powers.sum()  # eq. 6, 9
        return weights, weights @ states  # eq. 7, 10

    def read(self, document):
        table = self.weights["embedding.weight"]
        words = [self.level("word", table[ids]) for ids in document]
        weights, summary = self.level("sentence", np.array([vector for _, vector in words]))
        logits = self.weights["answer.weight"] @ summary + self.weights["answer.bias"]
        return [row for row, _ in words], weights, logits


def test_both_levels_are_what_the_equations_say(batch):
    model = tiny.han().model
    found, row = model(batch), 0
    for number, document in enumerate(DOCUMENTS):
        words, sentences, logits = ByHand(model).read(document)
        np.testing.assert_allclose(found.logits[number], logits, atol=1e-5)
        weights = found.sentences.weights[number, : len(document)]
        np.testing.assert_allclose(weights, sentences, atol=1e-5)
        for wanted in words:
            np.testing.assert_allclose(found.words.weights[row, : len(wanted)], wanted, atol=1e-5)
            row += 1


def test_weights_sum_to_one_at_both_levels_and_padding_has_none(batch):
    found = tiny.han().model(batch)
    for level, mask in ((found.words, batch.mask), (found.sentences, batch.present)):
        torch.testing.assert_close(level.weights.sum(-1), torch.ones(len(mask)))
        assert not level.weights[~mask].any()


def test_a_document_alone_is_read_as_in_a_batch(batch):
    model = tiny.han().model
    alone = model(together([[torch.tensor(ids) for ids in DOCUMENTS[0]]]))
    torch.testing.assert_close(alone.logits[0], model(batch).logits[0], atol=1e-5, rtol=1e-4)


def test_sentences_that_were_read_once_can_be_judged_without_one(batch):
    model = tiny.han().model
    words = model(together([[torch.tensor(ids) for ids in DOCUMENTS[0]]])).words
    order = torch.tensor([[0, 2]])
    fewer = model.judge(words, order, torch.ones_like(order).bool())
    again = model(together([[torch.tensor(DOCUMENTS[0][place]) for place in (0, 2)]]))
    torch.testing.assert_close(fewer.logits, again.logits, atol=1e-5, rtol=1e-4)
