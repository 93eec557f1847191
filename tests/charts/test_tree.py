"""The search tree: the lecture's greedy .048 against .054."""

import math

import pytest

from viz_core.charts import tree
from viz_core.charts.kit.room import Room
from viz_core.traces.search import BeamTrace, Hypothesis


def node(parent, step, token, total, probability, status="kept", reason=""):
    score = math.log(total)
    return Hypothesis(
        parent=parent,
        step=step,
        token=token,
        token_id=0,
        log_prob=score,
        score=score,
        status=status,
        reason=reason,
        probability=probability,
    )


def lecture():
    nodes = (
        node(-1, 0, "", 1.0, 1.0),
        node(0, 1, "A", 0.5, 0.5),
        node(0, 1, "<b>B</b>", 0.2, 0.2, "pruned", "third of two & beaten"),
        node(1, 2, "B", 0.2, 0.4),
        node(1, 2, "C", 0.15, 0.3),
        node(3, 3, "C", 0.08, 0.4),
        node(4, 3, "B", 0.09, 0.6),
        node(5, 4, "eos", 0.048, 0.6, "finished"),
        node(6, 4, "eos", 0.054, 0.6, "finished"),
    )
    return BeamTrace(nodes=nodes, best=8)


def points(figure):
    """Node index -> (trace, step, row, label, hover text)."""
    found = {}
    for trace in figure.data:
        if trace.customdata is not None:
            columns = (trace.customdata, trace.x, trace.y, trace.text, trace.hovertext)
            for index, *rest in zip(*columns, strict=True):
                found[index] = (trace, *rest)
    return found


def test_every_node_is_a_point_that_carries_its_index():
    assert set(points(tree.tree(lecture()))) == set(range(9))


def test_parents_stand_left_of_their_children():
    beam, found = lecture(), points(tree.tree(lecture()))
    for index, hypothesis in enumerate(beam.nodes[1:], start=1):
        assert found[hypothesis.parent][1] == found[index][1] - 1


def test_the_winning_path_is_set_in_bold_and_named():
    found = points(tree.tree(lecture()))
    assert {i for i, point in found.items() if point[0].name.startswith("leading")} == {
        0,
        1,
        4,
        6,
        8,
    }
    assert found[4][3] == "<b>C</b>"


def test_the_fate_of_a_node_shows_in_its_shape():
    found = points(tree.tree(lecture()))
    shapes = {found[i][0].marker.symbol for i in (2, 3, 7)}
    assert shapes == {"circle-open", "circle", "square"}


def test_a_pruned_node_tells_its_reason_on_hover():
    assert "third of two &amp; beaten" in points(tree.tree(lecture()))[2][4]


def test_markup_in_a_token_stays_text():
    assert points(tree.tree(lecture()))[2][3] == "&lt;b&gt;B&lt;/b&gt;"


def test_probable_edges_are_wider():
    assert tree._width(0.9) > tree._width(0.4) > tree._width(0.2) > tree._width(0.0)


def test_the_leading_hypothesis_is_described():
    assert tree.finding(lecture()) == "A C B eos wins, log-probability -2.92, score -2.92"
    assert tree.finding(lecture(), 3) == "A C B leads, log-probability -2.41, score -2.41"
    assert tree.tree(lecture()).layout.meta["description"] == tree.finding(lecture())


def test_the_tree_grows_with_the_clock():
    assert set(points(tree.tree(lecture(), until_step=2))) == {0, 1, 2, 3, 4}


def test_what_is_not_drawn_is_counted():
    figure = tree.tree(lecture(), minimum=0.3)
    assert 2 not in points(figure)
    assert figure.layout.meta["note"] == "1 pruned hypotheses are not drawn"


def test_the_chosen_node_has_a_ring():
    figure = tree.tree(lecture(), chosen=4)
    assert figure.data[-1].name == "chosen"
    assert list(figure.data[-1].x) == [2]


def test_numbers_stand_on_the_edges_when_asked():
    assert "0.40" in tree.tree(lecture(), numbers=True).data[-1].text


def test_the_figure_grows_with_the_scale():
    small, large = tree.tree(lecture()), tree.tree(lecture(), room=Room(2200, 800, 1100, 2))
    assert large.layout.width == pytest.approx(2 * small.layout.width, abs=2)


@pytest.mark.parametrize("nodes", [(), (node(-1, 0, "", 1.0, 1.0),)])
def test_a_search_that_has_not_begun_gives_a_figure(nodes):
    figure = tree.tree(BeamTrace(nodes=nodes))
    assert figure.layout.meta["description"] == "The search has not begun."


def test_five_beams_of_fifteen_steps_fit_a_projector():
    nodes = [node(-1, 0, "", 1.0, 1.0)]
    living = [0]
    for step in range(1, 16):
        pairs = [(parent, 0.6 if i == 0 else 0.1) for parent in living for i in range(5)]
        level = [
            node(
                p,
                step,
                "européenne",
                math.exp(nodes[p].log_prob) * q,
                q,
                "kept" if n % 5 == 0 or (step == 1) else "pruned",
            )
            for n, (p, q) in enumerate(pairs)
        ]
        start = len(nodes)
        nodes += level
        living = [start + n for n, found in enumerate(level) if found.status == "kept"]
    figure = tree.tree(BeamTrace(nodes=tuple(nodes), best=living[0]))
    assert len(living) == 5
    assert figure.layout.width <= 1920
    assert figure.layout.height <= 1080
