"""A visit is cheap: nothing that Streamlit keeps of it holds what 512 tokens look at.

What names the options of a choice, or hears of a click, is kept for as long as the visit and two
minutes longer, with all that it knows: twenty visitors of one page were more than a gigabyte.
"""

import gc

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_pages import ROOT, opened
from viz_core.charts.kit import cache
from viz_core.traces import AttentionTrace
from viz_core.ui.run import forget

LONG = ("bert", "mask", "own", "pair")  # pages for long texts


def traces() -> int:
    gc.collect()
    return sum(type(found) is AttentionTrace for found in gc.get_objects())


@pytest.mark.parametrize("stem", LONG)
def test_a_visit_holds_no_trace_when_the_server_has_forgotten_it(stem):
    before = traces()
    app = opened(ROOT / f"pages/{stem}.py")
    assert not app.exception
    AppTest.from_string("").run()  # somebody else's page: the last one that ran is always there
    forget()
    cache.forget()
    assert traces() <= before
