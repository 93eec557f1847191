"""How well reviews are judged, and whether the sentence with the largest weight matters most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from viz_core.checkpoints import Bundle
from viz_core.models.han import HAN, together
from viz_core.text.document import sentences
from viz_core.training.data.reviews import Review

AT_ONCE = 32  # reviews
DELETIONS = 500  # reviews that a sentence is taken out of

PRAISE = ("good", "great", "wonderful", "funny", "beautiful", "brilliant", "superb", "lovely")
BLAME = ("bad", "terrible", "boring", "dull", "stupid", "horrible", "poor", "silly")
PATTERNS = (  # said, and denied
    ("This is a {} film.", "This is not a {} film."),
    ("The story is {}.", "The story is not {}."),
    ("I thought it was {}.", "I did not think it was {}."),
)

Judge = Callable[[list[list[Tensor]]], Tensor]  # documents -> logits (document, label)


def numbered(bundle: Bundle, review: Review) -> list[Tensor]:
    return [torch.tensor(bundle.tokenizer.numbers(one)) for one in review.sentences]


@torch.inference_mode()
def accuracy(bundle: Bundle, judge: Judge, reviews: Sequence[Review]) -> dict[str, float]:
    ordered = sorted(reviews, key=lambda one: sum(map(len, one.sentences)))
    right = 0
    for start in range(0, len(ordered), AT_ONCE):
        some = ordered[start : start + AT_ONCE]
        logits = judge([numbered(bundle, one) for one in some])
        right += int((logits.argmax(-1) == torch.tensor([one.positive for one in some])).sum())
    return {"accuracy": round(right / len(ordered), 4), "reviews": float(len(ordered))}


@torch.inference_mode()
def without_each(model: HAN, sentences: Sequence[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """Weights (sentence,), the answer, and the answers without each sentence (sentence, label)."""
    whole = model(together([sentences]))
    others = torch.tensor(
        [[k for k in range(len(sentences)) if k != out] for out in range(len(sentences))]
    )
    rest = model.judge(whole.words, others, torch.ones_like(others).bool())
    return whole.sentences.weights[0], whole.logits[0].softmax(-1), rest.logits.softmax(-1)


def deletions(bundle: Bundle, reviews: Sequence[Review]) -> dict[str, float]:
    """The sentence with the largest weight taken out, against each of the others in its place.

    `share`: how often the first moves the probability more, a random other sentence beside it;
    the mean over all others, so that no draw is needed.
    """
    chosen = [one for one in reviews if len(one.sentences) > 1]
    chosen = chosen[:: max(1, len(chosen) // DELETIONS)][:DELETIONS]
    share, moved_top, moved_other, turned_top, turned_other = [], [], [], [], []
    for review in chosen:
        weights, answer, rest = without_each(bundle.model, numbered(bundle, review))
        moved = (rest[:, 1] - answer[1]).abs().numpy()
        turned = (rest.argmax(-1) != answer.argmax()).numpy()
        top = int(weights.argmax())
        others = np.delete(np.arange(len(moved)), top)
        share.append(float(np.mean(moved[top] > moved[others])))
        moved_top.append(moved[top])
        moved_other.append(moved[others].mean())
        turned_top.append(turned[top])
        turned_other.append(turned[others].mean())
    found = {
        "share": share,
        "moved by the largest": moved_top,
        "moved by another": moved_other,
        "turned by the largest": turned_top,
        "turned by another": turned_other,
    }
    means = {name: round(float(np.mean(values)), 4) for name, values in found.items()}
    return means | {"reviews": float(len(chosen))}


def negation(bundle: Bundle, judge: Judge) -> dict[str, float]:
    """How often praise and blame in one short sentence are told apart, said and denied."""
    found, count = {}, 0
    for denied in (False, True):
        for kind, words in (("praise", PRAISE), ("blame", BLAME)):
            texts = [pattern[denied].format(word) for pattern in PATTERNS for word in words]
            right = int((kind == "praise") != denied)
            asked = [Review(text, sentences(text), right) for text in texts]
            count = len(asked)
            found[f"{kind} denied" if denied else kind] = accuracy(bundle, judge, asked)["accuracy"]
    return found | {"sentences": float(count)}


def han(bundle: Bundle, reviews: Sequence[Review]) -> dict[str, Any]:
    def judge(some: list[list[Tensor]]) -> Tensor:
        logits: Tensor = bundle.model(together(some)).logits
        return logits

    judged, denied = accuracy(bundle, judge, reviews), negation(bundle, judge)
    moved = deletions(bundle, reviews)
    return {
        "metrics": {"IMDB test": judged, "a sentence left out": moved, "with a not": denied},
        "measured": {"deletions": moved, "negation": denied},
    }
