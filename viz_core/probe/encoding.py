"""Every layer and head on a text, whatever the architecture: who answers is in a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from viz_core.checkpoints import Bundle
from viz_core.probe import bert, gpt
from viz_core.traces import AttentionTrace

READERS: dict[str, Callable[..., AttentionTrace]] = {"bert": bert.encode, "gpt": gpt.triangle}


def encode(
    bundle: Bundle, text: str, pair: str | None = None, silent: Sequence[tuple[int, int]] = ()
) -> AttentionTrace:
    """All of a BERT's square, a GPT's triangle."""
    return READERS.get(bundle.card.architecture, bert.encode)(bundle, text, pair, silent)
