import itertools
import math
import random

import pytest
import torch
from hypothesis import assume, given, strategies as st
from torch import Tensor

from viz_core import decoding
from viz_core.decoding import Beam, Next, Node, State, Tree, normalised
from viz_core.probe import Translating
from viz_core.text import END, START

A, B, C = 4, 5, 6
SIZE = 7  # of the vocabulary: four special tokens, then A, B and C

SEEDS = st.integers(0, 10**6)
PENALTIES = st.sampled_from([0.0, 0.6, 0.75, 1.0])
NORMALISATIONS = st.sampled_from(["plain", "gnmt"])


class Table:
    """Next-token probabilities looked up by what has been written: a model on a blackboard."""

    def probabilities(self, written: tuple[int, ...]) -> list[float]:
        """Of A, B, C and </s>."""
        raise NotImplementedError

    def log_probs(self, written: tuple[int, ...]) -> Tensor:
        found = torch.zeros(SIZE, dtype=torch.float64)
        found[[A, B, C, END]] = torch.tensor(self.probabilities(written), dtype=torch.float64)
        return found.log()

    def log_prob(self, ids: tuple[int, ...]) -> float:
        return sum(float(self.log_probs(ids[:i])[token]) for i, token in enumerate(ids))

    def first(self) -> State:
        return (torch.zeros(1, 0, dtype=torch.long),)

    def step(self, state: State, tokens: Tensor) -> Next:
        written = torch.cat((state[0], tokens[:, None]), dim=1)  # <s> and what came after
        rows = [self.log_probs(tuple(row[1:])) for row in written.tolist()]
        return Next(torch.stack(rows), None, (written,))


class RandomTable(Table):
    def __init__(self, seed: int, ends: bool = True) -> None:
        self.seed, self.ends = seed, ends

    def probabilities(self, written):
        rng = random.Random(f"{self.seed} {written}")
        shares = [rng.random() + 0.01 for _ in range(4)]
        if not self.ends:
            shares[3] = 0.0
        return [share / sum(shares) for share in shares]


class LectureTable(Table):
    """Zhang et al., Dive into Deep Learning, fig. 10.8.1 and 10.8.2."""

    ROWS = ((0.5, 0.2, 0.2, 0.1), (0.1, 0.4, 0.3, 0.2), (0.2, 0.2, 0.4, 0.2), (0, 0.2, 0.2, 0.6))
    AFTER_A_C = ((0.1, 0.6, 0.2, 0.1), (0.1, 0.2, 0.1, 0.6))

    def probabilities(self, written):
        step = min(len(written), 3)
        return list(self.AFTER_A_C[step - 2] if written[:2] == (A, C) else self.ROWS[step])


class Blackboards:
    """Several tables side by side, one per sentence."""

    def __init__(self, tables: list[RandomTable]) -> None:
        self.tables = tables

    def first(self) -> State:
        return (torch.zeros(len(self.tables), 0, dtype=torch.long),)

    def step(self, state: State, tokens: Tensor) -> Next:
        written = torch.cat((state[0], tokens[:, None]), dim=1)
        pairs = zip(self.tables, written.tolist(), strict=True)
        rows = [table.log_probs(tuple(row[1:])) for table, row in pairs]
        return Next(torch.stack(rows), None, (written,))


def best(tree: Tree) -> tuple[list[int], float]:
    return tree.tokens(tree.best), tree.nodes[tree.best].log_prob


def brute_force(limit: int) -> list[tuple[int, ...]]:
    """Every sequence that ends within the limit."""
    return [
        (*words, END)
        for length in range(limit)
        for words in itertools.product((A, B, C), repeat=length)
    ]


# ---- against oracles --------------------------------------------------------------------------


@given(SEEDS)
def test_a_beam_of_one_is_greedy(seed):
    found = decoding.greedy(RandomTable(seed), 1, limit=8)[0]
    ids, log_prob = best(decoding.beam(RandomTable(seed), Beam(size=1, limit=8)))
    assert ids == found.ids
    assert log_prob == pytest.approx(found.log_prob, abs=1e-5)


