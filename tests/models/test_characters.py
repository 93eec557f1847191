"""Networks over characters: the plain one that learns hello, and the gates of LSTM and GRU."""

import numpy as np
import pytest
import torch
from torch import nn

from viz_core import by_hand, checkpoints, probe
from viz_core.models.characters import GATES, CharactersConfig, Plain
from viz_core.traces.characters import GateTrace

CELLS = pytest.mark.parametrize("cell", ["lstm", "gru"])
TEXT = '"Come in," she said.'


def torch_twin(model):
    """torch's own network with the same weights, on one-hot characters."""
    width, size = model.config.width, model.config.vocabulary
    kind = nn.LSTM if model.config.cell == "lstm" else nn.GRU
    twin = kind(size, width, batch_first=True)
    with torch.no_grad():
        twin.weight_ih_l0.copy_(model.read.weight.T)
        twin.weight_hh_l0.copy_(model.recall.weight)
        twin.bias_ih_l0.zero_()
        twin.bias_hh_l0.copy_(model.recall.bias)
    return twin


# ---- the models against torch's own -----------------------------------------------------------


@CELLS
def test_gate_by_gate_is_what_torch_computes(cell, characters_of):
    model = characters_of(cell).model
    ids = torch.randint(0, model.config.vocabulary, (3, 17))
    found = model(ids)
    hidden, last = torch_twin(model)(nn.functional.one_hot(ids, model.config.vocabulary).float())
    torch.testing.assert_close(found.logits, model.write(hidden), atol=1e-4, rtol=1e-4)
    memory = last[1][0] if cell == "lstm" else last[0]
    torch.testing.assert_close(found.memory[:, -1], memory, atol=1e-5, rtol=1e-4)


@CELLS
def test_reading_on_from_a_state_is_reading_at_once(cell, characters_of):
    model = characters_of(cell).model
    ids = torch.randint(0, model.config.vocabulary, (2, 11))
    first = model(ids[:, :4])
    second = model(ids[:, 4:], first.state)
    whole = model(ids)
    for name in ("logits", "gates", "candidates", "memory"):
        parts = torch.cat((getattr(first, name), getattr(second, name)), dim=1)
        torch.testing.assert_close(parts, getattr(whole, name))


@CELLS
def test_forward_is_pure(cell, characters_of):
    model = characters_of(cell).model
    before = set(vars(model))
    ids = torch.randint(0, model.config.vocabulary, (2, 5))
    other = torch.randint(0, model.config.vocabulary, (2, 5))
    wanted = model(ids).logits
    model(other)
    torch.testing.assert_close(model(ids).logits, wanted, rtol=0, atol=0)
    assert set(vars(model)) == before


def test_the_plain_network_is_what_torch_computes():
    model = Plain(letters=4, units=3, seed=1)
    twin = nn.RNN(4, 3, bias=False)
    with torch.no_grad():
        twin.weight_hh_l0.copy_(model.hh)
        twin.weight_ih_l0.copy_(model.xh)
    ids = torch.tensor([0, 1, 2, 2, 3, 0])
    states, logits = model(ids)
    hidden, _ = twin(nn.functional.one_hot(ids, 4).float())
    torch.testing.assert_close(states[1:], hidden)
    torch.testing.assert_close(logits, hidden @ model.hy.T)
    assert not states[0].any()


def test_an_unknown_cell_is_refused():
    with pytest.raises(ValueError, match="'abacus' is no cell"):
        CharactersConfig(vocabulary=4, cell="abacus")


# ---- hello ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(1, 11))
def test_hello_is_learned_whatever_the_seed(seed):
    first, *_, last = probe.learn_hello(seed)
    assert last.written == "ello"
    assert last.losses[-1] < 0.1 < first.losses[0]
    assert last.probabilities.argmax(1).tolist() == [1, 2, 2, 3]  # e, l, l, o


def test_a_moment_of_learning_is_consistent_with_its_own_numbers():
    for moment in probe.learn_hello(seed=3, steps=20):
        h = np.zeros(3)
        for t, letter in enumerate("hell"):
            x = np.eye(4)[moment.letters.index(letter)]
            h = np.tanh(moment.hh @ h + moment.xh @ x)
            np.testing.assert_allclose(moment.states[t + 1], h, atol=1e-5)
            np.testing.assert_allclose(
                moment.probabilities[t], by_hand.softmax(moment.hy @ h), atol=1e-5
            )
        right = [moment.letters.index(letter) for letter in "ello"]
        loss = -np.log(moment.probabilities[range(4), right]).mean()
        assert moment.losses[-1] == pytest.approx(loss, abs=1e-4)


def test_moments_come_while_it_learns_and_stay_as_they_were():
    moments = probe.learn_hello(seed=1, steps=12, every=5)
    first = next(moments)
    kept = first.hh.copy()
    counts = [len(first.losses) - 1, *(len(moment.losses) - 1 for moment in moments)]
    assert counts == [0, 5, 10, 12]
    np.testing.assert_array_equal(first.hh, kept)


