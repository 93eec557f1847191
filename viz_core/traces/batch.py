"""Sentences that a model read together: the shorter ones filled up, and the masks it used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz_core.traces.attention import AttentionTrace, Translation, Weights

PAD = "<pad>"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTrace:
    """Translations of one batch. Sources are filled up to the longest, targets likewise."""

    sentences: tuple[Translation, ...]  # source and target tokens with PAD
    alone: tuple[str, ...]  # what each becomes by itself, with all masks
    padding: Weights  # (sentence, key): 1 where the model may look, as it was used
    causal: Weights  # (query, key): the same for the words that the decoder reads

    def on_padding(self, sentence: int) -> float:
        """The share of the last encoder layer's weight that real words spend on the filling."""
        trace = self.sentences[sentence].encoder
        assert trace is not None
        filled = np.array([token == PAD for token in trace.keys])
        if not filled.any():
            return 0.0
        return float(trace.matrix(-1, None)[~filled][:, filled].sum(axis=1).mean())

    def on_future(self, sentence: int) -> float:
        """The share of the last decoder layer's weight that words spend on later ones."""
        trace = self.sentences[sentence].decoder
        assert trace is not None
        words = len([token for token in trace.queries if token != PAD])
        return float(np.triu(trace.matrix(-1, None), 1)[:words].sum(axis=1).mean())

    def masks(self) -> dict[str, AttentionTrace]:
        """Both masks as they went in, to be drawn: 1 is seen, 0 is hidden."""
        numbers = tuple(str(place + 1) for place in range(self.padding.shape[1]))
        rows = tuple(f"sentence {number + 1}" for number in range(len(self.sentences)))
        decoder = max((one.decoder for one in self.sentences if one.decoder), key=_real)
        return {
            "Source padding, a row a sentence": AttentionTrace(
                kind="cross", queries=rows, keys=numbers, weights=self.padding[None, None]
            ),
            "Causal, a row a word read": AttentionTrace(
                kind="masked",
                queries=decoder.queries,
                keys=decoder.keys,
                weights=self.causal[None, None],
            ),
        }


def _real(trace: AttentionTrace) -> int:
    return sum(token != PAD for token in trace.queries)
