import numpy as np

from viz_core import by_hand
from viz_core.charts import norms


def said(chart):
    """(panel, row, column) -> its arithmetic."""
    cells = next(
        rows for rows in chart.to_dict()["datasets"].values() if rows and "said" in rows[0]
    )
    return {(c["panel"], c["row"], c["column"]): c["said"] for c in cells}


def test_a_norm_tells_whose_mean_it_used():
    values = np.array([[1.0, 2, 3, 4], [2, 4, 6, 8]])
    told = said(
        norms.norms(values, by_hand.layer_norm(values), by_hand.batch_norm(values), ("a", "b"))
    )
    assert told["layer norm", 0, 0].startswith("(1 − 2.5) / 1.1180 = −1.34")
    assert told["layer norm", 0, 0].endswith("of its row")
    assert told["batch norm", 0, 0].startswith("(1 − 1.5) / 0.5 = −1.0")
