"""Measuring translators, on tiny random models and a handful of files."""

import math

import pytest

from viz_core import checkpoints, probe
from viz_core.text import join_words
from viz_core.training import __main__ as training
from viz_core.training.data import Pair
from viz_core.training.data.coreference import generate
from viz_core.training.measure import (
    heads as head_measure,
    scoring,
    translation as translation_measure,
)


def test_joined_words_remember_where_they_start():
    text, starts = join_words(["it", "'s", "l'", "accord", ",", "(", "yes", ")", "."])
    assert text == "it's l'accord, (yes)."
    assert [text[at] for at in starts] == ["i", "'", "l", "a", ",", "(", "y", ")", "."]


def test_all_references_of_a_sentence_count():
    both = translation_measure.bleu_score(
        ["le chat est noir ."], [["un chien", "le chat est noir ."]]
    )
    assert both == pytest.approx(100)
    assert translation_measure.bleu_score(["le chat est noir ."], [["un chien court vite"]]) < 5


def test_references_of_one_english_sentence_are_grouped_and_written_alike():
    pairs = [Pair("Where?", "Où\u202f?"), Pair("Where?", "Où ça?"), Pair("Go.", "Va.")]
    assert translation_measure.grouped(pairs) == {"Where?": ["Où ?", "Où ça ?"], "Go.": ["Va."]}


def test_hansards_links_are_counted_from_zero(tmp_path):
    folder = tmp_path / "hansards"
    folder.mkdir()
    (folder / "dev.src-tgt").write_text("a b ||| x y \n", encoding="utf-8")
    (folder / "dev.gold").write_text("1-1 2p1 2-2\n", encoding="utf-8")
    assert list(translation_measure.hansards(tmp_path)) == [
        (["a", "b"], ["x", "y"], {(0, 0), (1, 1)}, {(1, 0)})
    ]


def test_a_missing_corpus_is_named_with_its_source(tmp_path):
    with pytest.raises(ValueError, match=r"hansards/dev.src-tgt is missing.*NAACL"):
        list(translation_measure.hansards(tmp_path))


@pytest.mark.parametrize("name", ["rnn-additive", "rnn-search", "transformer"])
def test_batched_log_probabilities_equal_those_one_by_one(bundle_of, pairs, name):
    bundle = bundle_of(name)
    rows = [Pair(*pair) for pair in pairs[:5]]
    single = [probe.log_prob(bundle, row.english, row.french) for row in rows]
    assert scoring.log_probs(bundle, rows) == pytest.approx(single, abs=1e-3)


@pytest.mark.parametrize("name", ["rnn-additive", "rnn-search", "transformer"])
def test_batched_translations_equal_those_one_by_one(bundle_of, pairs, name):
    bundle = bundle_of(name)
    sources = [english for english, _ in pairs[:5]]
    single = [probe.translate(bundle, source).text for source in sources]
    # A random model rambles to the limit, which depends on the longest of the batch.
    for one, many in zip(single, scoring.translations(bundle, sources), strict=True):
        assert many.startswith(one[:20])


def test_perplexity_is_exp_of_the_mean_loss_a_token(bundle_of, pairs):
    bundle = bundle_of("rnn-additive")
    rows = [Pair(*pair) for pair in pairs[:4]]
    tokens = sum(len(bundle.tokenizer.encode(row.french).ids) for row in rows)
    expected = math.exp(-sum(scoring.log_probs(bundle, rows)) / tokens)
    assert scoring.perplexity(bundle, rows) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", ["rnn-additive", "rnn-search"])
def test_word_matrices_have_a_row_per_given_word_and_keep_row_sums(name, bundle_of):
    bundle = bundle_of(name)
    ((matrix,),) = translation_measure.word_matrices(
        bundle, ["it", "'s", "me", "."], ["l'", "accord", "."]
    )
    assert matrix.shape == (3, 5)  # the last column is </s>
    assert matrix.sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-4)


def test_a_silent_head_changes_the_loss_and_none_does_not(bundle_of, pairs):
    bundle = bundle_of("transformer")
    rises = head_measure.ablations(bundle, [Pair(*pair) for pair in pairs[:6]])
    assert {part: len(table) for part, table in rises.items()} == {
        part: layers for part, layers, _ in probe.head_counts(bundle)
    }
    assert any(abs(rise) > 0 for table in rises.values() for row in table for rise in row)


def test_nouns_are_found_at_their_words(bundle_of):
    bundle = bundle_of("transformer")
    for example in generate("test", 20, seed=5):
        trace = probe.encoded(bundle, example.english).words()
        starts = head_measure.word_starts(bundle, example.english)
        assert trace.queries[starts[example.it_at]].casefold() == "it"
        assert trace.queries[starts[example.antecedent_at]] == example.antecedent


def test_coreference_shares_lie_between_none_and_all(bundle_of):
    shares, weights = head_measure.coreference_shares(
        bundle_of("transformer"), list(generate("test", 10, seed=5))
    )
    assert shares.shape == weights.shape
    assert ((shares >= 0) & (shares <= 1)).all()


def test_evaluate_writes_its_figures_into_the_card_only_when_told(
    bundle_of, tmp_path, monkeypatch, capsys
):
    bundle = bundle_of("rnn-additive")
    described = {
        "name": "rnn-additive",
        "title": "A random model",
        "paper": "none",
        "architecture": "rnn",
        "data": [],
        "command": "",
        "seed": 1,
        "steps": 0,
        "metrics": {},
        "examples": [],
    }
    checkpoints.save(bundle.model, bundle.tokenizer, described, tmp_path)
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    found = {"metrics": {"tatoeba test": {"BLEU": 12.5}}, "measured": {"BLEU by length": [1]}}
    monkeypatch.setattr(translation_measure, "measure", lambda bundle, folder: found)
    before = checkpoints.card("rnn-additive")
    command = ["training", "evaluate", "rnn-additive", "--data", str(tmp_path)]
    for more in ([], ["--write"]):
        monkeypatch.setattr("sys.argv", command + more)
        training.main()
        assert "12.50" in capsys.readouterr().out
        after = checkpoints.load("rnn-additive").card  # loads: the weights are still its own
        assert after.sha256 == before.sha256
        assert (after.metrics == found["metrics"]) == bool(more)
    assert after.measured == found["measured"]
