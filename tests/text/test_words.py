"""A list of words: case and spaces are forgiven, an unknown word is told near spellings."""

import pytest

from viz_core.text.words import WordList, read_meanings, read_pairs, read_sum

WORDS = WordList.of(["the", "queen", "queens", "new-york", "café", "didn't"])


@pytest.mark.parametrize("typed", ["queen", "Queen", "  QUEEN\t", "\u200bqueen", "queen\n"])
def test_capitals_and_spaces_are_forgiven(typed):
    assert WORDS.number(typed) == 1


def test_the_same_letters_written_otherwise_are_the_same_word():
    assert WORDS.number("cafe\u0301") == 4
    assert WORDS.number("didn’t") == 5


def test_an_unknown_word_gets_a_sentence_with_near_spellings():
    with pytest.raises(ValueError, match=r"“quen” has no vector.*Near spellings: queen, queens\."):
        WORDS.number("Quen")
    with pytest.raises(ValueError, match="Try a commoner word"):
        WORDS.number("zzzz")


@pytest.mark.parametrize(("typed", "said"), [("", "missing"), ("  ", "missing"), ("a b", "single")])
def test_no_word_and_two_words_get_a_sentence(typed, said):
    with pytest.raises(ValueError, match=said):
        WORDS.number(typed)


def test_a_long_word_is_cut_in_its_sentence():
    with pytest.raises(ValueError) as error:
        WORDS.number("x" * 100_000)
    assert len(str(error.value)) < 200


def test_the_list_comes_back_from_its_file_in_order():
    again = WordList.from_json(WORDS.to_json())
    assert isinstance(again, WordList)
    assert again.vocabulary == ["the", "queen", "queens", "new-york", "café", "didn't"]
    assert again.encode("The Queen").ids == (0, 1)
    assert again.decode([1, 0]) == "queen the"


@pytest.mark.parametrize(
    "typed",
    [
        "king − man + woman",
        "king - man + woman",
        "king-man+woman",
        "king + woman – man",
        "  king  −  man  +  woman  ",
    ],
)
def test_a_sum_is_read_however_its_signs_are_written(typed):
    assert read_sum(typed) == ("man", "king", "woman")


def test_a_hyphen_inside_a_word_is_no_minus():
    assert read_sum("e-mail - mail + phone") == ("mail", "e-mail", "phone")


@pytest.mark.parametrize(
    "typed", ["", "king", "king + man + woman", "king − man", "a − b − c", "− + −", "a − b + c + d"]
)
def test_what_is_no_sum_of_three_words_gets_a_sentence(typed):
    with pytest.raises(ValueError, match="Write three words as a sum"):
        read_sum(typed)


def test_meanings_and_pairs_are_read():
    assert read_meanings("bank: money, river") == ("bank", "money", "river")
    assert read_pairs("a b, c d;e f") == [("a", "b"), ("c", "d"), ("e", "f")]


@pytest.mark.parametrize("typed", ["", "bank", "bank: money", "a b c d"])
def test_wrong_meanings_get_a_sentence(typed):
    with pytest.raises(ValueError, match="two of its meanings"):
        read_meanings(typed)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "3 to 12 pairs"),
        ("a b, c d", "there are 2"),
        ("a b c, d e", "“a b c” is no pair"),
        ("a b, " * 13, "there are 13"),
    ],
)
def test_wrong_pairs_get_a_sentence(typed, said):
    with pytest.raises(ValueError, match=said):
        read_pairs(typed)