@given(st.lists(SEEDS, min_size=1, max_size=4))
def test_greedy_in_a_batch_is_greedy_one_at_a_time(seeds):
    tables = [RandomTable(seed) for seed in seeds]
    together = decoding.greedy(Blackboards(tables), len(tables), limit=6)
    for table, found in zip(tables, together, strict=True):
        alone = decoding.greedy(table, 1, limit=6)[0]
        assert found.ids == alone.ids
        assert found.log_prob == pytest.approx(alone.log_prob)
        assert found.log_prob == pytest.approx(table.log_prob(tuple(found.ids)), abs=1e-5)


@given(SEEDS, PENALTIES, NORMALISATIONS)
def test_a_beam_as_wide_as_the_space_is_brute_force(seed, alpha, normalisation):
    table = RandomTable(seed)
    wanted = max(
        brute_force(limit=4),
        key=lambda ids: normalised(table.log_prob(ids), len(ids), alpha, normalisation),
    )
    search = Beam(size=4**4, limit=4, alpha=alpha, normalisation=normalisation)
    ids, log_prob = best(decoding.beam(table, search))
    assert tuple(ids) == wanted
    assert log_prob == pytest.approx(table.log_prob(wanted))


@given(SEEDS, st.integers(1, 6))
def test_a_beam_never_claims_more_than_there_is(seed, size):
    table = RandomTable(seed)
    tree = decoding.beam(table, Beam(size=size, limit=3))
    ids, log_prob = best(tree)
    assert log_prob == pytest.approx(table.log_prob(tuple(ids)))
    assert not tree.complete or log_prob <= max(map(table.log_prob, brute_force(3))) + 1e-9


def test_greedy_takes_the_lectures_path_and_loses():
    found = decoding.greedy(LectureTable(), 1, limit=4)[0]
    assert found.ids == [A, B, C, END]
    assert math.exp(found.log_prob) == pytest.approx(0.048)


@pytest.mark.parametrize(("size", "alpha"), [(2, 0.0), (2, 0.75), (3, 0.75)])
def test_a_beam_finds_the_better_path_of_the_lecture(size, alpha):
    ids, log_prob = best(decoding.beam(LectureTable(), Beam(size=size, limit=4, alpha=alpha)))
    assert ids == [A, C, B, END]
    assert math.exp(log_prob) == pytest.approx(0.054)


def test_without_length_normalisation_the_lectures_table_favours_stopping_short():
    ids, log_prob = best(decoding.beam(LectureTable(), Beam(size=3, limit=4)))
    assert ids in ([A, END], [END])
    assert math.exp(log_prob) == pytest.approx(0.1)


# ---- the tree ---------------------------------------------------------------------------------


@given(SEEDS, st.integers(1, 5), PENALTIES)
def test_the_tree_is_consistent(seed, size, alpha):
    search = Beam(size=size, limit=6, alpha=alpha)
    nodes = decoding.beam(RandomTable(seed), search).nodes
    assert nodes[0].parent == -1
    for index, node in enumerate(nodes[1:], start=1):
        parent = nodes[node.parent]
        assert node.parent < index
        assert parent.status == "kept"  # only a live hypothesis is continued
        assert node.step == parent.step + 1
        assert node.log_prob == pytest.approx(parent.log_prob + math.log(node.probability))
        assert node.score == pytest.approx(node.log_prob / node.step**alpha)
        assert (node.status == "finished") <= (node.token == END)


@given(SEEDS, st.integers(1, 5))
def test_each_pruned_node_says_why_and_each_loser_by_whom(seed, size):
    tree = decoding.beam(RandomTable(seed), Beam(size=size, limit=5))
    for index, node in enumerate(tree.nodes):
        lost = node.status == "pruned" or (node.status == "finished" and index != tree.best)
        assert bool(node.reason) == lost


