import pytest

from viz_core import decoding, probe
from viz_core.analysis import hypotheses
from viz_core.charts import futures, tree
from viz_core.decoding import Beam, table as beam_table
from viz_core.decoding.table import IDS, LECTURE


def searched(prefix=()):
    search = Beam(size=2, limit=4, alpha=0.75, shown=4)
    return probe.record(decoding.beam(LECTURE, search, prefix), beam_table.label)


FREE, FORCED = searched(), searched((IDS[1],))
BOTH = hypotheses.futures(FREE, FORCED)


def diamonds(figure):
    return [trace for trace in figure.data if trace.name == futures.NAME]


def test_diamonds_mark_the_path_that_won_without_forcing():
    (marks,) = diamonds(futures.futures(BOTH, FREE.best))
    assert list(marks.x) == [1, 2, 3, 4]  # the root is common to both
    assert marks.marker.symbol == "diamond-open"


def test_the_diamonds_stand_on_their_nodes():
    figure = futures.futures(BOTH, FREE.best)
    (marks,) = diamonds(figure)
    nodes = {
        int(number): (x, y)
        for trace in figure.data
        if trace.customdata is not None
        for number, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }
    assert [nodes[i] for i in BOTH.path(FREE.best)[1:]] == list(zip(marks.x, marks.y, strict=True))


@pytest.mark.parametrize("step", [0, 1, 2, 3, 4])
def test_no_diamond_stands_in_the_future(step):
    for marks in diamonds(futures.futures(BOTH, FREE.best, until_step=step)):
        assert max(marks.x) <= step


def test_without_forcing_it_is_the_plain_tree():
    figure = futures.futures(FREE, FREE.best, chosen=2)
    assert figure == tree.tree(FREE, chosen=2)


def test_the_finding_names_both_winners():
    said = futures.futures(BOTH, FREE.best).layout.meta["description"]
    assert said.startswith("B B C <eos> wins")
    assert said.endswith("A C B <eos> was best without forcing, -1.03")
