"""The staircase of a sentence read with a tape, and its formulas."""

import math
import re

import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import reading as told
from viz_core.charts import reading
from viz_core.charts.kit import style
from viz_core.charts.kit.room import PAGE
from viz_core.ui.page import ON_STAGE

FBI = "The FBI is chasing a criminal on the run ."


def words_of(count):
    return probe.read(tiny.lstmn(), " ".join(["cat"] * count)).words()


def cells(chart):
    return chart.to_dict()["datasets"].values()


def drawn(chart):
    """The cells of the picture: one line for each word read, one word more in each."""
    return next(rows for rows in cells(chart) if "weight" in rows[0])


def test_there_is_a_line_for_each_word_that_ends_with_it():
    words = probe.read(tiny.lstmn(), FBI).words()
    rows = drawn(reading.staircase(words))
    assert len(rows) == 10 * 11 / 2
    lines = [[row for row in rows if row["query"] == query] for query in range(10)]
    for query, line in enumerate(lines):
        assert [row["ink"] == "current" for row in line] == [False] * query + [True]
        assert line[-1]["word"] == words.queries[query] and line[-1]["weight"] == 0
    weights = [row["weight"] for row in lines[5][:-1]]
    assert weights == pytest.approx(words.matrix()[5, :5], abs=1e-4)


def test_on_the_stage_later_lines_are_not_drawn_yet():
    words = probe.read(tiny.lstmn(), FBI).words()
    assert max(row["query"] for row in drawn(reading.staircase(words, 3, until=3))) == 3


@pytest.mark.parametrize("room", [PAGE, ON_STAGE], ids=["page", "stage"])
@pytest.mark.parametrize("count", [1, 6, 12, 25, 60])
def test_it_fits_its_room_with_type_that_can_be_read(room, count):
    chart = reading.staircase(words_of(count), count - 1, room=room).to_dict()
    assert chart["width"] <= room.width + 1 and chart["height"] <= room.tall + 80
    sizes = [layer["mark"]["fontSize"] for layer in chart["layer"] if "fontSize" in layer["mark"]]
    assert min(sizes) >= room.least


def test_of_too_many_words_the_part_around_the_chosen_one_is_shown_and_said():
    chart = reading.staircase(words_of(60), 50)
    assert "of 60" in str(chart.to_dict()["title"])
    assert 50 in {row["query"] for row in drawn(chart)}


def test_the_formulas_have_the_numbers_of_their_token():
    trace = probe.tape(tiny.lstmn(), FBI)
    for at in (0, 1, 5):
        lines = reading.formulas(trace, at)
        assert len(lines) == (1 if at == 0 else 3)
        assert f"{trace.nats[at]:.2f}" in lines[-1]
    most = trace.attention.matrix()[5].max()
    assert f"{most:.2f}" in reading.formulas(trace, 5)[0]


def test_the_weight_in_the_formula_is_made_of_the_scores_that_stand_there():
    line = reading.formulas(probe.tape(tiny.lstmn(), FBI), 3)[0]  # three words before: all written
    top, *below = (float(power) for power in re.findall(r"e\^{(-?[\d.]+)}", line))
    weight = float(re.findall(r"= ([\d.]+) ", line)[-1])
    assert math.exp(top) / sum(map(math.exp, below)) == pytest.approx(weight, abs=0.02)


def test_the_word_that_is_read_is_red_as_in_the_paper():
    red, green, blue = (int(reading.RED[at : at + 2], 16) for at in (1, 3, 5))
    assert red > 3 * green and red > 2 * blue
    chart = reading.staircase(probe.read(tiny.lstmn(), FBI).words()).to_json()
    assert reading.RED in chart and style.VERMILION not in chart


def test_a_piece_that_goes_on_with_a_word_has_its_dot_in_a_formula():
    assert reading.named("##or") == r"{\cdot}\text{or}"
    assert reading.named("run") == r"\text{run}"


def test_signs_of_latex_in_a_token_stay_text():
    trace = probe.tape(tiny.lstmn(), r"a $ \frac _ ^ {x} % #")
    written = "".join(reading.formulas(trace, len(trace.nats) - 1))
    assert "$" not in written and "%" not in written and "#" not in written


def test_findings_are_of_this_sentence():
    words = probe.read(tiny.lstmn(), FBI).words()
    row = words.matrix()[5, :5]
    assert words.keys[int(row.argmax())] in told.finding(words, 5)
    assert "first word" in told.finding(words, 0)
    assert "Of 8 words that had a choice" in told.habit(words)
    assert "too short" in told.habit(probe.read(tiny.lstmn(), "cat").words())


def test_perplexity_is_e_to_the_mean_surprise_of_a_word():
    trace = probe.tape(tiny.lstmn(), FBI)
    nats, words = probe.language_loss(tiny.lstmn(), FBI)
    assert told.perplexity(trace) == pytest.approx(math.exp(nats / words), rel=1e-4)


def test_figures_are_told_beside_those_of_the_plain_lstm():
    own = {"books test": {told.PERPLEXITY: 200.4}}
    assert told.compared(own, {}) == "books 200"
    plain = {"books test": {told.PERPLEXITY: 210.0}}
    assert told.compared(own, plain) == "books 200 (plain LSTM 210)"


def test_whether_the_tape_helped_is_told_as_it_was_measured():
    def figures(books, reviews):
        return {"books test": {told.PERPLEXITY: books}, "reviews test": {told.PERPLEXITY: reviews}}

    own = figures(200, 300)
    assert "did not help" in told.verdict(own, figures(190, 300))
    assert told.verdict(own, figures(210, 310)).endswith("the tape helped")
    assert "some of the texts" in told.verdict(own, figures(210, 290))
    assert "not measured" in told.verdict(own, {})
