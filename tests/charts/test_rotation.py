import numpy as np
import vl_convert

from viz_core import by_hand
from viz_core.charts import rotation


def test_the_same_offset_is_the_same_turn_anywhere():
    rate = float(by_hand.rates(20)[1])
    assert rotation.finding(7, 3, rate).startswith("Moving by 3 turns the pair by 68.4 degrees")
    lines = rotation.formulas(7, 3, 1, rate)
    assert f"{np.sin(10 * rate):.3f}" in lines[2]


def test_the_circle_draws_at_its_ends():
    for place, length in ((7, 100), (0, 2)):
        chart = rotation.rotation(place, 3, 0.4, length).to_dict()
        assert chart["description"] == rotation.finding(place, 3, 0.4)
        assert "<svg" in vl_convert.vegalite_to_svg(chart, vl_version="6.4")
