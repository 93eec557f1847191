"""Which hypotheses of a search tree are drawn, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from viz_core.traces.search import BeamTrace, Hypothesis

SWEEPS = 12
DEAD = 0.02  # pull of a pruned node: more would bend the living branches away from it, step by step


def _spread(wanted: Sequence[float], pulls: Sequence[float]) -> list[float]:
    """Rows at least one apart, in the given order, as near as can be to the wanted ones.

    Least squares under an order is isotonic regression: neighbours that would meet form a block
    that stands at the weighted mean of what its members want.
    """
    blocks: list[tuple[float, float, int]] = []  # mean, pull, size
    for place, (row, pull) in enumerate(zip(wanted, pulls, strict=True)):
        mean, total, size = row - place, pull, 1
        while blocks and blocks[-1][0] > mean:
            before, weight, count = blocks.pop()
            mean = (before * weight + mean * total) / (weight + total)
            total, size = total + weight, size + count
        blocks.append((mean, total, size))
    flat = [mean for mean, _, size in blocks for _ in range(size)]
    return [mean + place for place, mean in enumerate(flat)]


def layout(nodes: Sequence[Hypothesis], shown: Iterable[int]) -> dict[int, float]:
    """A row for each shown node: children around their parent, the better ones above.

    Nodes of a step are ordered by their parents, then by score, so that no edges cross. Then each
    wants the middle between its parent and its own children, living branches more than dead ends;
    a few sweeps to and fro settle it. The tree is thus as high as its fullest step, where a tidy
    tree with exactly centred parents would drift off the screen.
    """
    steps: dict[int, list[int]] = {}
    children: dict[int, list[int]] = {}
    for index in sorted(shown):
        steps.setdefault(nodes[index].step, []).append(index)
        children.setdefault(nodes[index].parent, []).append(index)
    order: dict[int, int] = {}
    rows: dict[int, float] = {}
    for step in sorted(steps):
        steps[step].sort(key=lambda i: (order.get(nodes[i].parent, 0), -nodes[i].score))
        order.update({index: place for place, index in enumerate(steps[step])})
        rows.update({i: place - len(steps[step]) / 2 for place, i in enumerate(steps[step])})
    for sweep in range(SWEEPS):
        for step in sorted(steps, reverse=sweep % 2 == 0):
            wanted, pulls = [], []
            for index in steps[step]:
                below = children.get(index, [])
                heirs = [rows[child] for child in below if nodes[child].status != "pruned"]
                near = [rows[nodes[index].parent]] if nodes[index].parent in rows else []
                near += [sum(heirs) / len(heirs)] if heirs else []
                wanted.append(sum(near) / len(near) if near else 0.0)
                pulls.append(DEAD if nodes[index].status == "pruned" else 1.0)
            rows.update(zip(steps[step], _spread(wanted, pulls), strict=True))
    return rows


def visible(
    beam: BeamTrace, until_step: int | None = None, minimum: float = 0.0, limit: int = 12
) -> list[int]:
    """Nodes to draw: all that lived, and at each step the best pruned ones, if probable enough."""
    last = max((node.step for node in beam.nodes), default=0) if until_step is None else until_step
    pruned: dict[int, list[int]] = {}
    found: list[int] = []
    for index, node in enumerate(beam.nodes):
        if node.step > last:
            continue
        if node.status != "pruned":
            found.append(index)
        elif node.probability >= minimum:
            pruned.setdefault(node.step, []).append(index)
    for rivals in pruned.values():
        found += sorted(rivals, key=lambda i: -beam.nodes[i].score)[:limit]
    if beam.nodes and beam.nodes[beam.best].step <= last:
        found += beam.path(beam.best)
    # A drawn node without its parent would hang in the air.
    return sorted({ancestor for index in found for ancestor in beam.path(index)})


def placed(
    beam: BeamTrace, until_step: int | None, minimum: float, limit: int, most: int
) -> tuple[dict[int, float], int]:
    """Rows of the nodes to draw, and the last step of the whole search.

    A node stands where it will stand at the end, so that the tree fills its frame step by step. Of
    a long search the last `most` steps are drawn, up to the one that is looked at.
    """
    whole = visible(beam, None, minimum, limit)
    end = max((beam.nodes[i].step for i in whole), default=0)
    last = end if until_step is None else min(until_step, end)
    first = max(last - most + 1, 0)
    rows = layout(beam.nodes, [i for i in whole if first <= beam.nodes[i].step < first + most])
    now = set(visible(beam, until_step, minimum, limit))
    return {i: row for i, row in rows.items() if i in now}, end


def leader(beam: BeamTrace, until_step: int | None = None) -> int:
    """The winner, or while the search is still running the best hypothesis so far."""
    if until_step is None or beam.nodes[beam.best].step <= until_step:
        return beam.best
    alive = [
        i
        for i, node in enumerate(beam.nodes)
        if node.step == until_step and node.status != "pruned"
    ]
    return max(alive, key=lambda i: beam.nodes[i].score, default=0)
