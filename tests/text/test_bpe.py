import pytest
from hypothesis import given, strategies as st

from viz_core.text import (
    CONTINUED,
    END,
    SPACE,
    SPECIAL,
    UNKNOWN,
    Tokenizer,
    french_spacing,
    join_words,
    merge_words,
    normalise,
)

KNOWN = st.text("adehilost THCcàç'?.")  # a handful of letters that some sentences below hold


@pytest.fixture(scope="module")
def letters() -> Tokenizer:
    """Knows every letter of KNOWN, and some pairs of them."""
    return Tokenizer.train(["the cat sat, this c'est là, ça ? L'd' Th.Hoile Ca"] * 2, size=60)


def words(tokenizer: Tokenizer, text: str) -> tuple[str, ...]:
    encoded = tokenizer.encode(text)
    return merge_words(encoded.tokens, encoded.words)[:-1]


# ---- normalise --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_text", "wanted"),
    [
        ("  a \t b\n\nc ", "a b c"),
        ("l’accord ‘x’ `y`", "l'accord 'x' 'y'"),
        ("e\u0301te\u0301", "été"),
        ("a\u00a0b\u202fc\u200bd\x07e", "a b c d e"),
        (f"a{SPACE}b", "a_b"),
        (" \n ", ""),
    ],
)
def test_what_looks_the_same_becomes_the_same(given_text, wanted):
    assert normalise(given_text) == wanted


@given(st.text())
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("given_text", "wanted"),
    [
        ("Vraiment?!", "Vraiment ?!"),
        ("Vraiment ?", "Vraiment ?"),
        ("Oui; non: jamais.", "Oui ; non : jamais."),
        ("Il est 10:30.", "Il est 10:30."),
        ("Il dit «bonjour».", "Il dit « bonjour »."),
        ("«Oui», dit-il.", "« Oui », dit-il."),
    ],
)
def test_french_sets_a_space_before_tall_signs(given_text, wanted):
    assert french_spacing(given_text) == wanted


@given(st.text("ab1 ?!;:«».,"))
def test_french_spacing_twice_changes_nothing(text):
    assert french_spacing(french_spacing(text)) == french_spacing(text)


# ---- text <-> ids -----------------------------------------------------------------------------


@given(text=KNOWN)
def test_decoding_gives_back_what_was_encoded(letters, text):
    encoded = letters.encode(text)
    assert encoded.unknown == ()
    assert encoded.ids[-1] == END
    assert letters.decode(encoded.ids) == normalise(text)


@given(text=KNOWN)
def test_generated_ids_are_shown_and_grouped_as_typed_text_is(letters, text):
    encoded = letters.encode(text)
    assert letters.show(encoded.ids) == encoded


@given(text=KNOWN)
def test_merged_words_are_the_text_again(letters, text):
    assert "".join(words(letters, text)) == normalise(text).replace(" ", "")


@given(texts=st.lists(st.text(), max_size=3))
def test_a_batch_is_encoded_as_each_text_alone(letters, texts):
    assert letters.encode_batch(texts) == [list(letters.encode(text).ids) for text in texts]


@given(text=st.text())
def test_any_text_at_all_is_encoded_with_one_token_on_show_for_each_id(letters, text):
    encoded = letters.encode(text)
    assert len(encoded.ids) == len(encoded.tokens) == len(encoded.words)
    assert all(
        later - earlier in (0, 1)
        for earlier, later in zip(encoded.words, encoded.words[1:], strict=False)
    )


def test_a_tokenizer_survives_its_file(tokenizer, pairs):
    again = Tokenizer.from_json(tokenizer.to_json())
    assert again.vocabulary == tokenizer.vocabulary
    for text in pairs[0]:
        assert again.encode(text) == tokenizer.encode(text)


def test_unknown_characters_are_listed_and_shown_as_they_were_typed(tokenizer):
    encoded = tokenizer.encode("The 漢字 sees 😀.")
    assert encoded.unknown == ("漢字", "😀")
    assert encoded.ids.count(UNKNOWN) == 2
    assert merge_words(encoded.tokens, encoded.words) == ("The", "漢字", "sees", "😀", ".", "</s>")


@pytest.mark.parametrize("tag", SPECIAL)
def test_a_typed_tag_is_text_and_never_a_command(tokenizer, tag):
    """<s> is also HTML's strike-through: it must not start, end or pad a sentence."""
    ids = tokenizer.encode(f"The {tag} cat").ids
    assert not {0, 2, 3} & set(ids[:-1])
    assert tokenizer.encode_batch([f"The {tag} cat"]) == [list(ids)]


def test_empty_text_is_only_an_end(tokenizer):
    assert tokenizer.encode(" \n").ids == (END,)


# ---- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("L'accord est vu.", "L' accord est vu ."),
        ("Qu'il ne l'a pas", "Qu' il ne l' a pas"),
        ("aujourd'hui", "aujourd'hui"),
        ("It's my dog", "It 's my dog"),
        ("you've, they're", "you 've , they 're"),
        ("The dog didn't see it", "The dog didn't see it"),
        ("12 dogs...", "12 dogs ..."),
    ],
)
def test_words_are_what_a_lecturer_writes_under_a_column(tokenizer, text, wanted):
    assert words(tokenizer, text) == tuple(wanted.split())


