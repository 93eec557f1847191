"""The photographs on board, and the visitor's own: read here, kept nowhere, sent to nobody."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import streamlit as st

from viz_core.traces import photo
from viz_core.traces.photo import KINDS, LARGEST_FILE, Photo
from viz_core.ui.inputs import choice, presets, slider
from viz_core.ui.page import ASSETS

FOLDER = ASSETS / "photographs"  # LICENCES.md in it says where each comes from
ENDINGS = [*(kind.lower() for kind in KINDS), "jpg"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A photograph, and what a person sees in it; of a visitor's own nothing is known."""

    photo: Photo
    said: str = ""  # a caption that a person wrote
    more: str = ""  # other words that would be right

    @property
    def seen(self) -> frozenset[str]:
        return frozenset(f"{self.said} {self.more}".lower().replace(".", "").split())


# What a person says of it, and what else would not be wrong.
ON_BOARD: dict[str, tuple[str, str]] = {
    "photographer": (
        "A man in a black coat takes a picture with a camera on a tripod in a field.",
        "black-and-white person photographer standing stands grass taking photo photograph video "
        "white dark hair jacket outside outdoors city buildings background gloves through",
    ),
    "astronaut": (
        "A smiling woman in an orange suit sits in front of a flag.",
        "astronaut person lady space uniform smiles posing poses sitting helmet american red white "
        "blue short brown hair wearing wears holding black background young girl model rocket",
    ),
    "officer": (
        "An old woman in a navy uniform with glasses and a hat.",
        "person lady elderly older officer wearing wears black blue white flag american cap posing "
        "poses standing background suit jacket tie shirt",
    ),
    "raccoon": (
        "A raccoon lies among green leaves.",
        "animal furry grey gray black white brown plants plant tree grass lying sits sitting face "
        "close bush bushes outside outdoors",
    ),
    "cat": (
        "The face of a brown cat with green eyes.",
        "animal kitten tan orange striped white head close camera ears whiskers nose",
    ),
    "stairs": (
        "Two people climb the stairs of a tower.",
        "black-and-white person man men steps staircase building bridge metal climbing walking "
        "walks backpack railing fence white shirt outside outdoors",
    ),
    "coffee": (
        "A cup of coffee with a spoon on a red saucer on a wooden table.",
        "drink plate brown white wood orange bowl mug",
    ),
    "horse": ("The black shape of a standing horse.", "animal white background silhouette stands"),
    "rocket": (
        "A rocket stands between towers before its start at night.",
        "sky dark blue lights evening dusk tower metal white outside outdoors sunset",
    ),
    "temple": (
        "A temple on a hill above a lake.",
        "building tower trees tree water sky pagoda roof outside outdoors large chinese bushes "
        "green red",
    ),
    "flower": ("An orange flower in front of green leaves.", "yellow plant bloom dahlia petals"),
    "grass": ("Grass, seen from above.", "green field plants ground grassy dry lawn close"),
}

# Where on some of them something stands that can be looked at alone: rows and columns of seven.
SPOTS: dict[str, dict[str, str | int]] = {
    "what stands behind the astronaut": {"photo": "astronaut", "row": 3, "column": 6, "size": 3},
    "the astronaut's face": {"photo": "astronaut", "row": 2, "column": 4, "size": 3},
    "the man's head": {"photo": "photographer", "row": 2, "column": 3, "size": 3},
    "his tripod": {"photo": "photographer", "row": 6, "column": 5, "size": 3},
    "who climbs on the right": {"photo": "stairs", "row": 5, "column": 6, "size": 3},
}


@cache
def on_board(name: str) -> Shown:
    said, more = ON_BOARD[name]
    return Shown(photo=photo.read((FOLDER / f"{name}.jpg").read_bytes()), said=said, more=more)


def photograph(start: str = "photographer", key: str = "photo") -> str | bytes:
    """Which one is wanted: a name on board, or the bytes of the visitor's own."""
    name: str = choice("Photograph", list(ON_BOARD), key, start)
    # What the browser refuses never comes here: page.css says why, in the place of a tooltip.
    own = st.file_uploader(
        "Or your own: it is forgotten when you leave, and goes nowhere else",
        ENDINGS,
        key=f"own_{key}",
        max_upload_size=LARGEST_FILE // 1_000_000,
    )
    if own is not None:
        st.caption("Yours is read in place of the photographs above: remove it (✕) to see them.")
    return name if own is None else own.getvalue()


def spot(most: int) -> tuple[int, int, int]:
    """The row, the column and the size of what is to be looked at on a grid of so many places."""
    presets("Look at", SPOTS, "spot")
    places = []
    for third, (key, start) in zip(
        st.columns(3), {"row": 2, "column": 3, "size": 3}.items(), strict=True
    ):
        with third:
            places.append(slider(key.title(), 1, most, start, key))
    row, column, size = places
    return row, column, size


def opened(wanted: str | bytes) -> Shown:
    """The photograph that was wanted; a sentence if its file cannot be read."""
    if isinstance(wanted, str):
        return on_board(wanted)
    return Shown(photo=photo.read(wanted))
