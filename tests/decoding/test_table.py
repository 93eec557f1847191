import itertools
import math

import pytest
import torch

from viz_core import decoding
from viz_core.decoding import Beam, exhaustive, table as beam_table
from viz_core.decoding.table import ANY, LECTURE, WORDS, Row, Table


def outcome(size, alpha=0.0):
    tree = decoding.beam(LECTURE, Beam(size=size, limit=LECTURE.length, alpha=alpha))
    return beam_table.text(tree.tokens(tree.best)), math.exp(tree.nodes[tree.best].log_prob)


def all_outputs(table):
    """Every output with its probability, by multiplying along each one."""
    for length in range(table.length):
        for words in itertools.product(WORDS[:-1], repeat=length):
            ids = [beam_table.IDS[WORDS.index(word)] for word in (*words, "<eos>")]
            chances = (
                table.row(words[:i]).probabilities[WORDS.index(word)]
                for i, word in enumerate((*words, "<eos>"))
            )
            yield ids, math.prod(chances)


# ---- the lecture's numbers --------------------------------------------------------------------


def test_greedy_takes_the_likeliest_word_each_time_and_gets_048():
    assert outcome(1) == ("A B C <eos>", pytest.approx(0.048))


@pytest.mark.parametrize(("size", "alpha"), [(2, 0.0), (2, 0.75), (3, 0.75), (10, 0.75)])
def test_a_beam_keeps_the_less_likely_c_and_gets_054(size, alpha):
    assert outcome(size, alpha) == ("A C B <eos>", pytest.approx(0.054))


def test_without_normalisation_the_best_of_all_outputs_is_a_short_one():
    best = max(chance for _, chance in all_outputs(LECTURE))
    assert best == pytest.approx(0.1)
    found = exhaustive.search(LECTURE, Beam(size=1, limit=4))
    assert math.exp(found.log_prob) == pytest.approx(best)
    assert len(found.ids) <= 2


def test_the_probabilities_of_all_outputs_and_of_all_that_do_not_end_sum_to_1():
    finished = sum(chance for _, chance in all_outputs(LECTURE))
    unfinished = sum(
        math.prod(
            LECTURE.row(words[:i]).probabilities[WORDS.index(word)] for i, word in enumerate(words)
        )
        for words in itertools.product(WORDS[:-1], repeat=LECTURE.length)
    )
    assert finished + unfinished == pytest.approx(1)


# ---- the table --------------------------------------------------------------------------------


def test_the_row_with_the_most_words_spelled_out_decides():
    table = Table(
        (
            Row((), (1, 0, 0, 0)),
            Row((ANY, ANY), (0.1, 0.2, 0.3, 0.4)),
            Row((ANY, "B"), (0.4, 0.3, 0.2, 0.1)),
            Row(("A", "B"), (0, 0, 0, 1)),
        )
    )
    assert table.row(["C", "C"]) == table.rows[1]
    assert table.row(["C", "B"]) == table.rows[2]
    assert table.row(["A", "B"]) == table.rows[3]


def test_a_prefix_without_a_row_gets_a_sentence():
    with pytest.raises(ValueError, match="no row for what comes after A A"):
        Table((Row((), (1, 0, 0, 0)), Row((ANY,), (1, 0, 0, 0)))).row(["A", "A"])


def test_a_step_looks_up_every_hypothesis_and_keeps_its_words():
    state = (torch.tensor([[2], [2]]),)
    log_probs, weights, (written,) = LECTURE.step(state, torch.tensor([4, 6]))
    assert weights is None
    assert written.tolist() == [[2, 4], [2, 6]]
    torch.testing.assert_close(
        log_probs.exp()[:, [*beam_table.IDS]],
        torch.tensor([[0.1, 0.4, 0.3, 0.2]] * 2, dtype=torch.float64),
    )
    assert log_probs[:, :3].isneginf().all()


def test_the_written_table_is_read_back_as_it_was():
    table, notices = beam_table.read(beam_table.write(LECTURE))
    assert notices == ()
    for row, wanted in zip(table.rows, LECTURE.rows, strict=True):
        assert row.after == wanted.after
        assert row.probabilities == pytest.approx(wanted.probabilities)


def test_a_row_that_does_not_sum_to_1_is_divided_by_its_sum_and_says_so():
    table, notices = beam_table.read("1 0.3 0.1 0.1; * 0 0 0 1")
    assert table.rows[0].probabilities == pytest.approx((2 / 3, 0.2, 1 / 15, 1 / 15))
    assert notices == ("The row (start) sums to 1.50: it was divided by that.",)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "nowhere to begin"),
        ("A 1 0 0 0; B 1 0 0 0", "nowhere to begin"),
        ("nan 0 0 1", r"A in row \(start\) needs a probability between 0 and 1"),
        ("0 -0.1 0 1", r"B in row \(start\) needs a probability"),
        ("0 0 <b> 1", r"C in row \(start\) needs a probability"),
        ("0 0 0 2", r"<eos> in row \(start\) needs a probability"),
        ("0 0 0 1; * 0 0 0 0", r"row \* sums to 0"),
        ("0 0 0 1; Z 0 0 0 1", "words out of A, B, C"),
        ("0 0 0 1; <eos> 0 0 0 1", "words out of A, B, C"),
        ("0.5 0.5", "then 4 probabilities"),
        ("0 0 0 1; 0 0 0 1", r"two rows \(start\)"),
        (f"0 0 0 1; {'A ' * 9} 0 0 0 1", "at most, not on 9"),
    ],
)
def test_a_mistyped_table_gets_a_sentence(typed, sentence):
    with pytest.raises(ValueError, match=sentence):
        beam_table.read(typed)