@given(SEEDS, st.integers(1, 5))
def test_at_each_step_the_best_k_survive(seed, size):
    tree = decoding.beam(RandomTable(seed), Beam(size=size, limit=5))

    def outside(node: Node) -> bool:
        return node.reason.startswith("outside")

    for step in range(1, max(node.step for node in tree.nodes) + 1):
        row = [node for node in tree.nodes if node.step == step]
        chosen = [node for node in row if not outside(node)]
        assert len(chosen) == min(size, len(row))
        worst = min(node.log_prob for node in chosen)
        assert all(node.log_prob <= worst for node in row if outside(node))


@given(SEEDS, st.integers(1, 5))
def test_a_length_penalty_of_0_ranks_by_log_probability(seed, size):
    tree = decoding.beam(RandomTable(seed), Beam(size=size, limit=6, alpha=0.0))
    finished = [node for node in tree.nodes if node.status == "finished"]
    assume(finished)
    assert tree.nodes[tree.best].log_prob == max(node.log_prob for node in finished)
    assert all(node.score == node.log_prob for node in tree.nodes)


@given(SEEDS, st.integers(1, 5), PENALTIES)
def test_a_search_without_recording_finds_the_same(seed, size, alpha):
    search = Beam(size=size, limit=6, alpha=alpha)
    quick = Beam(size=size, limit=6, alpha=alpha, record=False)
    tree, quick_tree = (decoding.beam(RandomTable(seed), each) for each in (search, quick))
    assert best(quick_tree) == best(tree)
    assert quick_tree.complete == tree.complete
    assert len(quick_tree.nodes) <= len(tree.nodes)


def test_a_beam_wider_than_the_vocabulary_is_allowed():
    tree = decoding.beam(RandomTable(1), Beam(size=100, limit=2))
    assert len([node for node in tree.nodes if node.step == 1]) == 4


def test_a_limit_before_any_end_gives_the_best_unfinished():
    table = RandomTable(3, ends=False)
    tree = decoding.beam(table, Beam(size=2, limit=3))
    assert not tree.complete
    ids, log_prob = best(tree)
    assert len(ids) == 3 and END not in ids
    live = [node for node in tree.nodes if node.step == 3 and "outside" not in node.reason]
    assert log_prob == max(node.log_prob for node in live)
    assert sorted(node.status for node in live) == ["kept", "pruned"]
    assert all("limit of 3" in node.reason for node in live if node.status == "pruned")


def test_greedy_stops_at_the_limit():
    assert len(decoding.greedy(RandomTable(3, ends=False), 1, limit=5)[0].ids) == 5


# ---- forcing ----------------------------------------------------------------------------------


@given(SEEDS, st.integers(0, 4))
def test_forcing_the_best_paths_prefix_keeps_the_best_result(seed, cut):
    table, search = RandomTable(seed), Beam(size=4**4, limit=4)
    wanted, log_prob = best(decoding.beam(table, search))
    ids, again = best(decoding.beam(table, search, prefix=wanted[:cut]))
    assert ids == wanted
    assert again == pytest.approx(log_prob)


@given(SEEDS, st.lists(st.sampled_from([A, B, C]), max_size=3))
def test_a_forced_prefix_is_followed_and_the_best_after_it_found(seed, prefix):
    table = RandomTable(seed)
    options = [ids for ids in brute_force(4) if list(ids[: len(prefix)]) == prefix]
    ids, _ = best(decoding.beam(table, Beam(size=4**4, limit=4), prefix))
    assert tuple(ids) == max(options, key=table.log_prob)


def test_what_was_not_forced_is_pruned_and_says_so():
    tree = decoding.beam(RandomTable(1), Beam(size=2, limit=3), prefix=[B])
    first = [node for node in tree.nodes if node.step == 1]
    assert [node.token for node in first if node.status == "kept"] == [B]
    assert {node.reason for node in first if node.token != B} == {"another word was forced here"}


