"""Which pages show more of a box of the machine."""

from __future__ import annotations

from viz_core.traces.machine import Kind

OTHERWISE = ("beam",)
# By the architecture, and by what the box is.
MORE: dict[tuple[str, Kind], tuple[str, ...]] = {
    ("transformer", "encoder"): ("transformer", "split", "block", "self_attention"),
    ("transformer", "decoder"): ("decoder", "block"),
    ("transformer", "embedding"): ("positions", "block"),
    ("bert", "encoder"): ("bert", "norms"),
    ("bert", "embedding"): ("embeddings", "positions"),
    ("bert", "output"): ("mask",),
    ("gpt", "decoder"): ("inside_gpt", "gpt", "split"),
    ("gpt", "output"): ("gpt",),
    ("gpt", "embedding"): ("vectors",),
    ("rnn", "cell"): ("gates", "the_bottleneck"),
    ("rnn", "context"): ("context_vector", "alignment", "scores"),
    ("rnn", "embedding"): ("vectors",),
}


def pages(architecture: str, kind: Kind, layer: int, text: str) -> dict[str, dict[str, str]]:
    """By stem, with the inputs that open a page with this sentence, and with this layer."""
    stacked = kind in ("encoder", "decoder")
    at = {"layer": str(layer + 1)} if stacked else {}
    inputs = {"text": text} | at
    # The text of two of these pages are the names of three rows: a sentence would not fit them.
    special = {
        "self_attention": {"part": "Trained model", "sentence": text} | at,
        "norms": {},
        "positions": {"part": "Without positions", "text": text},
        "block": {"text": text} | ({"part": kind} if stacked else {}),
    }
    family = architecture.removesuffix("-search")
    return {stem: special.get(stem, inputs) for stem in MORE.get((family, kind), OTHERWISE)}
