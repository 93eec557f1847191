"""One file per architecture. A forward pass is pure: it returns its attention, keeps nothing.

ARCHITECTURES is the register: the name on a card -> what its files are read into. A model that
reads no text (images, bits) has no tokeniser.
"""

from __future__ import annotations

from typing import NamedTuple

from torch import nn

from viz_core.models.bert import Bert, BertConfig
from viz_core.models.caption import CaptionConfig, Captioner
from viz_core.models.characters import Characters, CharactersConfig
from viz_core.models.elmo import ELMo, ELMoConfig
from viz_core.models.gpt import GPT, GPTConfig
from viz_core.models.gru_last import GRULast, GRULastConfig
from viz_core.models.han import HAN, HANConfig
from viz_core.models.lstmn import LSTMN, LSTMNConfig
from viz_core.models.ntm import NTM, NTMConfig
from viz_core.models.rnn import RNN, RNNConfig
from viz_core.models.rnn_search import RNNSearch, RNNSearchConfig
from viz_core.models.sagan import Generator, SAGANConfig
from viz_core.models.snail import Snail, SnailConfig
from viz_core.models.summary import Summariser
from viz_core.models.transformer import Transformer, TransformerConfig
from viz_core.models.universal import Universal, UniversalConfig
from viz_core.models.vit import ViT, ViTConfig
from viz_core.models.word_vectors import WordVectors, WordVectorsConfig
from viz_core.text import RunningTokenizer, SmallTokenizer, Tokenizer
from viz_core.text.captions import CaptionWords
from viz_core.text.characters import Alphabet
from viz_core.text.document import Words
from viz_core.text.stories import StoryWords
from viz_core.text.wordpiece import WordPiece
from viz_core.text.words import WordList


class Architecture(NamedTuple):
    config: type  # a frozen dataclass, kept in the card
    model: type[nn.Module]  # made from its config alone
    tokenizer: type[Tokenizer] | None


ARCHITECTURES: dict[str, Architecture] = {
    "rnn": Architecture(RNNConfig, RNN, Tokenizer),
    "rnn-search": Architecture(RNNSearchConfig, RNNSearch, Tokenizer),
    "transformer": Architecture(TransformerConfig, Transformer, Tokenizer),
    "characters": Architecture(CharactersConfig, Characters, Alphabet),
    "bert": Architecture(BertConfig, Bert, WordPiece),
    "word-vectors": Architecture(WordVectorsConfig, WordVectors, WordList),
    "elmo": Architecture(ELMoConfig, ELMo, WordPiece),
    "lstmn": Architecture(LSTMNConfig, LSTMN, WordPiece),
    "han": Architecture(HANConfig, HAN, Words),
    "gru-last": Architecture(GRULastConfig, GRULast, Words),
    "gpt": Architecture(GPTConfig, GPT, RunningTokenizer),
    "ntm": Architecture(NTMConfig, NTM, None),
    "caption": Architecture(CaptionConfig, Captioner, CaptionWords),
    "vit": Architecture(ViTConfig, ViT, None),
    "sagan": Architecture(SAGANConfig, Generator, None),
    "snail": Architecture(SnailConfig, Snail, None),
    "summary": Architecture(TransformerConfig, Summariser, SmallTokenizer),
    "universal": Architecture(UniversalConfig, Universal, StoryWords),
}
