"""Pairs of one's own: what is wrong with a file or a name is said, and nothing is overwritten."""

import gzip
import sys

import pytest

from viz_core import checkpoints
from viz_core.training import __main__ as command, own as own_recipe, state
from viz_core.training.data import own

LINES = [f"sentence number {i}\tSatz Nummer {i}" for i in range(200)]


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_file_is_split_by_source_sentence_plain_or_gz_and_odd_lines_are_left_out(tmp_path):
    spelled = "SENTENCE number 7!\tnoch einmal"  # the same letters: the same part
    text = "\n\n".join([*LINES, *LINES, spelled, "no tab here", "\tempty", "empty\t", "  \t  "])
    plain = own.read(write(tmp_path / "a.tsv", "\ufeff" + text))
    packed = own.read(write(tmp_path / "a.tsv.gz", gzip.compress(text.encode())))
    assert plain.parts == packed.parts
    assert plain.skipped == 3  # the last one is an empty line
    sources = [{own._key(pair.english) for pair in plain.of(part)} for part in plain.parts]
    assert not sources[0] & sources[1] and not sources[0] & sources[2]
    assert [len(part) for part in sources] == [160, 20, 20]
    assert sum(len(plain.of(part)) for part in plain.parts) == 201  # none twice


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("\n \n\t\n", "is empty"),
        ("\n".join(f"one {i} two" for i in range(200)), "no tab in any line"),
        ("one\tzwei", r"has 1 different source sentence in 1 pair\."),
        ("\n".join(LINES).encode("utf-16"), "not in UTF-8"),
        ("\n".join(LINES).encode() + "\nà\tb".encode("latin-1"), r"not in UTF-8 \(line 201\)"),
        (b"\x1f\x8b\x08broken", "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(tmp_path, content, said):
    with pytest.raises(ValueError, match=said):
        own.read(write(tmp_path / "my.tsv", content))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match="There is no file"):
        own.read(tmp_path / "none.tsv")
    with pytest.raises(ValueError, match="There is no file"):
        own.read(tmp_path)


def told(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["training", "translate", *map(str, words)])
    command.main()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("transformer", "already"),
        ("../en-de", "no path"),
        ("/tmp/en-de", "no path"),
        ("En De", "no name"),
        ("..", "no name"),
        ("mine", "Say which languages"),
        ("en-xx", "holds a run"),
    ],
)
def test_a_name_that_is_taken_or_a_path_is_refused_and_nothing_is_written(
    tmp_path, monkeypatch, name, said
):
    pairs = write(tmp_path / "my.tsv", "\n".join(LINES))
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    (tmp_path / "runs" / "en-xx").mkdir(parents=True)
    (tmp_path / "runs" / "en-xx" / state.STATE).touch()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ValueError, match=said):
        told(monkeypatch, "--pairs", pairs, "--name", name, "--runs", tmp_path / "runs")
    assert sorted(tmp_path.rglob("*")) == before


def test_the_command_asks_for_what_it_needs(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"--pairs my\.tsv --name en-vi"):
        told(monkeypatch)
    with pytest.raises(ValueError, match="There is no run"):
        told(monkeypatch, "--pairs", "x.tsv", "--name", "en-yy", "--runs", tmp_path, "--resume")
    for minutes in ("-1", "0", "nan"):  # without an end it would run for hours
        with pytest.raises(ValueError, match="needs some minutes"):
            told(monkeypatch, "--pairs", "x.tsv", "--name", "en-yy", f"--minutes={minutes}")


@pytest.mark.parametrize("code", ["English", "<b>", "e", "en vi"])
def test_a_language_is_told_by_its_code(tmp_path, monkeypatch, code):
    """It stands on every page that translates."""
    pairs = write(tmp_path / "my.tsv", "\n".join(LINES))
    words = ("--pairs", pairs, "--name", "mine", "--runs", tmp_path / "runs")
    with pytest.raises(ValueError, match="no code of a language"):
        told(monkeypatch, *words, "--source", code, "--target", "vi")
    assert not (tmp_path / "runs").exists()


def test_the_vocabulary_fits_the_file_and_thousands_of_signs_have_room():
    short = ["abc"] * 200
    assert own_recipe.fitting(short, 100) == own_recipe.LEAST_WORDS
    assert own_recipe.fitting(short, 70_000) == 10_000
    chinese = ["".join(map(chr, range(0x4E00, 0x4E00 + 1500)))] * 3
    assert own_recipe.fitting(chinese, 3) == 3000  # half of it for signs, half for words


def test_a_run_ended_before_its_first_state_starts_again_and_a_strangers_folder_is_left(
    tmp_path, monkeypatch
):
    folder = tmp_path / "en-zz"
    folder.mkdir()
    for name in ("snapshots.jsonl", "best.safetensors"):
        (folder / name).touch()
    started = []
    monkeypatch.setattr(command.run, "train", lambda recipe, told: started.append((recipe, told)))
    pairs = write(tmp_path / "my.tsv", "\n".join(LINES))
    words = ("--pairs", pairs, "--name", "en-zz", "--runs", tmp_path)
    with pytest.raises(ValueError, match="There is no run"):
        told(monkeypatch, *words, "--resume")
    told(monkeypatch, *words)
    ((recipe, options),) = started
    assert len(list(folder.iterdir())) == 2  # until all of it is sound
    recipe.begin(options, None)
    assert not list(folder.iterdir())
    (folder / "letters.txt").touch()
    with pytest.raises(ValueError, match="is no run"):
        told(monkeypatch, *words)
    folder = tmp_path / "en-ww"
    folder.touch()
    with pytest.raises(ValueError, match="is no run"):
        told(monkeypatch, "--pairs", pairs, "--name", "en-ww", "--runs", tmp_path)
