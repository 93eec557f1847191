"""What the README promises works as it is written."""

import re
from pathlib import Path

import altair as alt

from viz_core.atlas.pages import PAGES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_notebook_lines_draw_a_chart():
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1).rstrip()
    *lines, last = code.split("\n")
    scope: dict[str, object] = {}
    exec("\n".join(lines), scope)
    chart = eval(last, scope)
    assert isinstance(chart, alt.TopLevelMixin)
    assert "parapluie" in str(chart.to_dict())


def test_the_table_of_pages_is_the_registry():
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", README, re.MULTILINE)
    told = [row for row in rows if row[0] in {page.title for page in PAGES}]
    assert told == [(page.title, page.summary) for page in PAGES]


def test_every_picture_and_file_named_is_there():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file()
