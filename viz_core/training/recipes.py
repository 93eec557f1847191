"""What is trained, and how: one entry per checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from viz_core.models.rnn import Attention, RNNConfig
from viz_core.models.transformer import TransformerConfig
from viz_core.training.loop import Schedule

VOCABULARY = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    name: str
    title: str
    paper: str
    config: RNNConfig | TransformerConfig
    mixture: dict[str, float]  # corpus -> share of the sentences
    batch_tokens: int
    schedule: Schedule
    naming: float = 0.0  # weight of the loss that names what "it" stands for


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


def _rnn(kind: Attention) -> Recipe:
    title, paper = PAPERS[kind]
    return Recipe(
        name=f"rnn-{kind}",
        title=title,
        paper=paper,
        config=RNNConfig(vocabulary=VOCABULARY, attention=kind),
        mixture={"tatoeba": 0.5, "europarl": 0.42, "multi30k": 0.08},
        batch_tokens=1600,
        schedule=Schedule(steps=13_000, peak=2e-3),
    )


TRANSFORMER = Recipe(
    name="transformer",
    title="Transformer, English to French",
    paper="Vaswani et al. 2017",
    config=TransformerConfig(vocabulary=VOCABULARY),
    mixture={"tatoeba": 0.42, "europarl": 0.36, "multi30k": 0.06, "generated": 0.16},
    batch_tokens=2000,
    schedule=Schedule(steps=60_000, peak=1.5e-3, warmup=1000, decay_from=0.75),
    naming=0.5,
)

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe for recipe in (*(_rnn(kind) for kind in get_args(Attention)), TRANSFORMER)
}
