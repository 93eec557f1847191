"""Small pictures, growing matrices and residual streams."""

import re

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


@pytest.mark.parametrize(
    "chart",
    [
        thumbnail.heat(np.eye(3), "a diagonal"),
        thumbnail.alignment(trace()),
        thumbnail.curves(np.ones((2, 5)), "two lines"),
        thumbnail.tree(TREE, "a tree"),
        stream.norms(STREAM, 0),
        stream.nearest(STREAM, 1),
    ],
)
def test_a_small_picture_compiles_and_says_what_it_shows(chart: alt.Chart):
    spec = chart.to_dict()
    assert spec["description"]
    assert vl_convert.vegalite_to_svg(spec).startswith("<svg")


def test_a_photograph_takes_no_more_room_than_any_other_small_picture():
    usual, high, wide = [
        re.findall(r'(?:width|height)="(\d+)"', vl_convert.vegalite_to_svg(chart.to_dict()))[:2]
        for chart in (
            thumbnail.heat(np.eye(3), "a diagonal"),
            thumbnail.photograph("data:image/png;base64,", 1.5, "a high one"),
            thumbnail.photograph("data:image/png;base64,", 0.5, "a wide one"),
        )
    ]
    assert high == wide
    assert all(int(own) <= int(most) for own, most in zip(wide, usual, strict=True))


def test_a_tree_thumbnail_leaves_pruned_hypotheses_out():
    (rows,) = thumbnail.tree(TREE, "").to_dict()["datasets"].values()
    assert len(rows) == 2
    assert all(row["best"] for row in rows)


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
