"""The pictures on Home of the part before attention."""

from __future__ import annotations

import numpy as np

from viz_core import probe
from viz_core.analysis import memory as told, reading as reader
from viz_core.charts import fading, gates as strips, skip_gram, thumbnail, word_vectors
from viz_core.charts.thumbnail import Small
from viz_core.probe.skip_gram import STORY
from viz_core.text import bits, tunes
from viz_core.ui.run import once, run

AREA = "The agreement on the European Economic Area was signed in August 1992."
FBI = "The FBI is chasing a criminal on the run ."
SOME = ("king", "queen", "prince", "princess", "bread", "cheese", "monday", "tuesday")
QUOTED = '"Come in," said the old man.'


def vectors() -> Small:
    trace = run(probe.parallelogram, "word-vectors", "man", "king", "woman")
    return thumbnail.arrows(
        trace.corners[[0, 2]], trace.corners[[1, 3]], word_vectors.finding(trace)
    )


def recurrent() -> Small:
    letters = once(probe.lesson, "hello", 1, 100)[-1].probabilities
    return thumbnail.heat(letters, "Which letter is expected after each letter of hello")


def the_bottleneck() -> Small:
    trace = run(probe.memory, "rnn-additive", AREA)
    return thumbnail.heat(trace.faded("forward").clip(0, 1), fading.finding(trace))


def memory() -> Small:
    trace = run(probe.copy, "ntm", bits.read(bits.draw(8), probe.LONGEST_COPY))
    both = (trace.writes + trace.reads)[:, told.places(trace)].T.clip(0, 1)
    return thumbnail.heat(both, told.finding(trace))


def reading(text: str = FBI) -> Small:
    words = run(probe.read, "lstmn", text).words()
    return thumbnail.heat(words.matrix(), reader.habit(words))


def word2vec() -> Small:
    first, *_, last = once(probe.course, STORY, 1, 300, 25)
    few = [last.words.index(word) for word in SOME]  # a tile has room for
    return thumbnail.arrows(first.places[few], last.places[few], skip_gram.finding(last, "king"))


def gates() -> Small:
    trace = run(probe.gates, "char-lstm", QUOTED)
    rows = trace.values.mean(1)  # (gate, token)
    return thumbnail.heat(rows, strips.finding(trace, trace.gates, rows))


def music() -> Small:
    tune = tunes.read(run(probe.compose, "char-abc", "M:6/8 K:G Major ", 0.7, 1))
    steps = np.array([[note.step for note in tune.notes[:32] if note.step is not None]])
    return thumbnail.curves(steps.astype(float), "A tune rises and falls")
