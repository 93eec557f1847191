"""Every control of every view of a page is moved; whatever was left behind, a page opens anew."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from viz_core import ui
from viz_core.checkpoints import CheckpointError
from viz_core.ui.address import KEPT

pytestmark = pytest.mark.usefixtures("unchecked_charts")
ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
SENTENCE = "My uncle sold seven old boats."  # no page opens with it
VIEWS = ("view", "part", "task")  # what the views of a page are called in its address
PRESSED = ("_example", "example", "preset", "question")  # they set other inputs, and hold nothing
# What an input of the same name may hold on another page: of each kind, and beyond any bound.
STRANGE: tuple[Any, ...] = (SENTENCE, -1, "", 10**6, ["mean", 99], 0.5, True, "nowhere", [])


def opened(stem: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    return app.run() if stem == "home" else moved_to(app, stem)


def moved_to(app: AppTest, stem: str) -> AppTest:
    return app.switch_page(str(ROOT / "pages" / f"{stem}.py")).run()


def groups(app: AppTest) -> list[Any]:
    return list(app.get("button_group"))


def shown(app: AppTest) -> dict[str, Any]:
    """What a visitor sees first: every picture in words, and what every control says."""
    assert not app.exception
    charts = [*app.get("vega_lite_chart"), *app.get("plotly_chart")]
    kinds = (app.text_input, app.text_area, app.slider, app.selectbox, app.toggle)
    return {
        "pictures": [getattr(chart.proto, "alt", "") for chart in charts],
        "controls": {each.key: each.value for kind in kinds for each in kind},
        "choices": {each.key: each.value for each in groups(app)},
        "complaints": [each.value for each in (*app.info, *app.warning, *app.error)],
    }


def others(app: AppTest) -> list[tuple[str, Any]]:
    """The views and sections of a page that are not open: what is in there is not computed yet."""
    folded = [each.proto for each in app.expander if each.proto.query_param_key]
    sections = [(each.query_param_key, True) for each in folded if not each.expanded]
    labels = [tab.label for tab in app.tabs]
    for key in VIEWS:
        if app.session_state.get(key) in labels:
            tabs = [(key, name) for name in labels if name != app.session_state[key]]
            return sections + tabs
    choices = [one for one in groups(app) if one.key in VIEWS]
    return sections + [(one.key, name) for one in choices for name in one.options[1:]]


def switch(app: AppTest, key: str, name: Any) -> None:
    for group in groups(app):
        if group.key == key:
            group.set_value(name).run()
            break
    else:
        app.session_state[key] = name
        app.run()
        assert app.session_state[key] == name
    assert not app.exception


def move(app: AppTest) -> None:
    """Every control away from where it is."""
    for box in (*app.text_input, *app.text_area):
        if box.value and box.value.replace(" ", "").isascii() and ";" not in box.value:
            box.set_value(SENTENCE)
    for slider in app.slider:
        if not slider.disabled:
            slider.set_value(slider.max if slider.value != slider.max else slider.min)
    for box in app.selectbox:
        box.select_index(0 if box.index else len(box.options) - 1)
    for toggle in app.toggle:
        if not toggle.disabled and not str(toggle.key).endswith("_play"):
            toggle.set_value(not toggle.value)
    for group in groups(app):
        if not str(group.key).endswith((*PRESSED, *VIEWS)):
            at = group.options[0] if group.value == group.options[-1] else group.options[-1]
            group.set_value([at] if isinstance(group.value, list) else at)
    app.run()
    assert not app.exception


def met_again(app: AppTest, stem: str, left: dict[str, Any]) -> dict[str, Any]:
    """The page when the visitor comes from another one, which has left this."""
    app._tree = ElementTree()  # on its way to another page a browser sends no inputs
    app._tree._runner = app
    app.query_params.clear()  # nor the address of the page before
    for key, value in left.items():  # but Streamlit keeps what they said
        app.session_state[key] = value
    app.session_state["here"] = next(one for one in PAGES if one != stem)
    return shown(moved_to(app, stem))


@pytest.mark.parametrize("stem", PAGES)
def test_every_control_of_every_view_moves_and_the_page_opens_the_same_afterwards(stem):
    with patch.object(ui, "small_picture", side_effect=CheckpointError):  # Home's: they take long
        app = opened(stem)
        first = shown(app)
        views = others(app)
        move(app)
        for key, name in views:
            switch(app, key, name)
            move(app)
        left = {key: value for key, value in app.session_state.items() if key not in KEPT}
        assert met_again(app, stem, left) == first  # these would suit it
        odd = {key: STRANGE[at % len(STRANGE)] for at, key in enumerate(sorted(left))}
        assert met_again(app, stem, odd) == first
