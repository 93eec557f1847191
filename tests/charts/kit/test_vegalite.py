"""Charts whose Vega-Lite is written out behave as the Altair charts that they spell out."""

import altair as alt
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from viz_core.charts.kit import style, vegalite


def dots() -> vegalite.Written:
    layer = {
        "data": {"name": "dots"},
        "mark": "point",
        "encoding": {"x": {"field": "a", "type": "quantitative"}},
    }
    spec = {"layer": [layer, layer | {"data": {"values": [{"a": 3}]}}]}
    return vegalite.Written(spec, {"dots": pa.table({"a": [1, 2]})})


def test_it_is_valid_and_carries_its_data():
    spec = dots().to_dict()
    alt.LayerChart.validate(spec)
    assert spec["datasets"] == {"dots": [{"a": 1}, {"a": 2}]}
    assert [layer["data"] for layer in spec["layer"]] == [{"name": "dots"}, {"values": [{"a": 3}]}]


def test_properties_and_copies_leave_the_original_alone():
    chart = dots()
    wide = chart.properties(width=99, title=alt.TitleParams("A title"))
    assert wide.to_dict()["width"] == 99
    assert wide.to_dict()["title"] == {"text": "A title"}
    assert "width" not in chart.to_dict()
    assert chart.copy().to_dict() == chart.to_dict()


@pytest.mark.parametrize("scale", [1.0, 1.75])
def test_the_written_title_is_the_house_title(scale):
    expected = style.title("Layer 2", ["one", "", "two"], scale).to_dict()
    assert vegalite.title("Layer 2", ["one", "", "two"], scale) == expected


def test_streamlit_sends_the_data_apart_from_the_spec():
    def page():
        import streamlit as st

        from tests.charts.kit.test_vegalite import dots

        st.altair_chart(dots())

    app = AppTest.from_function(page, default_timeout=60).run()
    assert not app.exception
    sent = app.get("vega_lite_chart")[0].proto
    (table,) = sent.datasets
    assert pa.ipc.open_stream(table.data.data).read_all().to_pydict() == {"a": [1, 2]}
    assert table.name in sent.spec and "[1, 2]" not in sent.spec
