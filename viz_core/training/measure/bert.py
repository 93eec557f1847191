"""How good a BERT is, on texts it has not seen: masks, pairs, and the three tasks on top."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from viz_core.checkpoints import Bundle
from viz_core.probe import tasks as probe_tasks
from viz_core.text.wordpiece import MASK
from viz_core.training.data import bert as bert_data, tasks as texts
from viz_core.training.masked import Batch, Drawing
from viz_core.training.measure import bert_heads

LENGTH = 64
TOKENS = 4096  # of a batch
WINDOWS, PAIRS = 18, 6  # batches

Metrics = dict[str, dict[str, float]]


@torch.inference_mode()
def pretraining(bundle: Bundle, corpus: bert_data.Corpus) -> dict[str, float]:
    """Of the 15% that were chosen, and of those under [MASK] alone, how many are named rightly;
    and how many pairs are told apart, with those masks and, as a visitor asks, without."""
    model: Any = bundle.model
    tokenizer: Any = bundle.tokenizer
    drawing, rng = Drawing(tokenizer, [corpus], LENGTH), np.random.default_rng(5)
    right: list[bool] = []
    hidden: list[bool] = []
    blurred: list[bool] = []
    told: list[bool] = []
    for _ in range(WINDOWS):
        batch = drawing.batch("window", TOKENS, rng)
        states = model(batch.ids, batch.segments, places=batch.places).states
        blurred += (model.task_logits(states).argmax(-1) == batch.follows).tolist()
        told += follows_rightly(model, batch)
        named = model.mask_logits(states[:, 1:]).argmax(-1) == batch.wanted
        right += named.flatten().tolist()
        masks = batch.ids.gather(1, batch.places[:, 1:]) == tokenizer.special[MASK]
        hidden += named[masks].tolist()
    short: list[bool] = []
    for _ in range(PAIRS):
        short += follows_rightly(model, drawing.batch("pair", TOKENS, rng))
    return {
        "masked accuracy": float(np.mean(right)),
        "masked accuracy under [MASK]": float(np.mean(hidden)),
        "masked tokens": float(len(right)),
        "next-sentence accuracy": float(np.mean(told)),
        "next-sentence accuracy among masks": float(np.mean(blurred)),
        "pairs": float(len(told)),
        "next-sentence accuracy, one sentence each": float(np.mean(short)),
        "pairs, one sentence each": float(len(short)),
    }


def follows_rightly(model: Any, batch: Batch) -> list[bool]:
    """Of each pair, its masks taken off, whether the model says rightly if the second follows."""
    whole = batch.ids.scatter(1, batch.places[:, 1:], batch.wanted)
    states = model(whole, batch.segments, places=batch.places[:, :1]).states
    right: list[bool] = (model.task_logits(states).argmax(-1) == batch.follows).tolist()
    return right


def mini(bundle: Bundle, folder: Path) -> dict[str, Any]:
    tokenizer: Any = bundle.tokenizer
    metrics: Metrics = {
        f"{name} test": pretraining(bundle, bert_data.tokenise(name, "test", folder, tokenizer))
        for name in bert_data.CORPORA
    }
    heads = bert_heads.measure(bundle, folder)
    return {"metrics": metrics | heads["metrics"], "measured": heads["measured"]}


def sentiment(bundle: Bundle, folder: Path) -> dict[str, Any]:
    opinions = texts.opinions(folder, "test")
    right = [
        probe_tasks.classify(bundle, one.text)[texts.SENTIMENTS[one.positive]] > 0.5
        for one in opinions
    ]
    return {
        "metrics": {
            "SST-2 dev": {"accuracy": float(np.mean(right)), "sentences": float(len(right))}
        }
    }


def entities(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Entity-level: an entity counts if its first word, its last word and its kind are right."""
    tagged = wanted = hits = 0
    sentences = texts.sentences(folder, "test")
    for sentence in sentences:
        mine = texts.entities(tuple(probe_tasks.tag(bundle, sentence.words)))
        theirs = texts.entities(sentence.tags)
        tagged, wanted, hits = tagged + len(mine), wanted + len(theirs), hits + len(mine & theirs)
    return {
        "metrics": {
            "CoNLL-2003 testa": {
                "F1": 2 * hits / max(tagged + wanted, 1),
                "precision": hits / max(tagged, 1),
                "recall": hits / max(wanted, 1),
                "sentences": float(len(sentences)),
            }
        }
    }


def answers(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """SQuAD's own measure: the best of the annotators' answers counts."""
    f1, exact = [], []
    for one in texts.questions(folder, "test"):
        given = probe_tasks.answer(bundle, one.question, one.context).text
        wanted = {text for _, text in one.answers}
        f1.append(max(texts.overlap(given, text) for text in wanted))
        exact.append(any(texts.normalised(given) == texts.normalised(text) for text in wanted))
    return {
        "metrics": {
            "SQuADShifts test": {
                "F1": float(np.mean(f1)),
                "exact": float(np.mean(exact)),
                "questions": float(len(f1)),
            }
        }
    }


MEASURES: dict[str, Callable[[Bundle, Path], dict[str, Any]]] = {
    "pretraining": mini,
    "classify": sentiment,
    "tag": entities,
    "answer": answers,
}


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """What a BERT's card says of it: metrics by split, and tables that pages draw."""
    result = MEASURES[bundle.model.config.task](bundle, folder)
    metrics = {
        split: {name: round(value, 4) for name, value in figures.items()}
        for split, figures in result["metrics"].items()
    }
    return result | {"metrics": metrics}
