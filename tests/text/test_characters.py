import pytest
from hypothesis import given, strategies as st

from viz_core.text.characters import BREAK, RARE, Alphabet


@pytest.fixture(scope="module")
def alphabet():
    return Alphabet.of("abcdefghijklmnopqrstuvwxyzCIS ,.\"'")


@given(st.text(max_size=40))
def test_every_character_is_one_token(text):
    alphabet = Alphabet.of("abc ")
    encoded = alphabet.encode(text)
    assert len(encoded.ids) == len(encoded.tokens) == len(alphabet.mark(text))
    assert all(i < alphabet.size for i in encoded.ids)


def test_text_comes_back_from_its_ids_and_rare_characters_as_a_sign(alphabet):
    encoded = alphabet.encode('Come\n"in" ça')
    assert alphabet.decode(encoded.ids) == f'Come\n"in" {RARE}a'
    assert encoded.unknown == ("ç",)


def test_an_alphabet_survives_its_file(alphabet):
    again = Alphabet.from_json(alphabet.to_json())
    assert isinstance(again, Alphabet)
    assert again.vocabulary == alphabet.vocabulary
    assert alphabet.vocabulary[:2] == [RARE, BREAK]


def test_typographic_quotes_are_read_like_straight_ones(alphabet):
    assert alphabet.encode("“Come” ‘in’").ids == alphabet.encode("\"Come\" 'in'").ids
