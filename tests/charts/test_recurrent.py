"""The pictures and formulas of recurrent networks, read back from their specs."""

import re

import numpy as np
import pytest

from viz_core import by_hand, probe
from viz_core.analysis import units
from viz_core.charts import gates, recurrent, recurrent_formulas
from viz_core.traces import Prediction
from viz_core.traces.characters import GateTrace


@pytest.fixture(scope="module")
def lesson():
    return list(probe.learn_hello(1, 60))


def gate_trace(text="ab cd", names=("input", "forget", "output"), units=4):
    rng = np.random.default_rng(1)
    count = len(text)
    guess = Prediction(tokens=("\n", " ", "a"), probabilities=(0.5, 0.3, 0.1))
    return GateTrace(
        tokens=tuple(text),
        gates=names,
        values=rng.uniform(size=(len(names), units, count)).astype(np.float32),
        candidates=rng.uniform(-1, 1, size=(units, count)).astype(np.float32),
        memory=rng.uniform(-1, 1, size=(units, count + 1)).astype(np.float32),
        expected=rng.uniform(size=count).astype(np.float32),
        predictions=(guess,) * count,
    )


def tables(chart):
    """The data of each layer, as rows."""
    spec = chart.to_dict()
    named = [layer.get("data", spec.get("data"))["name"] for layer in spec["layer"]]
    return [spec["datasets"][name] for name in named]


