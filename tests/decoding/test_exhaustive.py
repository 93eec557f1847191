import itertools
import math
import random

import pytest
import torch
from hypothesis import given, settings, strategies as st

from viz_core import decoding, probe
from viz_core.decoding import Beam, exhaustive, normalised
from viz_core.decoding.table import IDS, Row, Table
from viz_core.probe import Translating
from viz_core.text import END, START

SEEDS = st.integers(0, 10**6)
PENALTIES = st.sampled_from([0.0, 0.6, 1.0])
NORMALISATIONS = st.sampled_from(["plain", "gnmt"])
WORDS = "ABC"


def random_table(seed, length=4):
    """A row for each prefix that an output of that length can have."""
    rng = random.Random(seed)

    def chances():
        shares = [rng.random() ** 2 + 0.01 for _ in range(4)]
        return tuple(share / sum(shares) for share in shares)

    return Table(
        tuple(
            Row(prefix, chances())
            for size in range(length)
            for prefix in itertools.product(WORDS, repeat=size)
        )
    )


def log_prob(table, ids):
    words = [WORDS[token - 4] if token != END else "<eos>" for token in ids]
    return sum(
        math.log(table.row(words[:i]).probabilities[IDS.index(token)])
        for i, token in enumerate(ids)
    )


def every_output(length=4):
    for size in range(length):
        for words in itertools.product(IDS[:3], repeat=size):
            yield [*words, END]


def best_of_all(table, beam, prefix=()):
    return max(
        (ids for ids in every_output() if tuple(ids[: len(prefix)]) == tuple(prefix)),
        key=lambda ids: beam.score(log_prob(table, ids), len(ids)),
    )


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 3), PENALTIES, NORMALISATIONS)
def test_what_is_proved_is_what_brute_force_finds(seed, size, alpha, normalisation):
    table = random_table(seed)
    beam = Beam(size=size, limit=4, alpha=alpha, normalisation=normalisation)
    found, wanted = exhaustive.search(table, beam), best_of_all(table, beam)
    assert found.proved
    assert found.ids == wanted
    assert found.log_prob == pytest.approx(log_prob(table, wanted))
    score = normalised(log_prob(table, wanted), len(wanted), alpha, normalisation)
    assert found.score == pytest.approx(score)


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 12), PENALTIES)
def test_a_small_budget_is_kept_and_never_proves_what_is_not_so(seed, budget, alpha):
    table, beam = random_table(seed), Beam(size=1, limit=4, alpha=alpha)
    found, wanted = exhaustive.search(table, beam, budget=budget), best_of_all(table, beam)
    best = beam.score(log_prob(table, wanted), len(wanted))
    assert found.expanded <= budget
    assert found.score <= best + 1e-9 <= found.bound + 2e-9
    if found.proved:
        assert found.score == pytest.approx(best)


def test_some_budgets_are_too_small():
    found = [exhaustive.search(random_table(1), Beam(size=1, limit=4), budget=n) for n in (1, 99)]
    assert [each.proved for each in found] == [False, True]
    assert found[0].expanded == 1


@settings(max_examples=40)
@given(SEEDS, st.lists(st.sampled_from(IDS[:3]), max_size=3))
def test_a_forced_prefix_is_kept(seed, prefix):
    table, beam = random_table(seed), Beam(size=1, limit=4)
    found = exhaustive.search(table, beam, prefix)
    assert found.proved
    assert found.ids == best_of_all(table, beam, prefix)


def test_a_forced_end_leaves_nothing_to_search():
    table = random_table(1)
    found = exhaustive.search(table, Beam(size=1, limit=4), (IDS[0], END))
    assert (found.ids, found.proved, found.expanded) == ([IDS[0], END], True, 0)


def test_an_output_that_beam_search_cannot_finish_is_still_found():
    """The greedy path never ends within the limit; the other one does."""
    table = Table(
        (
            Row((), (0.6, 0.4, 0, 0)),
            Row(("A",), (1, 0, 0, 0)),
            Row(("B",), (0, 0, 0, 1)),
            Row(("A", "A"), (1, 0, 0, 0)),
        )
    )
    beam = Beam(size=1, limit=3)
    assert not decoding.beam(table, beam).complete
    found = exhaustive.search(table, beam)
    assert found.proved
    assert found.ids == [IDS[1], END]


def test_where_nothing_ends_nothing_is_found():
    table = Table((Row((), (0.5, 0.5, 0, 0)), Row(("*",), (0.5, 0.5, 0, 0))))
    found = exhaustive.search(table, Beam(size=2, limit=2))
    assert found.ids == []
    assert not math.isfinite(found.score)


@pytest.mark.parametrize("name", ["rnn-additive", "transformer"])
def test_on_a_model_it_finds_the_best_of_all_outputs_of_up_to_3_tokens(name, bundle_of):
    steps = Translating(bundle_of(name), torch.tensor([[7, 9, 30, 12, END]]))
    prefixes, totals, state = torch.full((1, 1), START), torch.zeros(1), steps.first()
    best, wanted = -math.inf, []
    for _ in range(3):
        log_probs, _, state = steps.step(state, prefixes[:, -1])
        reached = totals[:, None] + log_probs  # (prefix, vocabulary)
        if float(reached[:, END].max()) > best:
            best = float(reached[:, END].max())
            wanted = [*prefixes[reached[:, END].argmax(), 1:].tolist(), END]
        rows, tokens = (reached.isfinite() & (torch.arange(90) != END)).nonzero(as_tuple=True)
        prefixes = torch.cat((prefixes[rows], tokens[:, None]), dim=1)
        totals, state = reached[rows, tokens], tuple(part[rows] for part in state)
    found = exhaustive.search(steps, Beam(size=1, limit=3), budget=10_000)
    assert found.proved
    assert found.ids == wanted
    assert found.log_prob == pytest.approx(best, abs=1e-3)


# ---- through the probe ------------------------------------------------------------------------

TEXT = "The cat sees the dog."


def test_a_budget_too_small_says_how_far_it_got(bundle_of):
    found = probe.exhaustive(bundle_of("rnn-dot"), TEXT, limit=6, budget=3)
    assert not found.proved
    assert "after trying to continue 3 beginnings" in found.note


@pytest.mark.parametrize("name", ["rnn-dot", "transformer"])
def test_the_probe_proves_what_no_beam_beats(name, bundle_of):
    bundle = bundle_of(name)
    found = probe.exhaustive(bundle, TEXT, prefix=(40,), limit=3, budget=20_000)
    assert found.proved and found.note.startswith("proved")
    assert found.ids[0] == 40 and found.ids[-1] == END
    assert found.text == bundle.tokenizer.decode(found.ids)
    wide = probe.beam(bundle, TEXT, size=60, prefix=(40,), limit=3)
    assert found.log_prob >= wide.nodes[wide.best].log_prob - 1e-3


@pytest.mark.parametrize(
    ("text", "prefix", "sentence"),
    [("", (), "nothing to read"), (TEXT, (10**6,), "vocabulary"), (TEXT, (40,) * 9, "are forced")],
)
def test_what_cannot_be_searched_gets_a_sentence(text, prefix, sentence, bundle_of):
    with pytest.raises(ValueError, match=sentence):
        probe.exhaustive(bundle_of("rnn-dot"), text, prefix=prefix, limit=5)
