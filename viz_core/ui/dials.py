"""Dials that belong together: how words are drawn, how large a model is, which waves it adds."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from viz_core.by_hand.sizes import FAMILIES, Shape, named
from viz_core.ui.inputs import choice, slider, text, toggle


class Sampling(NamedTuple):
    """In the order in which a writer takes them."""

    tokens: int
    temperature: float
    top_k: int
    seed: int


def sampling(most: int) -> Sampling:
    """How many tokens are written, at most so many, and how each is drawn."""
    first, second, third, fourth = st.columns(4, gap="medium")
    with first:
        heat = slider("Temperature (0 is greedy)", 0.0, 2.0, 0.8, "heat", step=0.1)
    with second:
        top = slider("Top k (0 is all words)", 0, 50, 0, "top_k")
    with third:
        tokens = slider("Tokens to write", 1, most, 12, "tokens")
    with fourth:
        seed = slider("Random draw", 0, 50, 2, "seed")
    return Sampling(tokens, heat, top, seed)


def shape(start: Shape) -> Shape:
    """The sizes of a Transformer, a BERT or a GPT, with its published count if it has one."""
    first, second, third, fourth = st.columns([5, 4, 4, 4], gap="medium")  # kinds in one line
    with first:
        family = choice("Kind", list(FAMILIES), "family", default=start.family)
        gated = toggle("Gated inner layer (GPT)", "gated", disabled=family != "GPT")
    alone = family != "Transformer"  # one stack of layers
    with second:
        layers = slider("Layers", 1, 96, start.layers, "layers")
        decoder = slider("Decoder layers", 1, 24, 6, "decoder", disabled=alone)
    with third:
        width = slider("Width d", 64, 2048, start.width, "width", step=32)
        inner = slider("Inner width", 64, 8192, start.inner, "inner", step=64)
        heads = slider("Heads", 1, 32, start.heads, "heads")
    with fourth:
        words = slider("Vocabulary", 1000, 60_000, start.vocabulary, "vocabulary")
        places = slider("Learned positions", 0, 2048, start.positions, "positions")
    return named(
        Shape(
            family=family,
            layers=layers,
            decoder_layers=0 if alone else decoder,
            width=width,
            heads=heads,
            inner=inner,
            vocabulary=words,
            positions=places if alone else 0,
            gated=gated and family == "GPT",
        )
    )


class Waves(NamedTuple):
    """The base and the dimensions as they were typed: they are read beside the picture."""

    width: int
    length: int
    base: str
    dimensions: str


def waves() -> Waves:
    """How wide, how long and how slow the waves of the positions are, and which are drawn."""
    first, second, third, fourth = st.columns(4)
    with first:
        width = slider("Dimensions d", 4, 128, 20, "d")
    with second:
        length = slider("Positions", 2, 200, 100, "length")
    with third:
        base = text("Base", "10000", key="base")
    with fourth:
        dimensions = text("Dimensions drawn", "4-7", key="dims")
    return Waves(width, length, base, dimensions)
