"""Tasks on top: importance, names and answers as they are, and the caution that goes with them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import vl_convert

from viz_core.charts import tasks
from viz_core.probe import tasks as probe_tasks
from viz_core.traces.bert import Answer, AnswerTrace, Importance, Tagged

CONTEXT = "The cat sees the dog. It's my red umbrella."


def weighed(**more) -> Importance:
    given: dict[str, Any] = {
        "words": ("[CLS]", "not", "a", "bad", "film", "[SEP]"),
        "label": "positive",
        "probability": 0.9,
        "attention": np.array([0.5, 0.1, 0.05, 0.2, 0.05, 0.1], dtype=np.float32),
        "gradient": np.array([0.0, 1.0, -0.2, -0.5, 0.1, 0.0], dtype=np.float32),
        "left_out": np.array([0.0, 0.7, 0.01, -0.3, 0.05, 0.0], dtype=np.float32),
    }
    return Importance(**(given | more))


def test_special_tokens_are_not_compared():
    assert tasks.spoken(weighed()).words == ("not", "a", "bad", "film")
    assert tasks.spoken(weighed()).attention.tolist() == pytest.approx([0.1, 0.05, 0.2, 0.05])


def test_agreement_is_the_rank_correlation_over_words():
    table, words = tasks.agreement(weighed()), tasks.spoken(weighed())
    ways = pd.DataFrame({"attention": words.attention, "left_out": words.left_out})
    wanted = ways.corr("spearman").iloc[0, 1]
    assert table[0, 2] == table[2, 0] == pytest.approx(wanted, abs=1e-6)
    assert np.diag(table).tolist() == [1, 1, 1]


def test_the_finding_names_each_ways_first_word():
    said = tasks.finding(weighed())
    assert said.startswith("[CLS] attention: bad, gradient × input: not, left out: not; ")


def test_every_word_has_a_bar_in_every_column():
    spec = tasks.importance(weighed()).to_dict()
    assert len(spec["hconcat"]) == 3
    for panel, name in zip(spec["hconcat"], tasks.WAYS, strict=True):
        data = (panel.get("data") or panel["layer"][0]["data"])["name"]
        values = [row["value"] for row in spec["datasets"][data]]
        np.testing.assert_allclose(values, getattr(tasks.spoken(weighed()), name), atol=1e-4)


def test_nothing_but_special_tokens_gets_a_sentence():
    none = np.zeros(2, dtype=np.float32)
    empty = weighed(words=("[CLS]", "[SEP]"), attention=none, gradient=none, left_out=none)
    assert "no words" in tasks.importance(empty).to_dict()["description"]


def test_names_are_listed_whole_with_their_kind():
    found = Tagged(
        words=("Angela", "Merkel", "met", "Macron", "in", "Paris"),
        tags=("B-PER", "I-PER", "O", "B-PER", "O", "B-LOC"),
        probabilities=(0.9, 0.8, 1.0, 0.7, 1.0, 0.6),
    )
    said = tasks.finding_of_names(found)
    assert said == "Angela Merkel (person); Macron (person); Paris (place)"
    spec = tasks.names(found).to_dict()
    assert spec["description"] == said
    rows = next(iter(spec["datasets"].values()))
    kinds = ["person", "person", "", "person", "", "place"]
    assert [row["label"] for row in rows] == kinds
    picture = vl_convert.vegalite_to_svg(spec, vl_version="6.4")
    colours = [tasks.HUES[kind] for kind in kinds if kind]
    for colour in set(colours):
        assert picture.count(f'stroke="{colour}"') == colours.count(colour)  # underlines
    assert len(set(tasks.HUES.values())) == len(tasks.KINDS)


def answered() -> AnswerTrace:
    """The, cat, see, ##s, the, dog, .: "the dog" is the answer."""
    offsets = ((0, 3), (4, 7), (8, 11), (11, 12), (13, 16), (17, 20), (20, 21))
    start = np.array([0.1, 0, 0, 0, 0.8, 0.1, 0], dtype=np.float32)
    end = np.array([0, 0.2, 0, 0, 0, 0.7, 0.1], dtype=np.float32)
    return AnswerTrace(
        answer=Answer(text="the dog", start=13, end=20, probability=0.56),
        tokens=("the", "cat", "see", "##s", "the", "dog", "."),
        offsets=offsets,
        start=start,
        end=end,
        scores=np.log(np.stack((start, end)) + 1e-6),
    )


def test_every_token_has_its_chance_to_start_and_to_end():
    chart = tasks.ends(answered()).to_dict()
    assert (
        chart["description"] == "the is the likeliest start, 0.80; dog is the likeliest end, 0.70"
    )
    assert "= 0.800" in tasks.dot_formula(answered())


def test_the_answer_is_marked_in_words_as_they_were_written():
    rows = next(iter(tasks.answer(answered(), CONTEXT).to_dict()["datasets"].values()))
    assert [row["word"] for row in rows] == ["The", "cat", "sees", "the", "dog."]
    assert [row["word"] for row in rows if row["weight"]] == ["the", "dog."]
    labels = {row["word"]: row["label"] for row in rows}
    assert labels["the"] == "start 0.80" and labels["dog."] == "start 0.10, end 0.80"


def test_an_answer_far_down_a_long_paragraph_is_drawn():
    context = "word " * 600 + "The cat sees the dog."
    shift = 5 * 600
    found = answered()
    words = tuple((5 * i, 5 * i + 4) for i in range(600))
    late = replace(
        found,
        answer=replace(found.answer, start=13 + shift, end=20 + shift),
        tokens=("word",) * 600 + found.tokens,
        offsets=words + tuple((a + shift, b + shift) for a, b in found.offsets),
        start=np.concatenate([np.zeros(600, np.float32), found.start]),
        end=np.concatenate([np.zeros(600, np.float32), found.end]),
    )
    rows = next(iter(tasks.answer(late, context).to_dict()["datasets"].values()))
    assert [row["word"] for row in rows if row["weight"]] == ["the", "dog."]
    assert len(rows) == 400


def test_the_chance_of_a_span_is_that_of_its_ends():
    assert tasks.answer_formula(answered()).endswith(r"= 0.800 \cdot 0.700 = 0.560")


def test_the_probes_answer_is_the_product_that_is_shown(bert_of):
    found = probe_tasks.answer_trace(bert_of("bert-answers"), "Who sees?", CONTEXT)
    first, last = (float(x) for x in tasks.answer_formula(found).split("= ")[2].split(r" \cdot "))
    assert first * last == pytest.approx(found.answer.probability, abs=0.002)


def test_only_what_is_read_has_a_line_to_the_top():
    chart = tasks.on_top(["[CLS]", "good", "[SEP]"], ["positive?", "", ""])
    spec = chart.to_dict()
    assert spec["description"] == "Read from [CLS]: positive?"
    sizes = sorted(len(rows) for rows in spec["datasets"].values())
    assert sizes[:1] == [1] and sizes[-1] == 3


def test_a_review_is_read_at_its_first_token_and_an_answer_at_every_word_of_the_paragraph():
    tokens, asked = tasks.asked_of_review("A fine film")
    assert tokens == ["[CLS]", "A", "fine", "film", "[SEP]"]
    assert asked == ["positive?", "", "", "", ""]
    tokens, asked = tasks.asked_of_paragraph("Who sees?", "The cat sees")
    assert tokens == ["[CLS]", "Who", "sees?", "[SEP]", "The", "cat", "sees"]
    assert asked == [""] * 4 + ["start, end"] * 3
