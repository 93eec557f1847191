"""Every page, opened as the first one of a visit, and given what visitors type."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viz_core import ui
from viz_core.atlas.pages import BY_STEM

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "pages").glob("*.py"))
NASTY = {
    "nothing": "",
    "only spaces": "     ",
    "5,000 words": "word " * 5000,
    "a 300-letter word": "a" * 300,
    "emoji": "🙂🙃 I love 🍕",
    "Persian": "این یک جمله است",
    "Chinese": "这是一个句子",
    "HTML": "<b>bold</b><script>alert('x')</script>",
    "Markdown and LaTeX": "**bold** [x](http://y) $e=mc^2$ :red[z]",
    "control characters": "a\x00b\x07c\u202ed",
    "unknown words": "The zorblax quiffed a flumph.",
    "one letter": "I",
}


LINKING = {"home", "gallery"}  # to other pages, which only exist under app.py
LISTS = {"gallery", "talk"}  # pages of words and numbers, without a picture
TWO_COLOURS = {"few_shot", "recurrent", "tasks"}  # whose pictures have them without a legend


def opened(page: Path, **params: str) -> AppTest:
    script = ROOT / "app.py" if page.stem in LINKING else page
    app = AppTest.from_file(str(script), default_timeout=120)
    if page.stem in LINKING - {"home"}:
        app.run().switch_page(str(page))
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_opens_with_a_finished_picture(page):
    app = opened(page)
    assert not app.exception
    assert not app.error
    assert app.get("vega_lite_chart") or app.get("plotly_chart") or page.stem in LISTS
    said = " ".join(each.value for each in app.markdown).lower()
    assert page.stem not in TWO_COLOURS or ("blue" in said and "orange" in said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_what_to_look_for_and_how_a_finger_does_what_a_mouse_does(page):
    said = page.read_text(encoding="utf-8") + BY_STEM[page.stem].lead
    assert "**Look for**" in said or page.stem in LISTS | {"home"}
    assert not re.search(r"(?<!tap or )hover (a|an|it|its|the)\b", said, re.IGNORECASE)


@pytest.mark.usefixtures("unchecked_charts")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_answers_whatever_is_typed_and_keeps_it(page):
    """One text after the other, as a visitor types them: opening the page is half of the time."""
    app = opened(page)
    if not any(box.key == "text" for box in app.text_input):
        return  # nothing is typed into this page's sentence box, because it has none
    for name, typed in NASTY.items():
        app.text_input(key="text").set_value(typed).run()
        assert not app.exception, name
        assert app.text_input(key="text").value == typed


@pytest.mark.parametrize("model", ["no-such-model", "../../etc/passwd", "rnn-additive/../x"])
def test_a_link_to_a_model_that_is_not_there_gets_the_default_and_a_notice(model):
    app = opened(ROOT / "pages/alignment.py", model=model)
    assert not app.exception
    assert app.selectbox(key="model").value == ui.ALIGNING[0]
    assert any("not here" in warning.value for warning in app.warning)


# ---- a link can say anything, and so can a box ------------------------------------------------

HOSTILE = {
    "text": "<script>alert(1)</script> ::: $x$",
    "model": "../../../../etc/passwd",
    "target": "\u202e💥",
    "beam": "NaN",
    "temperature": "1e999",
    "threshold": "-inf",
    "layer": "-1",
    "head": "99999999999999999999",
    "heads": "<b>",
    "level": "'; DROP TABLE",
    "view": "%00",
    "kind": "__class__",
    "step": "0x10",
    "summary": "none",
    "word": "١",
    "no-such-input": "x" * 5000,
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_opens_with_a_link_of_nonsense(page):
    app = opened(page, **HOSTILE)
    assert not app.exception
    written = " ".join(str(block.value) for block in [*app.markdown, *app.subheader, *app.warning])
    assert "<script>" not in written.replace("\\<", "")


TABS = {  # beside the first one, with which a page opens
    "block": ("view", ("By hand",)),
    "decoder": ("view", ("Masks at work",)),
    "pair": ("view", ("How pairs are drawn",)),
    "positions": ("part", ("By hand",)),
    "gates": ("view", ("A gate by hand", "Gradients")),
    "recurrent": ("view", ("Five shapes",)),
    "search": ("view", ("Search",)),
    "scores": ("part", ("Measured", "By hand")),
    "gpt": ("view", ("Tree", "Cache")),
    "inside_gpt": ("view", ("BERT and GPT", "Induction")),
    "sizes": ("view", ("GLUE", "Cost of a layer")),
    "split": ("view", ("Two heads by hand",)),
    "summary": ("view", ("Long texts", "Data")),
    "tasks": ("task", ("Entities", "Answers", "Frozen or tuned")),
    "vectors": ("view", ("Families", "One vector a word")),
}
OPENED: list[tuple[Path, dict[str, str]]] = [(page, {}) for page in PAGES] + [
    (ROOT / f"pages/{stem}.py", {key: tab}) for stem, (key, tabs) in TABS.items() for tab in tabs
]


@pytest.mark.usefixtures("unchecked_charts")
@pytest.mark.parametrize(
    ("page", "params"), OPENED, ids=lambda given: getattr(given, "stem", str(given))
)
def test_every_box_of_a_page_takes_whatever_is_typed(page, params):
    app = opened(page, **params)
    for typed in ("", "💥 <b>![x](http://x)</b> $x$ [MASK]", "a b; c\n1e999 " * 300):
        for box in [*app.text_input, *app.text_area]:
            if not box.disabled:
                box.set_value(typed)
        app.run()
        assert not app.exception, typed[:40]
        told = [str(each.value) for each in [*app.info, *app.error, *app.markdown]]
        assert not any("![x](" in sentence for sentence in told)
