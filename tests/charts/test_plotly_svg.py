"""A Plotly figure drawn without a browser: its words, marks and cells stand where they should."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from tests.charts.test_tree import lecture, points
from viz_core.charts import evolution, export, futures, plotly_svg, positions, tree
from viz_core.traces import AttentionTrace

SVG = "{http://www.w3.org/2000/svg}"


def drawn(figure, *caption):
    return ET.fromstring(plotly_svg.svg(figure, caption))


def test_every_node_of_a_tree_is_a_mark_with_its_word_above_and_steps_go_right():
    figure = tree.tree(lecture())
    root = drawn(figure, "A C B wins")
    marks = [*root.iter(f"{SVG}circle"), *root.iter(f"{SVG}polygon")]
    fates = {trace.name for trace, *_ in points(figure).values()}  # each has one in the legend
    assert len(marks) == len(lecture().nodes) + len(fates)
    words = [(each.text, float(each.get("x"))) for each in root.iter(f"{SVG}text")]
    assert words[0][0] == "A C B wins"
    assert ("<b>B</b>" in dict(words)) and dict(words)["A"] < dict(words)["eos"]
    bold = [each.text for each in root.iter(f"{SVG}text") if each.get("font-weight")]
    assert bold == ["start", "A", "C", "B", "eos"]  # the leading path


def test_a_node_lies_where_its_axes_say():
    figure = tree.tree(lecture())
    layout = figure.layout
    _, step, row, *_ = points(figure)[8]
    (first, last), (low, high) = layout.xaxis.range, layout.yaxis.range
    across = (step - first) / (last - first)
    down = (row - high) / (low - high)
    inner = layout.width - layout.margin.l - layout.margin.r
    deep = layout.height - layout.margin.t - layout.margin.b
    centre = layout.margin.l + across * inner, layout.margin.t + down * deep
    corners = [
        np.array([tuple(map(float, pair.split(","))) for pair in each.get("points").split()])
        for each in drawn(figure).iter(f"{SVG}polygon")
    ]
    assert any(np.allclose(each.mean(axis=0), centre, atol=0.1) for each in corners)


def test_a_heat_map_has_a_cell_for_each_number_in_its_colour():
    weights = np.array([[[[1.0, 0.0], [0.5, 0.5]]]])
    trace = AttentionTrace(kind="cross", queries=("le", "chat"), keys=("a", "<b"), weights=weights)
    root = drawn(evolution.evolution([0, 100], [trace, trace]))
    fills = [each.get("fill") for each in root.iter(f"{SVG}rect")][1:]  # after the paper
    assert fills[:2] == ["#1f78c8", "#ffffff"] and fills[2] == fills[3] == "#8fbce4"
    assert {"le", "chat", "a", "<b"} <= {each.text for each in root.iter(f"{SVG}text")}


@pytest.mark.parametrize(
    "figure",
    [
        tree.tree(lecture(), numbers=True, chosen=4),
        futures.futures(lecture(), 7),
        positions.heat(np.eye(5), row=2),
        positions.heat(np.zeros((0, 0))),
    ],
    ids=["tree", "futures", "positions", "nothing"],
)
def test_every_plotly_picture_of_the_atlas_is_a_pdf_of_vectors(figure):
    pdf = export.pdf(figure, "Said <once> & again " * 12)
    assert pdf.startswith(b"%PDF")
    assert not re.search(rb"/Subtype ?/Image", pdf)
