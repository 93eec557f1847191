"""The gallery: figures open their pages, and claims are judged by what is measured."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viz_core.atlas.figures import CLOSED, TRAINED
from viz_core.ui import gallery

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def app() -> AppTest:
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    return opened.switch_page("pages/gallery.py").run()


def test_every_figure_has_a_tile(app):
    assert not app.exception
    links = [link.proto.label for link in app.get("page_link")]
    assert {f"**{figure.title}**" for figure in (*CLOSED, *TRAINED)} <= set(links)


def test_every_closed_form_holds(app):
    said = " ".join(text.value for text in app.markdown)
    assert said.count("holds here: computed just now") == sum(1 for f in CLOSED if f.published)
    heads = [list(table.value.columns) for table in app.table]
    assert heads.count(["derived", "ours"]) == sum(f.derived for f in CLOSED) > 0


def test_a_claim_that_the_model_does_not_show_is_denied(monkeypatch):
    figure = next(f for f in TRAINED if f.check == "it")
    ours, holds, _ = gallery.checked(figure)
    assert holds == (min(list(ours.values())[:2]) >= 0.2 and ours["it resolved"] >= 0.85)


def test_the_alignment_is_measured_live_on_the_published_french():
    ours, holds, how = gallery.checked(next(f for f in TRAINED if f.check == "alignment"))
    assert "live: rnn-general" in how
    assert holds
    assert set(ours) == {"zone → Area", "économique → Economic", "européenne → European"}


def test_the_alignment_is_denied_of_a_model_that_looks_elsewhere():
    figure = next(f for f in TRAINED if f.check == "alignment")
    there = replace(figure, params={**figure.params, "model": "rnn-scaled-dot"})
    ours, holds, how = gallery.checked(there)
    assert not holds
    assert max(ours.values()) < 0.5
    assert "so do 1 of the 5 other models" in how


def test_without_its_model_a_figure_says_so_and_the_others_stay(tmp_path, checkpoints_at):
    checkpoints_at(tmp_path)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    app.switch_page("pages/gallery.py").run()
    assert not app.exception
    said = " ".join(text.value for text in app.markdown)
    assert "the model of this figure is not here" in said
    assert "holds here: computed just now" in said
