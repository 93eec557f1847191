"""Small letters back to the spelling of the text."""

import re

from tests import tiny
from viz_core.text import SmallTokenizer
from viz_core.text.spelling import spellings, spelt

TEXT = tuple(
    re.findall(
        r"\S+", "We tune BERT . Experiments show that BERT and ELMo help Kim . Kim is glad ."
    )
)


def test_a_title_takes_over_the_capitals_of_its_text():
    known = spellings(TEXT)
    assert spelt(("tuning", "bert", "and", "elmo", "for", "kim"), known) == (
        *("Tuning", "BERT", "and", "ELMo", "for", "Kim"),
    )


def test_what_is_large_only_where_a_sentence_begins_is_small():
    assert spelt(("on", "experiments"), spellings(TEXT)) == ("On", "experiments")


def test_a_word_after_a_colon_is_large():
    assert spelt(("bert", ":", "a", "model"), spellings(TEXT)) == ("BERT", ":", "A", "model")


def test_a_small_tokeniser_reads_small_letters_and_shows_what_was_typed():
    small = SmallTokenizer(tiny.tokenizer().engine)
    large, plain = small.encode("The DOG sat."), small.encode("the dog sat.")
    assert large.ids == plain.ids
    shown = "".join(token.removeprefix("##").replace("▁", "") for token in large.tokens)
    assert shown == "TheDOGsat.</s>"


def test_a_letter_that_becomes_two_when_small_keeps_every_place():
    assert len(SmallTokenizer.mark("İstanbul")) == len("▁İstanbul")
