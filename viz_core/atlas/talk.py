"""A talk: views of the atlas in an order, each a page with its inputs, a title and a note."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlencode

MOST = 60  # views of a talk
LONGEST = 4000  # characters of one input, and of a note
DAMAGED = "The link to this talk is damaged: it cannot be read."
LARGEST = 200_000  # bytes of a list: a link or a file may come from anywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One picture: which page, and the inputs that its address holds."""

    page: str
    title: str
    note: str = ""
    params: Mapping[str, str | list[str]] = field(default_factory=dict)

    @property
    def link(self) -> str:
        query = urlencode(dict(self.params), doseq=True)
        return f"{self.page}?{query}" if query else self.page


def write(views: Iterable[View]) -> str:
    """The list as JSON, for a file that can be read and edited."""
    return json.dumps([asdict(view) for view in views], ensure_ascii=False, indent=1)


def read(text: str, pages: Iterable[str]) -> list[View]:
    """The views of a list. ValueError says in a sentence what is wrong with it."""
    if len(text) > LARGEST:
        raise ValueError(f"This list has {len(text):,} characters; a talk has at most {LARGEST:,}.")
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("This is not a list of views: it is not JSON.") from None
    if not isinstance(rows, list) or not rows:
        raise ValueError("This is not a list of views: it has no entries.")
    if len(rows) > MOST:
        raise ValueError(f"This list has {len(rows)} views; a talk has at most {MOST}.")
    known = set(pages)
    return [_view(row, place, known) for place, row in enumerate(rows, 1)]


def _view(row: Any, place: int, known: set[str]) -> View:
    if not isinstance(row, dict) or not isinstance(row.get("page"), str):
        raise ValueError(f"View {place} of the list does not name its page.")
    if row["page"] not in known:
        raise ValueError(f"View {place} asks for a page that is not here: {row['page'][:40]!r}.")
    params = row.get("params", {})
    if not isinstance(params, dict) or not all(_is_input(k, v) for k, v in params.items()):
        raise ValueError(f"View {place} of the list has inputs that are not text.")
    title, note = row.get("title", row["page"]), row.get("note", "")
    if not isinstance(title, str) or not isinstance(note, str):
        raise ValueError(f"View {place} of the list has a title or a note that is not text.")
    return View(page=row["page"], title=title[:200], note=note[:LONGEST], params=params)


def _is_input(key: str, value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    named = re.fullmatch(r"\w{1,40}", key) is not None
    return named and all(isinstance(each, str) and len(each) <= LONGEST for each in values)


def pack(views: Iterable[View]) -> str:
    """The list as a word that fits into a link."""
    return base64.urlsafe_b64encode(zlib.compress(write(views).encode(), 9)).decode().rstrip("=")


def unpack(word: str, pages: Iterable[str]) -> list[View]:
    """The views of a link; what is larger than a list may be is not unpacked."""
    try:
        packed = base64.urlsafe_b64decode(word[:LARGEST] + "=" * (-len(word) % 4))
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(packed, LARGEST + 1).decode()
    except (binascii.Error, ValueError, zlib.error):
        raise ValueError(DAMAGED) from None
    if not unpacking.eof and len(text) <= LARGEST:  # cut off on its way
        raise ValueError(DAMAGED)
    return read(text, pages)


# The usual lecture, from a network with one memory to BERT. Every view opens with its own default
# picture; only what differs from it is named.
LECTURE = [
    View(page="recurrent", title="A recurrent net", note="All it knows of the past is one vector."),
    View(page="the_bottleneck", title="The bottleneck", note="One vector for the whole sentence."),
    View(page="alignment", title="Attention", note="Let the decoder look back."),
    View(page="scores", title="Score functions", note="Six ways to compare a query with a key."),
    View(page="local", title="Local attention", note="Look through a window that moves."),
    View(page="beam", title="Beam search", note="Keep several futures open."),
    View(page="lookup", title="Attention as look-up", note="Query, key, value."),
    View(page="self_attention", title="Self-attention", note="By hand, with three words."),
    View(page="transformer", title="The Transformer", note="Every head of every layer."),
    View(page="it", title="What does it mean?", note="Tired or wide: predict first."),
    View(page="positions", title="Positions", note="Where a word stands, as waves."),
    View(page="bert", title="BERT", note="An encoder that reads both ways."),
]
