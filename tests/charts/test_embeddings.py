"""Token + segment + position: the picture and the sum are those of the model."""

import re

import numpy as np
import pytest

from viz_core.charts import embeddings
from viz_core.probe import bert as probe_bert


@pytest.fixture(scope="module")
def trace(bert_of):
    return probe_bert.embeddings(bert_of("bert-mini"), "The cat sees the dog.", "It's red.")


def boxes(trace, **settings) -> list[dict]:
    chart = embeddings.figure(trace, **settings).to_dict()
    return max(chart["datasets"].values(), key=len)


def test_each_token_has_its_three_vectors_and_their_sum(trace):
    rows = boxes(trace, limit=100)
    assert len(rows) == 4 * len(trace.tokens)
    segments = [row["name"] for row in rows if row["row"] == "+ segment"]
    assert segments == [f"E {'AB'[segment]}" for segment in trace.segments]
    lengths = [row["length"] for row in rows if row["row"] == "token"]
    np.testing.assert_allclose(lengths, np.linalg.norm(trace.token, axis=1), atol=0.006)


def test_equal_vectors_are_equal_pictures_and_others_are_not(trace):
    rows = boxes(trace, limit=100)
    for kind in ("token", "+ segment"):
        by_name: dict[str, set[str]] = {}
        for row in rows:
            if row["row"] == kind:
                by_name.setdefault(row["name"], set()).add(row["picture"])
        assert all(len(pictures) == 1 for pictures in by_name.values())
        assert len({*map(tuple, by_name.values())}) == len(by_name)
    places = [row["picture"] for row in rows if row["row"] == "+ position"]
    assert len(set(places)) == len(places)


def test_a_long_text_is_cut_and_says_so(trace):
    assert len(boxes(trace, limit=5)) == 20
    title = embeddings.figure(trace, limit=5).to_dict()["title"]["subtitle"]
    assert f"tokens 1 to 5 of {len(trace.tokens)}" in title


@pytest.mark.parametrize("at", [0, 3])
def test_the_formula_adds_up(trace, at):
    numbers = re.findall(r"[+-]?\d+\.\d+", embeddings.formulas(trace, at)[1].replace(" ", ""))
    *parts, total = map(float, numbers)
    wanted = float(trace.token[at, 0] + trace.segment[at, 0] + trace.position[at, 0])
    assert total == pytest.approx(wanted, abs=0.0006)
    assert sum(parts) == pytest.approx(total, abs=0.0021)


def test_the_finding_is_the_mean_length(trace):
    mean = float(np.linalg.norm(trace.position, axis=1).mean())
    assert embeddings.finding(trace).endswith(f"position {mean:.2f}")
