"""Which translator a page shows: one on board, or one that a visitor trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from viz_core import checkpoints, probe
from viz_core.traces import Translation
from viz_core.ui import inputs
from viz_core.ui.languages import ARCHITECTURES, chosen, languages, own_translators
from viz_core.ui.run import run


@dataclass(frozen=True, slots=True, kw_only=True)
class Translator:
    """The translator of a page, known before its box is drawn: texts above it depend on it."""

    name: str
    names: tuple[str, ...]  # to choose from
    source: str  # the language it reads, by name
    target: str
    examples: tuple[str, ...]
    own: bool

    def box(self) -> str:
        """The choice, where there is one."""
        return inputs.model(self.names) if len(self.names) > 1 else self.name


def translator(
    names: Sequence[str], examples: Sequence[str], architectures: Sequence[str] = ARCHITECTURES
) -> Translator:
    """Of the checkpoints on board named here, and of the visitors' own, the one that is chosen."""
    own = {card.name: card for card in own_translators() if card.architecture in architectures}
    there = checkpoints.present(names)
    if not there and not own:
        there = list(names)[:1]  # the page says that it is missing
    name = chosen([*there, *own])
    shown = own[name].examples if name in own else examples
    reads, writes = languages(name)
    _renew(reads, writes, shown)
    return Translator(
        name=name,
        names=(*there, *own),
        source=reads,
        target=writes,
        examples=tuple(shown),
        own=name in own,
    )


def translated(
    name: str, source: str, beam: int = probe.BEAM, options: probe.Options = probe.PLAIN
) -> Translation:
    """What a translator says, searched for as every page does that does not go word by word."""
    return run(probe.translate, name, source, beam, probe.PENALTY, options)


def _renew(reads: str, writes: str, examples: Sequence[str]) -> None:
    """Another language needs another sentence in the box, and nothing typed in the old one."""
    state, now = st.session_state, (reads, writes)
    before = state.get("languages", now)
    state["languages"] = now
    if before[0] != reads and "text" in state and examples:
        state["text"] = examples[0]
    if before[1] != writes:
        state.update({key: "" for key in ("target", "forced") if key in state})