def numbers(latex):
    """The numbers of each bracket in a formula."""
    found = re.findall(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", latex)
    return [[float(n) for n in re.findall(r"-?\d+\.?\d*", inside)] for inside in found]


# ---- a word, unrolled -------------------------------------------------------------------------


def test_each_moment_has_its_input_state_and_probabilities(lesson):
    cells = tables(recurrent.unrolled(lesson[-1]))[0]
    assert len(cells) == 4 * (4 + 3 + 4)
    for t, letter in enumerate("hell"):
        shown = {
            layer: [row["weight"] for row in cells if row["layer"] == layer and row["time"] == t]
            for layer in ("input", "hidden", "output")
        }
        assert shown["input"] == [float(other == letter) for other in "helo"]
        np.testing.assert_allclose(shown["hidden"], lesson[-1].states[t + 1], atol=1e-6)
        np.testing.assert_allclose(shown["output"], lesson[-1].probabilities[t], atol=1e-6)


def test_the_framed_letters_spell_the_rest_of_the_word(lesson):
    cells = tables(recurrent.unrolled(lesson[0]))[0]
    framed = sorted((row["time"], row["label"][0]) for row in cells if row["wanted"])
    assert framed == list(enumerate("ello"))


def test_right_and_wrong_are_told_by_a_sign_not_only_by_colour(lesson):
    signs = [
        {row["label"][-1] for row in tables(recurrent.unrolled(moment))[-1]}
        for moment in (lesson[0], lesson[-1])
    ]
    assert "✗" in signs[0]
    assert signs[1] == {"✓"}


def test_the_cells_of_a_picture_do_not_overlap(lesson):
    cells = tables(recurrent.unrolled(lesson[-1], step=1))[1]
    boxes = {(row["left"], row["top"]) for row in cells}
    assert len(boxes) == len(cells)
    for row in cells:
        assert not any(
            row["left"] < left < row["right"] or row["top"] < top < row["bottom"]
            for left, top in boxes
        )


def test_the_finding_says_whether_it_is_learned(lesson):
    assert "After 0 updates: h → " in recurrent.finding(lesson[0])
    assert "✗ not learned yet" in recurrent.finding(lesson[0])
    assert "After 60 updates: h → ello ✓ learned" in recurrent.finding(lesson[-1])
    assert recurrent.unrolled(lesson[-1]).to_dict()["description"] == recurrent.finding(lesson[-1])


@pytest.mark.parametrize(
    ("word", "said"), [("hello", "steps 3 and 4: both read l"), ("abc", "this word has none")]
)
def test_the_hint_names_the_letter_that_needs_a_memory(word, said):
    assert said in recurrent.hint(next(probe.learn_hello(word=word)))


def test_the_loss_is_drawn_as_it_was_and_beside_guessing(lesson):
    guess, _, line, point = tables(recurrent.losses(lesson[-1], 100))
    assert [row["loss"] for row in line] == pytest.approx(lesson[-1].losses, abs=1e-3)
    assert guess[0]["loss"] == pytest.approx(np.log(4))
    assert point == line[-1:]


def test_the_formula_of_the_state_is_right_with_its_own_numbers(lesson):
    for step in range(4):
        hh, before, x, after = numbers(recurrent_formulas.state(lesson[-1], step))
        found = np.tanh(np.reshape(hh, (3, 3)) @ before + x)
        np.testing.assert_allclose(found, after, atol=0.03)  # two digits are shown
        logits, chances = numbers(recurrent_formulas.output(lesson[-1], step))
        np.testing.assert_allclose(by_hand.softmax(logits), chances, atol=0.03)


# ---- gates under a text -----------------------------------------------------------------------


def test_each_character_has_a_cell_in_each_row():
    trace = gate_trace()
    names, values = units.table(trace, 2)
    cells, characters, labels = tables(gates.gate_strip(trace, names, values))
    assert len(cells) == len(names) * 5 == 4 * 5
    assert "".join(row["character"] for row in characters) == "ab␣cd"
    assert [row["row"] for row in labels] == names
    forget = [row["weight"] for row in cells if row["row"] == "forget gate"]
    np.testing.assert_allclose(forget, trace.values[1, 2], atol=1e-3)


def test_a_long_text_runs_in_lines_and_a_very_long_one_is_cut_with_a_note():
    trace = gate_trace("abc " * 200)
    names, values = units.table(trace, None)
    chart = gates.gate_strip(trace, names, values, at=700)
    spec = chart.to_dict()
    assert "characters" in spec["title"]["subtitle"][0]
    characters = tables(chart)[1]
    assert len(characters) == 6 * gates.LINE
    assert 700 in {row["position"] for row in characters}
    assert max(row["right"] for row in characters) <= spec["width"]
    assert len({row["top"] for row in characters}) == 6


def test_the_chosen_character_is_framed():
    trace = gate_trace()
    names, values = units.table(trace, 0)
    frame = tables(gates.gate_strip(trace, names, values, at=3))[-1]
    assert [row["character"] for row in frame] == ["c"]


def test_quotes_and_markup_in_the_text_stay_text():
    trace = gate_trace("<b>'\"\\")
    names, values = units.table(trace, 0)
    characters = tables(gates.gate_strip(trace, names, values))[1]
    assert "".join(row["character"] for row in characters) == "<b>'\"\\"


def test_a_followed_property_stands_over_the_unit_scaled_to_one():
    trace = gate_trace('a "bcd" e')
    names, values = units.table(trace, 1, "into the word")
    assert names[0] == "into the word"
    np.testing.assert_allclose(values[0], [1 / 3, 0, 0, 1 / 3, 2 / 3, 1, 0, 0, 1 / 3], atol=1e-6)
    assert len(values) == len(names) == 5
    np.testing.assert_allclose(values[1:4], trace.values[:, 1])
    assert np.abs(values[4]).max() == pytest.approx(1)
    assert np.corrcoef(values[4], trace.memory[1, 1:])[0, 1] == pytest.approx(1)


@pytest.mark.parametrize("names", [("input", "forget", "output"), ("reset", "update")])
def test_the_formula_of_the_memory_shows_the_units_own_gates(names):
    trace = gate_trace(names=names)
    shown = [float(n) for n in re.findall(r"-?\d\.\d\d", recurrent_formulas.memory(trace, 2, 3))]
    keep = trace.values[1, 2, 3]
    add = trace.values[0, 2, 3] if names[0] == "input" else 1 - keep
    wanted = [keep, trace.memory[2, 3], add, trace.candidates[2, 3], trace.memory[2, 4]]
    np.testing.assert_allclose(shown, wanted, atol=0.006)


def test_without_a_unit_the_formula_shows_the_mean_gates():
    trace = gate_trace()
    shown = re.findall(r"= (\d\.\d\d)", recurrent_formulas.memory(trace, None, 1))
    np.testing.assert_allclose([float(n) for n in shown], trace.values[:, :, 1].mean(1), atol=0.006)


# ---- by hand ----------------------------------------------------------------------------------

EXAMPLE = np.array([[0, 1, 0, 0, 0, 1], [10, 11, 12, 13, 14, 15], [8, 9, 3, 7, 5, 8]])


def test_the_gating_example_by_hand():
    result = by_hand.gate(*EXAMPLE)
    cells = tables(gates.by_hand(EXAMPLE, result))[0]
    shown = [row["number"] for row in cells if row["row"] == 3]
    assert shown == ["8", "11", "3", "7", "5", "15"]
    assert [row["from"] for row in cells if row["row"] == 3] == [
        *("old", "new", "old", "old", "old", "new")
    ]


def test_the_formula_of_the_gate_is_right_with_its_own_numbers():
    g, x, closed, s, found = numbers(recurrent_formulas.gating(EXAMPLE, by_hand.gate(*EXAMPLE)))
    assert (np.multiply(g, x) + np.multiply(closed, s)).tolist() == found
    assert [g, x, s] == EXAMPLE.tolist()
