import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page

TEXT = "The cat sees the dog."


def opened(**params: str) -> AppTest:
    return page("local", **{"text": TEXT, **params})


def specs(app: AppTest) -> list[dict]:
    charts = app.get("vega_lite_chart")
    return [json.loads(chart.proto.spec) | {"description": chart.proto.alt} for chart in charts]


def said(app: AppTest) -> str:
    return " ".join(part.value for part in (*app.markdown, *app.info, *app.caption))


@pytest.mark.parametrize("model", ["rnn-local-p", "rnn-local-m"])
def test_the_window_the_ridge_the_next_words_and_the_comparison_are_drawn(nine, model):
    app = opened(model=model, step="2")
    assert not app.exception and not app.error
    window, ridge, expected, beside = (chart for chart in specs(app))
    assert "window is centred at" in window["description"]
    assert "centre moves forward" in ridge["description"]
    assert "p moved" in expected["description"]
    names = [panel["title"]["text"] for panel in beside["concat"]]
    assert names == ["rnn-local-p", "rnn-local-m", "rnn-general"]
    assert len(app.latex) == 2


def test_the_formula_is_that_of_the_step(nine):
    lines = [opened(step=str(step)).latex[0].value.strip("$\n") for step in (0, 3)]
    assert lines[0].startswith("p_{1} = S") and lines[1].startswith("p_{4} = S")
    assert lines[0] != lines[1]


def test_moving_p_changes_the_next_word_and_says_so(nine):
    still, moved = opened(step="1"), opened(step="1", shift="3")
    assert "where the model put it" in said(still)
    assert "p moved by" in said(moved)
    assert r"\to\;" in moved.latex[0].value and r"\to\;" not in still.latex[0].value


def test_d_and_sigma_recompute_and_the_trained_translation_stays_in_sight(nine):
    plain, narrow = opened(step="1"), opened(step="1", reach="1")
    assert "As trained" not in said(plain) and "As trained" in said(narrow)
    titles = [specs(app)[0]["title"]["subtitle"][0] for app in (plain, narrow)]
    assert titles == ["D = 2, sigma = 1", "D = 1, sigma = 0.5"]
    wide = opened(step="1", reach="15", free="true", sigma="10")
    assert specs(wide)[0]["title"]["subtitle"][0] == "D = 15, sigma = 10"


def test_without_the_global_twin_another_global_model_stands_in(nine, checkpoints_at, tmp_path):
    for name in ("rnn-local-p", "rnn-additive"):
        (tmp_path / name).symlink_to(nine / name)
    checkpoints_at(tmp_path)
    app = opened()
    assert not app.exception and not app.error
    beside = specs(app)[-1]
    names = [panel["title"]["text"] for panel in beside["concat"]]
    assert names == ["rnn-local-p", "rnn-additive"]
    assert "rnn-local-m, rnn-general" in said(app)


def test_without_a_local_model_the_page_says_which_it_shows(checkpoints_at, tmp_path):
    checkpoints_at(tmp_path)
    app = opened()
    assert not app.exception
    assert "rnn-local-p" in app.error[0].value


def test_a_shorter_sentence_keeps_the_step_inside_it(nine):
    app = opened(step="9")
    app.text_input(key="text").set_value("I").run()
    assert not app.exception and not app.error
