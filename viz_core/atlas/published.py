"""Numbers that papers print, and which of ours stand beside them."""

from __future__ import annotations

# What every page says that shows this Transformer's "it".
TAUGHT = (
    "This Transformer was also taught on purpose what “it” means: one training sentence in "
    "fifteen, and earlier more, is generated, an extra loss asks for the noun, and before it grew "
    "one head was made to learn it alone. So it shows more than an ordinary model would."
)
# And every page that shows where this one looks.
GUIDED = {
    "rnn-search": "This RNNsearch was told where to look: late in its training a second loss asked "
    "its weights to agree with word links that a statistical aligner found in the same sentences. "
    "In the paper, and in our other RNNs, nobody tells: rnn-additive found it by itself."
}
# Luong et al. 2015, English to German: perplexity by table 4 (WMT; dot of the global attention,
# general of the local ones), AER by table 6 (508 sentences of Europarl). Other data and size than
# ours, only the order counts.
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

# Average GLUE scores on the hidden test data, in per cent, each where it is printed. WNLI counts:
# the averages of Devlin et al. 2019, table 1 (GPT 75.1, BERT-Large 82.1) are without it.
PEOPLE = "Nangia and Bowman 2019, abstract"
GLUE_HUMAN = 87.1  # there as well
BOARD = "the leaderboard of 25 July 2019 in Liu et al. 2019 (RoBERTa), results on GLUE"
GLUE = (
    ("2018-04", "the best at its launch", 70.0, PEOPLE),
    ("2018-06", "OpenAI GPT", 72.8, "Devlin et al. 2019, section 4.1"),
    ("2018-10", "BERT-Large", 80.5, "Devlin et al. 2019, abstract and section 4.1"),
    ("2019-05", "the best on 24 May", 83.9, PEOPLE),
    ("2019-06", "MT-DNN, several models", 87.6, BOARD),
    ("2019-06", "XLNet, several models", 88.4, BOARD),
    ("2019-07", "RoBERTa, several models", 88.5, BOARD),
    ("2019-09", "ALBERT, several models", 89.4, "Lan et al. 2020, state of the art on GLUE"),
    ("2019-10", "T5-11B", 90.3, "Raffel et al. 2020, section 3.7"),
)

# Xu et al. 2015, table 1, on the test pictures of Flickr8k, with a larger image encoder.
CAPTIONS = {
    "soft": {"BLEU-1": 67.0, "BLEU-4": 19.5},
    "hard": {"BLEU-1": 67.0, "BLEU-4": 21.3},
}

# Liu et al. 2018, table 1: words of input and output, and examples, by their order of magnitude.
SUMMARIES = (
    {"corpus": "Gigaword", "input": "10¹", "output": "10¹", "examples": "10⁶"},
    {"corpus": "CNN/DailyMail", "input": "10²-10³", "output": "10¹", "examples": "10⁵"},
    {"corpus": "WikiSum", "input": "10²-10⁶", "output": "10¹-10³", "examples": "10⁶"},
    {"corpus": "papers and news, ours", "input": "10²", "output": "10¹", "examples": "7·10⁴"},
)
