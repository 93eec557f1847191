"""Measured figures as text, ours beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from viz_core.atlas.published import COLUMNS, PUBLISHED
from viz_core.cards import Card


def measured(card: Card, figures: dict[str, Any]) -> Card:
    return replace(card, **figures)


def table(cards: Sequence[Card]) -> str:
    """One line a checkpoint; the published figures of Luong et al. 2015 at the end of it."""
    head = ["checkpoint", "parameters", *(name for name, _, _ in COLUMNS), "published (Luong 2015)"]
    rows = [head]
    for card in cards:
        figures = [card.metrics.get(split, {}).get(key) for _, split, key in COLUMNS]
        known = PUBLISHED.get(card.name, {})
        rows.append(
            [
                card.name,
                f"{card.parameters / 1e6:.1f} M",
                *("-" if value is None else f"{value:.2f}" for value in figures),
                ", ".join(f"{key} {value}" for key, value in known.items()),
            ]
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def details(card: Card) -> str:
    lines = [card.name]
    for split, figures in card.metrics.items():
        lines.append(f"  {split}: " + ", ".join(f"{k} {v:g}" for k, v in figures.items()))
    return "\n".join(lines)
