import math

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

from viz_core import probe
from viz_core.analysis import rollout
from viz_core.probe import bert as probe_bert

TEXT, PAIR = "The cat didn't see the dog.", "It's my umbrella."


@pytest.fixture(scope="module")
def mini(bert_of):
    return bert_of("bert-mini")


# ---- attention --------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [None, PAIR])
def test_rows_sum_to_one_token_by_token_and_word_by_word(mini, pair):
    trace = probe.encode(mini, TEXT, pair)
    assert trace.kind == "self" and trace.weights.shape[:2] == (2, 3)
    np.testing.assert_allclose(trace.weights.sum(-1), 1, atol=1e-5)
    words = trace.words()
    assert len(words.queries) < len(trace.queries)
    np.testing.assert_allclose(words.weights.sum(-1), 1, atol=1e-5)
    assert words.queries[:4] == ("[CLS]", "the", "cat", "didn't")


def test_the_trace_is_what_the_model_returns(mini, wordpiece):
    encoded = wordpiece.encode(TEXT, PAIR)
    seen = mini.model(torch.tensor([encoded.ids]), torch.tensor([encoded.segments]))
    trace = probe.encode(mini, TEXT, PAIR)
    for layer in range(2):
        expected = seen.weights[layer][0].numpy()
        np.testing.assert_allclose(trace.weights[layer], expected, atol=1e-6)


def test_segments_say_which_sentence_each_token_is_of(mini):
    trace = probe.encode(mini, TEXT, PAIR)
    first = trace.queries.index("[SEP]")
    assert trace.segments == tuple(int(i > first) for i in range(len(trace.queries)))
    words = trace.words()
    first = words.queries.index("[SEP]")
    assert words.segments == tuple(int(i > first) for i in range(len(words.queries)))
    assert set(probe.encode(mini, TEXT).segments) == {0}


@pytest.mark.parametrize("merged", [False, True])
def test_a_pair_s_four_blocks_reassemble_to_the_whole(mini, merged):
    trace = probe.encode(mini, TEXT, PAIR)
    trace = trace.words() if merged else trace
    rows = [
        np.concatenate([trace.between(query, key).weights for key in (0, 1)], axis=-1)
        for query in (0, 1)
    ]
    np.testing.assert_array_equal(np.concatenate(rows, axis=-2), trace.weights)
    block = trace.between(1, 0)
    assert block.queries == trace.queries[len(block.keys) :]
    assert block.keys == trace.keys[: len(block.keys)]


def test_rollout_of_a_trace_has_rows_that_sum_to_one(mini):
    flow = rollout(probe.encode(mini, TEXT).weights)
    np.testing.assert_allclose(flow.sum(-1), 1, atol=1e-5)


def test_a_silent_head_changes_the_next_layer_only(mini):
    loud = probe_bert.encode(mini, TEXT)
    silent = probe_bert.encode(mini, TEXT, silent=[(0, 1)])
    np.testing.assert_array_equal(silent.weights[0], loud.weights[0])
    assert np.abs(silent.weights[1] - loud.weights[1]).max() > 1e-3
    with pytest.raises(ValueError, match="no head 9 in layer 1"):
        probe_bert.encode(mini, TEXT, silent=[(0, 8)])


def test_query_and_key_give_the_head_s_weights(mini):
    trace = probe_bert.encode(mini, TEXT, PAIR)
    for layer, head in ((0, 0), (1, 2)):
        found = probe_bert.query_key(mini, TEXT, layer, head, PAIR)
        assert found.tokens == trace.queries and found.query.shape == (len(trace.queries), 8)
        np.testing.assert_allclose(found.weights, trace.matrix(layer, head), atol=1e-5)
        assert math.isclose(found.product(2, 4).sum(), found.scores[2, 4], abs_tol=1e-4)


def test_the_embeddings_are_three_parts_and_their_sum(mini):
    found = probe_bert.embeddings(mini, TEXT, PAIR)
    assert found.token.shape == found.position.shape == (len(found.tokens), 24)
    second = found.segments.index(1)
    np.testing.assert_array_equal(found.segment[0], found.segment[second - 1])
    assert np.abs(found.segment[0] - found.segment[second]).max() > 0.1
    np.testing.assert_array_equal(
        found.position, probe.learned_positions(mini)[: len(found.tokens)]
    )
    total = found.token + found.segment + found.position
    wanted = (total - total.mean(-1, keepdims=True)) / total.std(-1, keepdims=True)
    np.testing.assert_allclose(found.total, wanted, atol=1e-4)


# ---- masks and pairs --------------------------------------------------------------------------


def test_each_mask_has_its_own_guesses_most_probable_first(mini, wordpiece):
    found = probe.fill_mask(mini, "The [MASK] sees the [mask].", top=4)
    assert len(found) == 2 and all(len(row) == 4 for row in found)
    for row in found:
        values = [value for _, value in row]
        assert values == sorted(values, reverse=True)
        assert all(token in wordpiece.vocabulary for token, _ in row)
    everything = probe.fill_mask(mini, "The [MASK] sees.", top=10_000)[0]
    assert math.isclose(sum(value for _, value in everything), 1, abs_tol=1e-4)
    assert probe.fill_mask(mini, "The [MASK] sees.", top=3)[0] == everything[:3]


def test_a_mask_in_the_second_sentence_counts_too(mini):
    assert len(probe_bert.fill_mask(mini, "The cat.", pair="It [MASK] the [MASK].")) == 2


def test_without_a_mask_there_is_nothing_to_fill(mini):
    with pytest.raises(ValueError, match=r"write \[MASK\] where"):
        probe.fill_mask(mini, TEXT)


