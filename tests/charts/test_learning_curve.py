"""How a loss fell."""

from tests.tiny import card
from viz_core.charts import learning_curve

CURVE = [
    {"step": 100, "minutes": 1.0, "loss": 5.0, "held_out": 5.5},
    {"step": 200, "minutes": 2.0, "loss": 3.0, "held_out": 3.5},
    {"step": 300, "minutes": 3.0, "loss": 2.0, "held_out": 3.75},
]


def test_the_best_held_out_loss_is_told_not_the_last():
    told = learning_curve.finding(card("x", "ntm", curve=CURVE))
    assert told == "The held-out loss of x fell from 5.50 at step 100 to 3.50 at step 200"


def test_both_lines_are_drawn_point_by_point():
    chart = learning_curve.learning_curve(card("x", "ntm", curve=CURVE)).to_dict()
    points = max(chart["datasets"].values(), key=len)
    assert [(p["x"], p["y"]) for p in points if p["series"] == "held out"] == [
        (100, 5.5),
        (200, 3.5),
        (300, 3.75),
    ]


def test_a_model_that_was_not_trained_here_says_so():
    chart = learning_curve.learning_curve(card("x", "ntm"))
    assert learning_curve.NO_CURVE in str(chart.to_dict())
