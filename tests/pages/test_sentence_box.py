"""What a model would misread is said once, in the same words on every page."""

import pandas  # noqa: F401  before AppTest puts pages/ on the path: pandas imports "bottleneck"
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from viz_core import ui
from viz_core.atlas.pages import PAGES

pytestmark = pytest.mark.usefixtures("unchecked_charts")
LONG = (
    "When the president opened the meeting this morning, he thanked all of the members for their "
    "work and asked them to vote on the long report before lunch began."
)
TRAINING = "the right words: training"  # how the machine's box for French is opened
TRANSLATED = [page.stem for page in PAGES if page.takes_sentence]
# The boxes of pages that take a text in another way: what is open, which box, and its model.
OTHERS = {
    "gpt": ("gpt", {}, "text"),
    "inside a GPT": ("inside_gpt", {}, "text"),
    "a GPT as a machine": ("machine", {"model": "GPT"}, "text"),
    "induction": ("inside_gpt", {"view": "Induction"}, "repeated"),
    "the gates": ("gates", {}, "text"),
    "a review": ("documents", {}, "review"),
    "the other sentence of context": ("context", {}, "second"),
    "a paragraph": ("tasks", {"task": "Answers"}, "story"),
    "a question": ("tasks", {"task": "Answers"}, "question"),
    "names": ("tasks", {"task": "Entities"}, "news"),
    "texts of neighbours": ("pair", {"view": "How pairs are drawn"}, "story"),
}
NOTICES = {
    "French": ("Je ne sais pas où est la gare.", "looks like French"),
    "Chinese": ("这是一个句子", "looks like another language"),
    "an unknown sign": ("I love 🜚 very much.", "never seen"),
    "too many words": ("word " * 3000, "are read"),
}


def told(app: AppTest) -> list[str]:
    return [each.value for each in [*app.warning, *app.info]]


def opened(stem: str, **params: str) -> AppTest:
    from tests.pages.test_prediction import opened

    return opened(stem, **params)


@pytest.mark.parametrize("stem", TRANSLATED)
def test_what_a_page_would_misread_is_said_once(stem):
    app = opened(stem)
    for kind, (typed, words) in NOTICES.items():
        app.text_input(key="text").set_value(typed).run()
        assert not app.exception
        assert sum(words in each for each in told(app)) == 1, (kind, told(app))
        assert not any("type a French" in each for each in told(app))


@pytest.mark.parametrize("which", OTHERS)
def test_no_box_answers_nonsense_with_nonsense(which):
    stem, opening, key = OTHERS[which]
    app = opened(stem, **opening)
    for typed, words in (
        ("Je ne sais pas où est la gare de la ville.", "looks like French"),
        ("这是一个句子", ("looks like another language", "None of these words is known")),
        ("I love 🜚 very much.", "never seen 🜚"),
    ):
        box = next(each for each in (*app.text_input, *app.text_area) if each.key == key)
        box.set_value(typed).run()
        assert not app.exception
        wanted = (words,) if isinstance(words, str) else words
        starts = ("This looks", "The model has never", "None of")
        assert sum(each.startswith(starts) for each in told(app)) == 1, told(app)
        assert any(word in each for each in told(app) for word in wanted), (typed, told(app))


@pytest.mark.parametrize("stem", ["alignment", "decoder", "machine", "context_vector", "mask"])
@pytest.mark.parametrize("typed", ["😀😀 🎉", "   "], ids=["emoji", "blanks"])
def test_a_text_that_cannot_be_read_gets_one_sentence(stem, typed):
    app = opened(stem, text=typed)
    assert len(told(app)) == 1, told(app)
    assert ("nothing of it is read" if typed.strip() else "nothing to read") in told(app)[0]


def test_on_a_stage_where_no_box_is_seen_the_picture_says_why_nothing_is_read():
    app = opened("alignment", text="这是一个句子", present="1")
    assert [each.value for each in app.info] == [each.value for each in app.warning]
    assert "nothing of it is read" in app.info[0].value


def beside_the_title(app: AppTest) -> list[str]:
    blocks = [each for each in app.main.children.values() if isinstance(each, Block)]
    (heading,) = (each for each in blocks if each.title)
    return [each.value for each in heading.markdown]