def test_next_sentence_is_a_probability_that_depends_on_both(mini):
    found = [probe.next_sentence(mini, TEXT, second) for second in (PAIR, "The dog.", "It.")]
    assert all(0 < value < 1 for value in found) and len(set(found)) == 3
    assert probe.next_sentence(mini, PAIR, TEXT) != found[0]


def test_a_masking_sample_shows_what_became_of_each_chosen_token(mini):
    fates = set()
    for seed in range(60):
        sample = probe_bert.masking_sample(mini, TEXT + " " + PAIR, seed)
        chosen = [i for i, fate in enumerate(sample.fates) if fate]
        assert len(chosen) == max(1, round(0.15 * (len(sample.before) - 2)))
        for i, fate in enumerate(sample.fates):
            fates.add(fate)
            assert (sample.after[i] == "[MASK]") == (fate == "masked")
            if fate in ("", "kept"):
                assert sample.after[i] == sample.before[i]
    assert fates == {"", "masked", "random", "kept"}


# ---- what a visitor may type ------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b"])
def test_nothing_typed_gets_a_sentence(mini, text):
    with pytest.raises(ValueError, match="nothing to read yet"):
        probe.encode(mini, text)
    with pytest.raises(ValueError, match="type the second sentence"):
        probe.encode(mini, TEXT, text)


def test_a_text_that_is_too_long_gets_a_sentence_with_both_numbers(mini):
    with pytest.raises(ValueError, match="has 5002 tokens; the model reads 64 at most"):
        probe.encode(mini, "cat " * 5000)
    assert len(probe.encode(mini, "cat " * 62).queries) == 64


@given(text=st.text(min_size=1, max_size=30))
def test_everything_typed_gets_a_trace_or_a_sentence(mini, text):
    try:
        trace = probe.encode(mini, text)
    except ValueError as error:
        assert str(error).endswith(".")
    else:
        np.testing.assert_allclose(trace.weights.sum(-1), 1, atol=1e-5)


def test_a_translator_and_the_wrong_task_are_named(bundle_of, bert_of):
    with pytest.raises(ValueError, match="rnn-dot is not a BERT: choose bert-mini"):
        probe.encode(bundle_of("rnn-dot"), TEXT)
    with pytest.raises(ValueError, match="bert-sentiment was not trained for this: choose bert-m"):
        probe.fill_mask(bert_of("bert-sentiment"), "The [MASK].")


# ---- words hidden by a click ------------------------------------------------------------------


def test_hiding_a_word_is_writing_the_mask_in_its_place(mini):
    """Word 3 of "[CLS] The cat didn't ..." is "didn't": three tokens become one [MASK]."""
    assert probe_bert.words(mini, TEXT)[3] == "didn't"
    found = probe_bert.filled(mini, TEXT, [3], top=5)
    (wanted,) = probe.fill_mask(mini, TEXT.replace("didn't", "[MASK]"), top=5)
    assert found.guesses[0].tokens == tuple(token for token, _ in wanted)
    np.testing.assert_allclose(found.guesses[0].probabilities, [p for _, p in wanted], atol=1e-6)
    assert found.trace.queries[found.places[0]] == "[MASK]" and found.wanted == ("didn't",)


def test_leaving_a_word_out_is_not_writing_it(mini):
    found = probe_bert.filled(mini, "The cat sees the dog.", [5], [3])
    (wanted,) = probe.fill_mask(mini, "The cat the [MASK].", top=10)
    np.testing.assert_allclose(found.guesses[0].probabilities, [p for _, p in wanted], atol=1e-6)


def test_a_typed_mask_cannot_be_left_out(mini):
    text = "The [MASK] sees the [MASK]."
    whole = probe_bert.filled(mini, text)
    without = probe_bert.filled(mini, text, left_out=(2,))
    assert without.places == whole.places
    assert np.array_equal(without.probabilities, whole.probabilities)


def test_typed_and_clicked_masks_are_filled_together(mini):
    found = probe_bert.filled(mini, "The [MASK] sees the dog.", [5])
    assert found.wanted == ("", "dog")
    assert found.wanted_ids[0] == -1 and found.rank(0) == 0
    label = mini.tokenizer.label(found.wanted_ids[1])
    assert label == "dog" and 1 <= found.rank(1) <= mini.tokenizer.size
    np.testing.assert_allclose(found.probabilities.sum(-1), 1, atol=1e-5)


@pytest.mark.parametrize("hidden", [[], [0], [6], [99], [-1]])
def test_without_a_mask_there_is_a_sentence(mini, hidden):
    """[CLS], [SEP] and words that are not there cannot be hidden."""
    with pytest.raises(ValueError, match="nothing to fill in"):
        probe_bert.filled(mini, "The cat sees the dog", hidden)


def test_all_words_may_be_hidden_at_once(mini):
    words = probe_bert.words(mini, TEXT)
    found = probe_bert.filled(mini, TEXT, range(len(words)))
    assert len(found.places) == len(words) - 2
    assert found.trace.queries == ("[CLS]", *["[MASK]"] * (len(words) - 2), "[SEP]")


def test_many_draws_come_near_the_rule(mini):
    """4 tokens: 15% rounds to 1 of them, so 25% are chosen, at 80, 10 and 10."""
    counts = probe_bert.masking_counts(mini, "the cat the dog", 4000)
    assert sum(counts.values()) == pytest.approx(0.25)
    error = 4 * math.sqrt(0.1 * 0.9 / 4000)  # four standard errors
    assert counts["masked"] / 0.25 == pytest.approx(0.8, abs=error)
    assert counts["random"] / 0.25 == pytest.approx(0.1, abs=error)
