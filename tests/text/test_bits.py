"""Typed bits become inputs, or a sentence."""

import pytest
from hypothesis import given, strategies as some

from viz_core.text import bits

rows = some.lists(some.lists(some.integers(0, 1), min_size=8, max_size=8), min_size=1, max_size=9)


@given(rows)
def test_what_is_written_is_read_back(given_rows):
    assert bits.read(bits.write(given_rows), 9) == tuple(map(tuple, given_rows))


def test_blanks_and_brackets_do_not_matter():
    plain = bits.read("10110010 01101100", 9)
    assert bits.read("[[1,0,1,1,0,0,1,0],\n [0,1,1,0,1,1,0,0]]", 9) == plain
    assert bits.read("1011001001101100", 9) == plain


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing to copy"),
        (" \n;", "nothing to copy"),
        ("10110012", "'2' is not a bit"),
        ("hello", "'h' is not a bit"),
        ("1011", "lacks 4 of its 8"),
        ("1 " * 5000, "5,000 bits, which make 625 inputs; at most 9"),
    ],
)
def test_what_is_no_pattern_gets_a_sentence(text, said):
    with pytest.raises(ValueError, match=said):
        bits.read(text, 9)


def test_a_drawn_pattern_is_the_same_each_time_and_has_its_length():
    assert bits.draw(30) == bits.draw(30) != bits.draw(30, seed=2)
    assert len(bits.read(bits.draw(120), 120)) == 120


def test_one_bit_is_turned():
    once = bits.flipped(((0,) * 8, (1,) * 8), 1, 3)
    assert bits.write(once) == "00000000 11101111"
    assert bits.flipped(once, 1, 3) == ((0,) * 8, (1,) * 8)


def test_there_is_a_step_for_each_input_the_mark_and_each_output():
    assert bits.steps(2) == ("input 1", "input 2", "the end mark", "output 1", "output 2")
