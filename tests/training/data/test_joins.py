"""Short sentences put together to long ones, on both sides."""

import pytest

from viz_core.training import data
from viz_core.training.data import joins

PAIRS = [
    ("He is tired.", "Il est fatigué."),
    ("We can wait for him.", "Nous pouvons l'attendre."),
    ("Mary sleeps and he is awake.", "Marie dort et il est éveillé."),
    ("I hope that we can wait.", "J'espère que nous pouvons attendre."),
    ("Is he there?", "Est-il là ?"),
    ("Sit down.", "Asseyez-vous."),
]
KNOWN = {english.removesuffix(".").lower() for english, _ in PAIRS}


@pytest.fixture(scope="module")
def long_ones():
    return list(joins.joined(PAIRS, 300, seed=1))


def test_every_part_of_a_long_sentence_is_one_of_the_short_ones(long_ones):
    for english, _ in long_ones:
        rest = english.removesuffix(".").lower()
        for short in sorted(KNOWN, key=len, reverse=True):
            rest = rest.replace(short, "")
        for between in sorted((said.lower() for _, said, _ in joins.BETWEEN), key=len)[::-1]:
            rest = rest.replace(between, "")
        assert not rest, english


def test_both_sides_are_joined_by_the_same_word(long_ones):
    meant = {", but ": ", mais ", " while ": " pendant qu", " because ": " parce qu"}
    for english, french in long_ones:
        for said, told in meant.items():
            assert english.count(said) == french.count(told), (english, french)


def test_only_what_begins_with_somebody_or_something_goes_on(long_ones):
    assert any(". Sit down" in english for english, _ in long_ones)
    assert not any(" sit down" in english for english, _ in long_ones)
    assert any(". Marie" in french for _, french in long_ones)
    assert not any(" marie" in french or " mary" in english for english, french in long_ones)
    assert any(", but he is tired" in english for english, _ in long_ones)
    assert not any(" i hope" in english for english, _ in long_ones)


def test_que_loses_its_e_before_a_vowel(long_ones):
    spoken = " ".join(french for _, french in long_ones)
    assert "parce qu'il est" in spoken
    assert "que il" not in spoken


def test_no_long_sentence_is_longer_than_those_of_the_corpora(long_ones):
    words = [len(side.split()) for pair in long_ones for side in pair]
    assert max(words) <= joins.WHOLE
    eleven = " ".join(["word"] * 10)
    pairs = [(f"It {eleven}.", f"Il {eleven}.")]
    for english, _ in joins.joined(pairs, 50, seed=1):
        assert len(english.split()) <= joins.WHOLE


def test_a_question_is_no_part_of_a_long_sentence(long_ones):
    assert not any("?" in english for english, _ in long_ones)


def test_it_is_described_on_a_card_like_every_corpus():
    assert data.describe("joined")["split"] == "of their train parts"
