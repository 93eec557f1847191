"""The moments of a machine: what is lit when, and what is said of it."""

import re

import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import machine as told

CAT, CHAT = tiny.PAIRS[0]


def card(name, architecture, **config):
    return tiny.card(name, architecture, config=config)


def test_each_family_has_one_checkpoint_and_the_papers_own_comes_first():
    cards = [
        card("rnn-additive", "rnn", attention="additive"),
        card("rnn-dot", "rnn", attention="dot"),
        card("rnn-none", "rnn", attention="none"),
        card("transformer", "transformer"),
        card("bert-answers", "bert", task="answer"),
        card("bert-mini", "bert", task="pretraining"),
    ]
    assert told.machines(cards) == {
        "RNN": "rnn-none",
        "RNN with attention": "rnn-additive",
        "Transformer": "transformer",
        "BERT": "bert-mini",
    }
    more = [*cards, card("rnn-search", "rnn-search"), card("gpt", "gpt")]
    assert told.machines(more)["RNN with attention"] == "rnn-search"
    assert list(told.machines(more))[-1] == "GPT"
    assert told.machines([]) == {}
    mine = tiny.card("en-vi", "transformer", own=True)  # before ours in the alphabet
    assert list(told.machines([mine, *cards]).items())[-2:] == [
        ("BERT", "bert-mini"),
        ("en-vi (yours)", "en-vi"),
    ]
    assert told.machines([mine, *cards])["Transformer"] == "transformer"


def test_a_recurrent_reader_goes_token_by_token_from_both_ends():
    trace = probe.machine(tiny.translator("rnn-none"), CAT)
    moments, read = told.moments(trace), len(trace.reader.tokens)
    assert [moment.name for moment in moments[:2]] == [
        f"reads {token}" for token in trace.reader.tokens[:2]
    ]
    assert moments[0].reader == told.Lit(boxes=3, tokens=1)
    assert all(moment.writer == told.Lit() for moment in moments[:read])
    assert [moment.writes for moment in moments[read:]] == list(range(len(trace.said)))
    assert len(moments) == read + len(trace.said)


def test_a_transformer_goes_box_by_box_then_word_by_word():
    trace = probe.machine(tiny.translator("transformer"), CAT)
    moments = told.moments(trace)
    assert [moment.name for moment in moments[:4]] == [
        "the words",
        "Embedding",
        "Encoder 1",
        "Encoder 2",
    ]
    assert moments[4].writes == 0 and moments[4].reader.boxes == 3
    assert len(moments) == 4 + len(trace.said)


def test_in_training_a_transformer_writes_all_at_once_and_a_recurrent_net_does_not():
    at_once = told.moments(probe.machine(tiny.translator("transformer"), CAT, CHAT))
    assert [moment.name for moment in at_once[4:]] == [
        "Output embedding",
        "Decoder 1",
        "Decoder 2",
        "Softmax",
    ]
    one_by_one = probe.machine(tiny.translator("rnn-additive"), CAT, CHAT)
    written = [moment for moment in told.moments(one_by_one) if moment.writes is not None]
    assert len(written) == len(one_by_one.wanted)


@pytest.mark.parametrize("name", ["rnn-none", "rnn-additive", "transformer", "bert-mini"])
@pytest.mark.parametrize("target", ["", CHAT])
def test_every_step_is_said_in_a_sentence_of_its_own_numbers(name, target):
    bundle = tiny.bert(name) if name.startswith("bert") else tiny.translator(name)
    trace = probe.machine(bundle, CAT, target)
    said = [told.finding(trace, step) for step in range(len(told.moments(trace)))]
    assert all(len(sentence) > 20 for sentence in said)
    if name == "rnn-none":
        assert f"all it has of the sentence are {trace.summary.size} numbers" in said[-1]
    if name == "rnn-additive":
        assert "looks most at" in said[-1]
    if name == "transformer" and target:
        right = sum(a == b for a, b in zip(trace.said, trace.wanted, strict=True))
        assert said[-1].endswith(f"{right} of {len(trace.wanted)} are the right ones")
    for box in trace.boxes:
        opened = probe.inside(bundle, CAT, target, box.name)
        assert told.told(opened).startswith(box.name)


def test_a_gpt_takes_its_beginning_box_by_box_then_writes_word_by_word():
    trace = probe.machine(tiny.gpt(), "The cat sees")
    moments = told.moments(trace)
    boxes = ["the words", *(box.name for box in trace.boxes)]
    assert [moment.name for moment in moments[: len(boxes)]] == boxes
    assert all(moment.writer.tokens == trace.given for moment in moments[: len(boxes)])
    written = [moment.writes for moment in moments[len(boxes) :]]
    assert written == list(range(trace.given, len(trace.said)))
    at_once = told.moments(probe.machine(tiny.gpt(), "The cat sees", "The cat sees"))
    assert [moment.name for moment in at_once] == boxes


def test_of_an_opened_box_a_look_from_word_to_word_is_told_not_one_at_a_sign():
    opened = probe.inside(tiny.bert("bert-mini"), "The cat sees the dog.", "", "Encoder 1")
    said = told.told(opened)
    words = re.search(r"from “(.+)” to “(.+)”", said)
    assert not {*words.groups()} & {"[CLS]", "[SEP]", "."}


def test_the_keys_of_a_context_are_source_words_even_where_both_sides_are_equally_long():
    trace = probe.machine(tiny.translator("rnn-additive"), CAT)
    target = " ".join(["le"] * len(trace.reader.tokens))
    opened = probe.inside(tiny.translator("rnn-additive"), CAT, target, "Context")
    assert re.search(r"to “(.+)”", told.told(opened))[1] in map(told.spoken, opened.keys)


def test_the_opened_softmax_has_the_whole_vocabulary_though_few_words_are_drawn():
    bundle = tiny.translator("transformer")
    trace = probe.machine(bundle, CAT)
    said = told.told(probe.inside(bundle, CAT, "", "Softmax"))
    assert said.endswith(f"to {len(trace.said)} × {trace.boxes[-1].width:,} numbers")


def test_how_long_the_answer_gets_is_not_known_before_it_is_written():
    trace = probe.machine(tiny.translator("transformer"), CAT)
    assert told.known(trace, trace.reader) == len(trace.reader.tokens)
    assert told.known(trace, trace.writer) == 0
    right = probe.machine(tiny.translator("transformer"), CAT, CHAT)
    assert told.known(right, right.writer) == len(right.wanted)
    alone = probe.machine(tiny.gpt(), "The cat sees")
    assert told.known(alone, alone.writer) == alone.given < len(alone.said)


def test_what_bert_puts_for_a_hidden_word_is_said():
    trace = probe.machine(tiny.bert("bert-mini"), "The cat sees the [MASK].")
    said = told.finding(trace, len(told.moments(trace)) - 1)
    place = trace.reader.tokens.index("[MASK]")
    assert f"for [MASK] it guesses {told.spoken(trace.said[place])}" in said


def test_a_number_stays_behind_a_word_that_is_written_from_right_to_left():
    assert f"looks most at “{told.spoken('دیروز')}”, 0.70" == "looks most at “دیروز\u200e”, 0.70"
    assert told.spoken("##lla") == "·lla"
