"""(bundle, text) -> trace: the one place where models are run for a view. Torch ends here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from viz_core import checkpoints, decoding
from viz_core.checkpoints import Bundle
from viz_core.models.transformer import Transformer
from viz_core.probe.search import check_size
from viz_core.probe.translator import (
    LONGEST,
    PLAIN,
    Options,
    Translating,
    is_recurrent,
    read,
    room,
)
from viz_core.text import END, START, Encoded, language_name
from viz_core.traces import AttentionTrace, Kind, Prediction, Translation

SHOWN = 8  # next-word guesses kept per step
# How a page searches unless a visitor says otherwise: the best penalty of five on the Transformer's
# held-out part of Tatoeba, where it gains a BLEU over taking the likeliest word each time.
BEAM, PENALTY = 5, 1.2


@torch.inference_mode()
def translate(
    bundle: Bundle,
    text: str,
    beam: int = 1,
    length_penalty: float = 0.0,
    options: Options = PLAIN,
) -> Translation:
    """Search for a translation, then look along it."""
    check_size(beam)
    source = read(bundle, text)
    steps = Translating(bundle, torch.tensor([source.ids]), options)
    if beam == 1:
        ids = decoding.greedy(steps, 1, room(source))[0].ids
    else:
        search = decoding.Beam(size=beam, limit=room(source), alpha=length_penalty, record=False)
        tree = decoding.beam(steps, search)
        ids = tree.tokens(tree.best)
    return forced(bundle, steps, source, ids)


@torch.inference_mode()
def align(bundle: Bundle, source: str, target: str, options: Options = PLAIN) -> Translation:
    """Teacher-forced: the attention along a given translation."""
    read_source = read(bundle, source)
    wanted = as_target(bundle, target)
    steps = Translating(bundle, torch.tensor([read_source.ids]), options)
    return forced(bundle, steps, read_source, wanted.ids)


def as_target(bundle: Bundle, text: str) -> Encoded:
    """A given translation, written the way the model writes."""
    wanted: Encoded = bundle.tokenizer.encode(bundle.tokenizer.as_written(text))
    if len(wanted.ids) <= 1:
        language = language_name(bundle.card.target)
        raise ValueError(f"There is no target to follow yet: type a {language} sentence.")
    if len(wanted.ids) > LONGEST:
        raise ValueError(
            f"The {language_name(bundle.card.target)} has {len(wanted.ids)} pieces, and at most "
            f"{LONGEST} can be followed. Shorten it, or the sentence that it translates."
        )
    return wanted


def log_prob(bundle: Bundle, source: str, target: str) -> float:
    """Total log-probability of a given translation, </s> included."""
    return align(bundle, source, target).log_prob


def forced(bundle: Bundle, steps: Translating, source: Encoded, ids: Sequence[int]) -> Translation:
    """Run the decoder along ids and keep everything it looked at."""
    given = torch.tensor([[START, *ids[:-1]]])
    step = steps.run(steps.first(), given)
    log_probs = steps.model.logits(step.features[0]).log_softmax(-1)  # (query, vocabulary)
    own = log_probs.gather(1, torch.tensor(ids).unsqueeze(1))
    target = bundle.tokenizer.show(ids)
    cross = step.weights[0]
    if cross.dim() == 2:
        cross = cross[None, None]  # an RNN alignment is 1 layer x 1 head
    encoder = decoder = scores = None
    if is_recurrent(bundle.model) and bundle.model.score is not None:
        scores = bundle.model.score(step.query, steps.memory.states)[0].numpy()
    if isinstance(bundle.model, Transformer):
        blocks = torch.stack([block.weights[0] for block in steps.memory.encoder])
        encoder = as_trace("self", source, source, blocks)
        decoder = as_trace(
            "masked", bundle.tokenizer.show([START, *ids[:-1]]), None, step.self_weights[0]
        )
    return Translation(
        source=source.tokens,
        target=target.tokens,
        text=bundle.tokenizer.decode(ids),
        log_prob=float(own.sum()),
        cross=as_trace("cross" if encoder else "alignment", target, source, cross),
        encoder=encoder,
        decoder=decoder,
        scores=scores,
        probabilities=tuple(own[:, 0].exp().tolist()),
        predictions=_predictions(bundle, log_probs, ids),
        unknown=source.unknown,
        complete=ids[-1] == END,
    )


def as_trace(kind: Kind, queries: Encoded, keys: Encoded | None, weights: Tensor) -> AttentionTrace:
    keys = keys or queries
    return AttentionTrace(
        kind=kind,
        queries=queries.tokens,
        keys=keys.tokens,
        weights=weights.numpy().astype(np.float32),
        query_words=queries.words,
        key_words=keys.words,
    )


def _predictions(bundle: Bundle, log_probs: Tensor, ids: Sequence[int]) -> tuple[Prediction, ...]:
    """The likeliest tokens at each place of a text, as they would be shown there."""
    values, tokens = log_probs.topk(SHOWN, dim=-1)
    rows = zip(tokens.tolist(), values.exp().tolist(), strict=True)
    return tuple(
        Prediction(
            tokens=bundle.tokenizer.labels(ids[:place], guesses), probabilities=tuple(chances)
        )
        for place, (guesses, chances) in enumerate(rows)
    )


def evolution(bundle: Bundle, sentence: int) -> tuple[list[int], list[AttentionTrace]]:
    """How the attention on a watched sentence came to be: training steps, and a trace for each."""
    watched = checkpoints.snapshots(bundle.card.name)["sentences"][sentence]
    source, target = (bundle.tokenizer.show(watched[side]) for side in ("source", "target"))
    queries = target if is_recurrent(bundle.model) else source
    traces = []
    for weights in watched["weights"]:
        table = torch.tensor(weights, dtype=torch.float32) / 255  # stored as a byte a weight
        kind: Kind = "alignment" if table.dim() == 2 else "self"
        traces.append(
            as_trace(
                kind,
                queries,
                source,
                table.view(-1, *table.shape[-3:]) if table.dim() == 4 else table[None, None],
            )
        )
    return watched["steps"], traces
