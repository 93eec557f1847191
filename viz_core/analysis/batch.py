"""A padded batch in words: what each mask hid, and what came out without it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from viz_core.text import dotted
from viz_core.traces import AttentionTrace, Translation
from viz_core.traces.batch import PAD, BatchTrace

ORDER = ((True, True), (False, True), (True, False), (False, False))  # padding, causal
LOOK = (
    "**Look for** the columns of &lt;pad&gt; and the corner above the diagonal: with its mask each "
    "is empty, exactly 0. The decoder reads &lt;s&gt; first, so its rows stand one word behind "
    "those of the cross-attention."
)
TRAINING = (
    "In **training** the decoder reads the right words, shifted by one, all at once; the mask "
    "hides the future. In **inference** it reads its own words, one step at a time."
)


def finding(found: BatchTrace, sentence: int, hide_padding: bool, hide_future: bool) -> str:
    """What the masks do to this sentence, and whether the translation is still the same."""
    one, alone = found.sentences[sentence], found.alone[sentence]
    filled = sum(token == PAD for token in one.source)
    told = [
        f"Sentence {sentence + 1} is filled up by {filled} <pad>."
        if filled
        else f"Sentence {sentence + 1} is the longer one: it needs no filling."
    ]
    if not hide_padding and filled:
        told.append(f"Real words now spend {found.on_padding(sentence):.0%} on the filling.")
    if not hide_future:
        told.append(f"Words now spend {found.on_future(sentence):.0%} on what comes after them.")
    same = one.text == alone
    if hide_padding and hide_future:
        told.append(
            "With both masks it comes out as if it were alone."
            if same
            else f"Alone it would become “{alone}”: rounding decided between two equal words."
        )
    elif same:
        told.append("The translation stays the same here; the weights do not.")
    else:
        told.append(f"With both masks it was “{alone}”.")
    if not hide_future:
        told.append("A model trained like this could copy the next word in place of guessing it.")
    return " ".join(told)


def panels(found: BatchTrace, sentence: int) -> dict[str, AttentionTrace]:
    """The three attentions of one sentence of the batch; the filling asks for nothing here."""
    one = found.sentences[sentence]
    assert one.encoder is not None and one.decoder is not None
    return {
        "Encoder": _asked(one.encoder),
        "Cross-attention": _asked(one.cross),
        "Decoder: what it reads": _asked(one.decoder),
    }


def _asked(trace: AttentionTrace) -> AttentionTrace:
    """Without the rows of the filling: they are computed, and thrown away."""
    words = sum(token != PAD for token in trace.queries)
    return replace(
        trace,
        queries=trace.queries[:words],
        weights=trace.weights[:, :, :words],
        query_words=trace.query_words[:words],
    )


def shifted(forced: Translation) -> dict[str, list[Any]]:
    """A batch of one, as training reads it: the right words shifted by one, all at once."""
    return {
        "training reads": ["<s>", *map(dotted, forced.target[:-1])],
        "and must say": list(map(dotted, forced.target)),
        "probability": [round(value, 3) for value in forced.probabilities],
        "would have said": [dotted(guess.tokens[0]) for guess in forced.predictions],
    }
