"""Guesses for hidden words: what is said of them is what the model gave."""

from dataclasses import replace

import numpy as np
import pytest

from viz_core.charts import masks
from viz_core.charts.kit import style
from viz_core.probe import bert as probe_bert
from viz_core.traces.bert import MaskingSample

TEXT = "The cat sees the dog."


@pytest.fixture(scope="module")
def mini(bert_of):
    return bert_of("bert-mini")


@pytest.fixture(scope="module")
def found(mini):
    return probe_bert.filled(mini, TEXT, [2, 5])


def test_the_sentence_names_the_first_guess_and_the_rank_of_the_hidden_word(found):
    said = masks.said(found, 0)
    order = np.argsort(-found.probabilities[0], kind="stable")
    rank = int(np.flatnonzero(order == found.wanted_ids[0])[0]) + 1
    assert said.startswith(f"“{style.readable(found.guesses[0].tokens[0])}” is guessed first")
    assert f"the hidden word, “cat”, is number {rank}, " in said


def test_a_word_of_several_tokens_cannot_be_guessed(mini):
    whole = probe_bert.read(mini, "The umbrellas.")
    assert len(whole.ids) > 5  # it is several tokens
    found = probe_bert.filled(mini, "The umbrellas.", [2])
    assert found.rank(0) == 0
    assert "“umbrellas” is more than one token" in masks.said(found, 0)


def test_the_hidden_word_is_marked_among_the_guesses(mini):
    found = probe_bert.filled(mini, TEXT, [2], top=10_000)
    rows = next(iter(masks.guesses(found, 0).to_dict()["datasets"].values()))
    marked = [row["label"] for row in rows if row["chosen"]]
    assert marked == (["cat"] if found.rank(0) <= 30 else [])


def test_the_ratio_of_the_formula_is_that_of_the_guesses(found):
    first, second = found.guesses[0].probabilities[:2]
    assert masks.formulas(found, 0)[1].endswith(f"e^{{{np.log(first / second):.2f}}}")


def test_both_sides_of_a_comparison_are_the_chances_of_the_same_tokens(mini, found):
    without = probe_bert.filled(mini, TEXT, [2, 5], [3])
    chart = masks.compared(found, without, 0, ("with", "without"))
    rows = next(iter(chart.to_dict()["datasets"].values()))
    vocabulary = style.shown(mini.tokenizer.vocabulary)
    for row in rows:
        side = found if row["series"] == "with" else without
        token = vocabulary.index(row["label"])
        assert row["value"] == pytest.approx(float(side.probabilities[0, token]), abs=1e-6)
    assert {row["label"] for row in rows} >= {
        style.readable(found.guesses[0].tokens[0]),
        style.readable(without.guesses[0].tokens[0]),
    }


def test_what_leaving_out_does_is_said_with_both_numbers(mini, found):
    without = probe_bert.filled(mini, TEXT, [2, 5], [3])
    said = masks.changed(found, without, 0, "sees")
    token = found.ids[0][0]
    before, after = (float(side.probabilities[0, token]) for side in (found, without))
    assert f"goes from {before:.2f} to {after:.2f}" in said
    assert masks.changed(found, found, 0, "nothing").endswith("and stays first")


def test_a_draw_tells_the_fate_of_each_token():
    sample = MaskingSample(
        before=("[CLS]", "the", "cat", "[SEP]"),
        after=("[CLS]", "[MASK]", "red", "[SEP]"),
        fates=("", "masked", "random", ""),
    )
    said = masks.sampled(sample).to_dict()["description"]
    assert said == "the is replaced by [MASK]; cat is replaced by a random token"


def test_the_rule_stands_beside_what_was_drawn():
    counts = {"masked": 0.105, "random": 0.03, "kept": 0.015}
    spec = masks.shares(counts, 2000).to_dict()
    rows = next(iter(spec["datasets"].values()))
    drawn = [row["value"] for row in rows if row["series"] == "2,000 draws"]
    ruled = [row["value"] for row in rows if row["series"] == "the rule"]
    assert drawn == pytest.approx([0.7, 0.2, 0.1]) and ruled == [0.8, 0.1, 0.1]
    assert spec["title"]["text"] == "Of the 15.0% that were chosen"


def test_nothing_chosen_has_no_shares():
    rows = next(
        iter(masks.shares(dict.fromkeys(masks.EXPECTED, 0.0), 5).to_dict()["datasets"].values())
    )
    assert {row["value"] for row in rows if row["series"] == "5 draws"} == {0.0}


def test_a_hidden_word_that_is_guessed_first_is_not_named_twice(found):
    own = replace(found, wanted_ids=(found.ids[0][0], *found.wanted_ids[1:]))
    assert own.rank(0) == 1 and masks.said(own, 0).endswith(": that is the hidden word")
