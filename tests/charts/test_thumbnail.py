"""Small pictures, growing matrices and residual streams."""

from xml.etree import ElementTree

import altair as alt
import numpy as np
import pytest
import vl_convert

from viz_core.charts import evolution, stream, thumbnail
from viz_core.traces import AttentionTrace
from viz_core.traces.search import BeamTrace, Hypothesis
from viz_core.traces.transformer import StreamTrace


def trace(share=1.0, queries=("il", "<b>dort</b>"), keys=("it", "sleeps", ".")):
    weights = np.full((1, 1, len(queries), len(keys)), (1 - share) / 2, dtype=np.float32)
    weights[..., 0] = share
    return AttentionTrace(kind="alignment", queries=queries, keys=keys, weights=weights)


def node(parent, step, token, status="kept"):
    return Hypothesis(
        parent=parent,
        step=step,
        token=token,
        token_id=4,
        log_prob=-step,
        score=-step,
        status=status,
    )


STREAM = StreamTrace(
    stages=("embedding", "layer 1: after attention"),
    tokens=("it", "<i>sleeps</i>"),
    norms=np.array([[1.0, 2], [3, 4]], dtype=np.float32),
    added=np.array([[1.0, 2], [2.5, 1]], dtype=np.float32),
    nearest=((("it", "he"), ("sleeps", "naps")), (("animal", "it"), ("sleeps", "naps"))),
    probabilities=np.full((2, 2, 2), 0.5, dtype=np.float32),
)
TREE = BeamTrace(
    nodes=(
        node(-1, 0, "<s>"),
        node(0, 1, "il"),
        node(0, 1, "elle", "pruned"),
        node(1, 2, "</s>", "finished"),
    ),
    best=3,
)


@pytest.mark.parametrize("chart", [stream.norms(STREAM, 0), stream.nearest(STREAM, 1)])
def test_a_stream_compiles_and_says_what_it_shows(chart: alt.Chart):
    spec = chart.to_dict()
    assert spec["description"]
    assert vl_convert.vegalite_to_svg(spec).startswith("<svg")


SMALL = {
    "heat": thumbnail.heat(np.eye(3), 'a "diagonal" of <b>'),
    "alignment": thumbnail.alignment(trace()),
    "curves": thumbnail.curves(np.ones((2, 5)), "two lines that lie still"),
    "arrows": thumbnail.arrows(np.zeros((2, 2)), np.ones((2, 2)), "two arrows"),
    "bars": thumbnail.bars([0.5, -0.2, 0.0], "three bars"),
    "tree": thumbnail.tree(TREE, "a tree"),
    "high": thumbnail.photograph("data:image/png;base64,", 1.5, "a high one"),
    "wide": thumbnail.photograph("data:image/png;base64,", 0.5, "a wide one"),
}
PLACES = {"x": "WIDTH", "x1": "WIDTH", "x2": "WIDTH", "cx": "WIDTH"}
PLACES |= {name.replace("x", "y"): "HEIGHT" for name in PLACES}


@pytest.mark.parametrize("small", SMALL.values(), ids=SMALL)
def test_a_small_picture_stays_in_its_frame(small):
    for mark in ElementTree.fromstring(small.svg).iter():
        for name, most in PLACES.items():
            begin = float(mark.get(name, 0))
            size = float(mark.get({"x": "width", "y": "height"}.get(name, ""), 0))
            assert 0 <= begin <= begin + size <= getattr(thumbnail, most) + 0.1


def test_a_square_is_as_blue_as_its_weight_and_one_without_weight_is_not_drawn():
    four = thumbnail.heat(np.array([[0.25, 0.0], [1.0, 0.5]]), "four").svg
    assert [
        float(square.get("fill-opacity"))
        for square in ElementTree.fromstring(four).iter(f"{{{thumbnail.SVG}}}rect")
    ] == [0.25, 1, 0.5]


def test_a_tree_thumbnail_leaves_pruned_hypotheses_out():
    lines = list(
        ElementTree.fromstring(thumbnail.tree(TREE, "a tree").svg).iter(f"{{{thumbnail.SVG}}}line")
    )
    assert len(lines) == 2
    assert all(line.get("stroke-width") == "4" for line in lines)


def test_a_stream_names_the_stage_that_added_most_and_the_word_it_ends_near():
    said = stream.finding(STREAM, 0)
    assert "layer 1: after attention" in said
    assert said.endswith("nearest to animal")


def test_an_evolution_has_a_frame_for_each_snapshot_and_ends_with_the_last():
    figure = evolution.evolution([0, 50, 400], [trace(0.4), trace(0.6), trace(0.9)])
    assert [frame.name for frame in figure.frames] == ["0", "50", "400"]
    assert figure.data[0].z[0][0] == pytest.approx(0.9)
    assert figure.data[0].zmin == 0 and figure.data[0].zmax == 1


def test_an_evolution_says_how_much_sharper_it_became():
    assert "went from 0.40 to 0.90" in evolution.finding([0, 400], [trace(0.4), trace(0.9)])


def test_markup_in_a_token_stays_text_in_plotly():
    figure = evolution.evolution([0], [trace()])
    assert not any("<b>" in label for label in figure.layout.yaxis.ticktext)
