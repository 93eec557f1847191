"""A talk: views of the atlas in an order, each a page with its inputs, a title and a note.

A slide is a view and the steps that follow it: the same slide a little further, with another word,
head or sentence.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlencode

from viz_core.atlas.figures import ACCORD, AGREEMENT
from viz_core.atlas.moved import moved
from viz_core.atlas.pages import BY_STEM

MOST = 60  # views of a talk
LONGEST = 4000  # characters of one input, and of a note
DAMAGED = "The link to this talk is damaged: it cannot be read."
MARKS = ("predict", "still", "step")
LARGEST = 200_000  # bytes of a list: a link or a file may come from anywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One picture: which page, and the inputs that its address holds."""

    page: str
    title: str
    note: str = ""  # for the lecturer, never on the stage
    params: Mapping[str, str | list[str]] = field(default_factory=dict)
    predict: bool = False  # it begins with its answer hidden
    still: bool = False  # the arrow keys go on to the next view, not through the steps of the page
    step: bool = False  # it belongs to the slide of the view before

    @property
    def link(self) -> str:
        query = urlencode(dict(self.params), doseq=True)
        return f"{self.page}?{query}" if query else self.page


def write(views: Iterable[View]) -> str:
    """The list as JSON, for a file that can be read and edited."""
    rows = [
        {k: v for k, v in asdict(view).items() if v or k in {"page", "title"}} for view in views
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1)


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
    marks = {mark: row.get(mark, False) for mark in MARKS}
    if not all(isinstance(marked, bool) for marked in marks.values()):
        raise ValueError(f"View {place} of the list is marked with something else than yes or no.")
    page, params = moved(row["page"], params)
    return View(page=page, title=title[:200], note=note[:LONGEST], params=params, **marks)


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


def slides(views: Sequence[View]) -> list[int]:
    """Where each slide begins, by the place of its first view."""
    return [place for place, view in enumerate(views) if not view.step or place == 0]


def next_slide(views: Sequence[View], at: int, by: int) -> int | None:
    """The place where the slide after this view begins, or the one before; None past the ends."""
    starts = slides(views)
    slide = sum(start <= at for start in starts) - 1 + by
    return starts[slide] if 0 <= slide < len(starts) else None


def _slide(stem: str, *, step: bool = False, **how: Any) -> View:
    """A page of the atlas with its own title, and its note unless it only goes on with a slide."""
    page = BY_STEM[stem]
    return View(page=stem, title=page.title, note="" if step else page.note, step=step, **how)


FIGURE_3 = {"text": AGREEMENT, "target": ACCORD}  # of Bahdanau et al. 2015, its first sentence

# The usual lecture, from word vectors to BERT. Every view opens with its own default
# picture; only what differs from it is named. Where a page has more words or heads to step through
# than an audience has patience, the view is still and the few that matter follow as steps.
LECTURE = [
    _slide("machine", params={"step": "8"}, still=True),
    _slide("vectors"),
    _slide("recurrent"),
    _slide("the_bottleneck", still=True),
    _slide("memory", params={"step": "9"}, still=True),
    _slide("memory", params={"step": "10"}, still=True, step=True),
    _slide("memory", params={"step": "20"}, still=True, step=True),
    _slide("reading", params={"word": "8"}, still=True),
    _slide("documents", params={"step": "2"}, still=True),
    _slide("alignment", params={**FIGURE_3, "word": "4"}, predict=True, still=True),
    _slide("alignment", params={**FIGURE_3, "word": "5"}, still=True, step=True),
    _slide("alignment", params={**FIGURE_3, "word": "6"}, still=True, step=True),
    _slide("context_vector", params={"step": "4"}, still=True),
    _slide(
        "context_vector",
        params={"step": "4", "key": "9: train", "weight": "0.95"},
        predict=True,
        still=True,
        step=True,
    ),
    _slide("scores", still=True),
    _slide("local", still=True),
    _slide("caption", params={"step": "12"}, still=True),
    _slide("caption", params={"attention": "both", "step": "7"}, still=True, step=True),
    _slide("dream", predict=True, still=True),
    _slide("beam"),
    _slide("lookup", still=True),
    _slide("search", still=True, step=True),
    _slide("reach", params={"layers": "1"}, predict=True),
    _slide("self_attention"),
    _slide("split", params={"step": "4"}, still=True),
    _slide("transformer", still=True),
    _slide("it", predict=True, still=True),
    _slide("positions", still=True),
    _slide("decoder", params={"text": "I am a student."}),
    _slide("context", still=True),
    _slide("bert", still=True),
    _slide(
        "mask",
        params={"text": "She poured the hot [MASK] into her cup."},
        predict=True,
        still=True,
    ),
    _slide("tasks", still=True),
    _slide("tasks", params={"task": "Entities"}, still=True, step=True),
    _slide("tasks", params={"task": "Answers"}, still=True, step=True),
    _slide("gpt", params={"step": "0"}, predict=True, still=True),
    _slide("inside_gpt", still=True),
    _slide("summary", predict=True, still=True),
]
