"""Your own model: a BERT, DistilBERT, RoBERTa or GPT-2 in Hugging Face format, as a trace.

The transformers package is optional and imported only here. A model is data: its weights must be
safetensors, no code that comes with it is run, and nothing is fetched for a folder.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from viz_core import analysis
from viz_core.text import CONTINUED
from viz_core.traces import AttentionTrace

TYPES = ("bert", "distilbert", "roberta", "gpt2")
LARGEST = 2_000_000_000  # bytes of weights: what a machine that shows pages can hold
DESCRIBED = 50_000_000  # bytes of a JSON file: a vocabulary of a million words takes less
HEADER = 25_000_000  # bytes: the names and shapes of a large model take far less
NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?")


@dataclass(frozen=True, slots=True)
class OwnModel:
    name: str
    model: Any  # of transformers, on eval, attention computed eagerly
    tokenizer: Any

    @property
    def max_length(self) -> int:
        config = self.model.config
        places = int(getattr(config, "max_position_embeddings", 0) or 512)
        return places - 2 if config.model_type == "roberta" else places  # two of them are unused

    @property
    def reads_pairs(self) -> bool:
        return bool(self.model.config.model_type != "gpt2")


def installed() -> bool:
    return importlib.util.find_spec("transformers") is not None


def readiness() -> str:
    """Whether a model can be loaded here at all."""
    if installed():
        return "The transformers package is installed: name a folder above."
    return "To load yours, install one more package first: pip install transformers."


def described(own: OwnModel) -> str:
    config = own.model.config
    millions = sum(parameter.numel() for parameter in own.model.parameters()) / 1e6
    return (
        f"Your model is of type {config.model_type}: {config.num_hidden_layers} layers of "
        f"{config.num_attention_heads} heads, {millions:.1f} million parameters."
    )


def load(path_or_name: str) -> OwnModel:
    """A folder on this machine, or a name such as prajjwal1/bert-tiny if it is online."""
    if not installed():
        raise ValueError("Your own model needs one more package: pip install transformers.")
    given = path_or_name.strip()
    if not given:
        raise ValueError("There is no model yet: type a folder, or a name such as bert-base-cased.")
    try:
        folder = Path(given).expanduser()
        is_folder = os.path.isdir(folder)  # False, not an error, for a name of 5,000 letters
        if is_folder:
            check(folder)
    except (OSError, RuntimeError) as error:  # no such home, a loop of links, not ours to read
        raise ValueError(f"The folder {given} cannot be read: {str(error).rstrip('.')}.") from error
    if not is_folder and (not NAME.fullmatch(given) or given.startswith(("/", ".", "~"))):
        raise ValueError(f"There is no folder {given}.")
    return _load(str(folder.resolve()) if is_folder else given, given, is_folder)


def _load(source: str, name: str, is_folder: bool) -> OwnModel:
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    safe: dict[str, Any] = {"local_files_only": is_folder, "trust_remote_code": False}
    with _in_a_sentence(name, is_folder):
        config = AutoConfig.from_pretrained(source, **safe)
        if config.model_type not in TYPES:
            raise ValueError(
                f"{name} is of type {config.model_type}, which is not shown here: choose a BERT, "
                "DistilBERT, RoBERTa or GPT-2."
            )
        if is_folder and weighs(config) > held(Path(source)):
            raise ValueError(f"{name} holds fewer weights than its config.json announces.")
        tokenizer = AutoTokenizer.from_pretrained(source, use_fast=True, **safe)
        if not tokenizer.is_fast:
            raise ValueError(f"{name} has no tokenizer.json: save it with a fast tokeniser.")
        model = AutoModel.from_pretrained(
            source,
            config=config,
            attn_implementation="eager",  # the others do not return their weights
            use_safetensors=True,
            dtype=torch.float32,
            **safe,
        )
    return OwnModel(name, model.eval().requires_grad_(False), tokenizer)


@contextmanager
def _in_a_sentence(name: str, is_folder: bool) -> Iterator[None]:
    """What the library says in a page of text, in one sentence; ours stay as they are."""
    try:
        yield
    except Exception as error:
        if type(error) is ValueError and str(error).startswith(name):
            raise
        said = str(error).strip().splitlines() or [type(error).__name__]
        where = "this folder" if is_folder else "this name, if the machine is online"
        raise ValueError(f"{name} cannot be loaded from {where}: {said[0][:200]}") from error


# ---- the folder, before the library opens it ---------------------------------------------------


def check(folder: Path) -> None:
    """Plain files of this folder only, safetensors only, and a header that fits its file."""
    home = folder.resolve()
    for path in sorted(folder.iterdir()):
        if not path.resolve().is_relative_to(home):
            raise ValueError(f"{path.name} points outside of {folder}: copy the file into it.")
    if not (home / "config.json").is_file():
        raise ValueError(f"{folder} has no config.json: it is not a model in Hugging Face format.")
    for path in home.glob("*.json"):
        if path.stat().st_size > DESCRIBED:
            raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes: too large to read.")
    weights = sorted(home.glob("*.safetensors"))
    if not weights:
        raise ValueError(f"{folder} has no safetensors file: save the model with it first.")
    if held(home) > LARGEST:
        raise ValueError(f"{folder} holds more than {LARGEST // 10**9} GB of weights: too large.")
    for path in weights:
        if not _sound(path):
            raise ValueError(f"{path.name} is damaged: its header does not fit its size.")


def held(folder: Path) -> int:
    """Bytes of weights."""
    return sum(path.stat().st_size for path in folder.glob("*.safetensors"))


def weighs(config: Any) -> int:
    """Weights of the embeddings and the attention, at a byte each: the least that must be held.

    What a file lacks is made up at random, so a few words of config.json could fill the memory.
    """
    width, layers = int(config.hidden_size), int(config.num_hidden_layers)
    return width * (
        int(config.vocab_size) + int(config.max_position_embeddings) + 4 * width * layers
    )


def _sound(path: Path) -> bool:
    """A safetensors file: eight bytes of length, a JSON header, then exactly what it announces."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else size
        if not 2 <= length <= min(HEADER, size - 8):
            return False
        try:
            header = json.loads(file.read(length))
            ends = [item["data_offsets"][1] for key, item in header.items() if key[0] != "_"]
            return max(ends, default=0) == size - 8 - length
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            return False


