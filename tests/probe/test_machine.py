"""A machine's boxes are the model's own numbers, and what is inside a box makes its output."""

import numpy as np
import pytest

from tests import tiny
from viz_core import probe

CAT, CHAT = tiny.PAIRS[0]
TRANSLATORS = ("rnn-none", "rnn-additive", "rnn-local-p", "rnn-search", "transformer")


def bundle(name):
    if name == "gpt":
        return tiny.gpt()
    return tiny.bert(name) if name.startswith("bert") else tiny.translator(name)


@pytest.mark.parametrize("name", [*TRANSLATORS, "bert-mini", "gpt"])
@pytest.mark.parametrize("target", ["", CHAT])
def test_what_is_inside_a_box_ends_in_what_comes_out_of_it(name, target):
    trace = probe.machine(bundle(name), CAT, target)
    for box in trace.boxes:
        opened = probe.inside(bundle(name), CAT, target, box.name)
        np.testing.assert_allclose(opened.rows[-1].out, box.values, atol=2e-5, err_msg=box.name)
        for before, after in zip(opened.rows, opened.rows[1:], strict=False):
            np.testing.assert_array_equal(before.out, after.columns[0][0].values)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_it_says_what_the_translator_says(name):
    found, trace = probe.translate(bundle(name), CAT), probe.machine(bundle(name), CAT)
    assert trace.said == found.target
    assert trace.reader.tokens == found.source
    assert trace.writer.tokens == ("<s>", *found.target[:-1])
    np.testing.assert_allclose(trace.chances, found.probabilities, rtol=1e-4)
    if trace.weights is not None:
        np.testing.assert_allclose(trace.weights, found.cross.matrix(), atol=1e-6)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_in_training_it_reads_the_right_words_and_is_judged_by_them(name):
    forced, trace = probe.align(bundle(name), CAT, CHAT), probe.machine(bundle(name), CAT, CHAT)
    assert trace.wanted == forced.target
    assert trace.writer.tokens == ("<s>", *forced.target[:-1])
    assert trace.together == (name == "transformer")
    for said, wanted, chance, own in zip(
        trace.said, trace.wanted, trace.chances, forced.probabilities, strict=True
    ):
        assert chance >= own - 1e-6
        assert (said == wanted) == (abs(chance - own) < 1e-6)


def test_opened_heads_are_those_of_the_other_pages():
    transformer, found = bundle("transformer"), probe.translate(bundle("transformer"), CAT)
    for layer in range(2):
        opened = probe.inside(transformer, CAT, "", f"Encoder {layer + 1}")
        heads = opened.rows[0].columns[3][0].values
        np.testing.assert_allclose(heads, found.encoder.weights[layer], atol=1e-6)
        masked, across, _ = probe.inside(transformer, CAT, "", f"Decoder {layer + 1}").rows
        own, cross = (row.columns[3][0].values for row in (masked, across))
        np.testing.assert_allclose(own, found.decoder.weights[layer], atol=1e-6)
        np.testing.assert_allclose(cross, found.cross.weights[layer], atol=1e-6)
    seen = probe.encode(bundle("bert-mini"), CAT)
    opened = probe.inside(bundle("bert-mini"), CAT, "", "Encoder 2")
    np.testing.assert_allclose(opened.rows[0].columns[2][0].values, seen.weights[1], atol=1e-6)


def test_the_context_is_the_weighted_sum_of_states():
    trace = probe.machine(bundle("rnn-additive"), CAT)
    boxes = {box.name: box.values for box in trace.boxes}
    states = np.concatenate((boxes["Forward"], boxes["Backward"]), axis=1)
    np.testing.assert_allclose(boxes["Context"], trace.weights @ states, atol=1e-5)


def test_a_box_or_a_model_that_is_not_there_gets_a_sentence():
    with pytest.raises(ValueError, match="no box of this name"):
        probe.inside(bundle("transformer"), CAT, "", "Encoder 9")
    with pytest.raises(ValueError, match="not drawn as a machine"):
        probe.machine(tiny.word_vectors(), CAT)


def test_a_gpt_writes_on_as_it_does_elsewhere():
    found = probe.generate(tiny.gpt(), "The cat sees", tokens=10, temperature=0.0)
    trace = probe.machine(tiny.gpt(), "The cat sees")
    assert trace.reader is None and trace.writer.tokens[0] == "<s>"
    assert trace.said[trace.given - 1 :] == found.tokens
    opened = probe.inside(tiny.gpt(), "The cat sees", "", "Decoder 2")
    heads, count = opened.rows[0].columns[3][0].values, len(trace.writer.tokens)
    own = found.attention.weights[1][:, :count, :count]
    np.testing.assert_allclose(heads, own, atol=1e-5)


def test_in_training_a_gpt_guesses_the_text_itself():
    trace = probe.machine(tiny.gpt(), CAT, CAT)
    assert trace.together
    assert trace.wanted[:-1] == trace.writer.tokens[1:]
