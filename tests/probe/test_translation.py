import math

import numpy as np
import pytest
import torch

from viz_core import probe
from viz_core.checkpoints import Bundle
from viz_core.models.rnn import RNN, Look, RNNConfig
from viz_core.probe import Options
from viz_core.text import END, START
from viz_core.training import data

TEXT = "The cat didn't see it."
FRENCH = "Le chat ne l'a pas vu."
MODELS = pytest.mark.parametrize(
    "name", ["rnn-additive", "rnn-none", "rnn-local-p", "rnn-search", "transformer"]
)


@pytest.fixture(scope="module")
def memorised(bundle_of, pairs) -> Bundle:
    """A translator that has learned four sentences by heart, in a second."""
    tokenizer, card = bundle_of("rnn-additive").tokenizer, bundle_of("rnn-additive").card
    torch.manual_seed(1)
    config = RNNConfig(
        vocabulary=tokenizer.size, attention="additive", embedding=32, width=32, dropout=0.0
    )
    model = RNN(config)
    batch = data.collate(data.encode(tokenizer, [data.Pair(*pair) for pair in pairs]))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(80):
        logits = model.logits(model(batch.source, batch.target)[0])
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=0
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return Bundle(model.eval().requires_grad_(False), tokenizer, card)


# ---- text in, text out ------------------------------------------------------------------------


def test_a_memorised_sentence_is_written_as_it_was_read(memorised, pairs):
    for english, french in pairs:
        found = probe.translate(memorised, english)
        assert found.text == french
        assert found.complete


def test_all_ways_to_ask_for_a_log_probability_agree(memorised, pairs):
    for english, french in pairs:
        wanted = probe.translate(memorised, english).log_prob
        assert probe.log_prob(memorised, english, french) == pytest.approx(wanted, abs=1e-4)
        assert probe.align(memorised, english, french).log_prob == pytest.approx(wanted, abs=1e-4)
        tree = probe.beam(memorised, english, size=1)
        assert tree.nodes[tree.best].log_prob == pytest.approx(wanted, abs=1e-4)


def test_a_wrong_translation_is_less_probable(memorised, pairs):
    (english, right), (_, wrong) = pairs[:2]
    assert probe.log_prob(memorised, english, right) > probe.log_prob(memorised, english, wrong) + 5


def test_the_targets_spaces_may_be_typed_either_way(memorised, pairs):
    english, french = pairs[3]
    typed = french.replace(" ?", "?").replace("'", "’")
    assert typed != french
    assert probe.log_prob(memorised, english, typed) == probe.log_prob(memorised, english, french)


@MODELS
def test_log_prob_is_the_sum_over_single_steps(name, bundle_of):
    bundle = bundle_of(name)
    steps = probe.Translating(bundle, torch.tensor([bundle.tokenizer.encode(TEXT).ids]))
    total, state, last = 0.0, steps.first(), START
    for token in bundle.tokenizer.encode(FRENCH).ids:
        log_probs, _, state = steps.step(state, torch.tensor([last]))
        total += float(log_probs[0, token])
        last = token
    assert probe.log_prob(bundle, TEXT, FRENCH) == pytest.approx(total, abs=1e-2)


@MODELS
def test_a_greedy_translation_takes_the_first_guess_at_each_step(name, bundle_of):
    found = probe.translate(bundle_of(name), TEXT)
    first = [guess.probabilities[0] for guess in found.predictions]
    assert found.log_prob == pytest.approx(sum(map(math.log, first)), abs=1e-2)
    assert len(first) == len(found.target)


@MODELS
def test_guesses_are_probabilities_most_probable_first(name, bundle_of):
    for guess in probe.align(bundle_of(name), TEXT, FRENCH).predictions:
        assert len(guess.tokens) == len(guess.probabilities)
        assert list(guess.probabilities) == sorted(guess.probabilities, reverse=True)
        assert 0 < sum(guess.probabilities) <= 1 + 1e-5


@MODELS
@pytest.mark.parametrize("size", [1, 4])
def test_beam_and_translate_find_the_same(name, size, bundle_of):
    bundle = bundle_of(name)
    tree = probe.beam(bundle, TEXT, size=size, length_penalty=0.6)
    found = probe.translate(bundle, TEXT, beam=size, length_penalty=0.6)
    assert bundle.tokenizer.decode(tree.token_ids(tree.best)) == found.text
    assert tree.nodes[tree.best].log_prob == pytest.approx(found.log_prob, abs=1e-2)
    assert tree.complete == found.complete


