"""In a notebook the atlas is a guest: importing it changes nothing of its host."""

import subprocess
import sys

SCRIPT = """
import altair as alt, torch
torch.set_num_threads(2)
tables = alt.data_transformers
state = lambda: (torch.get_num_threads(), tables.active, tables.options)
before = state()
import viz_core.checkpoints, viz_core.probe, viz_core.charts.matrix, viz_core.ui
assert state() == before, state()
assert not hasattr(alt.TopLevelMixin.to_dict, "is_unchecked")
"""


def test_importing_everything_leaves_torch_and_altair_as_they_were():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
