"""The recipe of the character models, on a tiny shelf of books."""

import io
import math
import tarfile
from dataclasses import replace

import numpy as np
import pytest
import torch

from viz_core import checkpoints, probe
from viz_core.analysis import units
from viz_core.text.characters import Alphabet
from viz_core.training import characters, run
from viz_core.training.loop import Schedule

PARAGRAPHS = ['"Come in," she said. "You are late."', "The cat sees the dog and the dog a cat."]


@pytest.fixture
def folder(tmp_path):
    """A shelf of small books, packed as they are downloaded, some in each part."""
    path = tmp_path / characters.BOOKS.file
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as archive:
        for number in range(120):
            body = "\r\n\r\n".join(PARAGRAPHS * 20)
            text = f"# Title: Book {number}\n\n-------\n\n### I\n\n*{body}*\n".encode()
            member = tarfile.TarInfo(f"./Nobody/Book {number}.md")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return tmp_path


def test_a_book_is_in_one_part_only_and_each_part_has_some():
    parts = [characters.part_of(f"./Nobody/Book {number}.md") for number in range(1000)]
    shares = {part: parts.count(part) / 1000 for part in set(parts)}
    assert shares == pytest.approx({"train": 0.92, "held-out": 0.03, "test": 0.05}, abs=0.02)


def test_the_running_text_has_neither_title_nor_marks(folder):
    text = next(characters.books(folder, "train"))
    assert text.startswith(f"\n{PARAGRAPHS[0]}\n{PARAGRAPHS[1]}\n")
    assert not set(text) & set("#*_\r")


def test_windows_open_a_paragraph_and_the_target_is_the_next_character(folder):
    alphabet = Alphabet.of("".join(PARAGRAPHS))
    shelf = characters.Shelf(alphabet, characters.books(folder, "train"))
    windows = shelf.draw(np.random.default_rng(1), 8, 30)
    assert windows.ids.shape == (8, 31)
    assert windows.count == 8 * 30
    read = {alphabet.decode(row.tolist()) for row in windows.ids}
    assert read == {f"\n{paragraph}"[:31] for paragraph in PARAGRAPHS}
    halves = [windows.share(rank, 2).ids for rank in range(2)]
    assert sorted(torch.cat(halves).tolist()) == sorted(windows.ids.tolist())


def test_a_missing_shelf_is_named_with_its_source(tmp_path):
    with pytest.raises(ValueError, match=r"classic-books.tar.gz is missing. Its public source"):
        next(characters.books(tmp_path, "train"))


def test_a_recipe_trains_measures_and_keeps_a_checkpoint(folder, monkeypatch):
    """The command on a tiny shelf: the model must come to expect what it has read."""
    monkeypatch.setattr(checkpoints, "FOLDER", folder / "checkpoints")
    for name, small in {"WINDOW": 32, "BATCH": 8, "WIDTH": 32, "TESTED": 4}.items():
        monkeypatch.setattr(characters, name, small)
    quick = Schedule(steps=30, peak=0.02, warmup=5, check_every=10)
    options = run.Options(data=folder, runs=folder / "runs")
    run.train(replace(characters.GRU, schedule=quick), options)
    bundle = checkpoints.load("char-gru")
    bits = bundle.card.metrics["books test"]["bits per character"]
    assert bits < 3 < math.log2(bundle.tokenizer.size)
    assert len(bundle.card.measured["followers"]) == len(units.FOLLOWED)
    assert probe.gates(bundle, "The cat sees the do").predictions[-1].tokens[0] == "g"
