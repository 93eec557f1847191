"""Where a translation turns its source round: the words that are read from right to left."""

from __future__ import annotations

from viz_core.text import inside_english, is_right_to_left
from viz_core.traces import AttentionTrace

SURE = 0.5  # the least weight that says where a word comes from
LONG = 4  # letters of a word that has a meaning of its own: two small words turned round are noise


def crossing(trace: AttentionTrace) -> tuple[list[int], list[int]]:
    """The longest row of neighbouring target words whose source words go backwards, by position."""
    weights = trace.matrix()
    found = weights.argmax(axis=1)
    spoken = [any(sign.isalpha() for sign in word) for word in trace.queries]
    best: list[int] = []
    run: list[int] = []
    for place, key in enumerate(found):
        is_word = spoken[place] and any(sign.isalpha() for sign in trace.keys[key])
        if not is_word or weights[place, key] < SURE or trace.queries[place] == "</s>":
            run = []
        elif run and key < found[run[-1]]:
            run = [*run, place]
        else:
            run = [place]
        meant = sum(len(trace.queries[each]) >= LONG for each in run)
        if len(run) > max(len(best), 1) and meant > 1:
            best = run
    return best, [int(found[place]) for place in best]


def in_order(trace: AttentionTrace) -> bool:
    """Whether the words stand in the order of the source; most of them must be sure of theirs."""
    rows = [
        row
        for word, row in zip(trace.queries, trace.matrix(), strict=True)
        if word != "</s>" and any(sign.isalpha() for sign in word)
    ]
    found = [int(row.argmax()) for row in rows if row.max() >= SURE]
    # A column, where all look at the same word, is no diagonal.
    return 2 * len(set(found)) > len(rows) and found == sorted(found)


def hint(trace: AttentionTrace) -> str:
    """What to look for in this sentence."""
    target, source = crossing(trace)
    if not target:
        if in_order(trace):
            return "the diagonal: here the words stand in the same order in both languages"
        return "the bluest square of each row: it stands under the word that is translated"
    written = " ".join(trace.queries[place] for place in target)
    read = ", then ".join(inside_english(trace.keys[place]) for place in source)
    # Where a script itself runs from right to left, these words would say the opposite.
    turned = is_right_to_left(trace.keys) or is_right_to_left(trace.queries)
    way = "backwards" if turned else "from right to left"
    return f"the crossing: “{inside_english(written)}” is read {way}, from {read}"
