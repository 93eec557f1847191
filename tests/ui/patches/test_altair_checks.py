"""What the server draws unchecked is what the tests have checked."""

import json
import re
import subprocess
import sys
from pathlib import Path

from viz_core.ui import patches

ROOT = Path(__file__).parents[3]

# In a process of its own: turning the checks off is for good.
SCRIPT = """
import json, sys
import numpy as np
import altair as alt
from viz_core.charts import bars, head_grid, heads, matrix, positions, sharpness, side_by_side
from viz_core.traces import AttentionTrace
from viz_core.ui.patches.altair_checks import unchecked

weights = np.random.default_rng(1).dirichlet(np.ones(4), (2, 3, 4)).astype(np.float32)
words = ("the", "cat", "sat", ".")
trace = AttentionTrace(kind="self", queries=words, keys=words, weights=weights)

def drawn():
    both = {"one": trace, "two": trace}
    charts = (
        matrix.matrix(trace, values=True, highlight_row=1),
        matrix.matrices(both),
        side_by_side.side_by_side(both, {}, row=1),
        sharpness.sharpness(both),
        bars.entropy(trace),
        heads.head_view(trace, 0, [0, 1]),
        head_grid.head_grid(weights[..., 0, 0], "a share", [["", "x", ""]] * 2),
        positions.offset(np.eye(8)),
    )
    return [chart.to_dict() for chart in charts]

before = drawn()
unchecked()
unchecked()
after = drawn()
alt.Chart().mark_point(nonsense=1).to_dict()  # would raise if it were still checked
json.dump([before, after], sys.stdout)
"""


def plain(spec) -> str:
    """Altair numbers its views and parameters on and on."""
    return re.sub(r"(view|param|layer)_[0-9a-f]*_?\d*", r"\1", json.dumps(spec, sort_keys=True))


def test_the_same_specs_come_out_and_nothing_is_checked():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    before, after = json.loads(done.stdout)
    assert len(before) == 8 and "layer" in json.dumps(before)
    assert plain(before) == plain(after)


def test_in_the_tests_charts_are_checked():
    import altair as alt

    patches.apply()
    assert not hasattr(alt.TopLevelMixin.to_dict, "is_unchecked")
