"""How good a translator is, on data it has not seen: BLEU, perplexity, alignment error rate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from viz_core import analysis, probe
from viz_core.checkpoints import Bundle
from viz_core.text import french_spacing, join_words, normalise
from viz_core.training import data
from viz_core.training.data import Source
from viz_core.training.measure import heads as head_measure, lengths as length_measure
from viz_core.training.measure.scoring import mean_loss, perplexity, translations

HANSARDS = Source(
    file="hansards/dev.src-tgt",
    origin="NAACL 2003 shared task on word alignment, English-French (dev.src-tgt, dev.gold)",
    licence="NAACL 2003 shared task",
)


SEARCHED = f"BLEU, beam of {probe.BEAM}"


def bleu_score(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """sacrebleu's corpus BLEU, with as many references as a sentence has."""
    import sacrebleu  # for development only, so imported where it is used

    most = max(map(len, references))
    streams: Any = [
        [refs[i] if i < len(refs) else None for refs in references] for i in range(most)
    ]
    return float(sacrebleu.corpus_bleu(list(hypotheses), streams).score)


def grouped(pairs: Sequence[data.Pair]) -> dict[str, list[str]]:
    """English sentence -> all its French ones, written the way the model writes."""
    references: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        references[normalise(pair.english)].append(french_spacing(normalise(pair.french)))
    return dict(references)


def multi30k_validation(folder: Path) -> list[data.Pair]:
    """The corpus's own validation part: no sentence of it is in its training part."""
    return list(data.multi30k(folder, "val"))


def bleu(bundle: Bundle, references: dict[str, list[str]]) -> float:
    """Of the likeliest word each time."""
    return bleu_score(translations(bundle, list(references)), list(references.values()))


def searched_bleu(bundle: Bundle, references: dict[str, list[str]]) -> float:
    """Of what the pages show."""
    search = probe.BEAM, probe.PENALTY
    found = [probe.translate(bundle, source, *search).text for source in references]
    return bleu_score(found, list(references.values()))


# ---- alignment error rate ---------------------------------------------------------------------


def hansards(folder: Path) -> Iterator[tuple[list[str], list[str], analysis.Links, analysis.Links]]:
    """(English words, French words, sure links, possible links), links counted from 0."""
    path = HANSARDS.path(folder)
    sides = path.read_text(encoding="utf-8").splitlines()
    gold = path.with_name("dev.gold").read_text(encoding="utf-8").splitlines()
    for line, marks in zip(sides, gold, strict=True):
        english, french = (side.split() for side in line.split("|||"))
        sure: analysis.Links = set()
        possible: analysis.Links = set()
        for mark in marks.split():
            kind = "-" if "-" in mark else "p"
            source, target = (int(number) - 1 for number in mark.split(kind))
            (sure if kind == "-" else possible).add((source, target))
        yield english, french, sure, possible


def word_matrices(bundle: Bundle, english: Sequence[str], french: Sequence[str]) -> Any:
    """Attention between given words, (layer, head, French word, English word and </s>)."""
    (source, source_starts), (target, target_starts) = join_words(english), join_words(french)
    source = bundle.tokenizer.as_read(source)  # another first letter, no other length
    cross = _cross(bundle, source, target)
    rows = word_of(bundle, target, target_starts)
    columns = [*word_of(bundle, source, source_starts), len(english)]
    return [
        [analysis.merge_spans(head[: len(rows)], rows, columns) for head in layer]
        for layer in cross
    ]


@torch.inference_mode()
def _cross(bundle: Bundle, source: str, target: str) -> Any:
    """Forced along exactly this spelling, without French spacing: the words are given."""
    steps = probe.Translating(bundle, torch.tensor([bundle.tokenizer.encode(source).ids]))
    encoded = bundle.tokenizer.encode(target)
    return probe.forced(bundle, steps, bundle.tokenizer.encode(source), encoded.ids).cross.weights


def word_of(bundle: Bundle, text: str, starts: Sequence[int]) -> list[int]:
    """For each token the given word in which it starts."""
    words = []
    for start, end in bundle.tokenizer.spans(text):
        inside = start + (text[start : start + 1] == " " and end > start + 1)
        words.append(max(i for i, at in enumerate(starts) if at <= inside))
    return words


def alignment_errors(bundle: Bundle, folder: Path) -> list[float]:
    """AER for the mean over heads of each layer; an RNN has one."""
    items: list[list[tuple[analysis.Links, analysis.Links, analysis.Links]]] = []
    for english, french, sure, possible in hansards(folder):
        layers = word_matrices(bundle, english, french)
        items = items or [[] for _ in layers]
        for rows, matrices in zip(items, layers, strict=True):
            drawn = analysis.links(sum(matrices) / len(matrices), [*english, "</s>"])
            rows.append((drawn, sure, possible))
    return [analysis.alignment_error_rate(rows) for rows in items]


# ---- all of it --------------------------------------------------------------------------------


def measure(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """What a translator's card says of it: metrics by split, and tables that pages draw."""
    tatoeba, europarl = (data.read(name, folder, "test") for name in ("tatoeba", "europarl"))
    pictures = multi30k_validation(folder)
    metrics = {
        "tatoeba test": {
            "BLEU": bleu(bundle, grouped(tatoeba)),
            SEARCHED: searched_bleu(bundle, grouped(tatoeba)),
            "perplexity": perplexity(bundle, tatoeba),
            "sentences": float(len(grouped(tatoeba))),
        },
        "europarl test": {
            "BLEU": bleu(bundle, dict(list(grouped(europarl).items())[:1000])),
            "perplexity": perplexity(bundle, europarl),
            "sentences": 1000.0,
        },
        "multi30k val": {
            "BLEU": bleu(bundle, grouped(pictures)),
            SEARCHED: searched_bleu(bundle, grouped(pictures)),
            "perplexity": perplexity(bundle, pictures),
            "sentences": float(len(grouped(pictures))),
        },
        "lopes dev": pronoun_figures(bundle, folder),
    }
    if bundle.card.config.get("attention") != "none":
        errors = alignment_errors(bundle, folder)
        metrics["hansards dev"] = {"AER": min(errors), "sentences": 147.0}
        if len(errors) > 1:
            metrics["hansards dev"]["layer"] = 1.0 + errors.index(min(errors))
    # One corpus: the longest sentences of all three would come from another kind of text.
    measured = {"BLEU by length": length_measure.by_length(bundle, grouped(europarl))}
    if bundle.card.architecture == "transformer":
        heads = head_measure.measure(bundle, folder)
        metrics |= heads["metrics"]
        measured |= heads["measured"]
    return {
        "measured": measured,
        "metrics": {
            split: {name: round(value, 4) for name, value in figures.items()}
            for split, figures in metrics.items()
        },
    }


def pronoun_figures(bundle: Bundle, folder: Path) -> dict[str, float]:
    """How often the right pronoun is more probable, and the loss a token on the right French."""
    sentences = head_measure.lopes(folder)
    examples = data.encode(bundle.tokenizer, [data.Pair(row[0], row[1]) for row in sentences])
    return {
        "il/elle": head_measure.pronouns(bundle, sentences),
        "loss": mean_loss(bundle, examples),
        "sentences": float(len(sentences)),
    }