def test_a_token_that_continues_a_word_is_marked(tokenizer):
    encoded = tokenizer.encode("umbrellas")
    assert len(encoded.ids) > 2  # several sub-words
    assert not encoded.tokens[0].startswith(CONTINUED)
    assert all(token.startswith(CONTINUED) for token in encoded.tokens[1:-1])


def test_sub_words_are_merged_by_their_number():
    tokens, numbers = ("The", "anim", "##al", SPACE, "##x", "</s>"), (0, 1, 1, 2, 2, 3)
    assert merge_words(tokens, numbers) == ("The", "animal", "x", "</s>")


@given(text=KNOWN)
def test_each_token_stands_where_its_span_says(letters, text):
    spans = letters.spans(text)
    tokens = letters.encode(text).tokens[:-1]
    for (start, end), token in zip(spans, tokens, strict=True):
        shown = token.removeprefix(CONTINUED).replace(SPACE, "")
        assert normalise(text)[start:end].strip() == shown


@pytest.mark.parametrize(
    ("given_words", "wanted"),
    [
        ("The dog did n't see it .", "The dog didn't see it."),
        ("L' accord , dit-il", "L'accord, dit-il"),
        ("it 's ( very ) wide", "it's (very) wide"),
    ],
)
def test_words_are_joined_to_ordinary_text(given_words, wanted):
    text, starts = join_words(given_words.split())
    assert text == wanted
    for word, start in zip(given_words.split(), starts, strict=True):
        assert text[start:].startswith(word)


def test_a_lone_token_says_whether_it_opens_a_word(tokenizer):
    labels = {piece: tokenizer.label(i) for i, piece in enumerate(tokenizer.vocabulary)}
    assert labels["</s>"] == "</s>"
    assert labels["."] == "."
    assert labels["e"] == CONTINUED + "e"
    assert labels[SPACE + "chien"] == "chien"


# ---- a careful reader -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def careful() -> Tokenizer:
    """Knows "machine" and "the" whole, "Tom" with its capital, and all digits."""
    lines = ["the machine learns 0 1 2 3 4 5 6 7 8 9", "Tom sees the machine. Machi"]
    return Tokenizer.train(lines * 20, size=70)


def test_a_number_that_was_never_seen_is_read_digit_by_digit(careful):
    encoded = careful.encode("the 40286 9")
    assert encoded.tokens == ("the", "4", "##0", "##2", "##8", "##6", "9", "</s>")
    assert merge_words(encoded.tokens, encoded.words) == ("the", "40286", "9", "</s>")
    assert careful.decode(encoded.ids) == "the 40286 9"


def test_a_first_word_known_better_in_small_letters_is_read_so(careful):
    assert careful.as_read("Machine learns.") == "machine learns."
    assert careful.as_read("The Machine") == "the Machine"  # the first word alone
    assert len(careful.encode_source("Machine").ids) == 2 < len(careful.encode("Machine").ids)


@pytest.mark.parametrize("text", ["Tom sees", "machine", "MACHINE learns", "", " ", "!?", "9 cats"])
def test_other_first_words_are_read_as_they_are_written(careful, text):
    assert careful.as_read(text) == text
    assert careful.encode_source(text) == careful.encode(text)


def test_the_first_word_is_shown_as_it_was_written(careful):
    encoded = careful.encode_source("Machine learns.")
    assert encoded.tokens[0] == "Machine"
    assert encoded.ids == careful.encode("machine learns.").ids


def test_a_word_behind_a_quotation_mark_is_read_as_behind_a_space(careful):
    assert len(careful.encode('"machine').ids) > len(careful.encode('" machine').ids)
    assert careful.opened('the "machine" learns') == 'the " machine" learns'
    assert careful.encode_source('"machine').ids == careful.encode('" machine').ids
    assert careful.opened("the (machine)") == "the ( machine)"
    assert careful.opened('5" and the"machine') == '5" and the"machine'  # these open nothing


def test_a_tokeniser_made_before_reads_numbers_and_words_as_they_are(careful):
    """It splits words only; the checkpoints that have one keep reading as they learned to."""
    from tokenizers import Tokenizer as Engine

    engine = Engine.from_str(careful.to_json())
    engine.pre_tokenizer = careful.engine.pre_tokenizer[0]
    before = Tokenizer(engine)
    assert careful.careful and not before.careful
    assert before.as_read("Machine learns.") == "Machine learns."
    assert Tokenizer.from_json(careful.to_json()).careful


def test_a_guess_is_shown_as_it_would_stand_there():
    lines = ["L'animal dit qu'elle a 15 ans, peut-il ?", "d'un grand-père"] * 3
    made = Tokenizer.train(lines, 90)
    for text in ("qu'elle a 51 ans ?", "L'animal dit peut-il, d'un grand-père ?"):
        encoded = made.encode(text)
        for place, (number, token) in enumerate(zip(encoded.ids, encoded.tokens, strict=True)):
            assert made.labels(encoded.ids[:place], [number]) == (token,)
