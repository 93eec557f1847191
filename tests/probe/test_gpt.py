"""Writing on, word by word."""

import math

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core import probe
from viz_core.probe import gpt as probe_gpt
from viz_core.text import END, START

TEXT = "The cat sees the dog"


@torch.inference_mode()
def greedy_anew(bundle, text, count):
    """The oracle: everything is read again for every token."""
    ids = list(probe_gpt.read(bundle, text).ids)
    begun = len(ids)
    while len(ids) < begun + count and END not in ids:
        logits = bundle.model.logits(bundle.model(torch.tensor([ids])).states[0, -1])
        logits[probe_gpt.NEVER] = -math.inf
        ids.append(int(logits.argmax()))
    return bundle.tokenizer.decode(ids)


def test_generation_from_the_cache_equals_full_recomputation():
    assert probe.generate(tiny.gpt(), TEXT, 20, 0.0).text == greedy_anew(tiny.gpt(), TEXT, 20)


def test_what_is_generated_fits_together():
    found = probe.generate(tiny.gpt(), TEXT, 9, 1.0, seed=4)
    assert found.text.startswith(TEXT)
    assert 1 <= len(found.tokens) == len(found.predictions) == len(found.probabilities) <= 9
    assert found.attention.kind == "masked"
    assert found.attention.queries[: found.given][0] == "<s>"
    assert not np.triu(found.attention.weights, 1).any()


def test_greedy_writing_tells_what_the_model_expects():
    found = probe.generate(tiny.gpt(), TEXT, 6, 0.0)
    for chance, guess in zip(found.probabilities, found.predictions, strict=True):
        assert chance == guess.probabilities[0] < 1 and guess.probabilities[1] > 0


def test_the_same_seed_writes_the_same_and_another_does_not():
    texts = [probe.generate(tiny.gpt(), TEXT, 12, seed=seed).text for seed in (1, 1, 2, 3)]
    assert texts[0] == texts[1] and len(set(texts)) > 1


def test_top_k_and_temperature_shape_what_is_drawn_from():
    logits = torch.randn(90, generator=torch.Generator().manual_seed(0))
    allowed = logits.clone()
    allowed[probe_gpt.NEVER] = -math.inf
    torch.testing.assert_close(probe_gpt.chances(logits, 2.0), (allowed / 2).softmax(0))
    few = probe_gpt.chances(logits, 1.0, 5)
    assert int((few > 0).sum()) == 5 and float(few.sum()) == pytest.approx(1)
    assert probe_gpt.chances(logits, 0.0).argmax() == allowed.argmax()


def test_an_empty_beginning_begins_a_story():
    assert probe.generate(tiny.gpt(), "", 4).given == 1


def test_loss_is_the_sum_over_tokens_and_a_long_text_is_read_in_windows():
    bundle = tiny.gpt()
    nats, words = probe.language_loss(bundle, TEXT)
    ids = bundle.tokenizer.encode(TEXT).ids[:-1]
    with torch.inference_mode():
        logits = bundle.model.logits(bundle.model(torch.tensor([[START, *ids[:-1]]])).states[0])
    oracle = torch.nn.functional.cross_entropy(logits, torch.tensor(ids), reduction="sum")
    assert (nats, words) == (pytest.approx(float(oracle), rel=1e-4), 5)
    long, many = probe.language_loss(bundle, f"{TEXT}. " * 30)
    assert many == 180 and math.isfinite(long) and long > 20 * nats


def test_who_cannot_read_says_so():
    with pytest.raises(ValueError, match="never seen these signs"):
        probe.generate(tiny.gpt(), "猫猫")
    with pytest.raises(ValueError, match="Shorten it"):
        probe.generate(tiny.gpt(), "cat " * 200)
    with pytest.raises(ValueError, match="choose gpt"):
        probe.generate(tiny.translator("transformer"), TEXT)
    with pytest.raises(ValueError, match="no language model"):
        probe.language_loss(tiny.translator("transformer"), TEXT)
    with pytest.raises(ValueError, match="reads one text"):
        probe.encode(tiny.gpt(), TEXT, "and another")


def test_the_lens_and_the_tree_begin_where_the_text_ends():
    bundle = tiny.gpt()
    stream = probe.lens(bundle, TEXT)
    best = probe.generate(bundle, TEXT, 1, 0.0)
    assert stream.nearest[-1][-1][0].removeprefix("##") == best.tokens[0].removeprefix("##")
    tree = probe.continuations(bundle, TEXT, 3, 4)
    assert tree.nodes[0].token == stream.tokens[-1]
    first = max((node for node in tree.nodes if node.step == 1), key=lambda node: node.log_prob)
    assert first.token == stream.nearest[-1][-1][0]
    assert first.probability == pytest.approx(float(stream.probabilities[-1, -1, 0]), abs=1e-4)
