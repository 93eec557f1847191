"""What goes out to the browser, and figures as people read them."""

import json

import numpy as np
import pytest

from viz_core.charts import matrix
from viz_core.traces import AttentionTrace
from viz_core.ui import cards
from viz_core.ui.display import Sent


def test_a_large_picture_is_drawn_in_the_text_colour_of_its_theme_too():
    words = tuple(f"w{i}" for i in range(60))
    weights = np.full((1, 1, 60, 60), 1 / 60, dtype=np.float32)
    trace = AttentionTrace(kind="self", queries=words, keys=words, weights=weights)
    sent = json.loads(Sent(matrix.matrix(trace)).spec)
    assert sent["usermeta"]["embedOptions"] == {"renderer": "svg"}  # no canvas, where it is black


@pytest.mark.parametrize(
    ("value", "said"),
    [(274334.0, "274,334"), (5000.0, "5,000"), (1234.5, "1,234"), (0.81424, "0.8142"), (24, "24")],
)
def test_a_count_is_written_in_full_and_a_figure_with_four_digits(value, said):
    assert cards.numeral(value) == said
