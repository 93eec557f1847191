"""How large an own model is by its config.json, before its weights are read or fetched."""

from __future__ import annotations

from typing import Any

INNER = {  # what each of them calls the width between its two forward layers
    "bert": "intermediate_size",
    "distilbert": "hidden_dim",
    "roberta": "intermediate_size",
    "gpt2": "n_inner",
}
HEADS = 400  # of all layers: those of BERT large are 384, and each gets a tile
WIDEST = 20_000  # numbers for one token inside a layer: three times those of GPT-2 XL


def weighs(config: Any) -> int:
    """How many weights a config.json announces, biases and layer norms included.

    What a file lacks is made up at random, so a few words of config.json could fill the memory.
    """
    kind = config.model_type
    width, layers = _size(config, "hidden_size"), _size(config, "num_hidden_layers")
    words, places = _size(config, "vocab_size"), _size(config, "max_position_embeddings")
    _size(config, "num_attention_heads")
    inner = 4 * width if getattr(config, INNER[kind]) is None else _size(config, INNER[kind])
    attention = 4 * (width * width + width) + 2 * width  # query, key, value, output; layer norm
    forward = 2 * width * inner + inner + width + 2 * width
    crossed = 2 if getattr(config, "add_cross_attention", False) else 1
    total = (words + places) * width + 2 * width + layers * (crossed * attention + forward)
    if kind in ("bert", "roberta"):
        total += _size(config, "type_vocab_size") * width + width * width + width  # and the pooler
    return total


def check(config: Any, name: str) -> None:
    """What the weights of a small file can still ask for: heads to draw, numbers for each token."""
    layers, heads = config.num_hidden_layers, config.num_attention_heads
    if layers * heads > HEADS:
        raise ValueError(
            f"{name} has {layers} layers of {heads} heads: {layers * heads:,} in all, and "
            f"{HEADS} at most can be shown."
        )
    widest = max(4 * config.hidden_size, getattr(config, INNER[config.model_type]) or 0)
    if widest > WIDEST:
        raise ValueError(f"{name} is {widest:,} numbers wide, and {WIDEST:,} at most are shown.")


def _size(config: Any, part: str) -> int:
    value = getattr(config, part, None)
    if type(value) is not int or value < 1:
        raise ValueError(f"its {part} is {str(value)[:20]}, not a whole number above zero")
    return value