def test_a_seed_gives_the_same_lesson_again_and_another_seed_another():
    one, again, other = (list(probe.learn_hello(seed, steps=10))[-1] for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.hh, again.hh)
    assert not np.allclose(one.hh, other.hh)


def test_another_word_can_be_taught():
    *_, last = probe.learn_hello(1, 150, word="banana", units=4)
    assert last.letters == ("b", "a", "n")
    assert last.written == "anana"


@pytest.mark.parametrize("word", ["", "a", "a" * 13])
def test_a_word_that_cannot_be_taught_gets_a_sentence(word):
    with pytest.raises(ValueError, match="Type a word of 2 to 12 letters"):
        next(probe.learn_hello(word=word))


# ---- gates ------------------------------------------------------------------------------------


@CELLS
def test_gates_lie_between_closed_and_open(cell, characters_of):
    trace = probe.gates(characters_of(cell), TEXT)
    assert trace.gates == GATES[cell]
    assert trace.values.shape == (len(GATES[cell]), 12, len(TEXT))
    assert 0 <= trace.values.min() < 0.5 < trace.values.max() <= 1
    assert "".join(trace.tokens) == TEXT


@CELLS
def test_the_memory_follows_from_gates_and_candidates(cell, characters_of):
    trace = probe.gates(characters_of(cell), TEXT)
    old, new = trace.memory[:, :-1], trace.candidates
    gate = dict(zip(trace.gates, trace.values, strict=True))
    if cell == "lstm":
        wanted = gate["forget"] * old + gate["input"] * new
    else:  # the gating example, with the update gate as 1 - g
        wanted = by_hand.gate(1 - gate["update"], new, old)
    np.testing.assert_allclose(trace.memory[:, 1:], wanted, atol=1e-5)


def test_the_gating_example_of_the_lecture():
    found = by_hand.gate([0, 1, 0, 0, 0, 1], range(10, 16), [8, 9, 3, 7, 5, 8])
    assert found.tolist() == [8, 11, 3, 7, 5, 15]


@CELLS
def test_what_was_expected_is_the_guess_made_one_character_before(cell, characters_of):
    bundle = characters_of(cell)
    trace = probe.gates(bundle, TEXT)
    compared = 0
    for t, guess in enumerate(trace.predictions[:-1]):
        assert list(guess.probabilities) == sorted(guess.probabilities, reverse=True)
        chances = dict(zip(guess.tokens, guess.probabilities, strict=True))
        if TEXT[t + 1] in chances:
            compared += 1
            assert trace.expected[t + 1] == pytest.approx(chances[TEXT[t + 1]], abs=1e-6)
    assert compared


@CELLS
def test_a_longer_text_keeps_the_gates_of_its_beginning(cell, characters_of):
    bundle = characters_of(cell)
    short, long = probe.gates(bundle, TEXT), probe.gates(bundle, TEXT + " Come in.")
    np.testing.assert_allclose(long.values[..., : len(TEXT)], short.values, atol=1e-6)


@pytest.mark.parametrize("text", ["", "\u200b"])
def test_nothing_to_read_gets_a_sentence(text, characters_of):
    with pytest.raises(ValueError, match="There is nothing to read yet"):
        probe.gates(characters_of("gru"), text)


def test_a_page_of_text_gets_a_sentence(characters_of):
    with pytest.raises(ValueError, match="2,001 characters"):
        probe.gates(characters_of("gru"), "a" * 2001)


def test_a_translator_has_no_gates_to_show(bundle_of):
    with pytest.raises(ValueError, match="rnn-dot has no gates"):
        probe.gates(bundle_of("rnn-dot"), TEXT)


@pytest.mark.parametrize("text", ["漢 a", "🙂🙂", "سلام", "<b>a</b>"])
def test_any_text_is_read_and_unknown_characters_are_named(text, characters_of, alphabet):
    trace = probe.gates(characters_of("lstm"), text)
    assert "".join(trace.tokens) == text
    assert set(trace.unknown) == set(text) - set(alphabet.vocabulary) != set()


def test_a_trace_checks_its_sizes():
    with pytest.raises(ValueError, match="2 gates but values for 1"):
        GateTrace(
            tokens=("a",),
            gates=("reset", "update"),
            values=np.zeros((1, 3, 1), np.float32),
            candidates=np.zeros((3, 1), np.float32),
            memory=np.zeros((3, 2), np.float32),
            expected=np.zeros(1, np.float32),
            predictions=(),
        )


@CELLS
def test_a_character_model_comes_back_from_its_checkpoint(
    cell, characters_of, tmp_path, monkeypatch
):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    bundle = characters_of(cell)
    described = dict.fromkeys(("title", "paper", "command", "data", "metrics", "examples"), "")
    described |= {"name": f"char-{cell}", "architecture": "characters", "seed": 1, "steps": 0}
    checkpoints.save(bundle.model, bundle.tokenizer, described, tmp_path)
    loaded = checkpoints.load(f"char-{cell}")
    found, wanted = probe.gates(loaded, TEXT), probe.gates(bundle, TEXT)
    np.testing.assert_allclose(found.values, wanted.values, atol=0.02)