# ---- the trace --------------------------------------------------------------------------------


@torch.inference_mode()
def encode(own: OwnModel, text: str, pair: str | None = None) -> AttentionTrace:
    """Every layer and head on one sentence or two, as for our own models."""
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
    given = {
        name: torch.tensor([found[name]])
        for name in own.tokenizer.model_input_names
        if name in found
    }
    attentions = own.model(**given, output_attentions=True).attentions
    if not attentions or any(one is None for one in attentions):
        raise ValueError(f"{own.name} does not return its attention.")
    weights = np.stack([one[0].float().numpy() for one in attentions])
    words = word_numbers(found)
    tokens = display(own.tokenizer, ids, words)
    segments = [int(side == 1) for side in sides(found)]
    return AttentionTrace(
        kind="bert",
        queries=tokens,
        keys=tokens,
        weights=weights,
        query_words=words,
        key_words=words,
        segments=tuple(segments),
    )


def labels(own: OwnModel, passages: Sequence[tuple[str, str]]) -> list[list[str]]:
    """What each head does on fixed passages; [] for a model that is too short for all of them."""
    traces = []
    for first, second in passages:
        with suppress(ValueError):
            pair = (first, second) if own.reads_pairs else (f"{first} {second}", None)
            traces.append(encode(own, *pair))
    rows = analysis.profiles(traces) if traces else []
    return [[profile.label for profile in row] for row in rows]


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
            letters = tokenizer.decode([ids[i]]).strip()  # byte-level pieces are no letters
            piece = letters.removeprefix(CONTINUED) or piece
            if i > 0 and words[i] == words[i - 1]:
                piece = CONTINUED + piece
        out.append(piece)
    return tuple(out)
