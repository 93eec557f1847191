"""A word in two sentences: its neighbours, and what both readers expected."""

import numpy as np
import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import context as told
from viz_core.charts import context
from viz_core.charts.kit.room import PAGE
from viz_core.traces.states import Library, Surprise, Use

MONEY, RIVER = "He sees the bank.", "The dog sees the red bank."


def library():
    """Three uses of bank and one of money, in a plane."""
    rows = [("bank", "money"), ("bank", "river"), ("bank", "money"), ("money", "")]
    sentence = ("at", "the", "bank", "of", "it")
    uses = tuple(Use(word=w, sense=s, sentence=sentence, at=2) for w, s in rows)
    values = np.array([[[1.0, 0.1], [0.0, 1.0], [1.0, 0.2], [0.9, 0.4]]])
    return Library(uses=uses, values=values)


def test_the_nearest_are_those_of_a_search_through_all():
    near = told.nearest("plane", np.array([1.0, 0.0]), library(), library().values[0], 3)
    assert [use.sense for use in near.uses] == ["money", "money", ""]
    assert near.similarities[0] == pytest.approx(1 / np.hypot(1, 0.1))
    assert told.meaning(near, "Bank ") == ("money", 2, 2)
    assert told.meaning(near, "dog") == ("", 0, 0)


def test_a_mixture_is_the_weighted_sum_of_the_layers():
    values = np.random.default_rng(0).normal(size=(3, 4, 5))
    shares = told.shares([0.2, 0.2, 0.6])
    wanted = 2 * sum(share * layer for share, layer in zip(shares, values, strict=True))
    np.testing.assert_allclose(told.mixed(values, shares, 2.0), wanted)
    assert told.shares([0, 0, 0]) == (1 / 3,) * 3


def test_gamma_changes_no_angle():
    first, second = np.random.default_rng(1).normal(size=(2, 3, 6))
    plain, scaled = (
        told.alike(*(told.columns(v, v, (0.2, 0.3, 0.5), gamma) for v in (first, second)))
        for gamma in (1.0, 3.0)
    )
    assert plain == pytest.approx(scaled)


@pytest.mark.parametrize(("word", "said"), [("shore", "not in the second"), (" ", "Type the word")])
def test_a_word_that_is_not_there_gets_a_sentence(word, said):
    with pytest.raises(ValueError, match=said):
        told.place(("the", "bank", "."), word, "second")
    assert told.place(("the", "Bank", "."), "bank", "first") == 1


def panels():
    elmo, bert = tiny.elmo(), tiny.bert("bert-mini")
    stored, others = probe.library(elmo), probe.library(bert)
    kinds = told.columns(stored.values, others.values, (0.2, 0.3, 0.5), 1.0)
    rows = []
    for text in (MONEY, RIVER):
        found, seen = (probe.states(bundle, text).words() for bundle in (elmo, bert))
        at = told.place(found.tokens, "bank", "first")
        own = told.columns(found.values[:, at], seen.values[:, at], (0.2, 0.3, 0.5), 1.0)
        nears = [told.nearest(name, own[name], stored, kinds[name], 5) for name in own]
        rows.append((text, [("banks", 0.8), ("loan", 0.7)], nears))
    return rows, told.senses(stored, "bank")


def test_the_picture_has_a_column_for_each_kind_of_vector():
    rows, senses = panels()
    chart = context.neighbours("bank", senses, rows).to_dict()
    written = str(chart["datasets"])
    for name in ("GloVe", "ELMo, layer 0", "ELMo, layer 2", "your mixture", "BERT, layer 2"):
        assert name in written
    assert senses == ("money", "river")
    assert chart["width"] <= PAGE.width and chart["height"] <= PAGE.height
    assert "ELMo, layer 2" in chart["description"]


def test_in_layer_nought_every_bank_is_the_same():
    rows, _ = panels()
    near = rows[0][2][0]
    assert {use.word for use in near.uses} == {"bank"}
    np.testing.assert_allclose(near.similarities, 1, atol=1e-5)


def test_both_readers_are_drawn_and_their_loss_written_out():
    found = Surprise(
        words=("the", "cat", "sat", "down"),
        forward=np.array([1.0, 2.0, 3.0, 4.0]),
        backward=np.array([2.0, 2.0, 2.0, 2.5]),
    )
    assert len(next(iter(context.surprises(found).to_dict()["datasets"].values()))) == 8
    assert "10.0 + 8.5 = 18.5" in context.loss(found)
    assert "easier right to left" in told.halves(found)
    assert "Both together are most surprised by “down”" in told.halves(found)


def test_the_formula_of_the_mixture_has_its_numbers():
    values = np.array([[1.0, 2.0, 3.0], [0.5, 0.5, 0.5]])
    assert "2.0\\,\\bigl( 0.50\\,(1.00, 2.00" in context.mixture(values, (0.5, 0.5), 2.0)
    assert "= (1.50, 2.50" in context.mixture(values, (0.5, 0.5), 2.0)


def test_the_measured_senses_are_told_with_their_baselines():
    shares = {told.TOPIC: 0.66, "ELMo, layer 0": 0.5, "ELMo, layer 1": 0.58, "BERT, layer 1": 0.7}
    said = told.measured(shares)
    assert "58% of the comparisons" in said and "70% by BERT" in said
    assert "66%: more than this small ELMo" in said
    assert "more than" not in told.measured({**shares, "ELMo, layer 1": 0.7})


def test_a_long_word_leaves_the_title_as_short_as_the_picture():
    shown = context.alike("incomprehensibilities", {"ELMo, layer 0": 0.5}).to_dict()
    assert "incomprehensibil…" in str(shown["title"]) and "ities" not in str(shown["title"])
