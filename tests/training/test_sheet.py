"""The sheet of sentences that people type: printed with room for marks, then counted."""

import re

import pytest

from viz_core import checkpoints, probe
from viz_core.training import __main__ as command, sheet
from viz_core.training.measure import heads as head_measure, translation as translation_measure

# Tried by a new user, and wrong in the first version.
NAMED = """Attention is all you need.
Machine learning is fun.
Thinking machines are coming.
The FBI is chasing a criminal on the run.
The trophy doesn't fit in the suitcase because it is too big.
He has been working here since 2015.
Could you please tell me what time it is?""".splitlines()


def test_the_sheet_has_many_sentences_no_two_alike():
    sentences = sheet.read(sheet.SENTENCES)
    assert len(sentences) >= 110
    assert len({sentence.casefold() for sentence in sentences}) == len(sentences)
    assert set(NAMED) <= set(sentences)
    assert all(re.search(r"[.?!]$", sentence) for sentence in sentences)


@pytest.fixture
def two(bundle_of, monkeypatch):
    names = ["rnn-additive", "transformer"]
    monkeypatch.setattr(checkpoints, "load", bundle_of)
    monkeypatch.setattr(checkpoints, "names", lambda: names)
    return names


@pytest.fixture
def printed(two, tmp_path, monkeypatch, capsys):
    (tmp_path / "some.txt").write_text("# cats\nThe cat sees.\n\nIt is a cat.\n", encoding="utf-8")
    arguments = ["training", "sheet", *two, "--sentences", str(tmp_path / "some.txt")]
    monkeypatch.setattr("sys.argv", arguments)
    command.main()
    return capsys.readouterr().out


def test_a_block_a_sentence_and_a_line_a_translator(printed, two, bundle_of):
    blocks = [block.splitlines() for block in printed.strip().split("\n\n")]
    assert [block[0] for block in blocks] == ["1. The cat sees.", "2. It is a cat."]
    for block in blocks:
        sentence = block[0].split(". ", 1)[1]
        for name, line in zip(two, block[1:], strict=True):
            text = probe.translate(bundle_of(name), sentence, probe.BEAM, probe.PENALTY).text
            assert line == f"    {name:12}  [ ]  {text}"


def test_marks_are_counted_for_each_translator(printed, tmp_path, monkeypatch, capsys):
    marks = iter("ruw")
    marked = re.sub(r"\[ \]", lambda _: f"[{next(marks, ' ')}]", printed)
    (tmp_path / "marked.txt").write_text(marked, encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["training", "sheet", "--marks", str(tmp_path / "marked.txt")])
    command.main()
    assert capsys.readouterr().out.splitlines() == [
        "rnn-additive: right 1 (50%), understandable 0 (0%), wrong 1 (50%)",
        "transformer: right 0 (0%), understandable 1 (100%), wrong 0 (0%), without a mark 1",
    ]


def test_a_sheet_without_marks_claims_nothing(printed, tmp_path):
    (tmp_path / "bare.txt").write_text(printed, encoding="utf-8")
    assert sheet.shares(tmp_path / "bare.txt").splitlines() == [
        "rnn-additive: no marks yet, 2 sentences",
        "transformer: no marks yet, 2 sentences",
    ]


def test_another_mark_is_named_with_its_line(tmp_path):
    (tmp_path / "odd.txt").write_text("1. Hello.\n    transformer  [x]  Bonjour.\n")
    with pytest.raises(ValueError, match=r"line 2: 'x' is none of r, u and w"):
        sheet.shares(tmp_path / "odd.txt")


def test_without_names_those_of_the_two_on_board_are_taken(two, monkeypatch):
    assert sheet.usual() == ["transformer"]
    monkeypatch.setattr(checkpoints, "names", lambda: [])
    with pytest.raises(ValueError, match="name a checkpoint"):
        sheet.usual()


@pytest.mark.parametrize("action", ["evaluate", "export", "rnn-dot"])
def test_all_else_needs_the_data(action, monkeypatch):
    monkeypatch.setattr("sys.argv", ["training", action])
    with pytest.raises(ValueError, match="--data DIR"):
        command.main()


def test_the_pronouns_have_a_share_and_a_loss(bundle_of, pairs, monkeypatch):
    rows = [(english, french, french.upper()) for english, french in pairs[:3]]
    monkeypatch.setattr(head_measure, "lopes", lambda folder: rows)
    bundle = bundle_of("rnn-search")
    figures = translation_measure.pronoun_figures(bundle, None)
    tokens = sum(len(bundle.tokenizer.encode(row[1]).ids) for row in rows)
    total = -sum(probe.log_prob(bundle, row[0], row[1]) for row in rows)
    assert figures["loss"] == pytest.approx(total / tokens, rel=1e-3)
    right = [
        probe.log_prob(bundle, row[0], row[1]) > probe.log_prob(bundle, row[0], row[2])
        for row in rows
    ]
    assert figures["il/elle"] == pytest.approx(sum(right) / 3)
