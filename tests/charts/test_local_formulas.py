"""Formulas with an example's numbers: each number of the line is right."""

import math

import numpy as np

from viz_core.charts import local_formulas
from viz_core.traces import AttentionTrace
from viz_core.traces.rnn import FadingTrace, LocalTrace, MovedTrace


def local(sigma=1.0, centre=2.25):
    content = np.array([[0.1, 0.2, 0.4, 0.3, 0.0]], dtype=np.float32)
    distance = np.arange(5) - centre
    weights = (content * np.exp(-(distance**2) / (2 * sigma**2))).astype(np.float32)
    trace = AttentionTrace(
        kind="alignment", queries=("la",), keys=tuple("abcde"), weights=weights[None, None]
    )
    return LocalTrace(
        attention=trace,
        content=content,
        centres=np.array([centre], dtype=np.float32),
        sigma=sigma,
        reach=2.0,
    )


def moved(before=(0.7, 0.2), after=(0.1, 0.6), predicted=1.25, **more):
    return MovedTrace(
        row=0,
        predicted=predicted,
        local=local(**more),
        tokens=("un", "le"),
        before=before,
        after=after,
        text="un",
        moved_text="le",
    )


def test_the_weight_is_content_times_the_bell():
    told = local_formulas.weight(local(), 0, 2)
    bell = math.exp(-(0.25**2) / 2)
    assert f"0.400 \\cdot {bell:.3f} = {0.4 * bell:.3f}" in told


def test_a_word_outside_gets_nothing_and_the_reason():
    assert "= 0" in local_formulas.weight(local(), 0, 0)
    assert "> D = 2" in local_formulas.weight(local(), 0, 0)


def test_without_a_bell_the_weight_is_the_content():
    told = local_formulas.weight(local(sigma=math.inf), 0, 2)
    assert told.endswith("= 0.400")
    assert r"\min(t, S - 1)" in local_formulas.centre(moved(sigma=math.inf))


def test_the_centre_shows_its_share_of_the_length_and_its_shift():
    assert r"5 \cdot 0.250 = 1.25 \;\to\; 1.25 +1.00 = 2.25" in local_formulas.centre(moved())
    assert r"\to\;" not in local_formulas.centre(moved(predicted=2.25))


def test_a_change_is_told_in_words():
    assert local_formulas.change(moved()) == (
        "p moved by +1.0: le, 0.60, is expected now instead of un, 0.70"
    )
    assert "un is still expected first" in local_formulas.change(moved(after=(0.5, 0.2)))
    assert "where the model put it" in local_formulas.change(moved(predicted=2.25))


def test_the_strongest_key_is_the_one_of_the_weights():
    assert local_formulas.strongest(local(), 0) == 2


def test_what_is_kept_is_a_quotient_of_distances():
    marks = np.array([[2, 0], [0.5, 1]], dtype=np.float32)
    trace = FadingTrace(words=("a", "</s>"), forward=marks, backward=marks.T.copy())
    assert "0.500}{2.000} = 0.250" in local_formulas.kept(trace, "forward")
    assert "h_{1} - h_{1}^{(-2)}" in local_formulas.kept(trace, "backward")
