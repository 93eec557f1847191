"""Your own model: a BERT, DistilBERT, RoBERTa or GPT-2 in Hugging Face format, as a trace.

The transformers package is optional and imported only here. A model is data: its weights must be
safetensors, no code that comes with it is run, and nothing is fetched for a folder.
"""

from __future__ import annotations

import importlib.util
import math
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from viz_core import analysis, interruption
from viz_core.probe import own_folder, own_shape
from viz_core.text import CONTINUED, SPACE
from viz_core.traces import AttentionTrace
from viz_core.traces.bert import QueryKey

LONGEST = 512  # tokens, as for our BERT: the weights of every head grow with their square
TRACE = 160_000_000  # bytes of one text's weights: BERT base on 512 tokens takes 151
LEAST = 1.5  # bytes a weight: half precision, and a pooler that a file may lack


@dataclass(frozen=True, slots=True)
class OwnModel:
    name: str
    model: Any  # of transformers, on eval, attention computed eagerly
    tokenizer: Any

    @property
    def max_length(self) -> int:
        config = self.model.config
        places = int(getattr(config, "max_position_embeddings", 0) or 512)
        used = places - 2 if config.model_type == "roberta" else places  # two of them are unused
        heads = config.num_hidden_layers * config.num_attention_heads
        return min(used, LONGEST, math.isqrt(TRACE // (4 * heads)))

    @property
    def reads_pairs(self) -> bool:
        return bool(self.model.config.model_type != "gpt2")

    @property
    def looks_back(self) -> bool:
        config = self.model.config
        is_decoder = config.model_type in ("bert", "roberta") and config.is_decoder
        return bool(config.model_type == "gpt2" or is_decoder)


def installed() -> bool:
    return importlib.util.find_spec("transformers") is not None


def readiness(is_open: bool = True) -> str:
    """Whether a model can be loaded here at all."""
    if not is_open:
        return own_folder.CLOSED
    if installed():
        there = own_folder.names()
        what = f"one of these above: {', '.join(there)}" if there else "a folder above"
        return f"The transformers package is installed: name {what}."
    return "To load yours, install one more package first: pip install transformers."


def asked() -> str:
    """What is to be typed: where there is a models folder, only names in it are of use."""
    if own_folder.ROOT:
        return "Name of a model in the models folder of this app"
    return "Folder of the model on the machine that runs this app, or a name if it is online"


def described(own: OwnModel) -> str:
    config = own.model.config
    count = sum(parameter.numel() for parameter in own.model.parameters())
    many = f"{count / 1e6:.1f} million" if count >= 1e6 else f"{count:,}"
    return (
        f"Your model is of type {config.model_type}: {config.num_hidden_layers} layers of "
        f"{config.num_attention_heads} heads, {many} parameters."
    )


def load(path_or_name: str) -> OwnModel:
    """A folder on this machine, or a name such as prajjwal1/bert-tiny if it is online."""
    if not installed():
        raise ValueError("Your own model needs one more package: pip install transformers.")
    given = path_or_name.strip()
    if not given:
        raise ValueError("There is no model yet: type a folder, or a name such as bert-base-cased.")
    folder = own_folder.find(given)
    if folder:
        own_folder.check(folder, given)
    return _load(str(folder or given), given, folder is not None)


def _load(source: str, name: str, is_folder: bool) -> OwnModel:
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    kept = is_folder or not _online()  # what was fetched before opens without a network too
    safe: dict[str, Any] = {"local_files_only": kept, "trust_remote_code": False}
    with _in_a_sentence(source, name, is_folder):
        config = AutoConfig.from_pretrained(source, **safe)
        if config.model_type not in own_shape.INNER:
            raise ValueError(
                f"{name} is of type {config.model_type}, which is not shown here: choose a BERT, "
                "DistilBERT, RoBERTa or GPT-2."
            )
        if getattr(config, "position_embedding_type", None) not in (None, "absolute"):
            raise ValueError(
                f"{name} adds positions inside its attention, which is not shown here."
            )
        if is_folder and LEAST * own_shape.weighs(config) > own_folder.held(Path(source)):
            raise ValueError(f"{name} holds fewer weights than its config.json announces.")
        if 4 * own_shape.weighs(config) > own_folder.LARGEST:  # before it is read, or fetched
            raise ValueError(
                f"{name} has {own_shape.weighs(config) / 1e6:,.0f} million weights: too many."
            )
        own_shape.check(config, name)
        tokenizer = AutoTokenizer.from_pretrained(source, use_fast=True, **safe)
        if not tokenizer.is_fast:
            raise ValueError(f"{name} has no tokenizer.json: save it with a fast tokeniser.")
        model, told = AutoModel.from_pretrained(
            source,
            config=config,
            attn_implementation="eager",  # the others do not return their weights
            use_safetensors=True,
            dtype=torch.float32,
            output_loading_info=True,
            **safe,
        )
        # The library makes up at random what it does not find; no view needs the pooler.
        lacking = sorted(key for key in told["missing_keys"] if "pooler" not in key)
        if lacking:
            raise ValueError(f"{name} lacks {len(lacking)} weights, such as {lacking[0]}.")
        if not all(bool(part.isfinite().all()) for part in model.parameters()):
            raise ValueError(f"{name} holds weights that are not numbers, or have no end.")
    return OwnModel(name, model.eval().requires_grad_(False), tokenizer)


def _online() -> bool:
    """Whether a name can be looked up at all: the library alone tries for half a minute."""
    if any(name.casefold() in ("https_proxy", "all_proxy") for name in os.environ):
        return True  # which only the library knows to use
    try:
        host = urlsplit(os.environ.get("HF_ENDPOINT", "https://huggingface.co")).hostname
        socket.create_connection((host or "", 443), timeout=3).close()
    except OSError:
        return False
    return True


@contextmanager
def _in_a_sentence(source: str, name: str, is_folder: bool) -> Iterator[None]:
    """What the library says in a page of text, in one sentence; ours stay as they are."""
    try:
        yield
    except Exception as error:
        if type(error) is ValueError and str(error).startswith(name):
            raise
        told = str(error).replace(source, name)  # the server's own path is nobody's business
        said = told.strip().splitlines() or [type(error).__name__]
        where = "this folder" if is_folder else "this name, if the machine is online"
        first = said[0][:200].rstrip(" :.")
        raise ValueError(f"{name} cannot be loaded from {where}: {first}.") from error


# ---- the trace --------------------------------------------------------------------------------


def read(own: OwnModel, text: str, pair: str | None = None) -> Any:
    """The text as the model reads it; a sentence that a person can act on if it cannot."""
    if not text.strip() or (pair is not None and not pair.strip()):
        raise ValueError("There is nothing to read yet: type a sentence.")
    if pair is not None and not own.reads_pairs:
        raise ValueError(f"{own.name} reads one text, not two sentences: leave the second empty.")
    found = own.tokenizer(text, pair, return_offsets_mapping=True)
    ids = found["input_ids"]
    if not ids:
        raise ValueError(f"{own.name} finds no token in this text: type a sentence.")
    if len(ids) > own.max_length:
        raise ValueError(
            f"This text has {len(ids)} tokens; {own.name} reads {own.max_length} at most. "
            "Shorten it."
        )
    return found


class Asking(TorchFunctionMode):
    """At each operation of a model that is not ours: is it still wanted? Writes nothing to it."""

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        interruption.point()
        return func(*args, **(kwargs or {}))


def run(own: OwnModel, found: Any, states: bool = False) -> Any:
    given = {
        name: torch.tensor([found[name]])
        for name in own.tokenizer.model_input_names
        if name in found
    }
    with Asking():
        seen = own.model(**given, output_attentions=True, output_hidden_states=states)
    if not seen.attentions or any(one is None for one in seen.attentions):
        raise ValueError(f"{own.name} does not return its attention.")
    if not all(bool(one.isfinite().all()) for one in seen.attentions):
        raise ValueError(f"{own.name} attends with weights that are not numbers on this text.")
    return seen


@torch.inference_mode()
def encode(own: OwnModel, text: str, pair: str | None = None) -> AttentionTrace:
    """Every layer and head on one sentence or two, as for our own models."""
    found = read(own, text, pair)
    weights = np.stack([one[0].float().numpy() for one in run(own, found).attentions])
    words = word_numbers(found)
    tokens = display(own.tokenizer, found["input_ids"], words)
    segments = [int(side == 1) for side in sides(found)]
    return AttentionTrace(
        kind="masked" if own.model.config.model_type == "gpt2" else "self",
        queries=tokens,
        keys=tokens,
        weights=weights,
        query_words=words,
        key_words=words,
        segments=tuple(segments),
    )


@torch.inference_mode()
def query_key(own: OwnModel, text: str, layer: int, head: int, pair: str | None = None) -> QueryKey:
    """The queries and keys behind one head's weights.

    They are computed again from what went into the layer: a hook would write to a model that
    serves every visitor.
    """
    config = own.model.config
    if not (0 <= layer < config.num_hidden_layers and 0 <= head < config.num_attention_heads):
        raise ValueError(f"There is no head {head + 1} in layer {layer + 1}.")
    found = read(own, text, pair)
    seen = run(own, found, states=True)
    query, key = (
        side[0].unflatten(-1, (config.num_attention_heads, -1))[:, head]  # (token, dimension)
        for side in projected(own.model, layer, seen.hidden_states[layer])
    )
    root = query.shape[-1] ** 0.5
    divisor = divided_by(config, layer, root)
    taken = QueryKey(
        tokens=display(own.tokenizer, found["input_ids"], word_numbers(found)),
        query=(query / divisor).numpy(),
        key=key.numpy(),
        divisor=None if divisor == root else divisor,
        causal=own.looks_back,
    )
    if np.abs(taken.weights - seen.attentions[layer][0, head].numpy()).max() > 1e-3:
        raise ValueError(f"{own.name} scores its keys in a way that cannot be taken apart here.")
    return taken


def projected(model: Any, layer: int, states: Tensor) -> tuple[Tensor, Tensor]:
    """All queries and all keys of a layer, (batch, token, width), from what goes into it."""
    kind = model.config.model_type
    if kind == "gpt2":  # normalised first; one matrix makes queries, keys and values
        block = model.h[layer]
        query, key, _ = block.attn.c_attn(block.ln_1(states)).chunk(3, dim=-1)
        return query, key
    if kind == "distilbert":
        attention = model.transformer.layer[layer].attention
        return attention.q_lin(states), attention.k_lin(states)
    attention = model.encoder.layer[layer].attention.self
    return attention.query(states), attention.key(states)


def divided_by(config: Any, layer: int, root: float) -> float:
    """The root of the dimensions; GPT-2 has switches to leave it out and to add the layer to it.

    Its third one, reorder_and_upcast_attn, changes nothing here: all is in full precision.
    """
    if config.model_type != "gpt2":
        return root
    return (root if config.scale_attn_weights else 1.0) * (
        layer + 1 if config.scale_attn_by_inverse_layer_idx else 1
    )


def labels(own: OwnModel, passages: Sequence[tuple[str, str]]) -> list[list[str]]:
    """What each head does on fixed passages; [] for a model that is too short for all of them."""
    traces = []
    for first, second in passages:
        with suppress(ValueError):
            pair = (first, second) if own.reads_pairs else (f"{first} {second}", None)
            traces.append(encode(own, *pair))
    rows = analysis.profiles(traces, frozenset(special(own))) if traces else []
    return [[profile.label for profile in row] for row in rows]


def special(own: OwnModel) -> tuple[str, ...]:
    """The tokens that the model gets besides the text, by name: [CLS] and [SEP], or none."""
    found = own.tokenizer("it", return_special_tokens_mask=True)
    names = own.tokenizer.convert_ids_to_tokens(found["input_ids"])
    added = zip(names, found["special_tokens_mask"], strict=True)
    return tuple(dict.fromkeys(name for name, is_added in added if is_added))


def sides(found: Any) -> list[int]:
    """0 or 1 for each token; a special token belongs to the sentence before it."""
    last = 0
    out = []
    for side in found.sequence_ids(0):
        last = last if side is None else side
        out.append(last)
    return out


def word_numbers(found: Any) -> tuple[int, ...]:
    """Tokens of one word share a number; a special token is a word of its own."""
    keys = list(zip(found.sequence_ids(0), found.word_ids(0), strict=True))
    numbers: list[int] = []
    for i, key in enumerate(keys):
        opens = i == 0 or key[1] is None or key != keys[i - 1]
        numbers.append((numbers[-1] if numbers else -1) + opens)
    return tuple(numbers)


def display(tokenizer: Any, ids: list[int], words: tuple[int, ...]) -> tuple[str, ...]:
    """Pieces as BERT writes them, ## before what continues a word, whatever the vocabulary does."""
    out = []
    for i, piece in enumerate(tokenizer.convert_ids_to_tokens(ids)):
        if ids[i] not in tokenizer.all_special_ids:
            decoded = tokenizer.decode([ids[i]])  # byte-level pieces are no letters
            letters = decoded.strip().removeprefix(CONTINUED)
            piece = letters or (SPACE if decoded.isspace() else piece)
            if i > 0 and words[i] == words[i - 1]:
                piece = CONTINUED + piece
        out.append(piece)
    return tuple(out)
