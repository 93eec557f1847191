"""What a model that reads running text has for each token: its chance, and its states."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from viz_core.checkpoints import Bundle
from viz_core.text import word_count
from viz_core.traces.states import States

LONGEST_STATES = 512  # tokens that a BERT has places for, marks included
AT_ONCE = 256  # tokens that are read in one go; a longer text begins anew there


@runtime_checkable
class Predicts(Protocol):
    """A language model, whatever its architecture."""

    def nats(self, ids: Tensor) -> Tensor:
        """-log p of each token given those before it: ids (batch, token) -> (batch, token)."""


@runtime_checkable
class Layered(Protocol):
    """A model with a state for each token in each of its layers."""

    def layer_states(self, ids: Tensor) -> Tensor:
        """Of a text with its marks: ids (batch, token) -> (layer, batch, token, width)."""


def text_ids(bundle: Bundle, text: str) -> list[int]:
    """The tokens of a text without marks around it."""
    ids: list[int] = bundle.tokenizer.encode_batch([text])[0]
    if not ids:
        raise ValueError("There is nothing to read yet: type a sentence.")
    return ids


@torch.inference_mode()
def language_loss(bundle: Bundle, text: str) -> tuple[float, int]:
    """Total -log p of a text in nats, and its number of words; any length."""
    model: Any = bundle.model
    if not isinstance(model, Predicts):
        raise ValueError(f"{bundle.card.name} is no language model: choose gpt, lstmn or elmo.")
    ids = torch.tensor([text_ids(bundle, text)])
    total = sum(float(model.nats(part).sum()) for part in ids.split(AT_ONCE, dim=1))
    return total, word_count(text)


@torch.inference_mode()
def states(bundle: Bundle, text: str) -> States:
    """The vectors of every token in every layer; layer 0 is what is looked up, before reading."""
    model: Any = bundle.model
    if not isinstance(model, Layered):
        raise ValueError(f"{bundle.card.name} has no states to show: choose elmo or bert-mini.")
    count = len(text_ids(bundle, text))
    if count > LONGEST_STATES - 2:
        raise ValueError(
            f"This text has {count:,} tokens; {LONGEST_STATES - 2} are read at most. Shorten it."
        )
    encoded = bundle.tokenizer.encode(text)
    values = model.layer_states(torch.tensor([encoded.ids]))[:, 0]
    return States(tokens=encoded.tokens, values=values.numpy(), numbers=encoded.words)