def test_a_forced_token_outside_the_shown_ones_appears():
    table = RandomTable(1)
    rarest = int(table.log_probs(())[[A, B, C]].argmin()) + A
    tree = decoding.beam(table, Beam(size=1, limit=4, shown=1), prefix=[rarest])
    assert best(tree)[0][0] == rarest
    assert tree.nodes[tree.best].log_prob == pytest.approx(table.log_prob(tuple(best(tree)[0])))


# ---- length normalisation ---------------------------------------------------------------------


def test_a_penalty_of_1_compares_nth_roots():
    for probabilities in ([0.5, 0.4, 0.4, 0.6, 0.9], [0.3, 0.2, 0.6]):
        log_prob, length = math.log(math.prod(probabilities)), len(probabilities)
        root = math.prod(probabilities) ** (1 / length)
        assert math.exp(normalised(log_prob, length, 1.0)) == pytest.approx(root)


@pytest.mark.parametrize(
    ("normalisation", "wanted"), [("plain", -6 / 7**0.75), ("gnmt", -6 / 2**0.75)]
)
def test_length_is_normalised_as_published(normalisation, wanted):
    assert normalised(-6.0, 7, 0.75, normalisation) == pytest.approx(wanted)


# ---- on models --------------------------------------------------------------------------------

MODELS = pytest.mark.parametrize(
    "name", ["rnn-additive", "rnn-local-m", "rnn-local-p", "transformer"]
)


class Recomputing:
    """The same model with nothing kept: each step runs the decoder on the whole prefix."""

    def __init__(self, steps: Translating) -> None:
        self.steps = steps

    def first(self) -> State:
        return (torch.zeros(1, 0, dtype=torch.long),)

    def step(self, state: State, tokens: Tensor) -> Next:
        written = torch.cat((state[0], tokens[:, None]), dim=1)
        first = tuple(part.expand(len(tokens), -1) for part in self.steps.first())
        features = self.steps.run(first, written).features[:, -1]
        return Next(self.steps.model.logits(features).log_softmax(-1), None, (written,))


@MODELS
def test_the_kept_state_follows_its_hypothesis(name, bundle_of):
    steps = Translating(bundle_of(name), torch.tensor([[7, 9, 30, 12, END]]))
    search = Beam(size=4, limit=12, alpha=0.6)
    tree, wanted = decoding.beam(steps, search), decoding.beam(Recomputing(steps), search)
    assert [node.token for node in tree.nodes] == [node.token for node in wanted.nodes]
    assert [node.log_prob for node in tree.nodes] == pytest.approx(
        [node.log_prob for node in wanted.nodes], abs=1e-3
    )


@MODELS
def test_a_batch_is_decoded_as_each_sentence_alone(name, bundle_of):
    bundle, lengths = bundle_of(name), (6, 3, 9, 1)
    torch.manual_seed(1)
    source = torch.randint(4, 50, (4, 9))
    source = source.where(torch.arange(9) < torch.tensor(lengths)[:, None], 0)
    together = decoding.greedy(Translating(bundle, source), 4, limit=12)
    for row, length in enumerate(lengths):
        steps = Translating(bundle, source[row : row + 1, :length])
        alone = decoding.greedy(steps, 1, limit=12)[0]
        assert together[row].ids == alone.ids
        assert together[row].log_prob == pytest.approx(alone.log_prob, abs=1e-3)


@MODELS
def test_attention_is_recorded_for_the_hypothesis_that_wrote_the_token(name, bundle_of):
    steps = Translating(bundle_of(name), torch.tensor([[7, 9, 30, 12, END]]))
    tree = decoding.beam(steps, Beam(size=3, limit=6))
    node = tree.nodes[tree.best]
    ids = tree.tokens(tree.best)
    weights = steps.run(steps.first(), torch.tensor([[START, *ids[:-1]]])).weights[0, ..., -1, :]
    wanted = weights.reshape(-1, 5).mean(0)
    torch.testing.assert_close(tree.weights[node.row[0]][node.row[1]], wanted, atol=1e-4, rtol=0)
