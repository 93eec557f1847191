"""RNNsearch, the model of Bahdanau et al. 2015, English to French."""

from __future__ import annotations

from viz_core.models.rnn_search import RNNSearchConfig
from viz_core.training import growth_rnn
from viz_core.training.loop import Schedule
from viz_core.training.translation import LARGE, Translator

RNN_SEARCH = Translator(
    name="rnn-search",
    title="RNNsearch: additive attention as in the paper",
    paper="Bahdanau et al. 2015",
    architecture="rnn-search",
    config=RNNSearchConfig(vocabulary=LARGE),
    mixture={
        "tatoeba": 0.36,
        "europarl": 0.13,
        "hansard": 0.10,
        "multi30k": 0.09,
        "swapped": 0.06,
        "typed": 0.05,
        "respelt": 0.01,
        "phrases": 0.12,
        "joined": 0.08,
    },
    batch_tokens=2400,
    half=True,
    guiding=0.3,
    smaller="rnn-additive",
    growing=growth_rnn.grow,
    schedule=Schedule(steps=60_000, peak=1.2e-3, warmup=400, decay_from=0.5, average=0.999),
    notes=(
        "It began with an earlier rnn-additive's words, readers and score, twice as wide and "
        "respelt. It asks before it has read the word that it wrote last, as the paper does. From "
        "step 9,600 on it was told where to look: a second loss asks its attention to agree with "
        "links that a statistical aligner (IBM model 1 with a diagonal) finds in the same pairs. "
        "rnn-additive and the rest of the nine were told nothing. In some sentences numbers, dates "
        "and names are swapped on both sides, to teach copying. From step 9,600 on one sentence in "
        "eight is spelled out from tables of our own: greetings, times and dates, words of "
        "lectures, everyday nouns with what agrees with them; and one in twelve is put together "
        "from two or three short ones, as the corpora have few long everyday sentences."
    ),
)

RECIPES = {RNN_SEARCH.name: RNN_SEARCH}
