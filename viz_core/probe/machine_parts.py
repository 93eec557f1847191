"""What happens inside one box of a model, taken apart with the model's own weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import gelu, linear

from viz_core.attention import MultiHead, attend, causal_mask, scaled_dot
from viz_core.models.bert import Bert
from viz_core.models.rnn import RNN
from viz_core.models.transformer import Transformer, positions
from viz_core.traces import Vectors
from viz_core.traces.machine import Box, Kind, Part, Row, Way

Column = tuple[Part, ...]
SHOWN = 12  # words of a softmax that are kept, the likeliest first
EMBEDDING, OUTPUT = "Embedding", "Softmax"


def _part(name: str, formula: str, values: Tensor, heads: int = 1) -> Part:
    return Part(name=name, formula=formula, values=values.numpy(), heads=heads)


# ---- a box and what it says --------------------------------------------------------------------


def box(
    name: str, kind: Kind, values: Tensor, formula: str = "", way: Way = "", width: int = 0
) -> Box:
    found: Vectors = values.numpy()
    wide = width or found.shape[1]
    return Box(name=name, kind=kind, values=found, width=wide, way=way, formula=formula)


def output(log_probs: Tensor, name: str = OUTPUT) -> Box:
    top = log_probs.exp().topk(min(SHOWN, log_probs.shape[1]), dim=-1).values
    formula = "p = softmax(E y): how likely each word of the vocabulary is"
    return box(name, "output", top, formula, width=log_probs.shape[1])


def said(
    tokenizer: Any, log_probs: Tensor, wanted: Sequence[int], forced: bool
) -> tuple[tuple[str, ...], tuple[float, ...], tuple[str, ...]]:
    """The likeliest words with their probabilities; and, where it was forced, the right ones."""
    shown: tuple[str, ...] = tokenizer.show(wanted).tokens
    best = log_probs.argmax(-1).tolist()
    said = tuple(
        word if guess == right else tokenizer.label(guess)
        for word, guess, right in zip(shown, best, wanted, strict=True)
    )
    return said, tuple(log_probs.max(-1).values.exp().tolist()), shown if forced else ()


# ---- attention and feed-forward ---------------------------------------------------------------


def heads_of(
    attention: MultiHead,
    states: Tensor,
    memory: Tensor,
    masked: bool = False,
    turn: Callable[[Tensor], Tensor] | None = None,
) -> tuple[list[Column], Tensor]:
    """Vaswani et al. 2017, section 3.2.2: Q, K and V, the heads, their outputs joined, W_O.

    turn tells queries and keys their places, where the embedding did not (Su et al. 2021).
    """
    heads = attention.heads
    query = attention.split(attention.query(states))  # (batch, head, query, n/h)
    keys, values = attention.project(memory)
    if turn is not None:
        query, keys = turn(query), turn(keys)
    mask = causal_mask(states.shape[1]) if masked else None
    context, weights = attend(scaled_dot(query, keys), values, mask)
    joined = context.transpose(1, 2).flatten(-2)  # (batch, query, width)
    out = attention.out(joined)
    of, more = "x" if memory is states else "encoder", ", turned" if turn else ""
    three = (
        _part("Q", f"x W_Q{more}", _side_by_side(query), heads),
        _part("K", f"{of} W_K{more}", _side_by_side(keys), heads),
        _part("V", f"{of} W_V", _side_by_side(values), heads),
    )
    columns = [
        three,
        (_part("Heads", "softmax(q · k / √d)", weights[0]),),
        (_part("Joined", "a V, side by side", joined[0], heads),),
        (_part("Mixed", "joined times W_O", out[0]),),
    ]
    return columns, out


def _side_by_side(heads: Tensor) -> Tensor:
    """(batch, head, token, n/h) as (token, width) of the first."""
    return heads[0].transpose(0, 1).flatten(-2)


def norm_first(
    block: Any, states: Tensor, memory: Tensor | None = None, masked: bool = False
) -> tuple[tuple[Row, ...], Tensor]:
    """A block of our Transformer: x + f(norm(x)) for each of its two or three halves."""
    normed = block.self_norm(states)
    columns, out = heads_of(block.self_attention, normed, normed, masked)
    name = "masked self-attention" if masked else "self-attention"
    rows = [added(name, states, normed, columns, out)]
    states = states + out
    if memory is not None:
        normed = block.cross_norm(states)
        columns, out = heads_of(block.cross_attention, normed, memory)
        name = "cross-attention: K and V are made from what the encoder found, not from x"
        rows.append(added(name, states, normed, columns, out))
        states = states + out
    normed = block.inner_norm(states)
    inner = block.inner[1](block.inner[0](normed))
    columns = feed_forward(inner, out := block.inner(normed), "ReLU(x W₁ + b₁)")
    rows.append(added("feed-forward", states, normed, columns, out))
    return tuple(rows), states + out


def added(
    name: str,
    states: Tensor,
    normed: Tensor,
    columns: list[Column],
    out: Tensor,
    norm: str = "(x − mean) / deviation",
) -> Row:
    """x + f(norm(x)): x, its norm, the columns of f, and the sum."""
    return Row(
        name=name,
        columns=(
            (_part("x", "what comes in", states[0]),),
            (_part("Norm", norm, normed[0]),),
            *columns,
            (_part("Add", "x + this", (states + out)[0]),),
        ),
        added=2 + len(columns),
    )


def feed_forward(inner: Tensor, out: Tensor, formula: str) -> list[Column]:
    return [(_part("Inner", formula, inner[0]),), (_part("Outer", "inner W₂", out[0]),)]


def norm_after(block: Any, states: Tensor) -> tuple[tuple[Row, ...], Tensor]:
    """A block of BERT: norm(x + f(x)) for either half."""
    rows = []

    def half(name: str, columns: list[Column], out: Tensor, norm: Any) -> Tensor:
        whole = states + out
        normed: Tensor = norm(whole)
        rows.append(
            Row(
                name=name,
                columns=(
                    (_part("x", "what comes in", states[0]),),
                    *columns,
                    (_part("Add", "x + this", whole[0]),),
                    (_part("Norm", "(x − mean) / deviation", normed[0]),),
                ),
                added=1 + len(columns),
            )
        )
        return normed

    columns, out = heads_of(block.attention, states, states)
    states = half("self-attention", columns, out, block.attention_norm)
    inner = gelu(block.rise(states))
    columns = feed_forward(inner, out := block.fall(inner), "GELU(x W₁ + b₁)")
    states = half("feed-forward", columns, out, block.inner_norm)
    return tuple(rows), states


# ---- embeddings and outputs -------------------------------------------------------------------


def placed(model: Transformer, ids: Tensor) -> tuple[Row, ...]:
    """Vaswani et al. 2017, section 3.4 and 3.5: the word times sqrt(d), and its position."""
    width = model.config.width
    word = model.embedding(ids)[0] * math.sqrt(width)
    place = positions(len(word), width)
    both = (_part("Word", "E[word] √d", word), _part("Position", "sin and cos", place))
    return (Row(name="embedding", columns=(both, (_part("Sum", "both", word + place),))),)


def three(model: Bert, ids: Tensor, segments: Tensor) -> tuple[Row, ...]:
    """Devlin et al. 2019, figure 2."""
    token, segment, position = (part[0] for part in model.parts(ids, segments))
    whole = token + segment + position
    added = (
        _part("Word", "E[word]", token),
        _part("Sentence", "first or second", segment),
        _part("Position", "learned", position),
    )
    last = ((_part("Sum", "all three", whole),), (_part("Norm", "of the sum", model.norm(whole)),))
    return (Row(name="embedding", columns=(added, *last)),)


def looked_up(words: Tensor) -> tuple[Row, ...]:
    return (Row(name="embedding", columns=((_part("Word", "a row of E", words),),)),)


def chosen(states: Tensor, features: Tensor, log_probs: Tensor, top: int) -> tuple[Row, ...]:
    """The last states, the feature that meets every word's vector, the likeliest words."""
    best = log_probs.exp().topk(min(top, log_probs.shape[1]), dim=-1).values
    last = Part(
        name="Softmax",
        formula=f"the {best.shape[1]} likeliest words",
        values=best.numpy(),
        width=log_probs.shape[1],
    )
    columns = ((_part("x", "what comes in", states),), (_part("y", "to compare", features),))
    return (Row(name="next word", columns=(*columns, (last,))),)