def test_unknown_characters_are_reported(bundle_of):
    assert probe.translate(bundle_of("rnn-dot"), "The 漢 cat.").unknown == ("漢",)


@pytest.mark.parametrize("tag", ["<s>", "</s>", "<pad>", "<script>"])
@pytest.mark.parametrize("name", ["rnn-additive", "transformer"])
def test_a_typed_tag_is_read_like_any_text(name, tag, bundle_of):
    weights = probe.translate(bundle_of(name), f"{tag} The {tag} cat").cross.weights
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-4)
    assert (weights > 0).all()


# ---- attention --------------------------------------------------------------------------------


@MODELS
def test_tokens_fit_their_attention(name, bundle_of):
    found = probe.align(bundle_of(name), TEXT, FRENCH)
    assert found.cross.keys == found.source
    assert found.cross.queries == found.target
    words = found.words()
    assert words.source == ("The", "cat", "didn't", "see", "it", ".", "</s>")
    assert words.target == ("Le", "chat", "ne", "l'", "a", "pas", "vu", ".", "</s>")


@pytest.mark.parametrize("name", ["rnn-additive", "rnn-search"])
def test_a_row_is_where_the_model_looked_to_write_its_word(name, bundle_of):
    """Not shifted by one: row i is the query that predicted target token i."""
    bundle = bundle_of(name)
    ids = bundle.tokenizer.encode(FRENCH).ids
    source = torch.tensor([bundle.tokenizer.encode(TEXT).ids])
    _, weights = bundle.model(source, torch.tensor([[START, *ids[:-1]]]))
    found = probe.align(bundle, TEXT, FRENCH)
    np.testing.assert_allclose(found.cross.matrix(), weights[0].numpy(), rtol=1e-5)


def test_a_transformer_shows_all_three_attentions(bundle_of):
    found = probe.align(bundle_of("transformer"), TEXT, FRENCH)
    assert found.encoder is not None and found.decoder is not None
    kinds = (found.encoder.kind, found.decoder.kind, found.cross.kind)
    assert kinds == ("self", "masked", "cross")
    assert found.encoder.queries == found.encoder.keys == found.source
    assert found.decoder.queries == found.decoder.keys == ("<s>", *found.target[:-1])
    assert (found.encoder.layers, found.decoder.layers, found.cross.layers) == (2, 2, 2)
    for trace in (found.encoder, found.decoder, found.cross):
        np.testing.assert_allclose(trace.weights.sum(-1), 1, rtol=1e-4)
    assert not np.triu(found.decoder.weights, 1).any()


@pytest.mark.parametrize(
    "name", ["rnn-additive", "rnn-dot", "rnn-content", "rnn-location", "rnn-search"]
)
def test_the_softmax_of_the_scores_is_the_weights(name, bundle_of):
    found = probe.align(bundle_of(name), TEXT, FRENCH)
    assert found.scores is not None
    exponents = np.exp(found.scores - found.scores.max(-1, keepdims=True))
    wanted = exponents / exponents.sum(-1, keepdims=True)
    np.testing.assert_allclose(found.cross.matrix(), wanted, atol=1e-5)


@pytest.mark.parametrize("name", ["rnn-additive", "rnn-search"])
def test_options_change_the_view_and_not_the_model(name, bundle_of):
    bundle = bundle_of(name)
    before = probe.align(bundle, TEXT, FRENCH).cross.matrix()
    flat = probe.align(bundle, TEXT, FRENCH, Options(look=Look(temperature=1e6)))
    np.testing.assert_allclose(flat.cross.matrix(), 1 / len(flat.source), atol=1e-4)
    assert np.array_equal(probe.align(bundle, TEXT, FRENCH).cross.matrix(), before)


def test_silencing_heads_changes_the_probabilities(bundle_of):
    bundle = bundle_of("transformer")
    heard = ("encoder", "cross")
    off = tuple((part, layer, head) for part in heard for layer in range(2) for head in range(4))
    plain = probe.align(bundle, TEXT, FRENCH).log_prob
    silent = [probe.align(bundle, t, FRENCH, Options(off=off)).log_prob for t in (TEXT, "It")]
    assert silent[0] == pytest.approx(silent[1])  # deaf to the source
    assert silent[0] != pytest.approx(plain, abs=0.1)


