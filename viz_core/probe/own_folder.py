"""The folder of a visitor's own model, before a library opens it: where it lies, what it holds.

ATLAS_MODELS names a folder of models. Where it is set, only models inside it are opened, and a
visitor learns nothing of other paths: not even whether they are there. Where it is not set, any
folder can be named, so only visitors at this very machine may name one.
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Hashable
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(os.environ["ATLAS_MODELS"]) if os.environ.get("ATLAS_MODELS") else None
LARGEST = 1_500_000_000  # bytes of weights in memory: BERT large fits, beside the pages
FILES = 1000  # in a model's folder: its parts, and what a training run left there
DESCRIBED = 50_000_000  # bytes of a JSON file: a vocabulary of a million words takes less
HEADER = 25_000_000  # bytes: the names and shapes of a large model take far less
MOST = 1_000_000  # the largest number of a config.json: words, places, widths and labels are fewer
ONLINE = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?")
CONFIG, TOKENIZER, INDEX = "config.json", "tokenizer.json", "model.safetensors.index.json"
GROWTH = 100  # times that a tokeniser's rules may lengthen a text; most never do
CLOSED = (
    "Own models are switched off here: this app can be reached from other machines, and whoever "
    "started it has named no folder of models (ATLAS_MODELS)."
)
LOCAL = ("localhost", "127.0.0.1", "::1")


def names() -> list[str]:
    """The models inside ATLAS_MODELS; none where it is not set."""
    if not ROOT:
        return []
    home = ROOT.resolve()
    found = (path for path in home.glob("*/config.json") if path.resolve().is_relative_to(home))
    return sorted(path.parent.name for path in found)


def is_open(address: str | None, forwarded: bool = False) -> bool:
    """Whether visitors may name a model: strangers only one of ATLAS_MODELS.

    address is what the server listens on, nothing for all; forwarded says that a proxy stands
    before it, so that the address tells nothing of who comes.
    """
    return ROOT is not None or (address in LOCAL and not forwarded)


def find(given: str) -> Path | None:
    """The folder that is meant, its links followed; None if it can only be a name online.

    One sentence for what is not there, what is outside and what is no model: a visitor must not
    tell them apart.
    """
    home = ROOT.resolve() if ROOT else None
    try:
        folder = (home / given if home else Path(given).expanduser()).resolve()
        inside = home is None or folder.is_relative_to(home)
        if inside and (folder / CONFIG).is_file():
            return folder
    except (OSError, RuntimeError, ValueError):  # a loop of links, no such home, no name of a file
        pass
    if ROOT:
        raise ValueError(f"There is no model {given} in the models folder of this app.")
    if not ONLINE.fullmatch(given):
        raise ValueError(f"There is no model in {given}: name a folder that holds {CONFIG}.")
    return None


def version(home: Path) -> tuple[Hashable, ...]:
    """Changes when the model does, without reading it."""
    known = [(path.name, path.stat()) for path in sorted(home.iterdir())]
    return tuple((name, found.st_mtime_ns, found.st_size) for name, found in known)


def check(home: Path, name: str) -> None:
    """Plain files of this folder only, safetensors only, and headers that fit their files."""
    try:
        _check(home, name)
    except (OSError, RuntimeError) as error:  # not ours to read, a loop of links
        said = getattr(error, "strerror", None) or "it holds a loop of links"
        raise ValueError(f"The folder {name} cannot be read: {said}.") from error


def _check(home: Path, name: str) -> None:
    if not (home / CONFIG).is_file():
        raise ValueError(f"{name} has no {CONFIG}: it is not a model in Hugging Face format.")
    there = list(islice(home.rglob("*"), FILES + 1))
    if len(there) > FILES:
        raise ValueError(f"{name} holds more than {FILES:,} files: copy the model's own elsewhere.")
    for path in sorted(there):
        if not path.resolve().is_relative_to(home):
            raise ValueError(f"{path.name} points outside of {name}: copy the file into it.")
        if not (path.is_file() or path.is_dir()):  # whoever reads a pipe waits for ever
            raise ValueError(f"{path.name} is not a plain file: copy one into {name}.")
    for path in home.glob("*.json"):
        if path.stat().st_size > DESCRIBED:
            raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes: too large to read.")
    _check_config(home / CONFIG)
    if (home / TOKENIZER).is_file() and _growth(
        _object(home / TOKENIZER).get("normalizer")
    ) > GROWTH:
        raise ValueError(f"{TOKENIZER} makes texts longer than any model's does: too long to read.")
    weights = sorted(home.glob("*.safetensors"))
    if not weights:
        raise ValueError(f"{name} has no safetensors file: save the model with it first.")
    if held(home) > LARGEST:
        raise ValueError(f"{name} holds more than {LARGEST / 1e9:.1f} GB of weights: too large.")
    for path in weights:
        if not _sound(path):
            raise ValueError(f"{path.name} is damaged: its header does not fit its size.")
    if (home / INDEX).is_file() and not _named(home / INDEX) <= {path.name for path in weights}:
        raise ValueError(f"{INDEX} names a file that is not one of the weights in {name}.")


def held(folder: Path) -> int:
    """Bytes of weights."""
    return sum(path.stat().st_size for path in folder.glob("*.safetensors"))


def _check_config(path: Path) -> None:
    """The library makes a label for each of num_labels, so a number alone could fill the memory."""
    config = _object(path)
    for key, value in config.items():
        if isinstance(value, int | float) and not -MOST <= value <= MOST:
            raise ValueError(f"{path.name} gives a number to {key[:40]} that no such model has.")
    if config.get("transformers_weights") is not None:
        raise ValueError(f"{path.name} names weights of its own: save them as model.safetensors.")


def _growth(rules: Any) -> int:
    """How many times longer a text may become: replacements multiply, and fifty fill the memory."""
    most, rest = 1, [rules]
    while rest and most <= GROWTH:
        one = rest.pop()
        if isinstance(one, dict):
            rest.extend(one.values())
            most *= max(1, len(str(one.get("content", ""))), len(str(one.get("prepend", ""))))
        elif isinstance(one, list):
            rest.extend(one)
    return most


def _named(index: Path) -> set[str]:
    """The files that an index leads to: plain names of this folder, or the library follows them."""
    shards = _object(index).get("weight_map")
    if not isinstance(shards, dict) or not all(isinstance(file, str) for file in shards.values()):
        raise ValueError(f"{index.name} is damaged: it has no table of files.")
    return set(shards.values())


def _object(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} is damaged: it is no JSON object.")
    return found


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
