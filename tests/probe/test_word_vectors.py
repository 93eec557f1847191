"""Neighbours and analogies against a brute-force search; an analogy's plane against geometry."""

import numpy as np
import pytest

from viz_core import probe


def table(bundle):
    return bundle.tokenizer.vocabulary, bundle.model.table.weight.double().numpy()


def by_hand(bundle, query, left_out, top):
    """Every word, one after the other."""
    words, vectors = table(bundle)
    found = [
        (word, float(query @ vector / np.linalg.norm(query) / np.linalg.norm(vector)))
        for word, vector in zip(words, vectors, strict=True)
        if word not in left_out
    ]
    return sorted(found, key=lambda pair: -pair[1])[:top]


def assert_same(found, wanted):
    assert [word for word, _ in found] == [word for word, _ in wanted]
    np.testing.assert_allclose([x for _, x in found], [x for _, x in wanted], atol=1e-5)


@pytest.mark.parametrize("word", ["king", "w17", "w59"])
def test_neighbours_are_those_of_a_brute_force_search(word_vectors, word):
    words, vectors = table(word_vectors)
    wanted = by_hand(word_vectors, vectors[words.index(word)], {word}, 10)
    assert_same(probe.nearest(word_vectors, word), wanted)


@pytest.mark.parametrize("three", [("man", "king", "woman"), ("w9", "w8", "w7")])
def test_analogies_are_those_of_a_brute_force_search(word_vectors, three):
    words, vectors = table(word_vectors)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = (unit[words.index(word)] for word in three)
    assert_same(
        probe.analogy(word_vectors, *three), by_hand(word_vectors, b - a + c, set(three), 5)
    )


def test_capitals_and_spaces_change_nothing(word_vectors):
    assert probe.nearest(word_vectors, " King ") == probe.nearest(word_vectors, "king")


def test_more_words_than_there_are_gives_all_others(word_vectors):
    assert len(probe.nearest(word_vectors, "king", top=100)) == 59


def test_the_four_corners_are_a_parallelogram_with_its_true_lengths(word_vectors):
    trace = probe.parallelogram(word_vectors, "man", "king", "woman", top=4)
    a, b, c, target = trace.corners
    np.testing.assert_allclose(target, b - a + c, atol=1e-9)
    one, two, three, far, answer = trace.vectors
    for corner, vector in ((b, two), (c, three), (target, far)):  # nothing is lost in the plane
        assert np.linalg.norm(corner - a) == pytest.approx(np.linalg.norm(vector - one))
    # Pythagoras: what the plane does not show of the answer is its height.
    away = np.linalg.norm(trace.points[0] - a) ** 2 + trace.heights[0] ** 2
    assert away == pytest.approx(np.linalg.norm(answer - one) ** 2)


def test_pairs_with_the_same_difference_are_parallel_and_mixed_up_ones_are_not(word_vectors):
    bundle = type(word_vectors)(
        type(word_vectors.model)(word_vectors.model.config).requires_grad_(False),
        word_vectors.tokenizer,
        word_vectors.card,
    )
    rows = bundle.model.table.weight.data
    rows.normal_()
    rows[:, 0] = 0
    rows.div_(rows.norm(dim=1, keepdim=True))
    for first in range(10, 20, 2):  # of one length, so that the difference stays the same
        rows[first, 0], rows[first + 1] = -1, rows[first]
        rows[first + 1, 0] = 1
    found = probe.arrows(bundle, ", ".join(f"w{i} w{i + 1}" for i in range(10, 20, 2)))
    assert found.agreement == pytest.approx(1, abs=1e-5)
    assert min(found.along) == pytest.approx(1, abs=1e-5)
    assert found.shuffled < 0.9
    np.testing.assert_allclose(found.points[:, 1, 0], found.points[:, 0, 0], atol=1e-5)
    assert (found.points[:, 1, 1] > found.points[:, 0, 1]).all()  # the mean arrow is up


def test_each_neighbour_knows_the_meaning_that_it_is_nearer_to(word_vectors):
    found = probe.neighbours(word_vectors, "king", "w10", "w20", top=59)
    words, vectors = table(word_vectors)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for word, side in zip(found.words, found.sides, strict=True):
        both = unit[words.index(word)] @ unit[[words.index("w10"), words.index("w20")]].T
        assert side == int(both.argmax())
    for reading, rank in zip(found.readings, found.ranks, strict=True):
        assert found.words[rank - 1] == reading


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda b: probe.nearest(b, "kink"), "Near spellings: king"),
        (lambda b: probe.nearest(b, ""), "A word is missing"),
        (lambda b: probe.nearest(b, "king", top=0), "Ask for 1 to 100"),
        (lambda b: probe.analogy(b, "man", "king", "the queen"), "more than one word"),
        (lambda b: probe.parallelogram(b, "man", "man", "woman"), "three different words"),
        (lambda b: probe.arrows(b, "king king, man woman, w4 w5"), "two different words"),
    ],
)
def test_words_that_cannot_be_asked_get_a_sentence(word_vectors, call, said):
    with pytest.raises(ValueError, match=said):
        call(word_vectors)


def test_another_model_is_told_that_it_has_no_word_vectors(bundle_of):
    with pytest.raises(ValueError, match="rnn-dot has no word vectors"):
        probe.nearest(bundle_of("rnn-dot"), "king")
