"""Views that have become pages of their own: an old link, figure or talk still leads to them."""

from __future__ import annotations

from collections.abc import Mapping

Inputs = Mapping[str, str | list[str]]

# What the page and its input `view` were, the page it is now, and whether it is a view there too.
MOVED: dict[tuple[str, str], tuple[str, bool]] = {
    ("vectors", "Learning"): ("word2vec", False),
    ("recurrent", "Gates"): ("gates", True),
    ("recurrent", "A gate by hand"): ("gates", True),
    ("recurrent", "Gradients"): ("gates", True),
    ("recurrent", "Music"): ("music", False),
    ("lookup", "A table of persons"): ("search", True),
    ("lookup", "Search"): ("search", True),
}


def moved(stem: str, inputs: Inputs) -> tuple[str, dict[str, str | list[str]]]:
    """The page and the inputs that an address has today."""
    there, is_view = MOVED.get((stem, str(inputs.get("view"))), (stem, True))
    return there, {key: value for key, value in inputs.items() if is_view or key != "view"}
