"""The parallel corpora: read, cleaned, split, encoded and batched."""

import gzip
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from viz_core.text import END, PAD, START
from viz_core.training import data
from viz_core.training.data import Example, Pair

EXAMPLES = st.lists(
    st.tuples(st.integers(1, 30), st.integers(1, 30)).map(
        lambda sizes: Example(np.ones(sizes[0], np.int32), np.ones(sizes[1], np.int32))
    ),
    max_size=60,
)


@given(EXAMPLES, st.integers(1, 200), st.integers(0, 9))
def test_buckets_hold_each_example_once_and_not_too_many_tokens(examples, tokens, seed):
    batches = data.bucketed(examples, tokens, random.Random(seed))
    assert Counter(id(e) for batch in batches for e in batch) == Counter(map(id, examples))
    for batch in batches:
        longest = max(max(len(e.source), len(e.target)) for e in batch)
        assert len(batch) == 1 or longest * len(batch) <= tokens


def test_buckets_hold_sentences_of_like_length():
    examples = [Example(np.ones(n % 20 + 1), np.ones(n % 20 + 1)) for n in range(400)]
    for batch in data.bucketed(examples, 60, random.Random(1)):
        sizes = [len(e.source) for e in batch]
        assert max(sizes) - min(sizes) <= 3


@pytest.mark.parametrize(
    "spelling", ["I SEE 103 cats", "i see 103 cats!", "  I see, 103  cats. ", "I see “103” cats?"]
)
def test_no_spelling_of_a_sentence_changes_its_part(spelling):
    assert data.part_of("I see 103 cats.") == data.part_of(spelling)


def test_the_split_is_the_same_for_ever():
    """Checkpoints were trained on it: if it moves, test sentences have been trained on."""
    parts = [data.part_of(f"I see {n} cats.") for n in range(400)]
    assert [n for n, part in enumerate(parts) if part == "test"] == [86, 257, 298, 334, 338, 366]
    assert [n for n, part in enumerate(parts) if part == "held-out"] == [15, 225, 230]


def test_the_target_is_shifted_by_one():
    rows = [
        Example(np.array([5, 3]), np.array([7, 8, 9, 3])),
        Example(np.array([5, 6, 3]), np.array([7, 3])),
    ]
    batch = data.collate(rows)
    assert batch.source.tolist() == [[5, 3, PAD], [5, 6, 3]]
    assert batch.target.tolist() == [[START, 7, 8, 9], [START, 7, PAD, PAD]]
    assert batch.wanted.tolist() == [[7, 8, 9, END], [7, END, PAD, PAD]]
    assert batch.count == 6


def test_too_long_and_empty_pairs_are_left_out(tokenizer):
    pairs = [Pair("The cat.", "Le chat."), Pair("", "Le chat."), Pair("The cat.", "chat " * 90)]
    assert len(data.encode(tokenizer, pairs)) == 1


def test_a_generated_pair_knows_its_it_and_its_noun(tokenizer):
    text = "The dog sees the cat because it sees."
    pair = Pair(text, "Le chien voit.", text.index("it"), text.index("cat"))
    (example,) = data.encode(tokenizer, [pair])
    tokens = tokenizer.show(example.source)
    assert (tokens.words[example.it], tokens.tokens[example.it]) == (6, "##it")
    assert "c" in tokenizer.vocabulary[example.antecedent]


@pytest.mark.parametrize("source", [data.TATOEBA, data.EUROPARL, data.MULTI30K])
def test_a_missing_corpus_is_named_with_its_origin(source, tmp_path):
    with pytest.raises(ValueError, match="is missing") as error:
        source.path(tmp_path)
    assert source.file in str(error.value)
    assert source.origin in str(error.value)


@pytest.mark.parametrize("name", ["tatoeba", "europarl", "multi30k"])
def test_reading_a_missing_corpus_is_an_error_to_act_on(name, tmp_path):
    with pytest.raises(ValueError, match="https://"):
        data.read(name, tmp_path, "train")


def test_half_a_corpus_is_missing_too(tmp_path):
    (tmp_path / "multi30k").mkdir()
    with gzip.open(tmp_path / data.MULTI30K.file, "wt") as file:
        file.write("A cat.\n")
    with pytest.raises(ValueError, match=r"train.fr.gz is missing"):
        data.read("multi30k", tmp_path, "train")


def test_loose_pairs_of_europarl_are_left_out(tmp_path):
    (tmp_path / "europarl").mkdir()
    with gzip.open(tmp_path / data.EUROPARL.file, "wt", encoding="utf-8") as file:
        file.write(
            'The vote.\tLe vote.\nYes.\tC"est une très longue histoire.\nIt"s on.\tC"est ça.\n'
        )
    assert list(data.europarl(tmp_path)) == [
        Pair("The vote.", "Le vote."),
        Pair("It's on.", "C'est ça."),
    ]


def test_shares_are_the_whole_batch():
    rows = [Example(np.arange(4, 6 + n), np.arange(4, 7 + n), n, n) for n in range(5)]
    batch = data.collate(rows)
    shares = [batch.share(rank, 3) for rank in range(3)]
    assert sum(share.count for share in shares) == batch.count
    assert sorted(n for share in shares for n in share.it.tolist()) == [0, 1, 2, 3, 4]


def test_real_pronouns_are_those_that_may_be_il_or_elle(tmp_path, monkeypatch):
    seen = Pair("The car is old, but it runs.", "La voiture est vieille, mais elle roule.")
    others = [Pair("It rains.", "La pluie tombe."), Pair("He sings.", "Il chante.")]
    monkeypatch.setattr(data.pairs, "tatoeba", lambda folder: [seen, *others])
    monkeypatch.setattr(data.pairs, "europarl", lambda folder: [])
    assert list(data.pronouns(tmp_path)) == [seen]


def test_the_validation_part_of_multi30k_is_read_apart(tmp_path):
    (tmp_path / "multi30k").mkdir()
    for part in ("train", "val"):
        for language in ("en", "fr"):
            with gzip.open(tmp_path / f"multi30k/{part}.{language}.gz", "wt") as file:
                file.write(f"a {part} in {language}\n")
    assert list(data.multi30k(tmp_path)) == [Pair("a train in en", "a train in fr")]
    assert list(data.multi30k(tmp_path, "val")) == [Pair("a val in en", "a val in fr")]
    (tmp_path / "multi30k/val.fr.gz").unlink()
    with pytest.raises(ValueError, match=r"val.fr.gz is missing.*multi30k"):
        list(data.multi30k(tmp_path, "val"))
