import numpy as np
import pytest
import vl_convert

from viz_core import by_hand
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import self_attention

X = typed_numbers.read_matrix("1 0 1 0; 0 2 0 2; 1 1 1 1", "x")
WQ = typed_numbers.read_matrix("1 0 1; 1 0 0; 0 0 1; 0 1 1", "Wq")
WK = typed_numbers.read_matrix("0 0 1; 1 1 0; 0 1 0; 1 1 0", "Wk")
WV = typed_numbers.read_matrix("0 2 0; 0 3 0; 1 0 3; 1 1 0", "Wv")
WORDS = ("I", "love", "you")


def three_words(words=WORDS, rows=(0, 1, 2), **options):
    return by_hand.self_attention(words, X[list(rows)], (WQ, WK, WV), **options)


def said(chart):
    """(panel, row, column) -> its arithmetic."""
    cells = next(
        rows for rows in chart.to_dict()["datasets"].values() if rows and "said" in rows[0]
    )
    return {(c["panel"], c["row"], c["column"]): c["said"] for c in cells}


def test_every_step_tells_its_arithmetic():
    told = said(self_attention.head(three_words(), (WQ, WK, WV)))
    assert told["queries", 0, 2] == "queries of I, number 3: 1·1 + 0·0 + 1·1 + 0·1 = 2"
    assert told["scores", 0, 1] == "I asks, love answers: 1·4 + 0·4 + 2·0 = 4"
    assert told["scaled", 0, 1] == "4 / √3 = 2.3094"
    assert told["weights", 0, 1] == "I to love: e^2.31 / (e^1.15 + e^2.31 + e^2.31) = 0.4319"
    assert told["outputs", 0, 0].startswith("output of I, number 1: 0.1361·1 + 0.4319·2 + ")


def test_a_masked_number_says_why():
    told = said(self_attention.head(three_words(masked=True), (WQ, WK, WV)))
    assert told["scaled", 0, 2] == "you comes after I: masked, so minus infinity"
    assert told["weights", 0, 2].endswith("= 0")


def test_wide_vectors_and_long_sentences_are_cut_but_summed_in_full():
    rng = np.random.default_rng(0)
    trace = by_hand.self_attention(
        "abcdefghijklmnopqrst", rng.normal(size=(20, 30)), rng.normal(size=(3, 30, 24))
    )
    chart = self_attention.head(trace, dims=4, brief=True)
    told = said(chart)
    assert max(row for _, row, _ in told) == self_attention.LIMIT - 1
    assert "scaled" not in {panel for panel, _, _ in told}
    assert "(24 products)" in told["scores", 0, 0]
    assert told["scores", 0, 0].endswith(f"= {trace.scores[0, 0]:.4f}".replace("-", "−"))
    formulas = [
        row["text"]
        for rows in chart.to_dict()["datasets"].values()
        for row in rows
        if "rise" in row
    ]
    assert "x, first 4 of 30" in formulas


def test_a_long_sentence_is_told_that_its_rows_are_cut():
    many = "abcdefghijklmnopqrst"
    rows = np.ones((20, 4))
    found = by_hand.self_attention(many, rows, (WQ, WK, WV))
    assert "The first 12 of 20 tokens are drawn" in self_attention.notice(found)
    assert self_attention.notice(three_words()) == ""


def test_mixing_shows_heads_side_by_side():
    mixed = by_hand.mix([three_words(), three_words()], np.eye(6)[:, :4])
    told = said(self_attention.mixed(mixed))
    assert told["heads side by side", 0, 2] == "head 1"
    assert told["heads side by side", 0, 3] == "head 2"


def test_a_shuffle_is_told_to_move_or_to_change_the_outputs():
    order = [2, 0, 1]
    moved = [WORDS[i] for i in order]
    after = three_words(moved, order)
    assert "only moved" in self_attention.finding_of_shuffle(three_words(), after, order)
    told = said(self_attention.shuffled(three_words(), after, order))
    assert told["outputs shuffled", 0, 0].startswith("you: ")
    assert told["outputs shuffled", 0, 0].endswith("the same as before")
    masked = three_words(moved, order, masked=True)
    assert "order counts" in self_attention.finding_of_shuffle(
        three_words(masked=True), masked, order
    )


def test_formulas_carry_this_examples_numbers():
    lines = self_attention.formulas(three_words(), 0)
    assert r"\left[0.1361, 0.4319, 0.4319\right]" in lines[2]
    assert r"-\infty" in self_attention.formulas(three_words(masked=True), 0)[2]
    assert r"\sqrt" not in "".join(self_attention.formulas(three_words(scaled=False), 0))


def test_the_finding_names_the_heaviest_weight():
    assert self_attention.finding(three_words()).startswith("love attends most to love, 0.91")


@pytest.mark.parametrize("scale", [1.0, 1.8])
def test_every_picture_draws(scale):
    mixed = by_hand.mix([three_words(), three_words()], np.eye(6)[:, :4])
    for chart in (
        self_attention.head(three_words(), (WQ, WK, WV), scale=scale),
        self_attention.mixed(mixed, scale=scale),
        self_attention.shuffled(three_words(), three_words(), [0, 1, 2], scale=scale),
    ):
        assert chart.to_dict()["description"]
        assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="6.4")
