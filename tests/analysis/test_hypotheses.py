import math
import re

import numpy as np
import pytest

from viz_core import decoding, probe
from viz_core.analysis import hypotheses
from viz_core.analysis.hypotheses import Output
from viz_core.decoding import Beam, table as beam_table
from viz_core.decoding.table import IDS, LECTURE

A, B, C, END = IDS


def searched(size, prefix=(), limit=4, alpha=0.75):
    search = Beam(size=size, limit=limit, alpha=alpha, shown=4)
    return probe.record(decoding.beam(LECTURE, search, prefix), beam_table.label)


def made(ids, log_prob, **more):
    given = {"text": beam_table.text(ids), "ids": tuple(ids), "log_prob": log_prob}
    return Output(**{**given, "score": log_prob, **more})


# ---- outputs ----------------------------------------------------------------------------------


def test_the_finished_hypotheses_come_best_first_with_their_numbers():
    found = hypotheses.outputs(searched(2), beam_table.text)
    assert [each.text for each in found] == ["A C B <eos>", "A B C <eos>"]
    assert [each.probability for each in found] == pytest.approx([0.054, 0.048])
    assert [each.length for each in found] == [4, 4]
    assert [each.score for each in found] == pytest.approx(
        [math.log(0.054) / 4**0.75, math.log(0.048) / 4**0.75]
    )
    assert "beaten by -1.03" in found[1].note
    assert found[0].note == ""


def test_where_none_finished_the_best_unfinished_one_says_so():
    (found,) = hypotheses.outputs(searched(1, limit=2), beam_table.text)
    assert not found.finished
    assert found.text == "A B"
    assert "limit" in found.note


def test_the_rows_are_ranked_and_name_what_they_hold():
    first, second = hypotheses.rows(hypotheses.outputs(searched(2), beam_table.text))
    assert (first["rank"], first["text"], first["length"]) == (1, "A C B <eos>", 4)
    assert first["log-probability"] == pytest.approx(math.log(0.054), abs=1e-4)
    assert second["rank"] == 2


# ---- nodes ------------------------------------------------------------------------------------


def test_each_node_is_found_by_its_tokens():
    trace = searched(3)
    for index in range(len(trace.nodes)):
        assert hypotheses.find(trace, trace.token_ids(index)) == index
    assert hypotheses.find(trace, (END, A)) is None


def test_the_least_sure_word_of_the_winner():
    trace = searched(2)
    assert trace.token_ids(hypotheses.least_sure(trace)) == (A, C)  # .5 .3 .6 .6


def test_the_words_that_follow_are_the_most_probable_first():
    trace = searched(2)
    below = hypotheses.following(trace, hypotheses.find(trace, (A,)), top=3)
    assert [trace.nodes[i].token for i in below] == ["B", "C", "<eos>"]


# ---- two futures ------------------------------------------------------------------------------


def test_two_futures_hold_every_hypothesis_of_both_searches_once():
    free, forced = searched(1), searched(1, prefix=(C,))
    both = hypotheses.futures(free, forced)
    paths = [both.token_ids(i) for i in range(len(both.nodes))]
    assert len(paths) == len(set(paths))
    wanted = {each.token_ids(i) for each in (free, forced) for i in range(len(each.nodes))}
    assert set(paths) == wanted
    for index, node in enumerate(both.nodes[1:], start=1):
        parent = both.nodes[node.parent]
        assert node.parent < index
        assert node.step == parent.step + 1
        assert node.log_prob == pytest.approx(parent.log_prob + math.log(node.probability))


def test_in_two_futures_both_winners_live_and_the_forced_one_leads():
    free, forced = searched(1), searched(1, prefix=(C,))
    both = hypotheses.futures(free, forced)
    assert both.token_ids(both.best) == forced.token_ids(forced.best)
    assert both.token_ids(free.best) == free.token_ids(free.best)
    lived = [both.nodes[i].status for i in (*both.path(free.best), *both.path(both.best))]
    assert "pruned" not in lived
    forced_node = both.nodes[hypotheses.find(both, (C,))]
    assert forced_node.reason.startswith("forced; else outside the best 1")


