"""Which pages show more of a box of the machine."""

from __future__ import annotations

from viz_core.traces.machine import Kind

OTHERWISE = ("beam",)
# By the architecture, and by what the box is.
MORE: dict[tuple[str, Kind], tuple[str, ...]] = {
    ("transformer", "encoder"): ("transformer", "split", "block", "self_attention"),
    ("transformer", "decoder"): ("decoder", "block"),
    ("transformer", "embedding"): ("positions", "block"),
    ("bert", "encoder"): ("bert", "self_attention", "norms"),
    ("bert", "embedding"): ("embeddings", "positions"),
    ("bert", "output"): ("mask",),
    ("gpt", "decoder"): ("inside_gpt", "gpt", "split"),
    ("gpt", "output"): ("gpt",),
    ("gpt", "embedding"): ("vectors",),
    ("rnn", "cell"): ("recurrent", "the_bottleneck"),
    ("rnn", "context"): ("alignment", "scores"),
    ("rnn", "embedding"): ("vectors",),
}


def pages(architecture: str, kind: Kind, layer: int, text: str) -> dict[str, dict[str, str]]:
    """By stem, with the inputs that open a page with this sentence, and with this layer."""
    inputs = {"text": text}
    if kind in ("encoder", "decoder"):
        inputs["layer"] = str(layer + 1)
    family = architecture.removesuffix("-search")
    return dict.fromkeys(MORE.get((family, kind), OTHERWISE), inputs)
