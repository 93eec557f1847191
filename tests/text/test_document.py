"""How a document is cut into sentences, and its words looked up."""

import pytest

from viz_core.text.document import LONGEST, UNKNOWN, Words, bare, sentences


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It is fine. it is short.", [["It", "is", "fine."], ["it", "is", "short."]]),
        ("Dr. No met J. Bond. Good!", [["Dr.", "No", "met", "J.", "Bond."], ["Good", "!"]]),
        ("Well... maybe not.", [["Well...", "maybe", "not."]]),
        ("One.<br /><br />Two", [["One."], ["Two"]]),
        ("Really?! Yes.", [["Really", "?!"], ["Yes."]]),
        ("Great! !!", [["Great", "!", "!!"]]),
        ("... --", []),
        ("", []),
    ],
)
def test_a_text_is_cut_where_a_reader_would_cut_it(text, wanted):
    assert [list(words) for words in sentences(text)] == wanted


def test_a_sentence_without_end_is_cut_and_nothing_is_lost():
    words = [f"w{number}" for number in range(3 * LONGEST + 5)]
    cut = sentences(" ".join(words))
    assert max(map(len, cut)) == LONGEST
    assert [word for row in cut for word in row] == words


def test_signs_cling_to_a_word_and_are_not_looked_up():
    words = Words.of(["awful", "welles", "!"])
    assert bare("(Awful,") == "awful"
    assert words.numbers(("Awful,", "Welles's", "!!!", "unheard")) == [2, 3, 4, UNKNOWN]
    again = Words.from_json(words.to_json())
    assert again.numbers(("awful", "!")) == [2, 4]


@pytest.mark.parametrize("typed", ["<pad>", "<unk>", "—", "", "_"])
def test_no_typed_word_is_padding(typed):
    assert Words.of(["a"]).number(typed) == UNKNOWN
