"""Reviews as training data: their parts, their batches, and what is measured."""

import io
import random
import tarfile

import pytest
import torch

from tests import tiny
from viz_core import probe
from viz_core.models.gru_last import GRULast, GRULastConfig
from viz_core.models.han import HAN, HANConfig
from viz_core.training import gru_last, han
from viz_core.training.data import reviews
from viz_core.training.measure import documents as measure

TEXTS = ("A good film. I liked it!", "The end is dull. Not good.", "It is bad. The film is dull.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An archive like the public one: forty reviews to train on, four to test."""
    root = tmp_path_factory.mktemp("data")
    (root / "imdb").mkdir()
    with tarfile.open(root / reviews.REVIEWS.file, "w:gz") as archive:
        for part, count in (("train", 20), ("test", 2)):
            for number in range(2 * count):
                kind = ("pos", "neg")[number % 2]
                content = TEXTS[number % 2 + (number % 4 == 3)].encode()
                member = tarfile.TarInfo(f"aclImdb/{part}/{kind}/{number}_7.txt")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return root


def test_the_official_test_part_is_never_trained_on(folder):
    train, held_out, test = (
        {one.name for one in reviews.reviews(folder, part)}
        for part in ("train", "held-out", "test")
    )
    assert len(train) + len(held_out) == 40 and not train & held_out
    assert held_out and len(test) == 4
    assert all("/test/" in name for name in test)


def row(*lengths, label=1):
    return han.Row(tuple(torch.arange(2, 2 + length) for length in lengths), label)


def test_a_long_review_is_shortened_by_whole_sentences_from_either_end():
    whole = row(180, 15, 10)
    assert [len(one) for one in han.shortened(whole, from_end=False).sentences] == [180, 15]
    assert [len(one) for one in han.shortened(whole, from_end=True).sentences] == [15, 10]
    assert han.shortened(row(500), from_end=True).words == 500


def test_batches_hold_every_review_once_and_no_more_words_than_told():
    rows = [row(length, label=length % 2) for length in range(1, 40)]
    batches = han.bucketed(rows, 60, random.Random(1))
    assert sorted(one.words for some in batches for one in some) == list(range(1, 40))
    assert all(len(some) * max(one.words for one in some) <= 1.3 * 60 for some in batches)


@pytest.mark.parametrize("kind", ["han", "gru-last"])
def test_it_learns_a_few_reviews_in_a_moment(folder, kind):
    torch.manual_seed(1)
    size = han.words_of(folder).size
    rows = han.rows_of(folder, "train")
    if kind == "han":
        task = han.ReviewTask(HAN(HANConfig(words=size, width=8, units=8, dropout=0)), rows, rows)
    else:
        model = GRULast(GRULastConfig(words=size, width=8, units=8, dropout=0))
        task = gru_last.LastTask(model, rows, rows)
    before = task.held_out_losses()["reviews"]
    optimiser = torch.optim.Adam(task.model.parameters(), lr=0.02)
    for chunk in range(25):
        for batch in task.batches(0.0, chunk):
            task.step(task.model, [optimiser], batch, clip=1.0)
    assert task.held_out_losses()["reviews"] < 0.5 * before


def test_vectors_alone_learn_which_words_praise(folder):
    torch.manual_seed(1)
    embedding = torch.nn.Embedding(han.words_of(folder).size, 4)
    before = embedding.weight.detach().clone()
    han.learn_vectors(embedding, han.rows_of(folder, "train"))
    assert not torch.equal(before, embedding.weight)


def test_accuracy_and_deletions_are_those_of_brute_force(folder):
    bundle, tested = tiny.han(), reviews.reviews(folder, "test")
    found = measure.han(bundle, tested)
    right, larger = 0, []
    for one in tested:
        ids = [torch.tensor(bundle.tokenizer.numbers(each)) for each in one.sentences]
        whole = bundle.model(han.together([ids]))
        right += int(whole.logits.argmax()) == one.positive
        chance = whole.logits.softmax(-1)[0, 1]
        top = int(whole.sentences.weights.argmax())
        moved = [
            float((bundle.model(han.together([rest])).logits.softmax(-1)[0, 1] - chance).abs())
            for rest in (ids[:out] + ids[out + 1 :] for out in range(len(ids)))
        ]
        others = [move for place, move in enumerate(moved) if place != top]
        larger.append(sum(moved[top] > move for move in others) / len(others))
    assert found["metrics"]["IMDB test"] == {"accuracy": right / 4, "reviews": 4.0}
    assert found["measured"]["deletions"]["share"] == pytest.approx(sum(larger) / 4)


def test_a_not_is_measured_as_by_asking_one_sentence_after_the_other(folder):
    bundle = tiny.han()
    found = measure.han(bundle, reviews.reviews(folder, "test"))["measured"]["negation"]

    def positive(text):
        return probe.document(bundle, text).label == "positive"

    denied = [positive(said[1].format(w)) for said in measure.PATTERNS for w in measure.BLAME]
    assert found["blame denied"] == pytest.approx(sum(denied) / len(denied), abs=1e-4)
    said = [positive(said[0].format(w)) for said in measure.PATTERNS for w in measure.PRAISE]
    assert found["praise"] == pytest.approx(sum(said) / len(said), abs=1e-4)
    assert found["sentences"] == len(said)
