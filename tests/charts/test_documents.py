"""The shaded document: what stands where, and that its numbers are the trace's own."""

import numpy as np
import pandas as pd
import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import documents as told
from viz_core.charts import documents, last_state
from viz_core.charts.kit.room import PAGE, Room


@pytest.fixture(scope="module")
def trace():
    return probe.document(tiny.han(), tiny.REVIEW)


def frames(chart):
    """The tables that a chart is drawn from."""
    return [pd.DataFrame(rows) for rows in chart.to_dict()["datasets"].values()]


def words_of(chart):
    return next(frame for frame in frames(chart) if "multiplied" in frame)


def test_every_word_has_its_weight_that_of_its_sentence_and_their_product(trace):
    frame = words_of(documents.review(trace))
    flat = np.concatenate(trace.products)
    np.testing.assert_allclose(frame["multiplied"], flat, atol=2e-4)
    assert frame["word"].tolist() == [word for row in trace.sentences for word in row]
    assert frame["shade"].idxmax() == int(flat.argmax())


def test_no_words_overlap_and_none_leaves_the_room(trace):
    for room in (PAGE, Room(1810, 720, 720, 1.5), Room(420, 300, 400)):
        frame = words_of(documents.review(trace, room=room))
        for _, line in frame.groupby("top"):
            assert (line["left"].to_numpy()[1:] >= line["right"].to_numpy()[:-1]).all()
        assert frame["right"].max() <= room.width


def test_a_long_document_is_drawn_in_part_around_its_heaviest_sentence():
    trace = probe.document(tiny.han(), "A good film. It is not bad, but the end is dull. " * 60)
    chart = documents.review(trace)
    frame = words_of(chart)
    assert told.heaviest(trace)[0] in set(frame["number"])
    assert "of 120" in str(chart.to_dict()["title"]["subtitle"])
    assert chart.to_dict()["height"] <= PAGE.tall


def test_a_sentence_that_is_left_out_is_pale_and_said_so():
    trace = probe.document(tiny.han(), tiny.REVIEW, (1,))
    chart = documents.review(trace)
    out = words_of(chart).query("number == 1")
    assert (out["shade"] == 0).all() and (out["ink"] < 1).all()
    rows = next(frame for frame in frames(chart) if "said" in frame)
    assert rows["said"].tolist()[1] == "out"


def test_the_verdict_is_not_told_before_the_last_step(trace):
    for step in (0, 1):
        assert trace.label not in documents.review(trace, step).to_json()


def test_formulas_have_the_numbers_of_the_heaviest_word(trace):
    i, t = told.heaviest(trace)
    both = f"{float(trace.sentence_weights[i]) * float(trace.word_weights[i][t]):.3f}"
    first, second, product = documents.formulas(trace)
    assert f"{trace.word_weights[i][t]:.3f}" in first
    assert f"{trace.sentence_weights[i]:.3f}" in second
    assert product.endswith(both)


def test_the_running_verdict_is_drawn_word_by_word(trace):
    running = probe.last_state(tiny.gru_last(), tiny.REVIEW)
    chart = last_state.running(running, trace)
    frame = next(frame for frame in frames(chart) if "chance" in frame and "word" in frame)
    np.testing.assert_allclose(frame["chance"], running.positive, atol=1e-4)
    assert f"last state {running.positive[-1]:.0%}" in chart.to_json()
    assert f"weighted sum {trace.positive:.0%}" in chart.to_json()


def test_a_word_at_the_line_stands_on_its_free_side_and_inside_of_the_picture():
    sides = last_state._sides(np.array([0.5, 0.8, 0.3, 0.6, 0.95, 0.5, 0.04, 0.5]))
    assert sides.tolist() == [1, -1, 1, 1, 1, -1, -1, -1]


def test_what_is_said_names_the_heaviest_sentence_and_what_moves_the_verdict(trace):
    assert f"sentence {told.heaviest(trace)[0] + 1} has" in told.finding(trace)
    moved = np.abs(trace.without - trace.positive)
    most = int(moved.argmax())
    assert f"to {trace.without[most]:.0%}" in told.tested(trace)
    assert "Click a sentence" in told.click(trace)
    one = probe.document(tiny.han(), "A good film")
    assert "one sentence only" in told.tested(one) and not told.click(one)


def test_too_many_unknown_words_are_said():
    def strange(review):
        return told.strange(probe.document(tiny.han(), review), review)

    def unread(review):
        return told.unread(probe.document(tiny.han(), review))

    assert not strange(tiny.REVIEW) and not unread(tiny.REVIEW)
    assert unread(f"{tiny.REVIEW} Gut").endswith("the same unknown word: gut.")
    assert not unread("Gut film ist bad.")  # the warning tells them
    assert "2 of 4 words are not known (gut, ist)" in strange("Gut film ist bad.")
    assert "looks like French" in strange("Le film est bad.")
    assert "never seen 🜚" in strange(f"{tiny.REVIEW} 🜚")


@pytest.mark.parametrize(
    ("last", "said"),
    [(0.85, "more often right, and"), (0.891, "no more right"), (0.92, "less often right")],
)
def test_the_two_accuracies_are_compared_as_they_are(last, said):
    assert said in told.compared(0.89, last)
