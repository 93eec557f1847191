"""What the captioners are taught by: the two penalties, against the formulas written out."""

import math
from copy import deepcopy

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core.text import START
from viz_core.text.captions import CaptionWords
from viz_core.training import caption
from viz_core.training.caption import COVERED, Batch, Describing, Written, collate, reached
from viz_core.training.data.flickr8k import Photograph, plain
from viz_core.training.measure.caption import bleu

PHOTOGRAPHS = [
    Photograph(file="1.jpg", part="train", captions=("a man in the grass", "a man")),
    Photograph(file="2.jpg", part="train", captions=("two people standing", "a zebra")),
    Photograph(file="3.jpg", part="held-out", captions=("a red dog is running",)),
]
GRIDS = np.random.default_rng(1).normal(size=(3, 2, 49, 320)).astype(np.float16)


@pytest.fixture(params=["soft", "hard"])
def task(request):
    bundle = tiny.captioner(request.param)
    return Describing(deepcopy(bundle.model), bundle.tokenizer, PHOTOGRAPHS, GRIDS)


def test_captions_are_sorted_by_length_and_padded(task):
    batch = collate(GRIDS[:2, 0], task.captions[:2])
    assert batch.lengths.tolist() == [6, 4, 3, 3]
    assert batch.of.tolist()[:2] == [0, 1]
    assert batch.count == 16 == int(reached(batch).sum())
    assert sum(group.count for group in batch.groups()) == 16


def test_the_held_out_loss_is_that_of_writing_word_by_word(task):
    (batch,) = task.batches(0.0, 0)
    assert math.isfinite(float(task.loss(task.model, batch)))
    found, model = task.held_out_losses()["captions"], task.model
    with torch.inference_mode():
        picture = model.see(torch.from_numpy(GRIDS[2:, 0]).float())
        state, last, total = model.start(picture), START, 0.0
        for token in task.captions[2][0]:
            step = model(picture, state, torch.tensor([last]))
            total -= float(model.logits(step.features).log_softmax(-1)[0, token])
            state, last = step.state, token
    assert found == pytest.approx(total / len(task.captions[2][0]), rel=1e-4)


def test_what_was_not_looked_at_costs_by_the_formula():
    task = Describing(tiny.captioner().model, tiny.captioner().tokenizer, PHOTOGRAPHS, GRIDS)
    weights = torch.rand(2, 3, 49)
    batch = Batch(torch.zeros(1), torch.zeros(2), torch.zeros(2, 3), torch.tensor([3, 1]))
    found = task.uncovered(batch, Written(weights, weights, weights), torch.zeros(4))
    first = sum((1 - float(weights[0, :, i].sum())) ** 2 for i in range(49))
    second = sum((1 - float(weights[1, 0, i])) ** 2 for i in range(49))
    assert float(found) == pytest.approx(COVERED * (first + second), rel=1e-4)


def test_a_place_that_led_to_a_better_caption_gets_more_weight(monkeypatch):
    """REINFORCE: the gradient of the loss is minus the advantage at the place that was drawn."""
    monkeypatch.setattr(caption, "SPREAD", 0.0)
    task = Describing(tiny.captioner("hard").model, tiny.captioner().tokenizer, PHOTOGRAPHS, GRIDS)
    task.baseline = -2.0
    scores = torch.zeros(2, 1, 4, requires_grad=True)
    written = Written(scores, scores.softmax(-1), torch.tensor([[1], [2]]))
    batch = Batch(torch.zeros(1), torch.zeros(2), torch.zeros(2, 1), torch.tensor([1, 1]))
    task.reinforced(batch, written, torch.tensor([1.0, 4.0])).backward()
    better, worse = scores.grad[:, 0]
    assert better[1] < 0 and worse[2] > 0  # descent raises the first and lowers the second
    assert better[1] == pytest.approx(-(-1.0 + 2.0) * 0.75)
    assert task.baseline == pytest.approx(0.9 * -2.0 + 0.1 * -2.5)


def test_captions_are_read_plainly_and_rare_words_are_not_learnt():
    assert plain("A dog's tri-colored ball , it is RED !") == "a dog's tri-colored ball it is red"
    words = CaptionWords.learnt(["a dog"] * 5 + ["a zebra"])
    assert words.vocabulary[4:] == ["a", "dog"]
    assert words.encode("a zebra").unknown == ("zebra",)
    assert words.decode(words.encode("a dog").ids) == "a dog"
    again = CaptionWords.from_json(words.to_json())
    assert again.vocabulary == words.vocabulary


def test_bleu_counts_words_and_runs_of_words():
    pytest.importorskip("sacrebleu")
    same = bleu(["a dog runs in the grass"], [["a dog runs in the grass", "a cat"]])
    assert same["BLEU-1"] == same["BLEU-4"] == 100
    half = bleu(["a dog"], [["a cat", "a horse"]])
    assert half["BLEU-1"] == pytest.approx(50)
