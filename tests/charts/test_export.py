"""A chart as files: each kind holds what its name promises."""

import csv
import io
import json
import re

import numpy as np
import plotly.graph_objects as go
import pytest

from viz_core import by_hand, probe
from viz_core.charts import export, matrix, numbers, self_attention
from viz_core.charts.kit import text_marks
from viz_core.decoding import table as beam_table
from viz_core.traces import AttentionTrace

CAPTION = "it attends most to animal, 0.62 · transformer · layer 3"


@pytest.fixture(scope="module")
def chart():
    weights = np.array([[[[0.9, 0.1], [0.25, 0.75]]]])
    trace = AttentionTrace(
        kind="cross", queries=("le", "chat"), keys=("the", "cat"), weights=weights
    )
    return matrix.matrix(trace)


@pytest.fixture(scope="module")
def heat():
    return go.Figure(go.Heatmap(z=[[1.0, 0.5], [0.25, 0.0]], name="layer 1"))


def test_a_png_is_an_image_at_twice_the_size(chart):
    drawn = export.png(chart, CAPTION)
    assert drawn.startswith(b"\x89PNG")
    svg = export.svg(chart, CAPTION)
    width = float(re.search(r'<svg[^>]* width="([\d.]+)"', svg)[1])
    assert int.from_bytes(drawn[16:20]) == pytest.approx(2 * width, abs=2)


def test_an_svg_says_its_caption_and_its_words(chart):
    drawn = export.svg(chart, CAPTION)
    assert all(word in drawn for word in ("attends most to animal", "chat", "cat"))
    assert "currentColor" not in drawn


def test_a_pdf_is_vector_graphics_with_fonts_of_its_own(chart):
    drawn = export.pdf(chart, CAPTION)
    assert drawn.startswith(b"%PDF")
    assert b"/FontFile" in drawn or b"/FontDescriptor" in drawn
    assert b"/Subtype /Image" not in drawn and b"/Subtype/Image" not in drawn


def test_a_page_needs_no_network(chart, heat):
    for each in (chart, heat):
        page = export.page(each, CAPTION)
        assert CAPTION in page
        assert not re.search(r"<(script|link)[^>]+(src|href)=", page)


def test_the_caption_of_a_page_stays_text(chart, heat):
    for each in (chart, heat):
        page = export.page(each, "<script>alert(1)</script>")
        assert "<title>&lt;script&gt;" in page


def test_a_typed_end_of_script_cannot_end_the_script_of_a_page(chart):
    weights = np.ones((1, 1, 1, 1))
    typed = "</script><script>alert(1)</script><!--"
    trace = AttentionTrace(kind="cross", queries=(typed,), keys=("the",), weights=weights)
    page = export.page(matrix.matrix(trace), CAPTION)
    assert "\\u003c/script" in page
    assert page.count("<script") == export.page(chart, CAPTION).count("<script")
    assert page.count("</script") == export.page(chart, CAPTION).count("</script")


def read(text):
    said, _, rows = text.partition("\n")
    assert said == f"# {CAPTION}"
    return list(csv.DictReader(io.StringIO(rows)))


def test_a_csv_has_a_line_for_every_cell(chart):
    rows = read(export.csv(chart, CAPTION))
    assert len(rows) == 4
    cell = next(row for row in rows if (row["query word"], row["key word"]) == ("chat", "cat"))
    assert float(cell["weight"]) == 0.75


def test_the_numbers_of_a_plotly_heat_map_keep_their_places(heat):
    rows = read(export.csv(heat, CAPTION))
    found = {(int(row["row"]), int(row["column"])): float(row["value"]) for row in rows}
    assert found == {(1, 1): 1.0, (1, 2): 0.5, (2, 1): 0.25, (2, 2): 0.0}


def test_json_holds_the_tables_and_the_caption(chart):
    found = json.loads(export.written(chart, CAPTION))
    assert found["caption"] == CAPTION
    assert sum(len(table) for table in found["tables"]) >= 4


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        (("alignment", "rnn-additive", "Où est-il ?"), "alignment-rnn-additive-ou-est-il.png"),
        (("../../etc", "a/b\\c"), "etc-a-b-c.png"),
        (("🙂",), "attention-atlas.png"),
    ],
)
def test_a_file_name_says_what_is_in_it_and_is_safe(facts, name):
    assert export.file_name("png", *facts) == name


def test_a_csv_of_self_attention_holds_its_numbers_and_no_pixels():
    trace = by_hand.self_attention(("I", "you"), np.eye(2), [np.eye(2)] * 3)
    drawn = read(export.csv(self_attention.head(trace, [np.eye(2)] * 3), CAPTION))
    assert set(drawn[0]) == {"panel", "row", "column", "value"}
    rows = read(
        export.csv(self_attention.head(trace, [np.eye(2)] * 3), CAPTION, numbers.steps(trace))
    )
    found = {(r["matrix"], r["row"], r["column"]): float(r["value"]) for r in rows}
    assert found["weights", "I", "you"] == pytest.approx(trace.weights[0, 1])
    assert found["outputs", "you", "2"] == pytest.approx(trace.outputs[1, 1])


def test_a_csv_of_a_search_holds_every_hypothesis():
    table = beam_table.LECTURE
    trace = probe.record(beam_table.search(table, 2, 0.0), beam_table.label)
    rows = numbers.search(trace)
    assert len(rows) == len(trace.nodes) - 1
    best = next(row for row in rows if row["written"] == "A C B <eos>")
    assert np.exp(best["log-probability"]) == pytest.approx(0.054, abs=1e-4)


def test_a_csv_of_marked_words_holds_words_and_weights():
    rows = read(export.csv(text_marks.shaded(("a", "cat"), [0.25, 0.75]), CAPTION))
    assert [(row["word"], float(row["weight"])) for row in rows] == [("a", 0.25), ("cat", 0.75)]
    assert not {"left", "right", "top", "middle"} & set(rows[0])
