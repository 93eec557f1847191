import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page
from viz_core import checkpoints, probe
from viz_core.analysis import hypotheses

TEXT = "I am tired."


def opened(**params: str) -> AppTest:
    return page("beam", **{"text": TEXT, **params})


def said(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.info, *app.warning))


def tree(app: AppTest) -> dict:
    (chart,) = app.get("plotly_chart")
    return json.loads(chart.proto.spec)


def words(app: AppTest) -> set[str]:
    """What stands at the nodes of the tree."""
    texts = [trace.get("text") or [] for trace in tree(app)["data"]]
    return {word.removeprefix("<b>").removesuffix("</b>") for text in texts for word in text}


@pytest.fixture(scope="module")
def bundle():
    return checkpoints.load("rnn-additive")


def test_the_page_opens_with_a_tree_and_three_searches_side_by_side(bundle):
    app = opened()
    assert not app.exception and not app.info
    found = probe.beam(bundle, TEXT, 5, limit=30)
    output = hypotheses.output(found, found.best, bundle.tokenizer.decode)
    shown = said(app)
    for name in ("Greedy", "Beam of 5", "Exhaustive"):
        assert f"**{name}**" in shown
    assert f"log P = **{output.log_prob:.2f}**, {output.length} tokens" in shown
    assert {found.nodes[i].token for i in found.path(found.best)[1:-1]} <= words(app)


def test_what_the_page_says_of_greedy_search_is_so(bundle):
    app = opened()
    offered = app.button_group(key="text_example").options
    assert offered
    for text in offered:
        greedy, wide = (probe.translate(bundle, text, beam=size) for size in (1, 5))
        assert greedy.log_prob < wide.log_prob
    app.text_input(key="text").set_value(offered[0]).run()
    assert "Greedy loses" in said(app)


def test_a_beam_of_one_is_greedy_search():
    assert "find the same output" in said(opened(k="1"))


def test_the_steps_let_the_tree_grow():
    whole, first = opened(), opened(tree_step="1")
    assert words(first) < words(whole)
    assert first.slider(key="tree_step").value == 1
    assert whole.slider(key="tree_step").value == whole.slider(key="tree_step").max


def test_another_sentence_is_shown_to_its_end():
    app = opened()
    app.text_input(key="text").set_value("Where did you buy those black shoes?").run()
    assert app.slider(key="tree_step").value == app.slider(key="tree_step").max > 5


def test_a_forced_beginning_shows_both_futures_and_goes_back():
    app = opened(forced="Nous sommes")
    assert not app.exception and not app.info
    names = [trace.get("name") for trace in tree(app)["data"]]
    assert "winner without forcing" in names and "chosen" in names
    assert {"Je", "Nous", "sommes"} <= words(app)
    assert "Nous sommes" in said(app)
    app.button(key="back").click().run()
    assert app.text_input(key="forced").value == "Nous"
    app.button(key="reset").click().run()
    assert app.text_input(key="forced").value == ""
    assert app.button(key="reset").disabled


def test_another_sentence_begins_freely():
    app = opened(forced="Nous")
    assert app.text_input(key="forced").value == "Nous"
    app.text_input(key="text").set_value("It is raining.").run()
    assert app.text_input(key="forced").value == ""
    assert not app.exception


def test_a_word_can_be_chosen_from_the_next_five():
    app = opened(forced="Nous")
    choices = [button for button in app.button if (button.key or "").startswith("next")]
    assert len(choices) == 5
    chances = [float(button.label.rsplit(" ", 1)[1]) for button in choices]
    assert chances == sorted(chances, reverse=True)
    choices[0].click().run()
    assert app.text_input(key="forced").value.startswith("Nous ")
    assert not app.exception


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"text": ""}, "nothing to read"),
        ({"forced": "日本"}, "Type French here"),
        ({"forced": "#99999999"}, "the vocabulary has"),
        ({"forced": "Nous sommes", "limit": "1"}, "tokens are forced"),
        ({"limit": "1"}, "No hypothesis finished"),
        ({"text": "I am 日."}, "never seen 日"),
    ],
)
def test_what_does_not_work_gets_a_sentence(params, sentence):
    app = opened(**params)
    assert not app.exception
    assert sentence in said(app)


def test_a_limit_before_any_end_shows_the_best_unfinished_hypothesis_as_such():
    app = opened(limit="2")
    assert "unfinished" in "\n".join(caption.value for caption in app.caption)
    (table,) = app.dataframe
    assert len(table.value) == 1
    assert "unfinished" in table.value["note"][0]


@pytest.mark.parametrize("by", ["Lᵅ", "GNMT"])
def test_the_score_is_the_normalised_log_probability(by, bundle):
    app = opened(alpha="0.75", by=by)
    kind = "gnmt" if by == "GNMT" else "plain"
    found = probe.beam(bundle, TEXT, 5, 0.75, normalisation=kind, limit=60)
    (table,) = app.dataframe
    scores = [found.nodes[i].score for i in found.finished]
    assert list(table.value["normalised score"]) == pytest.approx(scores, abs=1e-3)
    assert any(f"= {scores[0]:.3f}" in latex.value for latex in app.latex)


@pytest.mark.parametrize("model", ["rnn-additive", "transformer"])
def test_both_kinds_of_model_are_searched_by_the_same_page(model):
    app = opened(model=model, forced="Nous")
    assert not app.exception and not app.info
    assert {"Nous", "Je"} <= words(app)
    assert app.get("vega_lite_chart")  # where the decoder looked
