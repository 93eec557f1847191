import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page

TEXT = "The cat sees the dog."
FRENCH = "Le chat voit le chien."


def opened(**params: str) -> AppTest:
    return page("scores", **{"text": TEXT, "target": FRENCH, **params})


def specs(app: AppTest) -> list[dict]:
    charts = app.get("vega_lite_chart")
    return [json.loads(chart.proto.spec) | {"description": chart.proto.alt} for chart in charts]


def said(app: AppTest) -> str:
    return " ".join(part.value for part in (*app.markdown, *app.info, *app.caption))


def test_all_eight_attentions_stand_side_by_side(nine):
    app = opened()
    assert not app.exception and not app.error
    names = [panel["title"]["text"] for panel in specs(app)[0]["concat"]]
    assert names == [
        *("content", "additive", "location", "general", "dot", "scaled-dot"),
        *("local-m", "local-p"),
    ]
    assert "Not trained yet" not in said(app)


def test_models_that_are_not_there_are_named_and_the_others_shown(nine, checkpoints_at, tmp_path):
    for name in ("rnn-additive", "rnn-dot"):
        (tmp_path / name).symlink_to(nine / name)
    checkpoints_at(tmp_path)
    app = opened()
    assert not app.exception and not app.error
    assert [p["title"]["text"] for p in specs(app)[0]["concat"]] == ["additive", "dot"]
    (missing,) = [info.value for info in app.info]
    assert "rnn-local-p" in missing and "rnn-dot" not in missing


def test_without_any_model_the_page_says_so(checkpoints_at, tmp_path):
    checkpoints_at(tmp_path)
    app = opened()
    assert not app.exception
    assert "rnn-additive" in app.error[0].value


def test_all_follow_the_typed_french_or_the_translation_of_the_leader(nine):
    from viz_core import ui

    assert f"**{ui.escape(FRENCH)}**" in said(opened())
    app = opened(target="", leader="rnn-dot")
    assert not app.exception
    wanted = ui.translated("rnn-dot", TEXT).text
    assert f"**{ui.escape(wanted)}**" in said(app)


def test_sharpness_and_agreement_have_a_row_for_each_model(nine):
    app = opened(part="Agreement")
    tables = specs(app)[1]
    assert "agree most" in tables["description"]
    app = opened(part="Sharpness")
    assert "looks most sharply" in specs(app)[1]["description"]


def test_the_measured_table_keeps_published_figures_in_their_own_columns(nine):
    app = opened(part="Measured")
    table = app.dataframe[0].value.set_index("model")
    assert len(table) == 9 and "rnn-none" in table.index
    assert table.loc["rnn-local-p", "published AER"] == pytest.approx(0.36)
    assert table.loc["rnn-additive", "BLEU"] == pytest.approx(21.0)
    assert "Published" in said(app) and "the_bottleneck" in said(app)


def test_the_worked_panel_shows_six_formulas_of_the_chosen_key(nine):
    app = opened(part="By hand", key="h3")
    assert not app.exception
    formulas = [line.value.strip("$\n") for line in app.latex]
    assert len(formulas) == 6
    assert formulas[4].endswith("= 10") and "h_3" in formulas[4]


def test_typed_vectors_are_computed_anew_and_bad_ones_get_a_sentence(nine):
    app = opened(part="By hand", s="0 1")
    assert app.latex[4].value.strip("$\n").endswith("= 2")
    app.text_input(key="s").set_value("1 2 3").run()
    assert not app.exception
    assert any("3 numbers, and 2 are needed" in info.value for info in app.info)
    assert app.text_input(key="s").value == "1 2 3"


@pytest.mark.parametrize("typed", ["", "   ", "word " * 5000, "🙂", "این یک جمله است", "<b>x</b>"])
def test_whatever_french_is_typed_gets_an_answer(nine, typed):
    app = opened()
    app.text_input(key="target").set_value(typed).run()
    assert not app.exception and not app.error
    assert app.text_input(key="target").value == typed
    assert app.info or app.get("vega_lite_chart")
