from bisect import bisect_right

import pytest
from hypothesis import given, strategies as st
from tokenizers import pre_tokenizers

from viz_core.text import WORD, Tokenizer, merge_words
from viz_core.text.wordpiece import CLS, MASK, SEP, SPECIAL, WordPiece, word_starts

LINES = ["The cat didn't cross the street.", "Flightless birds cannot fly, can they?"] * 3


@pytest.fixture(scope="module")
def wordpiece() -> WordPiece:
    return WordPiece.train(LINES, size=120)


def test_a_sentence_stands_between_cls_and_sep(wordpiece):
    encoded = wordpiece.encode("the cat")
    assert encoded.tokens == (CLS, "the", "cat", SEP)
    assert encoded.segments == (0, 0, 0, 0)
    assert encoded.ids == tuple(wordpiece.vocabulary.index(token) for token in encoded.tokens)


def test_the_second_sentence_and_its_sep_are_segment_one(wordpiece):
    encoded = wordpiece.encode("the cat", "birds")
    assert encoded.tokens == (CLS, "the", "cat", SEP, "birds", SEP)
    assert encoded.segments == (0, 0, 0, 0, 1, 1)


def test_an_empty_second_sentence_is_still_a_pair(wordpiece):
    assert wordpiece.encode("cat", "").tokens == (CLS, "cat", SEP, SEP)
    assert wordpiece.encode("cat", None).tokens == (CLS, "cat", SEP)


def test_offsets_point_into_the_text_of_their_own_sentence(wordpiece):
    texts = ("The cat didn't!", "Birds fly.")
    encoded = wordpiece.encode(*texts)
    found = [
        texts[segment][slice(*span)].lower()
        for token, span, segment in zip(
            encoded.tokens, encoded.offsets, encoded.segments, strict=True
        )
        if token not in SPECIAL
    ]
    assert "".join(found) == "thecatdidn't!birdsfly."
    assert encoded.unknown == ("!",)


@pytest.mark.parametrize("text", ["didn't", "didn’t"])
def test_a_contraction_is_one_word_of_several_tokens(text, wordpiece):
    encoded = wordpiece.encode(text)
    assert len(encoded.tokens) > 3
    assert merge_words(encoded.tokens, encoded.words) == (CLS, "didn't", SEP)


def test_pieces_are_shown_as_bert_shows_them(wordpiece):
    encoded = wordpiece.encode("flystreet")
    assert encoded.tokens[1] == "fly" and encoded.tokens[2].startswith("##")
    assert len(set(encoded.words[1:-1])) == 1
    assert merge_words(encoded.tokens, encoded.words) == (CLS, "flystreet", SEP)


@pytest.mark.parametrize("text", ["the [MASK] cat", "the [mask] cat", "the[Mask]cat"])
def test_a_mask_may_be_written_in_any_case(text, wordpiece):
    assert wordpiece.encode(text).tokens == (CLS, "the", MASK, "cat", SEP)


def test_an_unknown_word_keeps_its_own_letters_on_show(wordpiece):
    encoded = wordpiece.encode("the 😀 گربه cat")
    assert encoded.tokens == (CLS, "the", "😀", "گربه", "cat", SEP)
    assert encoded.unknown == ("😀", "گربه")
    assert encoded.ids[2] == wordpiece.special["[UNK]"]


@given(text=st.text(max_size=40), pair=st.none() | st.text(max_size=20))
def test_everything_typed_has_one_entry_per_token(wordpiece, text, pair):
    encoded = wordpiece.encode(text, pair)
    size = len(encoded.ids)
    assert len(encoded.tokens) == len(encoded.words) == size
    assert len(encoded.segments) == len(encoded.offsets) == size
    steps = [b - a for a, b in zip(encoded.words, encoded.words[1:], strict=False)]
    assert set(steps) <= {0, 1} and encoded.words[0] == 0


def test_a_batch_has_the_same_ids_without_cls_and_sep(wordpiece):
    assert wordpiece.encode_batch(LINES[:2]) == [
        list(wordpiece.encode(line).ids[1:-1]) for line in LINES[:2]
    ]
    assert [len(wordpiece.spans(line)) for line in LINES[:2]] == [
        len(ids) for ids in wordpiece.encode_batch(LINES[:2])
    ]


def test_json_gives_back_the_same_tokeniser_and_neither_cuts_nor_fills(wordpiece):
    cutting = WordPiece.from_json(wordpiece.to_json())
    cutting.engine.enable_truncation(3)
    cutting.engine.enable_padding(length=9)
    again = WordPiece.from_json(cutting.engine.to_str())
    assert isinstance(again, WordPiece)
    assert again.encode(LINES[1], "fly") == wordpiece.encode(LINES[1], "fly")


def test_ids_alone_can_be_shown_and_read(wordpiece):
    ids = wordpiece.encode("the flystreet").ids
    shown = wordpiece.show(ids)
    assert shown.tokens == wordpiece.encode("the flystreet").tokens
    assert shown.words == wordpiece.encode("the flystreet").words
    assert wordpiece.decode(ids) == "the flystreet"
    assert wordpiece.label(ids[2]) == "fly"


def test_a_translator_s_vocabulary_is_refused(tokenizer: Tokenizer):
    with pytest.raises(ValueError, match="no BERT vocabulary"):
        WordPiece.from_json(tokenizer.to_json())


LETTERS = st.characters(max_codepoint=126) | st.sampled_from(" '.-3aBn")


@given(
    st.text(LETTERS, max_size=40) | st.sampled_from(["it's l'eau didn't ... 3rd", "aujourd'hui"])
)
def test_english_letters_are_split_into_the_same_words_by_either_rule(text):
    split = pre_tokenizers.Split(WORD, behavior="isolated").pre_tokenize_str(text)
    slow = [start for _, (start, _) in split if text[start] != "\n"]  # where no word begins
    places = [i for i, letter in enumerate(text) if letter != "\n"]
    assert [bisect_right(word_starts(text), i) for i in places] == [
        bisect_right(slow, i) for i in places
    ]
