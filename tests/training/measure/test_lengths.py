"""BLEU by length: sums that are BLEU, intervals that hold it, groups by words."""

import numpy as np
import pytest

from viz_core.training.measure import lengths as length_measure, translation as translation_measure

SAID = ["le chat voit le chien .", "il pleut", "je ne sais pas où il est allé hier", "oui"]
WANTED = [
    ["le chat voit un chien .", "un chat voit le chien ."],
    ["il pleut beaucoup"],
    ["je ne sais pas où il va"],
    ["oui", "si"],
]


def test_summed_statistics_give_the_corpus_bleu_of_sacrebleu():
    counts = length_measure.statistics(SAID, WANTED)
    assert length_measure.score(counts.sum(axis=0)) == pytest.approx(
        translation_measure.bleu_score(SAID, WANTED)
    )


def test_the_interval_holds_the_score_and_shrinks_with_more_sentences():
    few = length_measure.statistics(SAID, WANTED)
    many = np.tile(few, (40, 1))
    for counts in (few, many):
        low, high = length_measure.interval(counts)
        assert low <= length_measure.score(counts.sum(axis=0)) <= high
    spans = [np.diff(length_measure.interval(counts))[0] for counts in (few, many)]
    assert 0 < spans[1] < spans[0] / 2


def test_an_interval_is_the_same_every_time():
    counts = length_measure.statistics(SAID, WANTED)
    assert length_measure.interval(counts) == length_measure.interval(counts)


def test_sentences_that_are_all_alike_leave_no_doubt():
    counts = length_measure.statistics(
        ["le chat voit le chien ."] * 5, [["le chat voit un chien ."]] * 5
    )
    low, high = length_measure.interval(counts)
    assert low == pytest.approx(high) == pytest.approx(length_measure.score(counts.sum(axis=0)))


def test_groups_are_by_english_words_and_never_larger_than_the_limit(monkeypatch):
    asked = []

    def echo(bundle, sources):
        asked.append(list(sources))
        return list(sources)

    monkeypatch.setattr(length_measure, "translations", echo)
    monkeypatch.setattr(length_measure, "MOST", 3)
    sizes = (1, 4, 4, 4, 4, 5, 8, 9, 24, 24, 25)
    texts = [" ".join(f"{number}w{i}" for i in range(n)) for number, n in enumerate(sizes)]
    rows = length_measure.by_length(None, {text: [text] for text in texts})
    spans = [{len(text.split()) for text in group} for group in asked]
    assert spans == [{1, 4}, {5, 8}, {24}]  # one sentence of 9 words is too few to draw from
    for row, span in zip(rows, spans, strict=True):
        first, last = map(int, row["words"].split("-"))
        assert first <= min(span) and max(span) <= last
        assert 2 <= row["sentences"] <= 3
        assert row["low"] <= row["BLEU"] <= row["high"]


def test_a_perfect_translator_has_bleu_100_at_every_length(monkeypatch):
    monkeypatch.setattr(length_measure, "translations", lambda bundle, sources: list(sources))
    texts = [" ".join(f"{n}w{i}" for i in range(n)) for n in range(4, 25)]
    rows = length_measure.by_length(None, {text: [text] for text in texts})
    assert [row["words"] for row in rows] == ["5-8", "9-12", "13-16", "17-20", "21-24"]
    assert all(row["BLEU"] == row["low"] == row["high"] == 100 for row in rows)
