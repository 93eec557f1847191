"""Several sentences through the Transformer at once, as in training: padding and masks."""

from __future__ import annotations

import torch
from torch import Tensor

from viz_core import interruption
from viz_core.checkpoints import Bundle
from viz_core.models.transformer import Memory, Transformer
from viz_core.probe.heads import as_transformer
from viz_core.probe.translation import SHOWN, as_trace, translate
from viz_core.probe.translator import read, room
from viz_core.text import END, START, Encoded
from viz_core.traces import Prediction, Translation
from viz_core.traces.batch import PAD, BatchTrace


@torch.inference_mode()
def in_batch(
    bundle: Bundle, texts: tuple[str, ...], hide_padding: bool = True, hide_future: bool = True
) -> BatchTrace:
    """Translate sentences in one padded batch, with or without each of the two masks.

    Nothing is kept from step to step: the decoder reads all of its words again, so that without
    the causal mask earlier words see the later ones, in writing as in training.
    """
    model, sources = as_transformer(bundle), [read(bundle, text) for text in texts]
    longest = max(len(source.ids) for source in sources)
    pad = model.config.pad
    batch = torch.tensor([[*one.ids, *[pad] * (longest - len(one.ids))] for one in sources])
    memory = model.encode(batch, hide_padding=hide_padding)
    given = _written(model, memory, max(map(room, sources)), hide_future)
    step = model.decode(memory, (), given[:, :-1], hide_future=hide_future)
    log_probs = model.logits(step.features).log_softmax(-1)
    padded = [_padded(source, longest) for source in sources]
    encoder = torch.stack([block.weights for block in memory.encoder], 1)
    sentences = []
    for row, ids in enumerate(given.tolist()):
        ends = ids.index(END) if END in ids else len(ids) - 1
        target, reads = (
            _padded(bundle.tokenizer.show(words), len(ids) - 1)
            for words in (ids[1 : ends + 1], ids[:ends])
        )
        own = log_probs[row, range(ends), ids[1 : ends + 1]]
        values, tokens = log_probs[row, :ends].topk(SHOWN, dim=-1)
        label = bundle.tokenizer.labels
        sentences.append(
            Translation(
                source=padded[row].tokens,
                target=target.tokens,
                text=bundle.tokenizer.decode(ids[1 : ends + 1]),
                log_prob=float(own.sum()),
                cross=as_trace("cross", target, padded[row], step.weights[row]),
                encoder=as_trace("self", padded[row], None, encoder[row]),
                decoder=as_trace("masked", reads, None, step.self_weights[row]),
                probabilities=tuple(own.exp().tolist()),
                predictions=tuple(
                    Prediction(tokens=label(ids[1 : 1 + at], best), probabilities=tuple(chances))
                    for at, (best, chances) in enumerate(
                        zip(tokens.tolist(), values.exp().tolist(), strict=True)
                    )
                ),
                complete=END in ids,
            )
        )
    words = given.shape[1] - 1
    causal = torch.ones(words, words)
    return BatchTrace(
        sentences=tuple(sentences),
        alone=tuple(translate(bundle, text).text for text in texts),
        padding=memory.mask.float().numpy(),
        causal=(causal.tril() if hide_future else causal).numpy(),
    )


def _written(model: Transformer, memory: Memory, limit: int, hide_future: bool) -> Tensor:
    """Greedy, the whole batch at once: (sentence, 1 + word), filled up behind each </s>."""
    words = torch.full((len(memory.mask), 1), START)
    running = torch.ones(len(words), dtype=torch.bool)
    for _ in range(limit):
        interruption.point()
        step = model.decode(memory, (), words, hide_future=hide_future)
        best = model.logits(step.features[:, -1]).argmax(-1)
        words = torch.cat((words, best.where(running, model.config.pad)[:, None]), 1)
        running &= best != END
        if not running.any():
            break
    return words


def _padded(encoded: Encoded, length: int) -> Encoded:
    missing = length - len(encoded.ids)
    last = max(encoded.words, default=-1)
    return Encoded(
        ids=(*encoded.ids, *[0] * missing),
        tokens=(*encoded.tokens, *[PAD] * missing),
        words=(*encoded.words, *range(last + 1, last + 1 + missing)),
        unknown=encoded.unknown,
    )
