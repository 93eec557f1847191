"""The page of the drawn flowers, upon the model that is on board."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page
from viz_core import checkpoints
from viz_core.analysis.dream import UNSEEN


def opened(**params: str) -> AppTest:
    app = page("dream", **params)
    assert not app.error
    return app


def test_a_flower_its_maps_and_a_walk_are_drawn(findings, said):
    app = opened()
    pictures, maps, walk, twin = findings(app)
    assert "oxeye daisy, drawn from noise" in pictures and "With γ = 0" in pictures
    assert "Row 12, column 12 looks mostly at" in maps
    assert "With attention. 9 pictures on the way from seed 1 to seed 6" in walk
    assert "trained without attention. 9 pictures on the way from seed 1 to seed 6" in twin
    assert "of the weight lies more than 4 places away" in said(app)


def test_another_place_and_another_kind_are_asked(findings):
    app = opened(kind="gazania", row="2", column="5", seed="30")
    pictures, maps, *_ = findings(app)
    assert "gazania" in pictures and "Row 2, column 5" in maps


def test_gamma_is_the_visitors(said, findings):
    learned = float(re.search(r"gamma = (-?[\d.]+)", latex(opened()))[1])
    none = float(re.search(r"gamma = (-?[\d.]+)", latex(opened(strength="0.0")))[1])
    assert none == 0 != learned
    assert "by 0.0% of their range" in findings(opened(strength="0.0"))[0]


def latex(app):
    return " ".join(each.value for each in app.latex)


@pytest.mark.parametrize("step", ["0", "4", "8"])
def test_a_walk_can_be_entered_anywhere(step):
    assert any("of the way" in each.value for each in opened(step=step).caption)


@pytest.mark.parametrize(
    "params", [{"seed": "-4"}, {"kind": "<b>oak</b>"}, {"row": "99"}, {"strength": "word"}]
)
def test_a_link_that_asks_for_what_is_not_there_gets_a_notice(params):
    assert any("not here" in each.value for each in opened(**params).warning)


def test_the_distances_are_those_of_both_cards(said):
    ours, twin = (checkpoints.card(name).metrics[UNSEEN] for name in ("sagan", "sagan-plain"))
    text = said(opened())
    assert f"**{ours['with attention']:.1f}** with attention" in text
    assert f"**{twin['trained without attention']:.1f}** for a twin trained without it" in text
    assert f"**{ours['gamma = 0']:.1f}** with attention taken out" in text


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "dream")
    assert any("sagan is not trained yet" in info.value for info in app.info)
