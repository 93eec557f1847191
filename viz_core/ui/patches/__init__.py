"""What Streamlit, Altair and torch need changed in a process that serves visitors.

Each is fenced by a test that upstream still needs it. Nothing happens on import: a page's header
applies them, once, and only where a server runs.
"""

from functools import cache

import altair as alt
import torch
from streamlit.runtime import Runtime, exists, get_instance

from viz_core.ui.patches.altair_checks import unchecked
from viz_core.ui.patches.file_watch import unwatched
from viz_core.ui.patches.uploads import bounded


@cache
def apply() -> None:
    alt.data_transformers.disable_max_rows()  # Streamlit sends the data apart from the spec
    torch.set_num_threads(1)  # many visitors share the cores, and small models run faster so
    if exists() and type(get_instance()) is Runtime:  # a simulated app has no real one
        unchecked()
        unwatched()
        bounded()
