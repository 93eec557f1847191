"""Recurrent networks over characters, run for a view: one that learns in sight, two with gates."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from viz_core.checkpoints import Bundle
from viz_core.models.characters import GATES, Characters, Plain
from viz_core.text.characters import BREAK
from viz_core.traces import Prediction
from viz_core.traces.characters import GateTrace, LearningTrace

LONGEST_WORD = 12
LONGEST_TEXT = 2000  # characters
GUESSES = 5  # next characters kept per step


def learn_hello(
    seed: int = 1,
    steps: int = 100,
    *,
    word: str = "hello",
    units: int = 3,
    rate: float = 0.05,
    every: int = 5,
) -> Iterator[LearningTrace]:
    """Teach a plain network to spell a word; the moments come while it learns.

    The first moment is before the first update, the last one after the last.
    """
    if not 2 <= len(word) <= LONGEST_WORD:
        raise ValueError(f"Type a word of 2 to {LONGEST_WORD} letters: this one has {len(word)}.")
    letters = tuple(dict.fromkeys(word))
    ids = torch.tensor([letters.index(letter) for letter in word])
    model = Plain(len(letters), units, seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    losses: list[float] = []
    for step in range(steps + 1):
        loss = nn.functional.cross_entropy(model(ids[:-1])[1], ids[1:])
        losses.append(float(loss.detach()))
        if step % every == 0 or step == steps:
            yield _moment(model, word, letters, losses)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def lesson(word: str, seed: int, updates: int) -> tuple[LearningTrace, ...]:
    """All moments of one lesson, to step through."""
    return tuple(learn_hello(seed, updates, word=word))


@torch.inference_mode()
def _moment(
    model: Plain, word: str, letters: tuple[str, ...], losses: list[float]
) -> LearningTrace:
    ids = torch.tensor([letters.index(letter) for letter in word])
    states, logits = model(ids[:-1])
    return LearningTrace(
        word=word,
        letters=letters,
        losses=tuple(losses),
        states=states.numpy(),
        probabilities=logits.softmax(-1).numpy(),
        hh=model.hh.detach().clone().numpy(),
        xh=model.xh.detach().clone().numpy(),
        hy=model.hy.detach().clone().numpy(),
        written="".join(letters[i] for i in spell(model, ids[:1], len(word) - 1)),
    )


def spell(model: Plain, ids: Tensor, count: int) -> list[int]:
    """Greedy: the likeliest letter is read in turn."""
    given = len(ids)
    for _ in range(count):
        ids = torch.cat((ids, model(ids)[1][-1:].argmax(-1)))
    return ids[given:].tolist()


@torch.inference_mode()
def gates(bundle: Bundle, text: str) -> GateTrace:
    """Read a text and keep every gate of every unit at every character."""
    model = bundle.model
    if not isinstance(model, Characters):
        raise ValueError(f"{bundle.card.name} has no gates to show: choose char-lstm or char-gru.")
    encoded = bundle.tokenizer.encode(text)
    if not encoded.ids:
        raise ValueError("There is nothing to read yet: type a sentence.")
    if len(encoded.ids) > LONGEST_TEXT:
        raise ValueError(
            f"This text has {len(encoded.ids):,} characters; {LONGEST_TEXT:,} can be shown. "
            "Shorten it to a paragraph."
        )
    opening = bundle.tokenizer.encode(BREAK).ids  # the models know texts that open a paragraph
    found = model(torch.tensor([opening + encoded.ids]))
    chances = found.logits[0].softmax(-1)  # (token + 1, vocabulary)
    values, numbers = chances[1:].topk(GUESSES, dim=-1)
    label = bundle.tokenizer.label
    return GateTrace(
        tokens=encoded.tokens,
        gates=GATES[model.config.cell],
        values=found.gates[0, 1:].permute(1, 2, 0).numpy(),  # (gate, unit, token)
        candidates=found.candidates[0, 1:].T.numpy(),
        memory=found.memory[0].T.numpy(),
        expected=chances[:-1].gather(1, torch.tensor(encoded.ids)[:, None])[:, 0].numpy(),
        predictions=tuple(
            Prediction(tokens=tuple(map(label, row)), probabilities=tuple(row_values))
            for row, row_values in zip(numbers.tolist(), values.tolist(), strict=True)
        ),
        unknown=encoded.unknown,
    )
