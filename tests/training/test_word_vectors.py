"""Published vectors are kept as they are, and asked the public questions."""

import io
import zipfile

import numpy as np
import pandas as pd
import pytest

from viz_core import checkpoints, probe
from viz_core.training import run, word_vectors
from viz_core.training.run import Options

WORDS = ["man", "woman", "king", "queen", "cold", "lukewarm"]
ROWS = np.array(
    [[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 0.9], [-1, 0, 1], [0, -1, 0]], dtype=np.float32
)
QUESTIONS = """: family
man woman king queen
King Queen Man Woman
man woman king prince
: gram1-nonsense
man woman cold lukewarm
"""


@pytest.fixture
def options(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    (tmp_path / "analogies").mkdir()
    (tmp_path / "analogies/questions-words.txt").write_text(QUESTIONS)
    (tmp_path / "glove").mkdir()
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS, ROWS, strict=True)]
    (tmp_path / "glove/glove.6B.50d.txt").write_text("\n".join(lines) + "\n")
    return Options(data=tmp_path, runs=tmp_path / "runs")


def test_the_recipe_keeps_the_vectors_and_measures_what_is_kept(options, capsys):
    run.train(word_vectors.WORD_VECTORS, options)
    bundle = checkpoints.load("word-vectors")
    kept = bundle.model.table.weight.numpy()
    np.testing.assert_array_equal(kept, ROWS.astype(np.float16).astype(np.float32))
    assert bundle.tokenizer.vocabulary == WORDS
    assert bundle.card.steps == 0 and bundle.card.curve == []
    assert probe.analogy(bundle, "man", "woman", "king")[0][0] == "queen"
    assert "accuracy" in capsys.readouterr().out
    assert not options.runs.exists()  # nothing was trained


def test_questions_are_counted_by_family_and_those_with_unknown_words_left_out(options):
    run.train(word_vectors.WORD_VECTORS, options)
    card = checkpoints.card("word-vectors")
    assert card.measured["analogies"] == [
        {"family": "family", "asked": 2, "right": 2, "left out": 1},
        {"family": "gram1-nonsense", "asked": 1, "right": 0, "left out": 0},
    ]
    assert card.metrics["analogy questions"] == {
        "accuracy": 0.6667,
        "semantic accuracy": 1.0,
        "syntactic accuracy": 0.0,
        "questions": 3.0,
        "left out": 1.0,
    }


def test_right_answers_are_those_of_the_public_call(word_vectors):
    """word_vectors: sixty random ones, of which some question may be answered by chance."""
    from viz_core.training.word_vectors import right

    words = word_vectors.tokenizer.vocabulary
    rng = np.random.default_rng(1)
    asked = np.stack([rng.permutation(len(words))[:4] for _ in range(300)])
    for row in asked[:150]:  # half of them with the right answer
        best = probe.analogy(word_vectors, *(words[i] for i in row[:3]), top=1)[0][0]
        row[3] = words.index(best)
    wanted = [
        probe.analogy(word_vectors, *(words[i] for i in row[:3]), top=1)[0][0] == words[row[3]]
        for row in asked
    ]
    assert right(word_vectors.model, asked).tolist() == wanted
    assert sum(wanted) >= 150


def test_the_package_is_read_as_it_is(tmp_path):
    index, numbers = io.BytesIO(), io.BytesIO()
    pd.DataFrame({"index": WORDS}).to_parquet(index)
    np.save(numbers, ROWS)
    path = tmp_path / "package.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/index.parquet", index.getvalue())
        archive.writestr("data/emb.npy", numbers.getvalue())
    words, rows = word_vectors.vectors(path)
    assert words == WORDS
    np.testing.assert_array_equal(rows, ROWS)


def test_files_that_hold_no_vectors_get_a_sentence(tmp_path):
    with pytest.raises(ValueError, match="is missing"):
        word_vectors.vectors(tmp_path / "nowhere.txt")
    text = tmp_path / "text.txt"
    text.write_text("just some words\nand more\n")
    with pytest.raises(ValueError, match="no file of vectors"):
        word_vectors.vectors(text)
    empty = tmp_path / "empty.whl"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("readme", "nothing")
    with pytest.raises(ValueError, match=r"holds no \.npy"):
        word_vectors.vectors(empty)


@pytest.mark.parametrize("flag", ["further", "resume"])
def test_what_is_not_trained_cannot_go_on(options, flag):
    more = Options(data=options.data, runs=options.runs, **{flag: True})
    with pytest.raises(ValueError, match="is not trained"):
        run.train(word_vectors.WORD_VECTORS, more)


def test_a_card_repeats_that_weights_were_named(tmp_path):
    assert str(Options(data=tmp_path, weights=tmp_path)) == "--data DIR --weights PATH"
