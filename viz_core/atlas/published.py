"""Numbers that papers print, and which of ours stand beside them."""

from __future__ import annotations

# Luong et al. 2015, table 4 (English to German, WMT): other data and size, only the order counts.
# What every page says that shows this Transformer's "it".
TAUGHT = (
    "This Transformer was also taught on purpose what “it” means: one training sentence in ten is "
    "generated and an extra loss asks for the noun. So it shows more than an ordinary model would."
)
PUBLISHED = {
    "rnn-location": {"perplexity": 6.4, "AER": 0.39},
    "rnn-dot": {"perplexity": 6.1},
    "rnn-general": {"perplexity": 6.1},
    "rnn-local-m": {"perplexity": 6.2, "AER": 0.34},
    "rnn-local-p": {"perplexity": 5.9, "AER": 0.36},
}
COLUMNS = (
    ("BLEU", "tatoeba test", "BLEU"),
    ("perplexity", "tatoeba test", "perplexity"),
    ("BLEU europarl", "europarl test", "BLEU"),
    ("AER", "hansards dev", "AER"),
)

# Pennington et al. 2014, table 2: GloVe of 6 billion words with 300 numbers a word; ours have 50.
ANALOGIES = {"accuracy": 0.717, "semantic accuracy": 0.774, "syntactic accuracy": 0.670}
