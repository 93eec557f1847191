"""Stories: sentences, words, and words that nobody knows."""

import pytest

from tests import tiny
from viz_core.text.stories import read_story, split


def test_a_story_is_one_sentence_a_line_or_a_full_stop():
    facts = ("Mary got the milk.", "John went home.")
    assert read_story("Mary got the milk. John went home.") == facts
    assert read_story("\n Mary got the milk.\n\n\nJohn went home.  ") == facts
    assert read_story(" . \n ... ") == ()


def test_words_are_small_and_without_marks():
    assert split("Where is Mary? ") == ["where", "is", "mary"]


def test_words_that_nobody_knows_are_named_a_few_of_them():
    words = tiny.universal().tokenizer
    with pytest.raises(ValueError, match="“zorp”") as caught:
        words.numbers(split("zorp bip bop the kitchn nope nada"))
    said = str(caught.value)
    assert "and 2 more" in said and "Near spellings: kitchen" in said


def test_known_words_become_their_numbers():
    words = tiny.universal().tokenizer
    assert words.numbers(["garden", "the"]) == [0, 7]
