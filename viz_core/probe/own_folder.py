"""The folder of a visitor's own model, before a library opens it: where it lies, what it holds.

ATLAS_MODELS names a folder of models. Where it is set, only models inside it are opened, and a
visitor learns nothing of other paths: not even whether they are there.
"""

from __future__ import annotations

import json
import os
import re
import struct
from pathlib import Path
from typing import Any

ROOT = Path(os.environ["ATLAS_MODELS"]) if os.environ.get("ATLAS_MODELS") else None
LARGEST = 2_000_000_000  # bytes of weights: what a machine that shows pages can hold
DESCRIBED = 50_000_000  # bytes of a JSON file: a vocabulary of a million words takes less
HEADER = 25_000_000  # bytes: the names and shapes of a large model take far less
MOST = 1_000_000  # the largest number of a config.json: words, places, widths and labels are fewer
ONLINE = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?")
INDEX = "model.safetensors.index.json"


def names() -> list[str]:
    """The models inside ATLAS_MODELS; none where it is not set."""
    if not ROOT:
        return []
    home = ROOT.resolve()
    found = (path for path in home.glob("*/config.json") if path.resolve().is_relative_to(home))
    return sorted(path.parent.name for path in found)


def find(given: str) -> Path | None:
    """The folder that is meant, its links followed; None if it can only be a name online."""
    if ROOT:
        return _inside(ROOT, given)
    try:
        folder = Path(given).expanduser()
        if os.path.isdir(folder):  # False, not an error, for a name of 5,000 letters
            return folder.resolve()
    except (OSError, RuntimeError) as error:  # no such home, not ours to read
        raise ValueError(f"The folder {given} cannot be read: {str(error).rstrip('.')}.") from error
    if not ONLINE.fullmatch(given):
        raise ValueError(f"There is no folder {given}.")
    return None


def _inside(root: Path, given: str) -> Path:
    """One sentence for what is outside and for what is not there: they must not be told apart."""
    try:
        home = root.resolve()
        folder = (home / given).resolve()
        if folder.is_relative_to(home) and folder.is_dir():
            return folder
    except (OSError, RuntimeError, ValueError):  # a loop of links, a name that no file can have
        pass
    raise ValueError(f"There is no model {given} in the models folder of this app.")


def check(home: Path, name: str) -> None:
    """Plain files of this folder only, safetensors only, and headers that fit their files."""
    try:
        _check(home, name)
    except (OSError, RuntimeError) as error:  # not ours to read, a loop of links
        said = getattr(error, "strerror", None) or "it holds a loop of links"
        raise ValueError(f"The folder {name} cannot be read: {said}.") from error


def _check(home: Path, name: str) -> None:
    for path in sorted(home.iterdir()):
        if not path.resolve().is_relative_to(home):
            raise ValueError(f"{path.name} points outside of {name}: copy the file into it.")
    if not (home / "config.json").is_file():
        raise ValueError(f"{name} has no config.json: it is not a model in Hugging Face format.")
    for path in home.glob("*.json"):
        if path.stat().st_size > DESCRIBED:
            raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes: too large to read.")
    _check_config(home / "config.json")
    weights = sorted(home.glob("*.safetensors"))
    if not weights:
        raise ValueError(f"{name} has no safetensors file: save the model with it first.")
    if held(home) > LARGEST:
        raise ValueError(f"{name} holds more than {LARGEST // 10**9} GB of weights: too large.")
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
