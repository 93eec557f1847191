"""Links between tokens, on a language that we made up and so know how to align."""

import random

import numpy as np
import torch

from viz_core.training.data import Example, collate
from viz_core.training.data.links import linked, table
from viz_core.training.translation import guiding_loss

WORDS = 20  # token 1 + w is translated by 21 + w


def sentence(rng, length):
    """Every adjective (the last five words) goes behind its noun, as in French."""
    words = [rng.randrange(15) for _ in range(length)]
    where = rng.randrange(length - 1)
    words[where] = rng.randrange(15, WORDS)
    order = [*range(where), where + 1, where, *range(where + 2, length)]
    source = np.array([1 + word for word in words], dtype=np.int32)
    target = np.array([21 + words[place] for place in order], dtype=np.int32)
    return Example(source, target), set(enumerate(order))


def test_links_join_each_word_with_its_translation_though_their_order_differs():
    rng = random.Random(0)
    examples, truths = zip(*(sentence(rng, rng.randint(4, 9)) for _ in range(400)), strict=True)
    found = [set(map(tuple, one.links.tolist())) for one in linked(examples, 2 * WORDS + 1)]
    right = sum(len(links & truth) for links, truth in zip(found, truths, strict=True))
    assert right / sum(map(len, found)) > 0.97
    assert right / sum(map(len, truths)) > 0.9


def test_what_a_word_is_translated_by_sums_to_one():
    rng = random.Random(1)
    pairs = [sentence(rng, 6)[0] for _ in range(50)]
    size = 2 * WORDS + 1
    known = table([(one.source, one.target) for one in pairs], size).view(size, size)
    read = torch.tensor(sorted({int(token) for one in pairs for token in one.source}))
    torch.testing.assert_close(known[read].sum(1), torch.ones(len(read)))


def test_examples_are_the_same_but_for_their_links():
    rng = random.Random(2)
    examples = [sentence(rng, 5)[0] for _ in range(30)]
    for before, after in zip(examples, linked(examples, 2 * WORDS + 1), strict=True):
        assert (before.source == after.source).all() and (before.target == after.target).all()


def test_the_guiding_loss_asks_only_where_there_are_links():
    row = np.array([5, 6], dtype=np.int32)
    pairs = [Example(row, row, links=np.array([[0, 1]])), Example(row, row, links=np.zeros((0, 2)))]
    batch = collate(pairs)
    weights = torch.tensor([[[0.25, 0.75], [0.5, 0.5]], [[0.9, 0.1], [0.1, 0.9]]])
    torch.testing.assert_close(guiding_loss(weights, batch.linked), -torch.tensor(0.75).log())


def test_pairs_without_links_take_no_room_for_them():
    row = np.array([5, 6, 7], dtype=np.int32)
    assert collate([Example(row, row)]).linked.shape == (1, 3, 1)
