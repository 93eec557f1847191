"""How long was thought, in numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viz_core.cards import Card
from viz_core.text.stories import LONGEST_FACT, split
from viz_core.traces.attention import Weights
from viz_core.traces.ponder import PonderTrace

ACCURACY, SOLVED = "accuracy", "tasks above 95%"  # on the card
PONDERED = "pondered"  # of the card's measured part: a row for each task
FORMS = "forms"  # of the card's measured part: how the questions of the training begin
TASKS = {
    1: "one fact",
    2: "two facts",
    3: "three facts",
    4: "two-argument relations",
    5: "three-argument relations",
    6: "yes or no",
    7: "counting",
    8: "lists",
    9: "negation",
    10: "indefinite knowledge",
    11: "coreference",
    12: "conjunction",
    13: "compound coreference",
    14: "time",
    15: "deduction",
    16: "induction",
    17: "positions",
    18: "sizes",
    19: "path finding",
    20: "motivations",
}
BY_FACTS = (1, 2, 3)  # tasks that differ in the number of needed facts
UNSURE = 0.5  # below this probability an answer is a guess


def looked(trace: PonderTrace, query: int = -1, head: int | None = None) -> Weights:
    """(step, key): what a sentence looked at in each step, nothing once it had halted."""
    weights = trace.attention[:, :, query]  # (step, head, key)
    chosen = weights.mean(1) if head is None else weights[:, head]
    running = np.arange(trace.thought) < trace.steps[query]
    found: Weights = chosen * running[:, None]
    return found


def verdict(trace: PonderTrace) -> str:
    chance = trace.probabilities[trace.answer]
    unsure = ", a guess" if chance < UNSURE else ""
    return f"“{trace.answer}” ({chance:.0%}{unsure})"


def finding(trace: PonderTrace, head: int | None = None) -> str:
    """The fact that the question looked at most in each of its steps."""
    weights = looked(trace, head=head)[: trace.steps[-1], :-1]
    tops = [int(row.argmax()) for row in weights]
    told = ", then ".join(
        f"“{trace.sentences[top].rstrip('.')}” ({weights[step, top]:.2f})"
        for step, top in enumerate(tops)
        if step == 0 or top != tops[step - 1]
    )
    return f"Of the facts the question looks most at {told}"


def longest(trace: PonderTrace) -> str:
    """Which sentences were gone over most often."""
    most, least = max(trace.steps), min(trace.steps)
    if most == least:
        return f"Every sentence is gone over {times(most)}"
    named = [trace.sentences[i].rstrip(".") for i, n in enumerate(trace.steps) if n == most]
    more = f" and {len(named) - 1} more are" if len(named) > 1 else " is"
    return f"“{named[0]}”{more} gone over {times(most)}, others only {times(least)}"


def times(steps: int) -> str:
    return "once" if steps == 1 else f"{steps} times"


def strange(question: str, forms: Sequence[str]) -> str:
    """A notice for a question in a form that was not in the training; "" for a usual one.

    One that is too long is not read at all: that is told in its place.
    """
    words = split(question)
    begin = " ".join(words[:2])
    if not begin or not forms or begin in forms or len(words) > LONGEST_FACT:
        return ""
    starts = sorted({form.split()[0] for form in forms})
    alike = [f"“{form}”" for form in sorted(forms) if form.split()[0] == words[0]]
    told = f"They begin with {', '.join(starts[:-1])} or {starts[-1]}"
    if alike:
        told = f"Those with “{words[0]}” begin with {', '.join(alike)}"
    return (
        f"No question of its training begins with “{begin}”: the answer may mean nothing. {told}."
    )


def halting_formula(trace: PonderTrace) -> str:
    """Graves 2016, eq. 4 to 6, with the numbers of the question."""
    weights = trace.halting[: trace.steps[-1], -1]
    terms = " + ".join(f"{weight:.2f}" for weight in weights)
    return (
        rf"N = \min\{{n : \textstyle\sum_{{t \le n}} p_t \ge 0.99\}} = {trace.steps[-1]}, \qquad "
        rf"\sum_{{t < N}} p_t + R = {terms} = {weights.sum():.2f}, \qquad R = {weights[-1]:.2f}"
    )


def by_facts(card: Card) -> str:
    """Whether it thinks longer where more facts are needed, as measured."""
    rows = {row["name"]: row for row in card.measured.get(PONDERED, ())}
    own = [rows[TASKS[task]] for task in BY_FACTS if TASKS[task] in rows]
    if not own:
        return ""
    steps = [float(row["steps"]) for row in own]
    told = ", ".join(f"{row['name']} {row['steps']:.2f}" for row in own)
    asked = ", ".join(f"{row['question steps']:.2f}" for row in own)
    if steps == sorted(steps) and steps[-1] - steps[0] > 0.1:
        verdict = "More facts, more steps"
    else:
        verdict = "It does not think longer where more facts are needed"
    return (
        f"{verdict}: {told} steps on average over all sentences of held-out stories, {asked} for "
        "the question alone (Dehghani et al. 2019, all sentences: 2.3, 3.1 and 3.8)."
    )