# ---- recurrent --------------------------------------------------------------------------------


def writer_states(model: RNN, memory: Any, step: Any) -> Tensor:
    """w_t of the writing GRU, (token, width)."""
    context = step.weights @ memory.states
    first = memory.summary.chunk(2, dim=-1)[1]
    states: Tensor = model.writer(torch.cat((step.query, context), -1), first.unsqueeze(0))[0]
    return states[0]


def gated(cell: Any, which: str, inputs: Tensor, before: Tensor) -> tuple[Row, ...]:
    """Cho et al. 2014: a GRU's two gates, its proposal, and the state between old and new."""
    ending = f"_{which}" if which else ""
    weights = (getattr(cell, f"{name}{ending}") for name in ("weight_ih", "weight_hh"))
    biases = (getattr(cell, f"{name}{ending}") for name in ("bias_ih", "bias_hh"))
    read, kept = (
        linear(given, weight, bias).chunk(3, dim=-1)
        for given, weight, bias in zip((inputs, before), weights, biases, strict=True)
    )
    reset, update = (read[0] + kept[0]).sigmoid(), (read[1] + kept[1]).sigmoid()
    proposal = (read[2] + reset * kept[2]).tanh()
    columns = (
        (_part("x", "what comes in", inputs), _part("Before", "the state before", before)),
        (
            _part("Reset r", "σ(W x + U h)", reset),
            _part("Update z", "σ(W x + U h)", update),
        ),
        (_part("Proposal n", "tanh(W x + r U h)", proposal),),
        (_part("State", "(1 − z) n + z h", (1 - update) * proposal + update * before),),
    )
    return (Row(name="gated recurrent unit", columns=columns),)


def weighed(query: Tensor, states: Tensor, scores: Tensor, weights: Tensor) -> tuple[Row, ...]:
    """Bahdanau et al. 2015, eq. 5 and 6: scores, weights, and the weighted sum of states."""
    span = scores - scores.amin(-1, keepdim=True)
    shown = span / span.amax(-1, keepdim=True).clamp(min=1e-9)
    columns = (
        (_part("s", "asks", query), _part("h", "both readers joined", states)),
        (_part("Scores", "score(s, h), least to most", shown[None]),),
        (_part("Weights", "softmax of a row", weights[None]),),
        (_part("c", "Σ a h", weights @ states),),
    )
    return (Row(name="attention", columns=columns),)
