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

# Average GLUE scores as printed by papers and by the benchmark's leaderboard, in per cent.
GLUE_HUMAN = 87.1  # Nangia and Bowman 2019
GLUE = (
    ("2018-06", "OpenAI GPT", 72.8, "leaderboard, as told in Devlin et al. 2019"),
    ("2018-10", "BERT-Large", 80.5, "Devlin et al. 2019"),
    ("2019-04", "MT-DNN, several models", 87.6, "leaderboard, as told in Liu et al. 2019"),
    ("2019-06", "XLNet, several models", 88.4, "leaderboard, as told in Liu et al. 2019"),
    ("2019-07", "RoBERTa, several models", 88.5, "Liu et al. 2019"),
    ("2019-09", "ALBERT, several models", 89.4, "Lan et al. 2020"),
    ("2019-10", "T5-11B", 90.3, "Raffel et al. 2020"),
)
