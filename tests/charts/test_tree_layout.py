"""Which hypotheses are drawn, and where."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from viz_core.charts import tree_layout
from viz_core.traces.search import BeamTrace, Hypothesis


def node(parent, step, status="kept", score=0.0, probability=0.5):
    return Hypothesis(
        parent=parent,
        step=step,
        token=f"t{step}",
        token_id=0,
        log_prob=score,
        score=score,
        status=status,
        probability=probability,
    )


@st.composite
def beams(draw):
    """Random trees, parents first."""
    nodes = [node(-1, 0)]
    for _ in range(draw(st.integers(0, 40))):
        parent = draw(st.integers(0, len(nodes) - 1))
        status = draw(st.sampled_from(["kept", "pruned"]))
        nodes.append(node(parent, nodes[parent].step + 1, status, draw(st.floats(-9, 0))))
    return nodes


@given(beams())
def test_no_two_nodes_of_a_step_are_less_than_a_row_apart(nodes):
    rows = tree_layout.layout(nodes, range(len(nodes)))
    for step in {n.step for n in nodes}:
        level = sorted(rows[i] for i, n in enumerate(nodes) if n.step == step)
        assert all(b - a >= 1 - 1e-6 for a, b in pairwise(level))


@given(beams())
def test_edges_do_not_cross(nodes):
    rows = tree_layout.layout(nodes, range(len(nodes)))
    for step in {n.step for n in nodes}:
        level = [i for i, n in enumerate(nodes) if n.step == step and n.parent >= 0]
        parents = [rows[nodes[i].parent] for i in sorted(level, key=rows.__getitem__)]
        assert parents == sorted(parents)


def test_the_better_child_stands_above():
    rows = tree_layout.layout([node(-1, 0), node(0, 1, score=-2), node(0, 1, score=-1)], range(3))
    assert rows[2] < rows[1]


def test_a_parent_stands_in_the_middle_of_two_living_children():
    nodes = [node(-1, 0), node(0, 1, score=-1), node(0, 1, score=-2), node(1, 2), node(2, 2)]
    rows = tree_layout.layout(nodes, range(5))
    assert rows[0] == pytest.approx((rows[1] + rows[2]) / 2, abs=0.05)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8))
def test_spreading_moves_no_row_that_has_room(wanted):
    apart = sorted({round(w) for w in wanted})
    assert tree_layout._spread(apart, [1.0] * len(apart)) == pytest.approx(apart)


def test_spreading_is_the_nearest_arrangement():
    assert tree_layout._spread([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]) == pytest.approx([-1, 0, 1])


def test_pruned_nodes_below_the_minimum_are_not_drawn():
    nodes = (node(-1, 0), node(0, 1), node(0, 1, "pruned", probability=0.01))
    beam = BeamTrace(nodes=nodes, best=1)
    assert tree_layout.visible(beam) == [0, 1, 2]
    assert tree_layout.visible(beam, minimum=0.1) == [0, 1]


def test_only_the_best_pruned_nodes_of_a_step_are_drawn():
    pruned = [node(0, 1, "pruned", score=-i) for i in range(50)]
    beam = BeamTrace(nodes=(node(-1, 0), node(0, 1), *pruned), best=1)
    assert tree_layout.visible(beam, limit=3) == [0, 1, 2, 3, 4]


def test_the_clock_stops_at_the_given_step():
    beam = BeamTrace(nodes=(node(-1, 0), node(0, 1), node(1, 2), node(2, 3, "finished")), best=3)
    assert tree_layout.visible(beam, until_step=1) == [0, 1]
    assert tree_layout.leader(beam, 1) == 1
    assert tree_layout.leader(beam, 3) == 3


def test_an_empty_tree_has_no_rows():
    assert tree_layout.layout((), ()) == {}
    assert tree_layout.visible(BeamTrace(nodes=())) == []
