"""The numbers behind a picture, as rows to keep: the model's own, not where they were drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from viz_core.traces import AttentionTrace
from viz_core.traces.bert import EmbeddingTrace
from viz_core.traces.by_hand import VectorTrace
from viz_core.traces.machine import InsideTrace, MachineTrace
from viz_core.traces.search import BeamTrace

Rows: TypeAlias = list[dict[str, Any]]
Numbers: TypeAlias = Callable[[], Rows]  # made when somebody asks for them

MADE_OF = ("inputs", "queries", "keys", "values", "scores", "scaled", "weights", "outputs")
BETWEEN = {"scores", "scaled", "weights"}  # a row for each query, a column for each key
ADDED = ("token", "segment", "position", "total")


def attention(trace: AttentionTrace, layers: Iterable[int] | None = None) -> Rows:
    """Every weight, with the words that it stands between."""
    chosen = range(trace.layers) if layers is None else layers
    return [
        {
            "layer": layer + 1,
            "head": head + 1,
            "query": q + 1,
            "query word": trace.queries[q],
            "key": k + 1,
            "key word": trace.keys[k],
            "weight": round(float(trace.weights[layer, head, q, k]), 6),
        }
        for layer in chosen
        for head, q, k in np.ndindex(trace.weights.shape[1:])
        if np.isfinite(trace.weights[layer, head, q, k])
    ]


def search(trace: BeamTrace) -> Rows:
    """Every hypothesis that was looked at, with what was written so far."""
    rows = []
    for index, node in enumerate(trace.nodes[1:], 1):
        written = " ".join(trace.nodes[i].token for i in trace.path(index)[1:])
        rows.append(
            {
                "hypothesis": index,
                "continues": node.parent,
                "step": node.step,
                "token": node.token,
                "written": written,
                "probability": round(node.probability, 6),
                "log-probability": round(node.log_prob, 6),
                "score": round(node.score, 6),
                "status": node.status,
                "reason": node.reason,
            }
        )
    return rows


def steps(trace: VectorTrace) -> Rows:
    """Every number of self-attention, from the inputs to the outputs."""
    rows = []
    for name in MADE_OF:
        for (row, column), value in np.ndenumerate(np.asarray(getattr(trace, name), dtype=float)):
            named = trace.tokens[column] if name in BETWEEN else str(column + 1)
            rows.append(
                {"matrix": name, "row": trace.tokens[row], "column": named, "value": float(value)}
            )
    return rows


def embeddings(trace: EmbeddingTrace) -> Rows:
    """The vectors that are added for each token, and their sum after the layer norm."""
    return [
        {
            "vector": name,
            "place": place + 1,
            "token": trace.tokens[place],
            "dimension": dimension + 1,
            "value": round(float(value), 6),
        }
        for name in ADDED
        for (place, dimension), value in np.ndenumerate(getattr(trace, name))
    ]


def machine(trace: MachineTrace) -> Rows:
    """What came out of every box, the first numbers of each token."""
    stacks = [stack for stack in (trace.reader, trace.writer) if stack]
    return [
        {"box": box.name, "token": token, "place": place + 1, **_first(box.values[place])}
        for stack in stacks
        for box in stack.boxes
        for place, token in enumerate(stack.tokens)
    ]


def inside(trace: InsideTrace) -> Rows:
    """The vectors of an opened box, the first numbers of each token; and the heads' weights."""
    rows: Rows = []
    for row in trace.rows:
        for part in (part for column in row.columns for part in column):
            for place in np.ndindex(part.values.shape[:-1]):
                at = " ".join(str(i + 1) for i in place)
                named = {"row": row.name, "part": part.name, "place": at}
                rows.append(named | _first(part.values[place]))
    return rows


def _first(values: Any, most: int = 24) -> dict[str, float]:
    return {str(i + 1): round(float(value), 5) for i, value in enumerate(values[:most])}
