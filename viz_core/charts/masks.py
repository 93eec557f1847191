"""Hidden words: what is guessed, what changes the guess, and how words come to be hidden."""

from __future__ import annotations

import math
from collections.abc import Mapping

import altair as alt

from viz_core.charts import bars, comparison
from viz_core.charts.kit import style, text_marks
from viz_core.charts.kit.cache import drawn
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces.bert import Filled, MaskingSample, side_by_side

EXPECTED = {"masked": 0.8, "random": 0.1, "kept": 0.1}  # of the 15% that are chosen
MEANING = {
    "masked": "replaced by [MASK]",
    "random": "replaced by a random token",
    "kept": "left as it is",
}
SHORT = {"masked": "[MASK]", "random": "random word", "kept": "left as it is"}
NOTHING_LEFT_OUT = "Nothing is left out: choose a word that is not hidden"


def said(found: Filled, mask: int) -> str:
    """The first guess, and where the hidden word stands among all guesses."""
    guess = found.guesses[mask]
    first = f"“{style.readable(guess.tokens[0])}” is guessed first, {guess.probabilities[0]:.2f}"
    wanted, rank = found.wanted[mask], found.rank(mask)
    if not wanted:
        return first
    if rank == 1:
        return f"{first}: that is the hidden word"
    if not rank:
        return (
            f"{first}; “{style.readable(wanted)}” is more than one token, so it cannot be guessed"
        )
    chance = float(found.probabilities[mask, found.wanted_ids[mask]])
    return f"{first}; the hidden word, “{style.readable(wanted)}”, is number {rank}, {chance:.3f}"


@drawn
def guesses(found: Filled, mask: int, *, room: Room = PAGE) -> style.AnyChart:
    """The ten best guesses; the word that was hidden is vermilion if it is among them."""
    guess, wanted = found.guesses[mask], found.wanted_ids[mask]
    mark = found.ids[mask].index(wanted) if wanted in found.ids[mask] else None
    chart = bars.bars(
        guess.tokens, guess.probabilities, "Best guesses", highlight=mark, form=".3f", room=room
    )
    return chart.properties(description=said(found, mask))


@drawn
def everywhere(found: Filled, *, room: Room = PAGE) -> style.AnyChart:
    """A column of guesses for each mask of the sentence; the hidden word is framed."""
    # The model knows no capitals, so neither does the comparison.
    hidden = [word.lower() or f"mask {i + 1}" for i, word in enumerate(found.wanted)]
    chart = bars.predictions(found.guesses, hidden, room=room)
    return chart.properties(title=style.title("All masks", (), room.scale))


def formulas(found: Filled, mask: int) -> list[str]:
    """The softmax over the vocabulary, and what the two best guesses are apart."""
    first, second = found.guesses[mask].probabilities[:2]
    size = f"{found.probabilities.shape[1]:,}".replace(",", r"\,")
    return [
        rf"P(w) = \frac{{e^{{z_w}}}}{{\sum_{{v=1}}^{{{size}}} e^{{z_v}}}},"
        r"\quad z_w = E_w \cdot h + b_w",
        rf"\frac{{P(w_1)}}{{P(w_2)}} = \frac{{{first:.3f}}}{{{second:.3f}}} = e^{{z_1 - z_2}}"
        rf" = e^{{{math.log(max(first, 1e-12) / max(second, 1e-12)):.2f}}}",
    ]


@drawn
def compared(
    first: Filled, second: Filled, mask: int, names: tuple[str, str], *, room: Room = PAGE
) -> style.AnyChart:
    """The best guesses of two sentences for the same mask, with the chances of both."""
    found = side_by_side(first, second, mask)
    series = {
        name: [float(side.probabilities[mask, token]) for token in found]
        for name, side in zip(names, (first, second), strict=True)
    }
    return comparison.grouped(list(found.values()), series, "With and without", room=room)


def changed(first: Filled, second: Filled, mask: int, word: str) -> str:
    """What leaving a word out does to the first guess."""
    token, name = first.ids[mask][0], first.guesses[mask].tokens[0]
    before, after = (float(side.probabilities[mask, token]) for side in (first, second))
    now = second.guesses[mask].tokens[0]
    said = f"Without “{word}”, “{name}” goes from {before:.2f} to {after:.2f}"
    return f"{said}; the first guess is now “{now}”" if now != name else f"{said} and stays first"


@drawn
def sampled(sample: MaskingSample, *, scale: float = 1.0) -> style.AnyChart:
    """One draw: the text as the model gets it, with the fate of each chosen token below it."""
    weights = [1.0 if fate == "masked" else 0.45 * bool(fate) for fate in sample.fates]
    chart = text_marks.shaded(sample.after, weights, labels=sample.fates, line=640, scale=scale)
    told = [
        f"{style.readable(before)} is {MEANING[fate]}"
        for before, fate in zip(sample.before, sample.fates, strict=True)
        if fate
    ]
    return chart.properties(description="; ".join(told))


@drawn
def shares(counts: Mapping[str, float], draws: int, *, room: Room = PAGE) -> alt.LayerChart:
    """How often each fate was met in many draws, beside what the rule wants."""
    chosen = sum(counts[fate] for fate in EXPECTED)
    series = {
        f"{draws:,} draws": [counts[fate] / (chosen or 1.0) for fate in EXPECTED],
        "the rule": list(EXPECTED.values()),
    }
    title = f"Of the {chosen:.1%} that were chosen"
    chart = comparison.grouped([SHORT[fate] for fate in EXPECTED], series, title, room=room)
    assert isinstance(chart, alt.LayerChart)
    return chart
