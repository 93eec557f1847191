"""Episodes: labels mean nothing by themselves, and no question is its own example."""

import numpy as np
import torch

from tests import tiny
from viz_core.training import snail


def drawn(shots, count=200):
    rng = np.random.default_rng(1)
    return snail.episodes(rng, kinds=12, drawn=6, shots=shots, count=count, ways=5)


def test_an_episode_has_each_label_as_often_and_its_answer_is_of_the_same_kind():
    places, labels, answers = drawn(shots=3)
    assert places.shape == (200, 16) and labels.shape == (200, 15)
    for row, told, answer in zip(places.tolist(), labels.tolist(), answers.tolist(), strict=True):
        assert sorted(told) == sorted(list(range(5)) * 3)
        assert len(set(row)) == 16  # the question is none of the examples
        kinds = {label: {p // 6 for p, own in zip(row, told, strict=False) if own == label}
                 for label in range(5)}  # fmt: skip
        assert all(len(own) == 1 for own in kinds.values())
        assert kinds[answer] == {row[-1] // 6}


def test_a_kind_has_another_label_each_time():
    places, labels, _ = drawn(shots=1)
    seen = {int(label) for row, told in zip(places, labels, strict=True)
            for place, label in zip(row, told, strict=False) if place // 6 == 0}  # fmt: skip
    assert seen == set(range(5))


def test_all_alphabets_that_measure_are_held_out():
    assert not set(snail.TEST) & set(snail.DEVELOPMENT)


def test_a_model_that_guesses_is_right_once_in_five():
    ink = np.random.default_rng(1).integers(2, size=(12, 6, 28, 28)).astype(np.uint8)
    some = snail.Characters(ink, np.array(["x"] * 12))
    share = snail.accuracy(tiny.snail().model, snail.questions(some, 1, 600, seed=1))
    assert 0.12 < share < 0.28


def test_varied_drawings_stay_drawings():
    ink = torch.zeros(20, 28, 28)
    ink[:, 8:20, 12:14] = 1
    found = snail.varied(ink, np.random.default_rng(1))
    assert found.shape == ink.shape and found.min() >= 0 and found.max() <= 1
    assert (found.sum((1, 2)) > 10).all()


def test_a_question_finds_its_kind_as_often_as_it_looks_there_most():
    ink = np.random.default_rng(1).integers(2, size=(12, 6, 28, 28)).astype(np.uint8)
    asked = snail.questions(snail.Characters(ink, np.array(["x"] * 12)), 2, 40, seed=1)
    model = tiny.snail().model
    weights = model(asked.drawings, asked.places, asked.labels).weights[:, 1, -1, :-1].numpy()
    right = 0
    for row, labels, answer in zip(weights, asked.labels, asked.answers, strict=True):
        shares = [row[labels.numpy() == label].sum() for label in range(5)]
        right += int(np.argmax(shares) == answer)
    assert snail.finds(model, asked)[1] == round(right / 40, 4)
