"""From every page, with every control moved, to every other page: it opens as if it came first."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from viz_core import ui
from viz_core.checkpoints import CheckpointError

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
SENTENCE = "My uncle sold seven old boats."  # no page opens with it
PRESSED = ("_example", "example", "preset", "question")  # they set other inputs, and hold nothing


def opened(stem: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    with patch.object(ui, "small_picture", side_effect=CheckpointError):
        app.run()  # through Home, whose pictures would take longer than all the rest
    return moved_to(app, stem)


def moved_to(app: AppTest, stem: str) -> AppTest:
    return app.switch_page(str(ROOT / "pages" / f"{stem}.py")).run()


def groups(app: AppTest) -> list[Any]:
    return list(app.get("button_group"))


def shown(app: AppTest) -> dict[str, Any]:
    """What a visitor sees first: every picture in words, and what every control says."""
    charts = [*app.get("vega_lite_chart"), *app.get("plotly_chart")]
    kinds = (app.text_input, app.text_area, app.slider, app.selectbox, app.toggle)
    return {
        "pictures": [getattr(chart.proto, "alt", "") for chart in charts],
        "controls": {each.key: each.value for kind in kinds for each in kind},
        "choices": {each.key: each.value for each in groups(app)},
        "complaints": [each.value for each in (*app.info, *app.warning, *app.error)],
    }


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
        if not str(group.key).endswith(PRESSED):
            last = group.options[-1]
            several = isinstance(group.value, list)
            group.set_value([last] if several else last)
    app.run()
    assert not app.exception


@pytest.fixture(scope="module")
def first() -> dict[str, dict[str, Any]]:
    """Every page as it opens when it comes first."""
    return {stem: shown(opened(stem)) for stem in PAGES}


@pytest.fixture(scope="module")
def left() -> dict[str, list[tuple[str, Any]]]:
    """What each input holds on each page, when every control there was moved: with the page."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for stem in PAGES:
        app = opened(stem)
        move(app)
        there = shown(app)
        for key, value in {**there["controls"], **there["choices"]}.items():
            held = found.setdefault(key, [])
            if value not in [one for _, one in held]:
                held.append((stem, value))
    return found


@pytest.mark.parametrize("stem", PAGES)
def test_a_page_opens_the_same_whatever_was_set_on_the_pages_before(stem, first, left):
    """Every value that any page leaves in any input comes to every page, a handful at a time."""
    app = opened(stem)
    wrong = []
    for turn in range(max(map(len, left.values()))):
        app._tree = ElementTree()  # on its way to another page a browser sends no inputs
        app._tree._runner = app
        app.query_params.clear()  # nor the address of the page before
        given = {key: held[turn % len(held)] for key, held in left.items()}
        for key, (_, value) in given.items():  # but Streamlit keeps what they said
            app.session_state[key] = value
        app.session_state["here"] = next(one for one in PAGES if one != stem)
        moved_to(app, stem)
        if app.exception or shown(app) != first[stem]:
            wrong.append({key: at for key, (at, _) in given.items()})
    assert not wrong