def test_forcing_the_winners_own_path_changes_nothing_but_the_search():
    free = searched(2)
    forced = searched(2, prefix=free.token_ids(free.best))
    both = hypotheses.futures(free, forced)
    assert both.best == free.best
    assert len(both.nodes) == len(free.nodes)


def test_two_futures_keep_where_each_node_looked(bundle_of):
    bundle, text = bundle_of("rnn-additive"), "The cat sees the dog."
    free = probe.beam(bundle, text, 2, limit=5)
    forced = probe.beam(bundle, text, 2, prefix=(40, 41), limit=5)
    both = hypotheses.futures(free, forced)
    for trace in (free, forced):
        for index in range(len(trace.nodes)):
            there = hypotheses.find(both, trace.token_ids(index))
            np.testing.assert_allclose(both.attention[there], trace.attention[index], atol=1e-5)


# ---- verdicts and formulas --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("greedy", "beam", "exact", "said"),
    [
        (made([A, END], -3), made([B, END], -2), made([B, END], -2, proved=True), "Greedy loses"),
        (
            made([A, END], -3),
            made([B, END], -2),
            made([B, END], -2, proved=True),
            "proved to be the best",
        ),
        (made([A, END], -3), made([B, END], -2), made([B, END], -2), r"2\.7 times as probable\.$"),
        (
            made([A, END], -2),
            made([A, END], -2),
            made([A, END], -2, proved=True),
            "the same output",
        ),
        (made([A, END], -2), made([B, END], -3), made([A, END], -2, proved=True), "The beam loses"),
        (made([A, END], -3), made([B, END], -2), made([END], -1, proved=True), "a search error"),
        (
            made([A, END], -3),
            made([B, END], -2),
            made([C, END], -1),
            "an output that scores",
        ),
        (made([A, END], -3), made([B, END], -2), made([END], -1, text=""), "the empty one, -1"),
        (made([A, A], -1, finished=False), made([END], -2), made([END], -2), "did not finish"),
        (made([A], -1), made([B], -1, finished=False), made([END], -2), "No hypothesis finished"),
    ],
)
def test_the_verdict_says_who_won(greedy, beam, exact, said):
    assert re.search(said, hypotheses.verdict(greedy, beam, exact))


def test_greedy_is_never_said_to_lose_against_itself():
    same = made([A, END], -2)
    assert "loses" not in hypotheses.verdict(same, same, same)


def test_the_price_of_forcing_is_the_difference_of_the_scores():
    free, forced = made([A, END], -2.0), made([B, END], -3.5)
    assert hypotheses.price(free, forced) == " Forcing costs 1.50: -3.50 instead of -2.00."
    assert "gains 1.50" in hypotheses.price(forced, free)  # beam search had missed it
    assert "wins anyway" in hypotheses.price(free, free)


def test_the_formulas_hold_this_examples_numbers():
    best = made([A, C, B, END], math.log(0.054), score=math.log(0.054) / 4**0.75)
    assert r"\frac{-2.92}{4^{0.75}} = -1.032" in hypotheses.score_formula(best, 0.75)
    assert r"\frac{5+4}{6}" in hypotheses.score_formula(best, 0.6, gnmt=True)
    root = hypotheses.root_formula("x", beam_table.chances(LECTURE, best.ids))
    assert r"\sqrt[4]{0.5 \cdot 0.3 \cdot 0.6 \cdot 0.6} = \sqrt[4]{0.0540} = 0.482" in root


def test_the_costs_are_counted():
    assert hypotheses.cost_formula(2, 4, 4).endswith("V^n = 4^{4} = 256")
    large = hypotheses.cost_formula(5, 10, 10_000)
    assert "500{,}000" in large
    assert large.endswith(r"\approx 10^{40}")
    assert hypotheses.cost_formula(1, 14, 8000).endswith(r"\approx 4.4 \cdot 10^{54}")


def test_each_step_is_counted():
    trace = searched(2)
    assert hypotheses.tally(trace)[1] == "step 1, 2 kept, 0 finished, 2 pruned"
    assert len(hypotheses.tally(trace)) == 5
