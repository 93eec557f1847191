"""BERT (Devlin et al. 2019): a Transformer encoder, layer norm last, every attention returned.

One model class for pre-training and for the tasks on top: the config says which heads it has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, linear

from viz_core.attention import MultiHead, attend, dot

Task = Literal["pretraining", "classify", "tag", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BertConfig:
    vocabulary: int = 30_522
    width: int = 384
    heads: int = 12
    layers: int = 6
    inner: int = 1536
    max_length: int = 512
    segments: int = 2
    epsilon: float = 1e-12
    task: Task = "pretraining"
    labels: tuple[str, ...] = ("other", "next")  # the head's; pre-training: next sentence

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))  # a card's JSON has lists


class Parts(NamedTuple):
    """Figure 2: what is summed into a token's embedding, before the layer norm."""

    token: Tensor  # (batch, token, width)
    segment: Tensor
    position: Tensor


class Seen(NamedTuple):
    """What an encoder did: the last states, and per layer the states it read and the weights."""

    states: Tensor  # (batch, query, width)
    weights: tuple[Tensor, ...]  # per layer (batch, head, query, key)
    inputs: tuple[Tensor, ...]  # per layer (batch, token, width)


class Block(nn.Module):
    """norm(x + Attention(x)), then norm(x + FF(x))."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        width = config.width
        self.attention = MultiHead(width, config.heads)
        self.attention_norm = nn.LayerNorm(width, config.epsilon)
        self.rise = nn.Linear(width, config.inner)
        self.fall = nn.Linear(config.inner, width)
        self.inner_norm = nn.LayerNorm(width, config.epsilon)

    def query(self, states: Tensor) -> Tensor:
        """Queries over sqrt(n/h): a score is then their dot product, and is not scaled again."""
        query = self.attention.query(states) / math.sqrt(states.shape[-1] / self.attention.heads)
        return self.attention.split(query)  # (batch, head, query, n/h)

    def forward(
        self,
        states: Tensor,
        mask: Tensor | None = None,
        keep: Tensor | None = None,
        places: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """places (batch, query) are the tokens that look; None is all of them."""
        keys, values = self.attention.project(states)
        if places is not None:
            states = states.gather(1, places.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
        context, weights = attend(dot(self.query(states), keys), values, mask)
        if keep is not None:
            context = context * keep.view(-1, 1, 1)
        found = self.attention.out(context.transpose(1, 2).flatten(-2))
        states = self.attention_norm(states + found)
        return self.inner_norm(states + self.fall(gelu(self.rise(states)))), weights

    # The same for one text without gradients, written into memory that is already there.

    def look(self, states: Tensor, weights: Tensor) -> None:
        """From states (token, width) to weights (head, query, key), which are filled in."""
        query, key = (
            self._heads(part(states)) for part in (self.attention.query, self.attention.key)
        )
        scale = 1 / math.sqrt(query.shape[-1])
        torch.baddbmm(weights, query, key.mT, beta=0, alpha=scale, out=weights)
        torch.softmax(weights, -1, out=weights)

    def move(self, states: Tensor, weights: Tensor, inner: Tensor, keep: Tensor | None) -> Tensor:
        """The states (token, width) that the next layer reads.

        The states given are overwritten; inner (token, inner) is scratch.
        """
        context = weights @ self._heads(self.attention.value(states))  # (head, token, n/h)
        if keep is not None:
            context *= keep.view(-1, 1, 1)
        states = self.attention_norm(
            _add(states, context.transpose(0, 1).flatten(1), self.attention.out)
        )
        torch.addmm(self.rise.bias, states, self.rise.weight.mT, out=inner)
        return self.inner_norm(_add(states, torch.ops.aten.gelu_(inner), self.fall))

    def _heads(self, states: Tensor) -> Tensor:
        return states.unflatten(-1, (self.attention.heads, -1)).transpose(0, 1)


def _add(states: Tensor, given: Tensor, layer: nn.Linear) -> Tensor:
    """states + layer(given), the sum made inside the product and in place of the states."""
    return states.add_(layer.bias).addmm_(given, layer.weight.mT)


class Bert(nn.Module):
    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.token = nn.Embedding(config.vocabulary, width)
        self.segment = nn.Embedding(config.segments, width)
        self.position = nn.Embedding(config.max_length, width)
        self.norm = nn.LayerNorm(width, config.epsilon)
        self.layers = nn.ModuleList(Block(config) for _ in range(config.layers))
        if config.task == "pretraining":
            self.transform = nn.Linear(width, width)
            self.transform_norm = nn.LayerNorm(width, config.epsilon)
            self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        if config.task in ("pretraining", "classify"):
            self.pooler = nn.Linear(width, width)
        self.head = nn.Linear(width, len(config.labels))
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    # ---- the encoder --------------------------------------------------------------------------

    def parts(self, ids: Tensor, segments: Tensor) -> Parts:
        places = torch.arange(ids.shape[1])
        return Parts(
            self.token(ids), self.segment(segments), self.position(places).expand(*ids.shape, -1)
        )

    def layer_states(self, ids: Tensor) -> Tensor:
        """What every layer makes of one sentence, embeddings first (layer, batch, token, width)."""
        seen: Seen = self(ids, torch.zeros_like(ids))
        return torch.stack((*seen.inputs, seen.states))

    def embed(self, ids: Tensor, segments: Tensor) -> Tensor:
        token, segment, position = self.parts(ids, segments)
        return self.norm(token + segment + position)  # (batch, token, width)

    def encode(
        self,
        states: Tensor,
        mask: Tensor | None = None,
        keep: Tensor | None = None,
        places: Tensor | None = None,
        start: int = 0,
    ) -> Seen:
        """From embeddings, or from what layer `start` reads, to the last states.

        mask (batch, key) is True for real tokens; keep (layer, head) is 0 for a silent head;
        the last layer is computed at places (batch, query) only, where given.
        """
        allowed = None if mask is None else mask[:, None, None]
        weights: list[Tensor] = []
        inputs: list[Tensor] = []
        for layer in range(start, len(self.layers)):
            inputs.append(states)
            last = layer == len(self.layers) - 1
            states, seen = self.layers[layer](
                states,
                allowed,
                None if keep is None else keep[layer],
                places if last else None,
            )
            weights.append(seen)
        return Seen(states, tuple(weights), tuple(inputs))

    def forward(
        self,
        ids: Tensor,
        segments: Tensor,
        mask: Tensor | None = None,
        keep: Tensor | None = None,
        places: Tensor | None = None,
    ) -> Seen:
        return self.encode(self.embed(ids, segments), mask, keep, places)

    def weights(self, ids: Tensor, segments: Tensor, keep: Tensor | None = None) -> Tensor:
        """Every attention of one text, ids (token,), as (layer, head, query, key); no gradients.

        The same numbers as forward's, sooner: what nobody looks at is not computed (the last layer
        ends at its weights), and all weights are written where they stay.
        """
        config, length = self.config, len(ids)
        found = torch.empty(config.layers, config.heads, length, length)
        inner = torch.empty(length, config.inner)
        states = self.embed(ids[None], segments[None])[0]
        for layer, block in enumerate(self.layers):
            assert isinstance(block, Block)
            block.look(states, found[layer])
            if layer < config.layers - 1:
                states = block.move(
                    states, found[layer], inner, None if keep is None else keep[layer]
                )
        return found

    def vectors(self, seen: Seen, layer: int) -> tuple[Tensor, Tensor]:
        """Queries (already over sqrt(n/h)) and keys of one layer, (batch, head, token, n/h)."""
        block = self.layers[layer]
        assert isinstance(block, Block)
        return block.query(seen.inputs[layer]), block.attention.project(seen.inputs[layer])[0]

    # ---- the heads ----------------------------------------------------------------------------

    def mask_features(self, states: Tensor) -> Tensor:
        return self.transform_norm(gelu(self.transform(states)))

    def mask_logits(self, states: Tensor) -> Tensor:
        """Which token stands here? The output layer is the embedding again."""
        return linear(self.mask_features(states), self.token.weight, self.bias)

    def task_logits(self, states: Tensor) -> Tensor:
        """One label for the text, from [CLS]: in pre-training whether the second sentence follows.

        For a tagger one label a token; for answers each token's score as start and as end.
        """
        if self.config.task in ("pretraining", "classify"):
            states = self.pooler(states[:, 0]).tanh()
        found: Tensor = self.head(states)
        return found
