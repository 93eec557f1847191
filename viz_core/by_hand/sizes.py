"""How many parameters an architecture has, part by part, and what one of its layers costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Family = Literal["Transformer", "BERT", "GPT"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the sliders say. The number of heads changes no count: they share the width."""

    family: Family
    layers: int
    width: int
    heads: int
    inner: int
    vocabulary: int
    positions: int = 0  # learned ones; sines and rotations have no parameters
    decoder_layers: int = 0  # of a Transformer
    gated: bool = False  # Touvron et al. 2023: a third matrix in place of biases, norms without
    published: float = 0.0  # millions of parameters that the paper prints
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    name: str
    count: int
    formula: str  # LaTeX, with this shape's own numbers


def attention(width: int) -> int:
    """Queries, keys, values and output: four matrices with their biases."""
    return 4 * (width * width + width)


def feed_forward(width: int, inner: int) -> int:
    return width * inner + inner + inner * width + width


def norm(width: int) -> int:
    """A factor and a shift for every number."""
    return 2 * width


def parts(shape: Shape) -> list[Part]:
    """Where the parameters of an architecture are; the output layer is the embedding again."""
    return FAMILIES[shape.family](shape)


def total(shape: Shape) -> int:
    return sum(part.count for part in parts(shape))


def _table(name: str, rows: int, width: int) -> Part:
    return Part(name=name, count=rows * width, formula=rf"{rows} \cdot {width}")


def _repeated(name: str, layers: int, each: int, formula: str) -> Part:
    return Part(name=name, count=layers * each, formula=rf"{layers} \cdot ({formula})")


def _blocks(shape: Shape, layers: int, of: str, norms: int, crosses: bool = False) -> list[Part]:
    d, inner = shape.width, shape.inner
    if shape.gated:
        return _gated_blocks(shape)
    four, two = rf"4 \cdot {d}^2 + 4 \cdot {d}", rf"2 \cdot {d} \cdot {inner} + {inner} + {d}"
    crossing = [_repeated(f"{of}cross-attention", layers, attention(d), four)] if crosses else []
    return [
        _repeated(f"{of}self-attention", layers, attention(d), four),
        *crossing,
        _repeated(f"{of}feed-forward", layers, feed_forward(d, inner), two),
        _repeated(f"{of}norms", layers, norms * norm(d), rf"{norms} \cdot 2 \cdot {d}"),
    ]


def _gated_blocks(shape: Shape) -> list[Part]:
    """As our own GPT is built: a gate beside the inner layer, and norms that only scale."""
    layers, d, inner = shape.layers, shape.width, shape.inner
    return [
        _repeated("self-attention", layers, attention(d), rf"4 \cdot {d}^2 + 4 \cdot {d}"),
        _repeated("feed-forward", layers, 3 * d * inner, rf"3 \cdot {d} \cdot {inner}"),
        _repeated("norms", layers, 2 * d, rf"2 \cdot {d}"),
    ]


def transformer(shape: Shape) -> list[Part]:
    """Vaswani et al. 2017: one table of words for both languages and the output."""
    return [
        _table("words", shape.vocabulary, shape.width),
        *_blocks(shape, shape.layers, "encoder ", 2),
        *_blocks(shape, shape.decoder_layers, "decoder ", 3, crosses=True),
    ]


def bert(shape: Shape) -> list[Part]:
    """Devlin et al. 2019: three tables, one norm over their sum, blocks, and a pooler over [CLS].

    What it needs for its tasks, such as the mask, comes on top and is not counted by the paper.
    """
    d = shape.width
    return [
        _table("words", shape.vocabulary, d),
        _table("positions", shape.positions, d),
        _table("sentence A or B", 2, d),
        Part(name="norm of the embedding", count=norm(d), formula=rf"2 \cdot {d}"),
        *_blocks(shape, shape.layers, "", 2),
        Part(name="pooler", count=d * d + d, formula=rf"{d}^2 + {d}"),
    ]


def gpt(shape: Shape) -> list[Part]:
    """Radford et al. 2019: words, positions, blocks, and a last norm."""
    d = shape.width
    learned = [_table("positions", shape.positions, d)] if shape.positions else []
    last = (d, rf"{d}") if shape.gated else (norm(d), rf"2 \cdot {d}")
    return [
        _table("words", shape.vocabulary, d),
        *learned,
        *_blocks(shape, shape.layers, "", 2),
        Part(name="last norm", count=last[0], formula=last[1]),
    ]


FAMILIES: dict[Family, Callable[[Shape], list[Part]]] = {
    "Transformer": transformer,
    "BERT": bert,
    "GPT": gpt,
}

BASE = Shape(
    family="Transformer",
    layers=6,
    decoder_layers=6,
    width=512,
    heads=8,
    inner=2048,
    vocabulary=37_000,
    published=65,
    source="Vaswani et al. 2017, table 3; its vocabulary is about 37,000",
)
BERT_BASE = Shape(
    family="BERT",
    layers=12,
    width=768,
    heads=12,
    inner=3072,
    vocabulary=30_522,
    positions=512,
    published=110,
    source="Devlin et al. 2019, section 3",
)
COUNTED = "Radford et al. 2019, counted again in their repository; the paper said {}"
SMALL = Shape(
    family="GPT",
    layers=12,
    width=768,
    heads=12,
    inner=3072,
    vocabulary=50_257,
    positions=1024,
    published=124,
    source=COUNTED.format("117"),
)


