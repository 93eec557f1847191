"""What is said of a sentence before a model reads it."""

import pytest

from viz_core.text import sentence


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I lost my red umbrella on the train.", "English"),
        ("Je ne sais pas où est la gare.", "French"),
        ("C'est la vie.", "French"),
        ("L'homme a été très surpris.", "French"),
        ("The café in Besançon is closed.", "English"),
        ("这是一个句子", "another language"),
        ("این یک جمله است", "another language"),
        ("Tôi đã mất chiếc ô màu đỏ trên tàu hôm qua.", "another language"),
        ("Hôm nay trời đẹp quá.", "another language"),
        ("Ich habe meinen Schirm nicht im Zug verloren, das ist gut.", "another language"),
        ("Perdí mi paraguas rojo en el tren y no sé por qué.", "another language"),
        ("Non so dove sono le chiavi della casa.", "another language"),
        ("Mr. Müller was in Düsseldorf with his wife and their dog.", "English"),
        ("I don't know how to say it.", "English"),
        ("Elle a mangé une pomme et il a bu de l'eau.", "French"),
        ("Hello!", ""),
        ("1992", ""),
        ("", ""),
    ],
)
def test_the_small_words_tell_the_language(text, language):
    assert sentence.language(text) == language


@pytest.mark.parametrize(
    ("typed", "spoken"),
    [
        ("I LOST MY RED UMBRELLA.", "I lost my red umbrella."),
        ('"WHERE AM I?" HE ASKED.', '"Where am I?" he asked.'),
        ("ÉTÉ ET HIVER", "Été et hiver"),
    ],
)
def test_a_shouted_sentence_is_read_as_a_spoken_one(typed, spoken):
    assert sentence.is_shouted(typed)
    assert sentence.spoken(typed) == spoken


@pytest.mark.parametrize("text", ["NATO", "I am in the USA.", "I", "", "Hello", "123 456"])
def test_a_name_in_capitals_is_not_shouted(text):
    assert not sentence.is_shouted(text)


def test_a_question_about_something_else_shares_no_word_with_the_text():
    text = "A girl in a yellow coat counted the birds at the pier."
    assert sentence.shares_words("Who counts the birds?", text)
    assert not sentence.shares_words("Who won the football match?", text)
