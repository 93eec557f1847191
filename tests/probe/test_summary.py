"""Titles with everything that made them."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core import checkpoints, probe
from viz_core.atlas.abstracts import ABSTRACTS
from viz_core.probe import summary
from viz_core.text import END

LONG = " ".join([tiny.TEXT] * 6)


@pytest.mark.parametrize("beam", [1, 3])
def test_a_title_comes_with_where_it_looked_and_what_it_copied(beam):
    found = probe.summarise(tiny.summary(), tiny.TEXT, beam)
    rows, keys = len(found.target), len(found.source)
    assert found.cross.weights.shape == (2, 2, rows, keys)
    assert found.copying.weights.shape == (rows, keys)
    assert np.allclose(found.copying.weights.sum(1), 1, atol=1e-5)
    assert ((found.copying.shares >= 0) & (found.copying.shares <= 1.0001)).all()
    assert sum(np.log(found.probabilities)) == pytest.approx(found.log_prob, abs=1e-4)
    assert found.text


def test_merged_words_keep_all_weight_of_copying():
    found = probe.summarise(tiny.summary(), tiny.TEXT).words()
    assert found.copying.weights.shape == (len(found.target), len(found.source))
    assert np.allclose(found.copying.weights.sum(1), 1, atol=1e-5)
    assert len(found.copying.chances) == len(found.target)


def test_a_greedy_title_takes_the_likeliest_token_of_a_full_pass():
    """Kept keys and values against everything computed anew."""
    bundle = tiny.summary()
    source = torch.tensor([bundle.tokenizer.encode(tiny.TEXT).ids])
    written, steps = [2], summary.Summarising(bundle, source)
    for at in range(6):
        step = bundle.model.decode(bundle.model.encode(source), (), torch.tensor([written]))
        chances = bundle.model.probabilities(step, source)[0, -1]
        pointed = bundle.model.point(step)
        for before, place in pairwise(range(source.shape[1])):
            token = int(source[0, place])
            if not steps.opens[token] and int(source[0, before]) != written[-1]:
                chances[token] -= pointed.weights[0, -1, place] * pointed.copies[0, -1]
        chances[[0, 1, 2, *([END] if at == 0 else []), *steps.repeats(written)]] = 0
        written.append(int(chances.argmax()))
        if written[-1] == END:
            break
    found = probe.summarise(bundle, tiny.TEXT)
    assert bundle.tokenizer.show(written[1:]).tokens == found.target[: len(written) - 1]


@pytest.mark.parametrize("beam", [1, 4])
def test_no_three_tokens_come_twice_in_a_title(beam):
    tokens = probe.summarise(tiny.summary(), LONG, beam).target
    triples = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
    assert len(triples) > 5
    assert len(set(triples)) == len(triples)


def test_what_may_not_follow_is_what_followed_before():
    assert summary.third([2, 5, 6, 7, 5, 6]) == [7]
    assert summary.third([2, 5, 6, 7, 6, 5]) == []
    assert summary.third([2]) == []


def test_no_word_opens_as_the_one_before_it():
    bundle = tiny.summary()
    steps = summary.Summarising(bundle, torch.tensor([bundle.tokenizer.encode(LONG).ids]))
    opening = [i for i in summary.decoding.greedy(steps, 1, 40)[0].ids if steps.opens[i]]
    assert len(opening) > 5
    assert all(first != second for first, second in pairwise(opening))


def test_a_word_may_not_follow_itself_but_a_digit_may():
    bundle = checkpoints.load("summary")
    steps = summary.Summarising(bundle, torch.tensor([bundle.tokenizer.encode("Some text.").ids]))
    *years, _ = bundle.tokenizer.encode("the year 200").ids
    assert bundle.tokenizer.decode(steps.repeats([2, *years[:2]])) == "year"
    assert years[-1] == years[-2]
    assert years[-1] not in steps.repeats([2, *years[:-1]])


def test_a_piece_inside_a_word_is_copied_from_behind_the_piece_before_it():
    """“dairy” ends after its last piece: nothing in the text has that piece behind itself."""
    text = "Northfield Foods Inc said it has agreed to buy Alpine Dairy Corp for 240 mln dlrs."
    assert "Alpine Dairy" in probe.summarise(checkpoints.load("summary"), text).text
    assert "yy" not in probe.summarise(checkpoints.load("summary"), text).text


def test_what_only_begins_a_word_of_the_text_is_no_word():
    found = summary.halves(["▁l", "or", "ries", ".", "▁in", "side", "▁can", "ist", "ers"])
    assert found == {("▁l",), ("▁l", "or"), ("▁can", "ist")}  # in and can are words themselves
    assert not summary.halves(["▁net", "work", "▁net", "-", "of", "▁a", "c"])


def test_texts_in_a_batch_get_the_titles_that_they_get_alone():
    bundle = tiny.summary()
    texts = [tiny.TEXT, "The cat sat."]
    rows = bundle.tokenizer.encode_batch(texts)
    source = torch.zeros(2, max(map(len, rows)), dtype=torch.long)
    for number, row in enumerate(rows):
        source[number, : len(row)] = torch.tensor(row)
    together = summary.decoding.greedy(summary.Summarising(bundle, source), 2, 12)
    for row, found in zip(rows, together, strict=True):
        alone = summary.decoding.greedy(summary.Summarising(bundle, torch.tensor([row])), 1, 12)
        assert alone[0].ids == found.ids


def test_a_block_as_long_as_the_text_changes_nothing():
    both = probe.in_blocks(tiny.summary(), tiny.TEXT, 500)
    assert both.full.text == both.local.text
    assert both.full.log_prob == pytest.approx(both.local.log_prob, abs=1e-4)
    assert both.outside == 0


def test_small_blocks_take_weight_away():
    both = probe.in_blocks(tiny.summary(), tiny.TEXT, 4)
    assert 0 < both.outside < 1
    assert both.full.log_prob != pytest.approx(both.local.log_prob, abs=1e-4)


def test_a_long_text_is_read():
    assert len(probe.summarise(tiny.summary(), LONG).source) > 90


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing to sum up"),
        (" \n\t ", "nothing to sum up"),
        ("word " * 5000, "at most"),
        ("💥" * 30, "not known"),
    ],
)
def test_what_cannot_be_summed_up_gets_a_sentence(text, said):
    with pytest.raises(ValueError, match=said):
        probe.summarise(tiny.summary(), text)


def test_a_name_that_nobody_ever_read_is_copied_into_its_title():
    found = probe.summarise(checkpoints.load("summary"), ABSTRACTS["A new word"]).words()
    at = found.target.index("quibble")
    assert found.text.startswith("Quibble")
    assert found.copying.shares[at] > 0.9
    assert found.source[int(found.copying.weights[at].argmax())] == "Quibble"


def test_another_model_says_that_it_writes_no_titles():
    with pytest.raises(ValueError, match="choose summary"):
        probe.summarise(tiny.gpt(), tiny.TEXT)
