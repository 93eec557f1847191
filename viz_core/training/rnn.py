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
    "none": (
        "rnn-none learned in two parts: at step 8,001 its learning rate had fallen to nothing, "
        "then it went further."
    ),
    "additive": (
        "rnn-additive learned in two parts: at step 13,000 its learning rate had fallen to "
        "nothing, then it went further."
    ),
    "scaled-dot": (
        "Divided by 16, its scores grow sharp slowly. Other runs: with 2,217 more steps of its own "
        "BLEU 37.1 and AER .56; with as many steps on another schedule BLEU 28.0 and AER .76."
    ),
    "content": "Plain cosine is too flat for a softmax, so its sharpness is a learned factor.",
    "location": "The query alone decides where to look: the words of the source are not compared.",
    "local-m": "The window follows the step: p = t, D = 4, no Gaussian, as in the paper.",
    "local-p": (
        "D = 4 and sigma = 2, because our sentences are short; the paper has D = 10. At "
        "step 9,424 its learning rate had fallen to nothing, then it went further."
    ),
}

# All nine learn for as many steps. Full runs are dear, so six share most of theirs with the common
# model and take over its weights; what they have of their own is one schedule for all six.
COMMON = "rnn-additive"
FRESH: tuple[Attention, ...] = ("none", "additive", "local-p")
SHARED = 13_000
SCHEDULE = Schedule(steps=14_200, peak=2e-3, decay_from=0.87)
EXCHANGED = Schedule(steps=14_200, peak=1.5e-3, warmup=100, decay_from=0.94)
EXCHANGE = (
    f"Its first {SHARED:,} steps are those of rnn-additive; then a new attention took the place of "
    "the additive one."
)


def _rnn(kind: Attention) -> Translator:
    title, paper = PAPERS[kind]
    fresh = kind in FRESH
    return Translator(
        name=f"rnn-{kind}",
        title=title,
        paper=paper,
        architecture="rnn",
        config=RNNConfig(vocabulary=VOCABULARY, attention=kind),
        mixture={"tatoeba": 0.5, "europarl": 0.42, "multi30k": 0.08},
        batch_tokens=1600,
        schedule=SCHEDULE if fresh else EXCHANGED,
        start="" if fresh else COMMON,
        shared=0 if fresh else SHARED,
        notes=" ".join(filter(None, (NOTES.get(kind), "" if fresh else EXCHANGE))),
    )


RECIPES = {recipe.name: recipe for recipe in map(_rnn, get_args(Attention))}
