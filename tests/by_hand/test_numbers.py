import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from viz_core.by_hand import numbers as typed_numbers


@given(
    arrays(float, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.integers(-99, 99))
)
def test_a_matrix_written_is_read_back(values):
    np.testing.assert_array_equal(
        typed_numbers.read_matrix(typed_numbers.write_matrix(values), "x"), values
    )


@pytest.mark.parametrize(
    "text",
    [
        "1 0; 0 2.5",
        "[[1, 0], [0, 2.5]]",
        "1,0\n0,2.5",
        " 1  0 ;\n 0 2.5; ",
        "[1 0]\n [0 2.5]",
        "۱ ۰; ۰ ۲.۵",
    ],
)
def test_a_matrix_may_be_typed_in_many_ways(text):
    np.testing.assert_array_equal(typed_numbers.read_matrix(text, "x"), [[1, 0], [0, 2.5]])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "x is empty"),
        (" ; ;", "x is empty"),
        ("[[]]", "x is empty"),
        ("1 two; 3 4", "'two' is not a number"),
        ("<b>1</b>", "is not a number"),
        ("😀", "is not a number"),
        ("1 2; 3", "rows have 1 and 2 numbers"),
        ("1e400 1", "1e400 is not between"),
        ("nan 1", "'nan' is not a number"),
        ("-inf", "-inf is not between"),
        ("1 2 3 4 5 6 7 8 9", "x is 1 x 9; at most 8 x 8 fit"),
        ("1;" * 5000, "x is 5000 x 1"),
    ],
)
def test_numbers_that_cannot_be_used_are_answered_with_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        typed_numbers.read_matrix(text, "x")
    assert len(str(error.value)) < 150


@pytest.mark.parametrize("text", ["", "ten", "1e400", "NaN", "0.5"])
def test_a_number_outside_its_bounds_is_answered_with_a_sentence(text):
    with pytest.raises(ValueError, match="The base"):
        typed_numbers.read_number(text, "The base", 1, 1e6)


def test_dimensions_are_read_as_spans_or_lists():
    assert typed_numbers.read_dimensions("4-7", 20) == [4, 5, 6, 7]
    assert typed_numbers.read_dimensions("0, 2 5", 20) == [0, 2, 5]
    assert typed_numbers.read_dimensions("4 to 5; 19", 20) == [4, 5, 19]


@pytest.mark.parametrize(
    "text", ["", "all", "20", "4-", "-3", "0-19", "7-4", "1.5", "4--7", "9" * 400]
)
def test_dimensions_that_are_not_there_are_answered_with_a_sentence(text):
    with pytest.raises(ValueError, match="dimensions"):
        typed_numbers.read_dimensions(text, 20)


def test_every_row_gets_a_name_and_no_word_is_dropped():
    assert typed_numbers.name_rows("I love", 3) == ("I", "love", "x3")
    with pytest.raises(ValueError, match="4 words but x has 3 rows"):
        typed_numbers.name_rows("I do love you", 3)
