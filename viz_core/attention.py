"""Attention, one equation per line: score functions, masks, local windows, multiple heads.

Every function works on query (batch, query, width) and keys (batch, key, width), and everything
that attends returns (context, weights). Nothing is stored on a module: one model serves many
visitors at once.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

# ---- score functions: how well does a query fit each key? -------------------------------------


def dot(query: Tensor, keys: Tensor) -> Tensor:
    """Luong et al. 2015, section 3.1, dot: s . h"""
    return query @ keys.mT  # (batch, query, key)


def scaled_dot(query: Tensor, keys: Tensor) -> Tensor:
    """Vaswani et al. 2017, eq. 1: s . h / sqrt(n), so that the variance stays one."""
    return dot(query, keys) / math.sqrt(query.shape[-1])  # (batch, query, key)


def general(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    """Luong et al. 2015, section 3.1, general: s . W h"""
    return (query @ weight) @ keys.mT  # (batch, query, key)


def content(query: Tensor, keys: Tensor) -> Tensor:
    """Graves et al. 2014, eq. 6: the cosine of s and h, to be multiplied by beta (eq. 5)."""
    unit = nn.functional.normalize
    return unit(query, dim=-1) @ unit(keys, dim=-1).mT  # (batch, query, key)


def additive(query: Tensor, keys: Tensor, w_query: Tensor, w_key: Tensor, vector: Tensor) -> Tensor:
    """Bahdanau et al. 2015, A.1.2: v . tanh(W s + U h), which is v . tanh([W; U] [s; h])."""
    return _additive(query @ w_query, keys @ w_key, vector)


def _additive(asked: Tensor, offered: Tensor, vector: Tensor) -> Tensor:
    total = asked.unsqueeze(-2) + offered.unsqueeze(-3)  # (batch, query, key, width)
    return total.tanh() @ vector  # (batch, query, key)


def location(query: Tensor, weight: Tensor, length: int) -> Tensor:
    """Luong et al. 2015, eq. 8: W s. The query alone decides: what the keys say is not read."""
    return (query @ weight)[..., :length]  # (batch, query, key)


# ---- from scores to a context -----------------------------------------------------------------


def attend(scores: Tensor, values: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Softmax over the allowed keys, then the weighted sum. mask is True where a key is allowed."""
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ values, weights


def causal_mask(length: int) -> Tensor:
    """True where a query may look: at itself and at what came before."""
    return torch.ones(length, length, dtype=torch.bool).tril()  # (query, key)


def block_mask(length: int, block: int) -> Tensor:
    """True inside a block: Liu et al. 2018, section 4.2.4, local attention."""
    number = torch.arange(length) // block
    return number.unsqueeze(1) == number  # (query, key)


def gaussian(positions: Tensor, centres: Tensor, sigma: float) -> Tensor:
    """Luong et al. 2015, eq. 10: exp(-(s - p)^2 / (2 sigma^2)); 1 at the centre."""
    distance = positions - centres.unsqueeze(-1)
    return torch.exp(-distance.square() / (2 * sigma**2))  # (batch, query, key)


def window_mask(positions: Tensor, centres: Tensor, reach: float) -> Tensor:
    """True inside [p - D, p + D]: the words outside are not looked at at all."""
    return (positions - centres.unsqueeze(-1)).abs() <= reach  # (batch, query, key)


# ---- the same scores with learned parameters --------------------------------------------------


class Dot(nn.Module):
    def __init__(self, width: int, max_length: int) -> None:
        super().__init__()

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return dot(query, keys)


class ScaledDot(Dot):
    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return scaled_dot(query, keys)


class General(nn.Module):
    def __init__(self, width: int, max_length: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width, width) / width)

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return general(query, keys, self.weight)


class Content(nn.Module):
    """A cosine lies in [-1, 1], too flat for a softmax: how sharp it should be is learned."""

    def __init__(self, width: int, max_length: int) -> None:
        super().__init__()
        self.log_sharpness = nn.Parameter(torch.tensor(math.log(8.0)))

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return content(query, keys) * self.log_sharpness.exp()


class Additive(nn.Module):
    def __init__(self, width: int, max_length: int) -> None:
        super().__init__()
        self.w_query = nn.Parameter(torch.randn(width, width) / math.sqrt(width))
        self.w_key = nn.Parameter(torch.randn(width, width) / math.sqrt(width))
        self.vector = nn.Parameter(torch.randn(width) / math.sqrt(width))

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return additive(query, keys, self.w_query, self.w_key, self.vector)

    def project(self, keys: Tensor) -> Tensor:
        """U h, apart: a decoder that asks word by word needs it once."""
        return keys @ self.w_key

    def compare(self, query: Tensor, projected: Tensor) -> Tensor:
        """The same scores, with keys that were projected before."""
        return _additive(query @ self.w_query, projected, self.vector)


class Location(nn.Module):
    def __init__(self, width: int, max_length: int) -> None:
        super().__init__()
        self.max_length = max_length
        self.weight = nn.Parameter(torch.randn(width, max_length) / math.sqrt(width))

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        length = keys.shape[-2]
        if length > self.max_length:
            raise ValueError(
                f"location attention has {self.max_length} positions, the sentence {length} tokens"
            )
        return location(query, self.weight, length)


SCORES: dict[str, type[nn.Module]] = {
    "additive": Additive,
    "dot": Dot,
    "scaled-dot": ScaledDot,
    "general": General,
    "content": Content,
    "location": Location,
}


class Centre(nn.Module):
    """Luong et al. 2015, eq. 9: p = S * sigmoid(v . tanh(W s)), the predicted source position."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width, width) / math.sqrt(width))
        self.vector = nn.Parameter(torch.randn(width) / math.sqrt(width))

    def forward(self, query: Tensor, lengths: Tensor) -> Tensor:
        share = ((query @ self.weight).tanh() @ self.vector).sigmoid()
        return lengths.unsqueeze(-1) * share  # (batch, query)


# ---- multiple heads ---------------------------------------------------------------------------


class MultiHead(nn.Module):
    """Vaswani et al. 2017, section 3.2.2: h heads of width n/h, side by side, then mixed by W^O."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"width {width} is not a multiple of {heads} heads")
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def split(self, states: Tensor) -> Tensor:
        return states.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (batch, head, token, n/h)

    def project(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of the attended tokens, apart so that decoding can keep them."""
        return self.split(self.key(memory)), self.split(self.value(memory))

    def forward(
        self,
        states: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None = None,
        keep: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """keep (head,) is 1 for a head that speaks and 0 for one that is switched off."""
        query = self.split(self.query(states))
        context, weights = attend(scaled_dot(query, keys), values, mask)
        if keep is not None:
            context = context * keep.view(-1, 1, 1)
        return self.out(context.transpose(1, 2).flatten(-2)), weights  # (batch, head, query, key)
