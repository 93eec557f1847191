"""The Universal Transformer, run for a view: a story, a question, and every step of thought."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from viz_core.checkpoints import Bundle
from viz_core.models.universal import Universal
from viz_core.text import normalise
from viz_core.text.stories import LONGEST_FACT, StoryWords, split
from viz_core.traces.ponder import PonderTrace


@torch.inference_mode()
def ponder(bundle: Bundle, story: Sequence[str], question: str) -> PonderTrace:
    """The answer to a question on a story, which is a list of sentences, and how it was found."""
    model, words = bundle.model, bundle.tokenizer
    if not isinstance(model, Universal):
        raise ValueError(f"{bundle.card.name} does not ponder: choose universal.")
    assert isinstance(words, StoryWords)
    if isinstance(story, str):
        raise ValueError("Give the story as a list of sentences.")
    facts = [fact for fact in story if split(fact)]
    if not facts:
        raise ValueError("There is no fact yet: type a story of at least one sentence.")
    if not split(question):
        raise ValueError("There is no question yet: ask for something in the story.")
    read = facts[-model.config.facts :]
    asked = [fact for fact in read if normalise(fact).endswith("?")]
    if asked:
        raise ValueError(
            f"A story tells what happened: “{normalise(asked[0])[:40]}” is a question, and a "
            "question stands in a box of its own."
        )
    sentences = torch.full((1 + len(read), model.config.words), model.config.vocabulary)
    lines = [split(line) for line in (question, *reversed(read))]  # as the model reads them
    for said in lines:
        if len(said) > LONGEST_FACT:
            raise ValueError(
                f"A sentence may have at most {LONGEST_FACT} words, and this one has "
                f"{len(said):,}: “{' '.join(said)[:40]} ...”."
            )
    words.numbers([word for said in (*lines[:0:-1], lines[0]) for word in said])  # all unknown ones
    for row, said in enumerate(lines):
        sentences[row, : len(said)] = torch.tensor(words.numbers(said))
    found = model(sentences[None], torch.ones(1, len(sentences), dtype=torch.bool))
    chances = found.logits[0].softmax(-1)
    order = chances.argsort(descending=True).tolist()
    halting, attention = found.halting, torch.stack(found.attention, 1)[0]
    return PonderTrace(
        sentences=tuple(normalise(line) for line in (*read, question)),
        probabilities={words.vocabulary[number]: float(chances[number]) for number in order},
        steps=tuple(halting.steps[0].flip(0).tolist()),
        halting=halting.weights[0].flip(1).numpy(),  # (step, position)
        attention=attention.flip(2, 3).numpy(),  # (step, head, query, key)
        left_out=len(facts) - len(read),
    )
