"""Predict first: nothing of the answer is in the page before the key is pressed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas  # noqa: F401  before AppTest puts pages/ on the path: pandas imports "bottleneck"
import pytest
from streamlit.testing.v1 import AppTest

from viz_core import checkpoints, probe, ui
from viz_core.atlas.pages import PAGES
from viz_core.ui import prediction

ROOT = Path(__file__).parents[2]
LISTS = {"home", "gallery", "talk"}  # links and lists: there is nothing to guess
STEMS = [page.stem for page in PAGES if page.stem not in LISTS]
OPENED: list[tuple[str, dict[str, str]]] = [(stem, {}) for stem in STEMS] + [
    ("block", {"view": "By hand"}),
    ("decoder", {"view": "Masks at work"}),
    ("search", {"view": "Search"}),
    ("pair", {"view": "How pairs are drawn"}),
    ("positions", {"part": "By hand"}),
    ("gates", {"view": "A gate by hand"}),
    ("gates", {"view": "Gradients"}),
    ("recurrent", {"view": "Five shapes"}),
    ("gpt", {"view": "Tree"}),
    ("gpt", {"view": "Cache"}),
    ("inside_gpt", {"view": "BERT and GPT"}),
    ("inside_gpt", {"view": "Induction"}),
    ("sizes", {"view": "GLUE"}),
    ("sizes", {"view": "Cost of a layer"}),
    ("split", {"view": "Two heads by hand"}),
    ("tasks", {"task": "Entities"}),
    ("tasks", {"task": "Answers"}),
    ("tasks", {"task": "Frozen or tuned"}),
    ("vectors", {"view": "Families"}),
    ("vectors", {"view": "One vector a word"}),
]
DRAWN = ("vega_lite_chart", "plotly_chart", "arrow_data_frame", "dataframe", "table", "alert")
UMBRELLA = "I lost my red umbrella on the train."


def opened(stem: str, **params: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / f"pages/{stem}.py"), default_timeout=180)
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def elements(block: Any) -> Iterator[Any]:
    for child in block.children.values():
        yield child
        if hasattr(child, "children"):
            yield from elements(child)


def sent(app: AppTest) -> str:
    """All that the browser gets, with its labels, alternative texts and the keys of its boxes."""
    protos = (getattr(each, "proto", "") for each in elements(app._tree))
    # Protocol buffers write the bytes of other letters than ASCII as octal numbers.
    written = " ".join(str(proto) for proto in protos).encode().decode("unicode_escape", "ignore")
    return written.encode("latin-1", "ignore").decode("utf-8", "ignore")


def said(app: AppTest) -> set[str]:
    return {each.value for kind in (app.markdown, app.subheader, app.latex) for each in kind}


def translation(name: str, text: str) -> Callable[[], list[str]]:
    return lambda: [ui.translated(name, text).text]


ANSWERS: dict[str, tuple[dict[str, str], Callable[[], list[str]]]] = {
    "alignment": ({"text": UMBRELLA}, translation(ui.ALIGNING[0], UMBRELLA)),
    "ablation": ({"text": UMBRELLA}, translation("transformer", UMBRELLA)),
    "transformer": ({"text": UMBRELLA}, translation("transformer", UMBRELLA)),
    "local": ({"text": UMBRELLA}, translation("rnn-local-p", UMBRELLA)),
    "the_bottleneck": ({"text": UMBRELLA}, translation("rnn-none", UMBRELLA)),
    "tasks": (
        {"text": "A dull film."},
        lambda: [_sentiment()],
    ),
    "pair": (
        {"text": "She opened the door.", "pair": "Nobody was there."},
        lambda: [f"{_next():.3f}"],
    ),
    "mask": (
        {"text": "The capital of France is [MASK]."},
        lambda: [_filled()],
    ),
}


def _sentiment() -> str:
    chances = probe.classify(checkpoints.load("bert-sentiment"), "A dull film.")
    label = max(chances, key=lambda name: chances[name])
    return f"{label}, {chances[label]:.0%}"


def _next() -> float:
    bundle = checkpoints.load("bert-mini")
    return probe.next_sentence(bundle, "She opened the door.", "Nobody was there.")


def _filled() -> str:
    found = probe.fill_mask(checkpoints.load("bert-mini"), "The capital of France is [MASK].")
    return str(found[0][0][0])


@pytest.mark.parametrize(("stem", "params"), OPENED, ids=str)
def test_what_a_page_says_and_draws_is_not_there_before_the_key(stem, params):
    app = opened(stem, present="1", predict="1", **params)
    guessing, early = sent(app), said(app)
    assert not [kind for kind in DRAWN if app.get(kind)]
    assert not app.latex
    assert app.subheader, "the hall must be asked something"
    app.button(key="stage_reveal").click().run()
    assert not app.exception
    assert [kind for kind in DRAWN if app.get(kind)]
    asked = " ".join([*early, *(box.value for box in app.text_input)])  # what all may know
    told = [text for text in said(app) - early if len(text) > 12 and text not in asked]
    assert told
    assert not [text for text in told if text in guessing]
    alts = [chart.proto.alt for chart in app.get("vega_lite_chart") if chart.proto.alt]
    assert not [alt for alt in alts if alt in guessing]


@pytest.mark.parametrize("stem", ANSWERS)
def test_the_models_answer_is_not_there_before_the_key_and_is_after_it(stem):
    params, find = ANSWERS[stem]
    app = opened(stem, present="1", predict="1", **params)
    concealed, answers = sent(app), find()
    assert not [answer for answer in answers if answer in concealed]
    app.button(key="stage_reveal").click().run()
    shown = sent(app).replace("\\", "")
    assert [answer for answer in answers if answer in shown] == answers


def test_every_step_waits_for_its_own_key():
    app = opened("decoder", present="1", predict="1")
    for step in range(3):
        assert not app.get("vega_lite_chart"), step
        app.button(key="stage_reveal").click().run()
        assert app.get("vega_lite_chart"), step
        assert app.session_state["step"] == step
        app.button(key="step_on_step").click().run()


def test_without_predict_first_nothing_is_held_back():
    app = opened("norms", present="1")
    assert app.get("vega_lite_chart")
    assert not [button for button in app.button if button.key == "stage_reveal"]


def test_a_button_that_may_carry_an_answer_is_held_back():
    app = opened("beam", present="1", predict="1")
    assert not [button.key for button in app.button if not button.key.startswith(prediction.MOVES)]
    assert "Greedy loses" not in sent(app)
