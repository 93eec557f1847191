"""The page of word vectors: sums, families, two meanings."""

from functools import partial

import pandas  # noqa: F401  before AppTest puts pages/ on the path: pandas imports "bottleneck"
import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page

opened = partial(page, "vectors")


def told(app: AppTest) -> list[str]:
    return [info.value.replace("\\", "") for info in app.info]


def test_the_page_opens_with_queen(findings, said):
    app = opened()
    assert findings(app)[0].startswith("queen is nearest to king − man + woman")
    assert "queen is nearest" in said(app)
    assert r"\cos(x, y)" in app.latex[0].value


@pytest.mark.parametrize(
    ("sum", "answer"),
    [
        ("Paris - France + Italy", "rome"),
        ("walked-walk+talk", "talked"),
        ("better − good + bad", "worse"),
    ],
)
def test_other_sums_have_other_answers(findings, sum, answer):
    assert findings(opened(sum=sum))[0].startswith(f"{answer} is nearest")


def test_an_example_fills_the_box(findings):
    app = opened()
    app.session_state["sum_example"] = None
    app.pills(key="sum_example").set_value("paris − france + italy").run()
    assert app.text_input(key="sum").value == "paris − france + italy"
    assert findings(app)[0].startswith("rome")


def test_the_answer_comes_with_the_last_step_alone(findings, said):
    app = opened(step="1")
    assert not any("queen" in finding for finding in findings(app)[:1])
    assert "queen is nearest" not in said(app)


@pytest.mark.parametrize(
    ("sum", "sentence"),
    [
        ("", "three words as a sum"),
        ("king", "three words as a sum"),
        ("kinng - man + woman", "Near spellings: king"),
        ("king - man + man", "three different words"),
        ("new york - man + woman", "more than one word"),
        ("💥 - 🙂 + سلام", "has no vector"),
    ],
)
def test_sums_that_cannot_be_made_get_a_sentence_and_stay(sum, sentence):
    app = opened()
    app.text_input(key="sum").set_value(sum).run()
    assert not app.exception
    assert any(sentence in info for info in told(app)), told(app)
    assert app.text_input(key="sum").value == sum


@pytest.mark.parametrize("family", ["male → female", "verb tense", "country → capital"])
def test_the_arrows_of_a_family_agree_more_than_mixed_up_ones(findings, family):
    app = opened(view="Families")
    app.pills(key="family_example").set_value(family).run()
    words = findings(app)[0].replace(",", "").split()
    numbers = [float(word.rstrip(";.")) for word in words if word[:2] in ("0.", "-0")]
    assert numbers[0] > numbers[1] + 0.25  # agreement, and that of mixed-up partners


def test_accuracy_stands_beside_the_published(said, findings):
    app = opened(view="Families")
    assert "Best at nationality adjective" in findings(app)[1]
    assert "12,042 questions" in said(app) and "7,502 more" in said(app)


@pytest.mark.parametrize("pairs", ["", "man woman", "man woman king", "xq zq, king queen, a b"])
def test_pairs_that_make_no_family_get_a_sentence(pairs):
    app = opened(view="Families")
    app.text_input(key="pairs").set_value(pairs).run()
    assert not app.exception and told(app)


def test_bank_has_one_vector_and_cell_mixes_two_meanings(said):
    assert "pushed the other out of sight" in said(opened(view="One vector a word"))
    mixed = opened(view="One vector a word", meanings="cell: phone, biology")
    assert "mixes both meanings" in said(mixed)


@pytest.mark.parametrize("typed", ["", "bank", "bank: mony, river", "bank: money, Money"])
def test_meanings_that_cannot_be_looked_up_get_a_sentence(typed):
    app = opened(view="One vector a word")
    app.text_input(key="meanings").set_value(typed).run()
    assert not app.exception and told(app)
