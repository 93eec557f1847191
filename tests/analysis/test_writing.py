"""What is said of a decoder's work."""

from dataclasses import replace

import numpy as np
import pytest

from tests import tiny
from viz_core import probe
from viz_core.analysis import writing
from viz_core.charts import kept, lens
from viz_core.models.gpt import GPT, GPTConfig

CONFIG = {"width": 16, "layers": 2, "inner": 24, "vocabulary": 90}


def test_the_products_of_a_token_are_its_weights_and_its_pairs():
    """With no token before it, one token meets every matrix once, and itself."""
    model = GPT(GPTConfig(**CONFIG, heads=2))
    matrices = sum(weight.numel() for weight in model.parameters() if weight.dim() == 2)
    cost = writing.cache_cost(CONFIG, 0)
    assert cost.products == cost.products_anew == matrices + 2 * 2 * 16
    assert cost.kept == 0 and cost.new == 2 * 2 * 16


def test_the_cache_saves_more_the_longer_the_text():
    times = [writing.cache_cost(CONFIG, tokens).times for tokens in (0, 5, 50, 200)]
    assert times[0] == 1 and times == sorted(times)


def test_a_repeat_is_found_with_what_came_after_it():
    assert writing.repeat(("<s>", "A", "B", "C", "A")) == (4, 2)
    assert writing.repeat(("<s>", "A", "B", "A", "C", "A")) == (5, 4)
    assert writing.repeat(("<s>", "A", "A")) == (None, None)  # nothing stands between
    assert writing.repeat(("<s>", "A", "B")) == (None, None)


@pytest.mark.parametrize(("score", "said"), [(0.9, "There is an induction head"), (0.1, "no ind")])
def test_an_induction_head_is_named_only_where_there_is_one(score, said):
    after = np.zeros((2, 3))
    after[1, 2] = score
    told = writing.induction_finding({"induction": {"after": after.tolist(), "said": 0.5}})
    assert said in told and "layer 2, head 3" in told


def test_the_text_grows_with_the_steps_and_the_chain_adds_up():
    found = probe.generate(tiny.gpt(), "The cat", 5, seed=2)
    texts = [writing.so_far(found, step) for step in range(len(found.tokens) + 1)]
    assert texts[0] == "The cat" and [*map(len, texts)] == sorted(map(len, texts))
    total = float(np.log(found.probabilities).sum())
    assert writing.chain(found, len(found.tokens) - 1).endswith(f"= {total:.2f}")


def test_what_is_written_is_spaced_as_the_model_spaces_it():
    found = probe.generate(tiny.gpt(), "The cat", 3, seed=2)
    spaced = replace(found, text=found.text.replace("cat", "c at"))
    assert writing.so_far(spaced, 0) == "The c at"


def test_every_place_of_the_lens_is_drawn_and_the_cache_has_one_new_column():
    stream = probe.lens(tiny.gpt(), "The cat sees the dog")
    cells = next(iter(lens.lens(stream, 1).to_dict()["datasets"].values()))
    assert len(cells) == len(stream.stages) * len(stream.tokens)
    cost = writing.cache_cost({**CONFIG, "layers": 3}, len(stream.tokens) - 1)
    tables = kept.kept(stream.tokens, cost).to_dict()["datasets"].values()
    new = [sum(row["state"] == kept.NEW for row in table) for table in tables]
    assert sorted(new) == [3, 3 * len(stream.tokens)]


def test_a_translation_grows_to_the_whole_text_without_its_closing_mark():
    found = probe.align(tiny.translator("transformer"), *tiny.PAIRS[0])
    texts = [writing.translated(found, step) for step in range(len(found.target) + 1)]
    assert texts[0] == "" and texts[-1] == texts[-2] == tiny.PAIRS[0][1]
    assert [*map(len, texts)] == sorted(map(len, texts))


def test_a_translation_keeps_its_hyphens_and_leaves_out_what_nobody_can_read():
    words = ("Ma", "grand", "-", "mère", "<unk>", "▁", "!", "</s>")
    assert writing._spaced("Ma grand-mère !", words) == "Ma grand-mère !"
    assert writing._spaced("Ma grand-mère !", words[:3]) == "Ma grand-"