def _larger(
    shape: Shape, layers: int, width: int, heads: int, published: float, source: str
) -> Shape:
    return replace(
        shape,
        layers=layers,
        decoder_layers=layers if shape.decoder_layers else 0,
        width=width,
        heads=heads,
        inner=4 * width,
        published=published,
        source=source,
    )


OURS = "our checkpoint as a whole"  # a count of ours, which nobody published
PRESETS: dict[str, Shape] = {
    "Transformer base": BASE,
    "Transformer big": _larger(BASE, 6, 1024, 16, 213, "Vaswani et al. 2017, table 3"),
    "BERT-Base": BERT_BASE,
    "BERT-Large": _larger(BERT_BASE, 24, 1024, 16, 340, "Devlin et al. 2019, section 3"),
    "GPT": replace(
        SMALL,
        vocabulary=40_478,
        positions=512,
        published=117,
        source="Radford et al. 2019, table 2, for a model “equivalent to the original GPT”",
    ),
    "GPT-2 small": SMALL,
    "GPT-2 medium": _larger(SMALL, 24, 1024, 16, 355, COUNTED.format("345")),
    "GPT-2 large": _larger(SMALL, 36, 1280, 20, 774, COUNTED.format("762")),
    "GPT-2 XL": _larger(SMALL, 48, 1600, 25, 1558, COUNTED.format("1,542")),
    "our Transformer": Shape(
        family="Transformer",
        layers=4,
        decoder_layers=2,
        width=256,
        heads=8,
        inner=1024,
        vocabulary=12_000,
        published=8.4,
        source=OURS,
    ),
    "our BERT": Shape(
        family="BERT",
        layers=6,
        width=384,
        heads=12,
        inner=1536,
        vocabulary=30_522,
        positions=512,
        published=22.9,
        source=OURS,
    ),
    "our GPT": Shape(
        family="GPT",
        layers=5,
        width=288,
        heads=6,
        inner=768,
        vocabulary=4241,
        gated=True,
        published=6.2,
        source=OURS,
    ),
}


def settings(shape: Shape) -> dict[str, object]:
    """A shape as the inputs of a page."""
    return {
        "family": shape.family,
        "layers": shape.layers,
        "decoder": shape.decoder_layers or 6,
        "width": shape.width,
        "heads": shape.heads,
        "inner": shape.inner,
        "vocabulary": shape.vocabulary,
        "positions": shape.positions,
        "gated": shape.gated,
    }


def named(shape: Shape) -> Shape:
    """The same with its published count, if it is one of the presets."""
    plain = {replace(known, published=0.0, source=""): known for known in PRESETS.values()}
    return plain.get(shape, shape)


def largest_formula(found: Sequence[Part]) -> str:
    """The count of the largest part with its numbers put in."""
    largest = max(found, key=lambda part: part.count)
    counted = f"{largest.count:,}".replace(",", r"{,}")
    return rf"\text{{{largest.name}}} = {largest.formula} = {counted}"


def verdict(shape: Shape) -> str:
    """The total, its largest part, and how near the published count is."""
    found, count = parts(shape), total(shape)
    largest = max(found, key=lambda part: part.count)
    said = (
        f"{count / 1e6:,.1f} million parameters, of which {largest.count / count:.0%} are in the "
        f"part “{largest.name}”"
    )
    if not shape.published:
        return said
    label = "With all that belongs to it" if shape.source == OURS else "Published"
    return f"{said}. {label}: {shape.published:,.4g} million ({shape.source})"


def heads_told(shape: Shape) -> str:
    """Why another number of heads changes nothing."""
    if shape.width % shape.heads:
        raise ValueError(
            f"{shape.heads} heads do not share a width of {shape.width} evenly: choose another."
        )
    return (
        f"{shape.heads} heads of {shape.width // shape.heads} numbers each have as many parameters "
        f"as one head of {shape.width}"
    )


# ---- what a layer costs -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Vaswani et al. 2017, table 1, with numbers put in."""

    name: str
    operations: int  # multiplications of one layer
    steps: int  # that must come one after the other
    path: int  # layers or steps between two words that are far apart
    formula: str


def costs(n: int, d: int, k: int) -> list[Cost]:
    """A sentence of n words, vectors of d numbers, a convolution over k words."""
    far = max(math.ceil(math.log(n, k)), 1) if n > 1 else 1
    return [
        Cost(
            name="recurrence",
            operations=n * d * d,
            steps=n,
            path=n,
            formula=rf"n d^2 = {n} \cdot {d}^2",
        ),
        Cost(
            name="convolution",
            operations=k * n * d * d,
            steps=1,
            path=far,
            formula=rf"k n d^2 = {k} \cdot {n} \cdot {d}^2",
        ),
        Cost(
            name="self-attention",
            operations=n * n * d,
            steps=1,
            path=1,
            formula=rf"n^2 d = {n}^2 \cdot {d}",
        ),
    ]


def table(found: Sequence[Cost]) -> dict[str, list[str]]:
    """Table 1 of the paper with these numbers."""
    return {
        "layer": [cost.name for cost in found],
        "multiplications": [f"{cost.operations:,}" for cost in found],
        "steps one after the other": [str(cost.steps) for cost in found],
        "longest path between two words": [str(cost.path) for cost in found],
    }


def cheapest(found: Sequence[Cost], n: int, d: int) -> str:
    """Who needs the fewest multiplications, and why."""
    best = min(found, key=lambda cost: cost.operations)
    why = "n is smaller than d" if n < d else "n is as large as d, or larger"
    return (
        f"By the formula {best.name} is cheapest here, as {why}. But recurrence needs {n} steps "
        "one after the other, and the two others need 1"
    )
