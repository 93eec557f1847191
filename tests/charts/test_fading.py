"""The picture of what a reader keeps."""

import numpy as np
import vl_convert

from viz_core.charts import fading
from viz_core.traces.rnn import FadingTrace


def trace(count=4, decay=0.5):
    far = np.arange(count)[:, None] - np.arange(count)
    forward = np.where(far >= 0, 2.0 * decay ** np.abs(far), 0).astype(np.float32)
    words = tuple(f"w{i}" for i in range(count))
    return FadingTrace(words=words, forward=forward, backward=forward.T.copy())


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")


def test_the_finding_is_about_the_word_that_was_read_first():
    assert (
        fading.finding(trace(), "forward")
        == "At the end 12% is left of what was known of “w0”, which was read first"
    )
    assert fading.finding(trace(), "backward").startswith(
        "At the end 12% is left of what was known of “w3”"
    )


def test_a_square_is_the_share_that_is_left():
    cells = max(fading.fading(trace()).to_dict()["datasets"].values(), key=len)
    shares = {(cell["query"], cell["key"]): cell["weight"] for cell in cells}
    assert shares[0, 0] == 1 and shares[3, 0] == 0.125 and shares[0, 3] == 0


def test_the_framed_row_is_where_the_reader_ends():
    for reader, wanted in (("forward", 3), ("backward", 0)):
        chart = fading.fading(trace(), reader)
        (frame,) = [t for t in chart.to_dict()["datasets"].values() if len(t) == 1]
        assert frame == [{"query": wanted}]
        assert fading.ENDS[reader] in svg(chart)


def test_a_mark_that_grew_is_told_as_it_is():
    grown = trace(3, decay=2.0)
    cells = max(fading.fading(grown).to_dict()["datasets"].values(), key=len)
    assert max(cell["weight"] for cell in cells) == 4
    assert max(cell["seen"] for cell in cells) == 1


def test_every_model_has_a_line_through_every_word():
    chart = fading.rest({"a": trace(), "b": trace(decay=0.1)})
    points = max(chart.to_dict()["datasets"].values(), key=len)
    assert len(points) == 2 * 4
    assert "b the word most forgotten is “w1”" in chart.to_dict()["description"]
    assert "<svg" in svg(chart)


def test_nothing_is_said_to_be_nothing():
    empty = trace(0)
    assert fading.finding(empty) == fading.NOTHING
    for chart in (fading.fading(empty), fading.rest({"a": empty}), fading.rest({})):
        assert chart.to_dict()["description"] == fading.NOTHING
