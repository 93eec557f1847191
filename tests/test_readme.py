"""What the README promises works as it is written."""

import re
from pathlib import Path

import altair as alt

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


def test_every_page_is_in_the_readme():
    titles = re.findall(r'\("\w+", "([^"]+)"\)', (ROOT / "app.py").read_text(encoding="utf-8"))
    assert titles
    for title in titles:
        assert f"| {title} |" in README


def test_every_picture_and_file_named_is_there():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file()
