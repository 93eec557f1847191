"""Texts with their titles: cleaned, split, missing files named."""

import lzma

import pytest

from viz_core.training.data import titles
from viz_core.training.data.pairs import part_of

NEWS = [
    ("NATIONAL HERITAGE <NHER> BUYS FIRM", "National Heritage Inc said it bought a firm."),
    ("ACME <ACM> 4TH QTR NET", "Shr 12 cts vs nine cts"),  # a table
    ("OLD NEWS", "The same text twice."),
    ("NEW NEWS", "The same text twice."),
]


@pytest.fixture
def folder(tmp_path):
    path = titles.NEWS.path
    (tmp_path / "reuters").mkdir()
    with lzma.open(tmp_path / titles.NEWS.file, "wt", encoding="utf-8") as file:
        file.writelines(f"{title}\t{text}\n" for title, text in NEWS)
    assert path(tmp_path).is_file()
    return tmp_path


def every(folder):
    return [pair for part in ("train", "held-out", "test") for pair in read(folder, part)]


def read(folder, part):
    return titles.read("news", folder, part)


def test_a_headline_loses_the_sign_of_its_share_and_a_table_is_left_out(folder):
    found = [pair.title for pair in every(folder)]
    assert "NATIONAL HERITAGE BUYS FIRM" in found
    assert not any("NET" in title for title in found)


def test_a_text_that_comes_twice_counts_once(folder):
    assert [pair.text for pair in every(folder)].count("The same text twice.") == 1


def test_the_part_is_told_by_the_letters_of_the_title():
    assert part_of("A Title, of sorts!") == part_of("a title of SORTS")


def test_a_missing_file_is_named_with_its_source(tmp_path):
    with pytest.raises(ValueError, match="aclanthology"):
        titles.read("papers", tmp_path, "train")
