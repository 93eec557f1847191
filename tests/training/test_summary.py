"""What the summariser is taught: its batches and its loss."""

import lzma

import pytest
import torch

from tests import tiny
from viz_core import checkpoints
from viz_core.text import END, PAD
from viz_core.training import summary
from viz_core.training.data import titles
from viz_core.training.measure import summary as measure
from viz_core.training.recipes import RECIPES

TEXT = "The old dog sat on the mat and the cat saw the dog and sat there on the mat."


@pytest.fixture
def task(tmp_path):
    for source in titles.KINDS.values():
        path = tmp_path / source.file
        path.parent.mkdir()
        with lzma.open(path, "wt", encoding="utf-8") as file:
            file.writelines(f"The dog number {n}\t{n} {TEXT}\n" for n in range(400))
    return summary.SummaryTask(tiny.summary().model, tiny.summary().tokenizer, tmp_path)


def test_a_text_is_cut_and_closed():
    (example,) = summary.encode(tiny.summary().tokenizer, [titles.Titled(TEXT, "The dog sat")], 10)
    assert len(example.source) == 10
    assert example.source[-1] == END
    assert list(example.source[:-1]) == list(tiny.summary().tokenizer.encode(TEXT).ids[:9])


def test_a_chunk_is_the_same_whenever_it_is_asked_for_and_the_next_one_is_not(task):
    once, again, other = (next(task.batches(0.5, chunk)) for chunk in (0, 0, 1))
    assert torch.equal(once.rows.source, again.rows.source)
    assert once.start == again.start
    assert once.rows.source.tolist() != other.rows.source.tolist()


def test_texts_grow_while_it_learns(task):
    early, late = (
        max(batch.rows.source.shape[1] for batch in task.batches(progress, 0))
        for progress in (0.0, 1.0)
    )
    assert early <= summary.SHORT
    assert late <= summary.LONG


def test_the_loss_is_what_the_chances_of_the_titles_say(task):
    batch = task.held_out["papers"][0]
    model, rows = tiny.summary().model, batch.rows
    step = model.decode(model.encode(rows.source), (), rows.target)
    chances = model.probabilities(step, rows.source)
    total = sum(
        -float(chances[row, at, rows.wanted[row, at]].log())
        for row in range(len(rows.wanted))
        for at in range(rows.wanted.shape[1])
        if rows.wanted[row, at] != PAD
    )
    assert float(summary.nats(model, batch).sum()) == pytest.approx(total, rel=1e-4)


def test_how_to_copy_learns_faster_than_the_rest(task):
    (optimiser,) = task.optimisers(RECIPES["summary"].schedule)
    counted = sum(len(group["params"]) for group in optimiser.param_groups)
    assert counted == len(list(task.model.parameters()))
    assert optimiser.param_groups[-1]["factor"] > 1
    assert len(optimiser.param_groups[-1]["params"]) == 3


def test_titles_are_measured_beside_the_first_words(task, tmp_path):
    found = measure.measure(tiny.summary(), tmp_path)["metrics"]
    own = [name for name in found if name.startswith("papers test")]
    assert len(own) == 3
    assert any("first 4 words" in name for name in own)
    assert found["papers test"]["texts"] > 0


def test_the_first_words_are_the_first_words():
    assert measure.first_words("We propose  a model.", 3) == "We propose a"


def test_the_shape_is_that_of_the_translator_it_begins_with():
    shape = checkpoints.card("transformer").config
    model = RECIPES["summary"].model(None, tiny.summary().tokenizer)
    assert model.config.width == shape["width"]
    assert model.config.vocabulary == tiny.summary().tokenizer.size