# ---- local attention --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "look", [Look(), Look(reach=3.0), Look(sigma=0.7), Look(reach=1.0, sigma=4.0)]
)
@pytest.mark.parametrize("name", ["rnn-local-p", "rnn-local-m"])
def test_local_weights_are_content_times_gaussian(name, look, bundle_of):
    found = probe.local(bundle_of(name), TEXT, FRENCH, Options(look=look))
    np.testing.assert_allclose(
        found.attention.matrix(), found.content * found.gaussian, rtol=1e-3, atol=1e-6
    )
    np.testing.assert_allclose(found.content.sum(-1), 1, rtol=1e-4)


def test_local_follows_its_own_translation_or_a_given_one(bundle_of):
    bundle = bundle_of("rnn-local-p")
    assert probe.local(bundle, TEXT).attention.queries == probe.translate(bundle, TEXT).target
    given_one = probe.align(bundle, TEXT, FRENCH)
    along = probe.local(bundle, TEXT, FRENCH)
    assert along.attention.queries == given_one.target
    assert np.array_equal(along.attention.weights, given_one.cross.weights)


def test_a_model_without_a_window_says_so(bundle_of):
    with pytest.raises(ValueError, match=r"rnn-dot has no local attention"):
        probe.local(bundle_of("rnn-dot"), TEXT)


# ---- the search tree --------------------------------------------------------------------------


@MODELS
def test_each_node_knows_where_its_decoder_looked(name, bundle_of):
    tree = probe.beam(bundle_of(name), TEXT, size=3)
    assert tree.attention is not None
    assert tree.attention.shape == (len(tree.nodes), len(tree.source))
    assert not tree.attention[0].any()
    if name != "rnn-none" and name != "rnn-local-p":
        np.testing.assert_allclose(tree.attention[1:].sum(-1), 1, rtol=1e-4)


def test_forcing_the_best_paths_prefix_keeps_the_best_result(memorised, pairs):
    english, french = pairs[0]
    ids = (tree := probe.beam(memorised, english, size=3)).token_ids(tree.best)
    for cut in range(len(ids) + 1):
        forced = probe.beam(memorised, english, size=3, prefix=ids[:cut])
        assert forced.token_ids(forced.best) == ids
        assert forced.complete
    assert memorised.tokenizer.decode(ids) == french


def test_any_token_can_be_forced(bundle_of):
    bundle = bundle_of("transformer")
    for token in range(4, bundle.tokenizer.size, 7):
        tree = probe.beam(bundle, TEXT, size=2, prefix=(token,), limit=3)
        assert tree.token_ids(tree.best)[0] == token


def test_a_short_limit_leaves_the_best_unfinished(bundle_of):
    tree = probe.beam(bundle_of("rnn-additive"), TEXT, size=2, limit=1)
    best = tree.nodes[tree.best]
    assert tree.complete == (best.token_id == END)
    assert best.step == 1


# ---- what cannot be read ----------------------------------------------------------------------


@pytest.mark.parametrize("call", [probe.translate, probe.beam])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "nothing to read"), (" \n\t", "nothing to read"), ("cat " * 500, "Shorten")],
)
def test_a_source_that_cannot_be_read_gets_a_sentence(call, text, sentence, bundle_of):
    with pytest.raises(ValueError, match=sentence):
        call(bundle_of("rnn-additive"), text)


@pytest.mark.parametrize(("target", "sentence"), [("  ", "no target"), ("chat " * 500, "Shorten")])
@pytest.mark.parametrize("call", [probe.align, probe.log_prob, probe.local])
def test_a_target_that_cannot_be_followed_gets_a_sentence(call, target, sentence, bundle_of):
    with pytest.raises(ValueError, match=sentence):
        call(bundle_of("rnn-local-p"), TEXT, target)


@pytest.mark.parametrize("size", [0, -1])
def test_a_beam_that_keeps_nothing_gets_a_sentence(size, bundle_of):
    with pytest.raises(ValueError, match="choose 1 or more"):
        probe.beam(bundle_of("rnn-dot"), TEXT, size=size)
    with pytest.raises(ValueError, match="choose 1 or more"):
        probe.translate(bundle_of("rnn-dot"), TEXT, beam=size)


@pytest.mark.parametrize("token", [-1, 10**6])
def test_a_forced_token_outside_the_vocabulary_gets_a_sentence(token, bundle_of):
    with pytest.raises(ValueError, match="vocabulary"):
        probe.beam(bundle_of("rnn-dot"), TEXT, prefix=(token,))


def test_a_beam_wider_than_the_vocabulary_is_allowed(bundle_of):
    tree = probe.beam(bundle_of("rnn-dot"), TEXT, size=10_000, limit=2)
    assert (
        len([node for node in tree.nodes if node.step == 1]) == bundle_of("rnn-dot").tokenizer.size
    )
