"""Any script: words without spaces, letters from right to left."""

import pytest

from viz_core.text import (
    Tokenizer,
    inside_english,
    is_right_to_left,
    join_words,
    language_name,
    merge_words,
)

SENTENCES = {
    "English": ("I don't know.", ["I", "don't", "know", "."]),
    "Chinese": ("我是学生。", ["我", "是", "学", "生", "。"]),
    "Japanese": ("私はりんごが好き", ["私", "は", "り", "ん", "ご", "が", "好", "き"]),
    "Persian": ("به خانه می‌روم.", ["به", "خانه", "می‌روم", "."]),
    "Vietnamese": ("Tôi là sinh viên.", ["Tôi", "là", "sinh", "viên", "."]),
    "Korean": ("나는 학생입니다.", ["나는", "학생입니다", "."]),
    "Hindi": ("मैं छात्र हूँ।", ["मैं", "छात्र", "हूँ", "।"]),
    "Thai": ("ดีครับ", ["ดี", "ค", "รั", "บ"]),
    "Arabic": ("أنا طالب؟", ["أنا", "طالب", "؟"]),
}


@pytest.fixture(scope="module")
def tokenizer():
    lines = [text for text, _ in SENTENCES.values()]
    trained = Tokenizer.train_any(lines * 3, size=400)
    return Tokenizer.from_json(trained.to_json())


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_of_any_script_is_read_in_its_words_and_written_back(tokenizer, language):
    text, words = SENTENCES[language]
    encoded = tokenizer.encode(text)
    assert not encoded.unknown
    assert list(merge_words(encoded.tokens, encoded.words)) == [*words, "</s>"]
    assert tokenizer.decode(encoded.ids) == text
    shown = tokenizer.show(encoded.ids)
    assert (shown.tokens, shown.words) == (encoded.tokens, encoded.words)


def test_words_of_a_script_without_spaces_are_joined_without(tokenizer):
    assert join_words(SENTENCES["Chinese"][1])[0] == SENTENCES["Chinese"][0]
    assert join_words(["I", "am", "here", "."])[0] == "I am here."


def test_only_french_gets_french_spaces(tokenizer):
    french = Tokenizer.train(["Où vas-tu ?"] * 3, size=60)
    assert french.as_written("Où vas-tu?") == "Où vas-tu ?"
    assert tokenizer.as_written("Wohin gehst du?") == "Wohin gehst du?"


def test_the_direction_is_that_of_most_letters():
    assert is_right_to_left(["به", "خانه", "</s>"])
    assert is_right_to_left(["שלום", "!"])
    assert not is_right_to_left(["the", "word", "خانه", "</s>"])
    assert not is_right_to_left(["3", ".", "</s>"])


def test_a_code_has_a_name_and_a_name_stays():
    assert language_name("vi") == "Vietnamese"
    assert language_name("zh-TW") == "Chinese"
    assert language_name("Klingon") == "Klingon"


def test_an_english_sentence_goes_on_from_left_to_right_after_words_from_right_to_left():
    mark = "\u200e"  # of no width; before the bracket it keeps the number behind the word
    assert f"“{inside_english('کتاب')}” (0.93)" == f"“کتاب{mark}” (0.93)"
    assert inside_english("book") == "book" and inside_english("") == ""
