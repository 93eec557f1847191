"""The grammar knows its own sentences, and a head is judged by where it looks most."""

import numpy as np
import pytest

from viz_core.traces import AttentionTrace
from viz_core.training.measure import syntax


def test_each_pair_is_what_its_name_says():
    kinds = {"determiner": syntax.DETERMINERS, "object": syntax.NOUNS, "preposition": syntax.NOUNS}
    heads = {
        "determiner": syntax.NOUNS,
        "object": syntax.VERBS,
        "preposition": syntax.PREPOSITIONS,
    }
    for parsed in syntax.corpus(50):
        assert parsed.words[-1] == "."
        for name in syntax.RELATIONS:
            for dependent, head in parsed.pairs[name]:
                assert parsed.words[dependent] in kinds[name]
                assert parsed.words[head] in heads[name]


def test_the_corpus_is_the_same_on_each_machine():
    assert [one.text for one in syntax.corpus(5)] == [one.text for one in syntax.corpus(5)]
    assert len({one.text for one in syntax.corpus(100)}) == 100


@pytest.mark.parametrize("relation", syntax.RELATIONS)
def test_no_fixed_distance_knows_the_grammar(relation):
    pairs = [pair for one in syntax.corpus() for pair in one.pairs[relation]]
    assert 1 / 4 < syntax.fixed_distance(pairs) < 0.65
    assert syntax.fixed_distance([(0, 2), (5, 7), (1, 2)]) == pytest.approx(2 / 3)


def test_a_head_that_looks_at_the_right_word_is_right():
    """Two heads: the first looks at the head word, the second at [SEP] and then at itself."""
    parsed = syntax.corpus(1)[0]
    tokens = ("[CLS]", *parsed.words, "[SEP]")
    size = len(tokens)
    weights = np.zeros((1, 2, size, size), dtype=np.float32)
    weights[0, 0, :, -1] = weights[0, 1, :, -1] = 0.6
    weights[0, 1] += 0.4 * np.eye(size)
    pairs = parsed.pairs["determiner"]
    for dependent, head in pairs:
        weights[0, 0, dependent + 1, head + 1] = 0.4
    trace = AttentionTrace(kind="self", queries=tokens, keys=tokens, weights=weights)
    assert syntax.right(trace, pairs).all(axis=0).tolist() == [[True, False]]
    assert not syntax.right(trace, pairs)[:, 0, 1].any()
    assert syntax.right(trace, ()).shape == (0, 1, 2)


def test_the_measure_names_a_head_of_the_model(bert_of, monkeypatch):
    short = [one for one in syntax.corpus(600) if len(one.text) < 48]  # the tiny model's limit
    monkeypatch.setattr(syntax, "corpus", lambda: short)
    found = syntax.measure(bert_of("bert-mini"))
    assert set(found) == {f"syntax, {name}" for name in syntax.RELATIONS}
    for figures in found.values():
        assert 0 <= figures["right"] <= 1 and figures["pairs"] > 5
        assert figures["layer"] in (1, 2) and figures["head"] in (1, 2, 3)
