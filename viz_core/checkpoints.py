"""The folder is the registry: checkpoints/<name>/ holds a card, weights and mostly a tokeniser.

ATLAS_CHECKPOINTS names a folder of one's own: what is trained is written there, and what is in it
comes before the models on board, which stay where they are.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Set
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors, save as save_tensors
from torch import nn
from torch.overrides import TorchFunctionMode

from viz_core.cards import Card
from viz_core.models import ARCHITECTURES
from viz_core.models.transformer import Transformer
from viz_core.text import Tokenizer

REPOSITORY = Path(__file__).parent.parent / "checkpoints"
if not REPOSITORY.is_dir():  # an installed package: the repository may be where one stands
    REPOSITORY = Path("checkpoints").absolute()
OWN = os.environ.get("ATLAS_CHECKPOINTS", "")
FOLDER = Path(OWN) if OWN else REPOSITORY
BESIDE = (REPOSITORY,) if OWN else ()  # folders that are looked in after the first
WEIGHTS, TOKENIZER, CARD = "model.safetensors", "tokenizer.json", "card.json"
SNAPSHOTS = "snapshots.json"
BASE = "base"  # in a config: the checkpoint that this one is a difference to


@dataclass(frozen=True, slots=True)
class Bundle:
    """A model ready to run, with its tokeniser and its card."""

    model: Any  # one of ARCHITECTURES, on eval, without gradients
    tokenizer: Any  # the one of its architecture; None if it reads no text
    card: Card


class CheckpointError(ValueError):
    """A checkpoint that cannot be used, in a sentence that names the file."""


def names() -> list[str]:
    """Asked dozens of times by every page, so it does not build a path for each."""
    folders = [folder for folder in (FOLDER, *BESIDE) if folder.is_dir()]
    found = {each.name for folder in folders for each in os.scandir(folder) if _has_card(each)}
    return sorted(found)


def present(wanted: Iterable[str]) -> list[str]:
    """Those of the wanted checkpoints that are there."""
    known = set(names())
    return [name for name in wanted if name in known]


def _has_card(folder: os.DirEntry[str]) -> bool:
    return os.path.isfile(f"{folder.path}/{CARD}")


def place(name: str | Path) -> Path:
    """The folder of a checkpoint: a name on board, or, given as a Path, any folder."""
    if isinstance(name, Path):
        return name.absolute()
    there = (folder / name for folder in (FOLDER, *BESIDE) if (folder / name / CARD).is_file())
    return next(there, FOLDER / name)


def cards() -> list[Card]:
    """All cards that can be read; a broken one does not take the others with it."""
    readable = []
    for name in names():
        try:
            readable.append(card(name))
        except CheckpointError:
            continue
    return readable


def card(name: str | Path) -> Card:
    if isinstance(name, str) and name not in names():
        raise CheckpointError(f"There is no checkpoint {name!r} in {FOLDER.name}/.")
    path = place(name) / CARD
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        known = {f.name for f in fields(Card)}
        read = Card(**{key: value for key, value in given.items() if key in known})
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{_short(path)} cannot be read: {error}.") from error
    return replace(read, name=path.parent.name)  # the folder is the registry: its name counts


def load(name: str | Path) -> Bundle:
    """Load strictly: the files must be the ones the card was written for."""
    own, folder = card(name), place(name)
    if own.architecture not in ARCHITECTURES:
        raise CheckpointError(f"{name}: the architecture {own.architecture!r} is not known.")
    config_type, model_type, tokenizer_type = ARCHITECTURES[own.architecture]
    weights = _verified(own, WEIGHTS, folder)
    base = card(own.config[BASE]) if BASE in own.config else None
    tokenizer = None
    if tokenizer_type is not None:
        tokenizer = _tokenizer(base or own, place(base.name) if base else folder, tokenizer_type)
    try:
        config = config_type(**{k: v for k, v in own.config.items() if k != BASE})
        with Blank():
            model = model_type(config)
        tensors = load_tensors(weights)
        if base:
            tensors |= _shared(own, base, model.state_dict().keys() - tensors.keys())
        model.load_state_dict({k: v.float() for k, v in tensors.items()})
    except CheckpointError:
        raise
    except (SafetensorError, RuntimeError, TypeError, KeyError, ValueError) as error:
        path = _short(folder / WEIGHTS)
        raise CheckpointError(f"{path} does not fit its card: {error}.") from error
    return Bundle(for_reading(model), tokenizer, own)


class Blank(TorchFunctionMode):
    """Draws no random weights in this thread: all of them are about to be read. BERT's take as long
    to draw as to read."""

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        if getattr(func, "__module__", "") == nn.init.__name__:
            return args[0] if args else given["tensor"]
        return func(*args, **given)


def _tokenizer(owner: Card, folder: Path, kind: type[Tokenizer]) -> Tokenizer:
    content = _verified(owner, TOKENIZER, folder)
    try:
        return kind.from_json(content.decode("utf-8"))
    except Exception as error:  # the tokenizers library raises plain Exception
        path = _short(folder / TOKENIZER)
        raise CheckpointError(f"{path} is not a tokeniser: {error}.") from error


def for_reading(model: nn.Module) -> nn.Module:
    """The same model, to be run only. Its matrices are laid out the way a short text reads them:
    the product of a few rows with a matrix is a tenth faster column by column."""
    matrices: list[nn.Module] = [m for m in model.modules() if isinstance(m, nn.Linear)]
    if isinstance(model, Transformer):
        matrices.append(model.embedding)  # which is its output layer too
    for module in matrices:
        assert isinstance(module.weight, nn.Parameter)
        module.weight.data = module.weight.data.mT.contiguous().mT
    return model.eval().requires_grad_(False)


def _shared(own: Card, base: Card, names: Set[str]) -> dict[str, torch.Tensor]:
    """The weights that a difference is laid upon: exactly those it was trained on."""
    below = load_tensors(_verified(base, WEIGHTS, place(base.name)))
    shared = {name: below[name] for name in names & below.keys()}
    if own.sha256.get(base.name) != _digest(shared):
        raise CheckpointError(
            f"{own.name} was trained on another {base.name} than the one in {FOLDER.name}/. "
            f"Restore {base.name} from the repository, or train {own.name} again."
        )
    return shared


def _digest(tensors: Mapping[str, torch.Tensor]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode() + tensors[name].numpy().tobytes())
    return digest.hexdigest()


def megabytes(name: str) -> float:
    """What the checkpoint weighs on disk."""
    return round(sum(path.stat().st_size for path in place(name).iterdir()) / 1e6, 1)


def snapshots(name: str) -> dict[str, Any]:
    """Attention on a few sentences while the model learned: per sentence token ids, steps, weights.

    Older films have the same steps for all sentences.
    """
    path = place(card(name).name) / SNAPSHOTS
    try:
        film: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for sentence in film["sentences"]:
            sentence.setdefault("steps", film.get("steps", []))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{_short(path)} cannot be read: {error}.") from error
    return film


def save(
    model: nn.Module,
    tokenizer: Tokenizer | None,
    described: dict[str, Any],
    folder: Path | None = None,
    base: str | None = None,
) -> Card:
    """Write card, weights and tokeniser, half precision. `described` is a card without digests.

    On top of a base only the weights that differ from it are kept, and no second tokeniser.
    """
    reads_text = ARCHITECTURES[described["architecture"]].tokenizer is not None
    assert reads_text == (tokenizer is not None), described["architecture"]
    target = (folder or FOLDER) / described["name"]
    target.mkdir(parents=True, exist_ok=True)
    config = asdict(model.config)  # type: ignore[call-overload]
    halves = {key: value.half().contiguous() for key, value in model.state_dict().items()}
    if base is None:
        files = {WEIGHTS: save_tensors(halves)}
        if tokenizer is not None:
            files[TOKENIZER] = tokenizer.to_json().encode("utf-8")
        digests = {}
    else:
        below = load_tensors(_verified(card(base), WEIGHTS, place(base)))
        same = {key for key in halves.keys() & below.keys() if torch.equal(halves[key], below[key])}
        files = {WEIGHTS: save_tensors({k: v for k, v in halves.items() if k not in same})}
        digests = {base: _digest({key: below[key] for key in same})}
        config[BASE] = base
    digests |= {file: hashlib.sha256(content).hexdigest() for file, content in files.items()}
    written = Card(
        **described,
        config=config,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        sha256=digests,
    )
    _write(target, files | {CARD: _text(written)})
    return written


def write_card(written: Card, folder: Path | None = None) -> None:
    """The card alone, for new figures: the weights and their digest stay as they are."""
    target = folder / written.name if folder else place(written.name)
    _write(target, {CARD: _text(written)})


def _text(written: Card) -> bytes:
    return (json.dumps(asdict(written), ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _write(target: Path, files: dict[str, bytes]) -> None:
    """All files or none: on a full disk the checkpoint that was there before stays whole."""
    unfinished = {file: target / f"{file}.unfinished" for file in files}
    try:
        for file, path in unfinished.items():
            path.write_bytes(files[file])
        for file, path in unfinished.items():
            path.replace(target / file)
    finally:
        for path in unfinished.values():
            path.unlink(missing_ok=True)


def _verified(owner: Card, file: str, folder: Path) -> bytes:
    path = folder / file
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CheckpointError(
            f"{_short(path)} is missing. Restore it from the repository."
        ) from error
    if hashlib.sha256(content).hexdigest() != owner.sha256.get(file):
        raise CheckpointError(
            f"{_short(path)} is damaged or altered: its SHA-256 is not the one in {CARD}. "
            "Restore it from the repository."
        )
    return content


def _short(path: Path) -> str:
    return "/".join(path.parts[-3:])
