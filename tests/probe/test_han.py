"""A review read for a view: two levels of weights, the verdict, and what leaving out does."""

import numpy as np
import pytest

from tests import tiny
from viz_core import checkpoints, probe
from viz_core.probe.han import MOST_WORDS


def test_a_trace_holds_both_levels_and_their_products_sum_to_one():
    trace = probe.document(tiny.han(), tiny.REVIEW)
    assert [len(words) for words in trace.sentences] == [3, 9, 2]
    for weights in (*trace.word_weights, trace.sentence_weights):
        assert weights.sum() == pytest.approx(1, abs=1e-5)
    assert sum(row.sum() for row in trace.products) == pytest.approx(1, abs=1e-5)
    assert sum(trace.probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert list(trace.probabilities) == ["negative", "positive"]


def test_the_verdict_without_a_sentence_is_that_of_the_text_without_it():
    bundle, parts = tiny.han(), ["A good film.", "The end is dull.", "Not bad."]
    trace = probe.document(bundle, " ".join(parts))
    for out in range(3):
        rest = " ".join(parts[:out] + parts[out + 1 :])
        wanted = probe.document(bundle, rest).positive
        assert trace.without[out] == pytest.approx(wanted, abs=1e-5)
        assert probe.document(bundle, " ".join(parts), (out,)).positive == pytest.approx(
            wanted, abs=1e-5
        )


def test_a_sentence_that_is_left_out_has_no_weight():
    trace = probe.document(tiny.han(), tiny.REVIEW, (1,))
    assert trace.left_out == (1,) and trace.sentence_weights[1] == 0
    assert trace.sentence_weights.sum() == pytest.approx(1, abs=1e-5)


def test_one_sentence_has_all_the_weight():
    trace = probe.document(tiny.han(), "A good film")
    assert trace.sentence_weights.tolist() == [1]
    assert np.isnan(trace.without).all()


@pytest.mark.parametrize(
    ("text", "without", "said"),
    [
        ("", (), "nothing to read"),
        ("... !", (), "nothing to read"),
        ("این یک جمله است", (), "None of these words"),
        ("film " * (MOST_WORDS + 1), (), "4,001 words"),
        ("A good film.", (0,), "keep at least one"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(text, without, said):
    for read, bundle in ((probe.document, tiny.han()), (probe.last_state, tiny.gru_last())):
        with pytest.raises(ValueError, match=said):
            read(bundle, text, without)


def test_another_model_gets_a_sentence():
    with pytest.raises(ValueError, match="choose han"):
        probe.document(tiny.gru_last(), tiny.REVIEW)
    with pytest.raises(ValueError, match="choose gru-last"):
        probe.last_state(tiny.han(), tiny.REVIEW)


def test_the_plain_reader_has_a_verdict_after_each_word():
    trace = probe.last_state(tiny.gru_last(), tiny.REVIEW)
    assert len(trace.words) == 14 and trace.sentence[-1] == 2
    shorter = probe.last_state(tiny.gru_last(), "A good film.")
    np.testing.assert_allclose(trace.positive[:3], shorter.positive, atol=1e-5)


@pytest.mark.parametrize("name", ["han", "gru-last"])
def test_the_trained_readers_tell_praise_from_blame(name):
    bundle = checkpoints.load(name)
    good = "A wonderful film with a superb cast. I loved every minute of it."
    bad = "A terrible film with an awful script. It was a waste of time and I hated it."
    if name == "han":
        chances = [probe.document(bundle, text).positive for text in (good, bad)]
    else:
        chances = [float(probe.last_state(bundle, text).positive[-1]) for text in (good, bad)]
    assert chances[0] > 0.8 and chances[1] < 0.2
    assert bundle.card.metrics["IMDB test"]["accuracy"] > (0.88 if name == "han" else 0.8)