@pytest.mark.parametrize(
    ("stem", "link", "short"),
    [
        ("alignment", {"text": "the old dog " * 20}, "The first 40 of 60 words are read."),
        ("alignment", {"text": LONG}, "29 words, learned from up to 24: expect mistakes."),
        ("alignment", {"text": "I love 🜚 very much."}, "Never seen by the model: 🜚."),
        (
            "bert",
            {"text": "Je ne sais pas où."},
            "This looks like French, the model reads English.",
        ),
        (
            "bert",
            {"layer": "99"},
            "The link asks for layer 99, which is not here: you see what is.",
        ),
    ],
)
def test_what_is_misread_is_told_beside_the_title_of_a_stage(stem, link, short):
    app = opened(stem, present="1", **link)
    assert beside_the_title(app) == [short]


def test_a_stage_where_nothing_is_amiss_says_nothing():
    assert not beside_the_title(opened("alignment", present="1"))


@pytest.mark.parametrize("stem", ["gpt", "inside_gpt"])
def test_a_gpt_reads_capitals_as_a_sentence_would_be(stem):
    app = opened(stem, text="I LOST MY RED UMBRELLA.")
    assert any("*I lost my red umbrella.*" in each.replace("\\", "") for each in told(app))


def test_a_sign_that_a_gpt_has_never_seen_keeps_its_own_letters():
    app = opened("gpt", text="The café où Anna")
    assert "où" in app.subheader[0].value and "##" not in app.subheader[0].value.replace("\\", "")


@pytest.mark.parametrize(("stem", "key"), [("reach", "text"), ("ponder", "text")])
def test_a_text_without_end_is_told_one_limit(stem, key):
    app = opened(stem, **{key: "word " * 3000})
    assert len(told(app)) == 1, told(app)


@pytest.mark.parametrize("stem", ["alignment", "transformer", "local", "block"])
def test_capitals_are_read_as_a_sentence_would_be(stem):
    app = opened(stem, text="I LOST MY RED UMBRELLA.")
    assert any("*I lost my red umbrella.*" in each.replace("\\", "") for each in told(app))
    if stem == "alignment":
        wanted = ui.translated("rnn-additive", "I lost my red umbrella.").text
        assert wanted in [each.value.replace("\\", "") for each in app.subheader]


@pytest.mark.parametrize("stem", ["alignment", "transformer", "decoder"])
def test_a_sentence_longer_than_those_learned_from_gets_one_limit(stem):
    app = opened(stem, text=LONG)
    assert [each for each in told(app) if "up to 24 words. This one has 29" in each]
    assert len(told(app)) == 1


@pytest.mark.parametrize(
    ("question", "doubted"),
    [("What was in the basket?", False), ("Who won the football match?", True)],
)
def test_a_question_without_an_answer_is_doubted(question, doubted):
    app = opened("tasks", task="Answers", question=question)
    assert any("may not be in this text" in each for each in told(app)) == doubted


def test_english_in_a_french_box_is_told():
    app = opened("alignment", target="I do not know where the station is.")
    assert any("Type French here" in each for each in told(app))


@pytest.mark.parametrize("stem", ["alignment", "decoder", "scores", "machine"])
@pytest.mark.parametrize("typed", ["这是一个句子", "J'ai 🜚 ici."], ids=["Chinese", "a sign"])
def test_what_a_model_cannot_write_is_told_once_beside_the_french_box(stem, typed):
    app = opened(stem, target=typed, **({"reads": TRAINING} if stem == "machine" else {}))
    assert len(told(app)) == 1, told(app)
    assert "looks like another language" in told(app)[0] or "has never seen" in told(app)[0]


@pytest.mark.parametrize("stem", ["alignment", "decoder", "scores"])
def test_of_a_long_text_in_the_wrong_language_the_language_is_told_not_its_length(stem):
    app = opened(stem, target=LONG)
    assert len(told(app)) == 1 and "Type French here" in told(app)[0]


def test_a_word_that_a_search_cannot_be_forced_to_is_told_once():
    app = opened("beam", forced="I love 🜚 very much.")
    assert len(told(app)) == 1 and "cannot write" in told(app)[0]
