"""The nine recurrent translators: the same model, data and schedule, another attention each."""

from __future__ import annotations

from typing import get_args

from viz_core.models.rnn import Attention, RNNConfig
from viz_core.training.loop import Schedule
from viz_core.training.translation import Translator

VOCABULARY = 8000

PAPERS: dict[Attention, tuple[str, str]] = {
    "none": ("No attention: one vector for the whole sentence", "Sutskever et al. 2014"),
    "additive": ("Additive attention", "Bahdanau et al. 2015"),
    "dot": ("Dot-product attention", "Luong et al. 2015"),
    "scaled-dot": ("Scaled dot-product attention", "Vaswani et al. 2017"),
    "general": ("General attention", "Luong et al. 2015"),
    "content": ("Content-based (cosine) attention", "Graves et al. 2014"),
    "location": ("Location-based attention", "Luong et al. 2015"),
    "local-m": ("Local attention, monotonic", "Luong et al. 2015"),
    "local-p": ("Local attention, predictive", "Luong et al. 2015"),
}

NOTES: dict[Attention, str] = {
    "scaled-dot": "Divided by 16, its scores grow sharp slowly.",
    "content": "Plain cosine is too flat for a softmax, so its sharpness is a learned factor.",
    "location": "The query alone decides where to look: the words of the source are not compared.",
    "local-m": "The window follows the step: p = t, D = 4, no Gaussian, as in the paper.",
    "local-p": "D = 4 and sigma = 2, because our sentences are short; the paper has D = 10.",
}
EQUAL = "All nine began with nothing, and read the same sentences in the same order."

# Counted in steps and never in minutes: a dearer score is not to read less than a cheap one.
SCHEDULE = Schedule(steps=7000, peak=2e-3, decay_from=0.5, average=0.998)


def _rnn(kind: Attention) -> Translator:
    title, paper = PAPERS[kind]
    return Translator(
        name=f"rnn-{kind}",
        title=title,
        paper=paper,
        architecture="rnn",
        config=RNNConfig(vocabulary=VOCABULARY, attention=kind),
        mixture={"tatoeba": 0.6, "europarl": 0.16, "hansard": 0.12, "multi30k": 0.12},
        batch_tokens=1600,
        half=True,
        schedule=SCHEDULE,
        notes=" ".join(filter(None, (NOTES.get(kind), EQUAL))),
    )


RECIPES = {recipe.name: recipe for recipe in map(_rnn, get_args(Attention))}
