"""What a model would misread is said once, in the same words on every page."""

import pandas  # noqa: F401  before AppTest puts pages/ on the path: pandas imports "bottleneck"
import pytest
from streamlit.testing.v1 import AppTest

from viz_core import checkpoints, probe
from viz_core.atlas.pages import PAGES

LONG = (
    "When the president opened the meeting this morning, he thanked all of the members for their "
    "work and asked them to vote on the long report before lunch began."
)
TRANSLATED = [page.stem for page in PAGES if page.takes_sentence]
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


@pytest.mark.parametrize("stem", ["alignment", "transformer", "local", "block"])
def test_capitals_are_read_as_a_sentence_would_be(stem):
    app = opened(stem, text="I LOST MY RED UMBRELLA.")
    assert any("*I lost my red umbrella.*" in each.replace("\\", "") for each in told(app))
    if stem == "alignment":
        bundle = checkpoints.load("rnn-additive")
        wanted = probe.translate(bundle, "I lost my red umbrella.").text
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
