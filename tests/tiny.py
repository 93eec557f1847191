"""Every random model and card of the tests: made in a moment, the same on each run."""

import functools

import torch
from torch import nn

from viz_core.cards import Card
from viz_core.checkpoints import Bundle
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
from viz_core.text import SPECIAL, RunningTokenizer, SmallTokenizer, Tokenizer
from viz_core.text.captions import CaptionWords
from viz_core.text.characters import Alphabet
from viz_core.text.document import Words
from viz_core.text.stories import StoryWords
from viz_core.text.wordpiece import CLS, SEP, WordPiece
from viz_core.text.words import WordList

PAIRS = (
    ("The cat sees the dog.", "Le chat voit le chien."),
    ("The dog didn't see it.", "Le chien ne l'a pas vu."),
    ("It's my red umbrella.", "C'est mon parapluie rouge."),
    ("Do you see the agreement?", "Vois-tu l'accord aujourd'hui ?"),
)


def card(name: str, architecture: str, **more) -> Card:
    """A card of a model that nobody trained."""
    plain = {
        "title": "A random model",
        "paper": "none",
        "config": {},
        "parameters": 0,
        "data": [],
        "command": "",
        "seed": 1,
        "steps": 0,
        "metrics": {},
        "examples": [],
        "sha256": {},
    }
    return Card(**{**plain, **more, "name": name, "architecture": architecture})


def shaken(model: nn.Module, std: float) -> nn.Module:
    """Weights far from uniform, so that a mistake shows."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" not in name:
                parameter.normal_(std=std)
    return model.eval().requires_grad_(False)


# ---- translators ------------------------------------------------------------------------------


@functools.cache
def tokenizer() -> Tokenizer:
    """A vocabulary of 90 that knows the letters of PAIRS and digits, and a few whole words."""
    lines = [side for pair in PAIRS for side in pair]
    return Tokenizer.train([*lines, *lines, "0 1 2 3 4 5 6 7 8 9"], size=90)


@functools.cache
def translator(name):
    """translator("rnn-dot"), translator("rnn-search"), translator("transformer")"""
    torch.manual_seed(1)
    size = tokenizer().size
    if name == "transformer":
        model = Transformer(
            TransformerConfig(vocabulary=size, width=16, heads=4, encoder_layers=2, inner=32)
        )
    elif name == "rnn-search":
        model = RNNSearch(RNNSearchConfig(vocabulary=size, embedding=16, width=16))
    else:
        kind = name.removeprefix("rnn-")
        config = RNNConfig(vocabulary=size, attention=kind, embedding=16, width=16, reach=2)
        model = RNN(config)
    architecture = name if name == "rnn-search" else name.split("-")[0]
    return Bundle(shaken(model, 0.5), tokenizer(), card(name, architecture))


# ---- BERTs ------------------------------------------------------------------------------------

TASKS = {
    "bert-mini": {},
    "bert-sentiment": {"task": "classify", "labels": ("negative", "positive")},
    "bert-entities": {"task": "tag", "labels": ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")},
    "bert-answers": {"task": "answer", "labels": ("start", "end")},
}


@functools.cache
def wordpiece() -> WordPiece:
    """A BERT vocabulary that knows letters, digits and a few words of PAIRS: the same every time,
    which a trained one is not."""
    signs = "abcdefghijklmnopqrstuvwxyz0123456789"
    words = ["agree", "cat", "didn", "do", "dog", "it", "my", "red", "see", "sees", "the", "you"]
    pieces = ["##ment", "##bre", "##lla", *(f"##{sign}" for sign in signs)]
    return WordPiece.of([*signs, *".,?!'", *words, "umbrella", *pieces])


def bert_config(max_length=64, **more):
    size = wordpiece().size
    shape = {"width": 24, "heads": 3, "layers": 2, "inner": 32, "max_length": max_length}
    return BertConfig(vocabulary=size, **shape, **more)


@functools.cache
def bert(name):
    """bert("bert-mini"), bert("bert-entities")"""
    torch.manual_seed(1)
    model = shaken(Bert(bert_config(**TASKS[name])), 0.3)
    return Bundle(model, wordpiece(), card(name, "bert"))


# ---- character models -------------------------------------------------------------------------


@functools.cache
def alphabet() -> Alphabet:
    """A few letters; all others are unknown."""
    return Alphabet.of("abcdefghijklmnopqrstuvwxyzCIS ,.\"'")


@functools.cache
def characters(cell):
    """characters("lstm"), characters("gru")"""
    torch.manual_seed(1)
    model = Characters(CharactersConfig(vocabulary=alphabet().size, cell=cell, width=12))
    return Bundle(shaken(model, 0.7), alphabet(), card(f"char-{cell}", "characters"))


# ---- word vectors -----------------------------------------------------------------------------


@functools.cache
def word_vectors():
    """Sixty words with random vectors of eight numbers: king, man, woman, queen, w4 to w59."""
    torch.manual_seed(1)
    words = ["king", "man", "woman", "queen", *(f"w{number}" for number in range(4, 60))]
    model = WordVectors(WordVectorsConfig(words=len(words), width=8))
    return Bundle(shaken(model, 1.0), WordList.of(words), card("word-vectors", "word-vectors"))


# ---- models of a visitor's own: four kinds in Hugging Face format ------------------------------

KINDS = ("bert", "distilbert", "roberta", "gpt2")
LINES = ["The animal didn't cross the street.", "It was too tired, wasn't it?"] * 3


def word_pieces():
    return WordPiece.train(LINES, size=90).engine


def byte_pieces(special):
    from tokenizers import (
        Tokenizer as Engine,
        decoders,
        models,
        pre_tokenizers,
        processors,
        trainers,
    )

    engine = Engine(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),  # so that no letter is lost
        show_progress=False,
    )
    engine.train_from_iterator(LINES, trainer)
    if "<s>" in special:
        ends = {name: engine.get_vocab()[name] for name in ("<s>", "</s>")}
        engine.post_processor = processors.RobertaProcessing(
            ("</s>", ends["</s>"]), ("<s>", ends["<s>"]), add_prefix_space=False
        )
    return engine


def save_own(transformers, kind, folder):
    torch.manual_seed(1)
    t = transformers
    bert = {"num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 16}
    bert |= {"intermediate_size": 32, "max_position_embeddings": 40}
    if kind in ("bert", "distilbert"):
        engine = word_pieces()
        names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep")}
        names["mask_token"] = "[MASK]"
        inputs = ["input_ids", "token_type_ids", "attention_mask"]
        inputs.remove("token_type_ids") if kind == "distilbert" else None
    elif kind == "roberta":
        engine = byte_pieces(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
        names = {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>"}
        inputs = ["input_ids", "attention_mask"]
    else:
        engine = byte_pieces(["<|endoftext|>"])
        names = {"eos_token": "<|endoftext|>"}
        inputs = ["input_ids", "attention_mask"]
    size = engine.get_vocab_size()
    made = {
        "bert": lambda: t.BertModel(t.BertConfig(vocab_size=size, **bert)),
        "distilbert": lambda: t.DistilBertModel(
            t.DistilBertConfig(
                vocab_size=size, n_layers=2, n_heads=2, dim=16, hidden_dim=32,
                max_position_embeddings=40,
            )
        ),
        "roberta": lambda: t.RobertaModel(t.RobertaConfig(vocab_size=size, **bert)),
        "gpt2": lambda: t.GPT2Model(
            t.GPT2Config(
                vocab_size=size, n_layer=2, n_head=2, n_embd=16, n_positions=40,
                bos_token_id=0, eos_token_id=0,
            )
        ),
    }  # fmt: skip
    model = made[kind]()
    with torch.no_grad():  # a fresh model looks at everything alike
        for name, parameter in model.named_parameters():
            if "orm." not in name and "ln_" not in name:
                parameter.normal_(std=0.5)
    model.save_pretrained(folder)
    fast = t.PreTrainedTokenizerFast(tokenizer_object=engine, model_input_names=inputs, **names)
    fast.save_pretrained(folder)


# ---- a writer ---------------------------------------------------------------------------------


@functools.cache
def gpt():
    """Two layers of two heads that read up to 64 tokens."""
    torch.manual_seed(1)
    config = GPTConfig(
        vocabulary=tokenizer().size, width=16, heads=2, layers=2, inner=24, context=64
    )
    made = RunningTokenizer(tokenizer().engine)
    return Bundle(shaken(GPT(config), 0.3), made, card("gpt", "gpt"))


TEXT = "The old dog sat on the mat. A cat was there, and the dog saw the cat."


@functools.cache
def summary():
    """Two layers each way of two heads, which read and write small letters."""
    torch.manual_seed(1)
    config = TransformerConfig(
        vocabulary=tokenizer().size, width=16, heads=2, encoder_layers=2, inner=24, max_length=64
    )
    made = SmallTokenizer(tokenizer().engine)
    return Bundle(shaken(Summariser(config), 0.3), made, card("summary", "summary"))


# ---- a machine with a memory ------------------------------------------------------------------


@functools.cache
def ntm():
    """Twelve places of five numbers."""
    torch.manual_seed(1)
    model = NTM(NTMConfig(places=12, width=5, units=9, longest=4))
    return Bundle(shaken(model, 0.7), None, card("ntm", "ntm"))


# ---- readers of running text ------------------------------------------------------------------


@functools.cache
def lstmn(tape: int = 64):
    """Seven numbers a state."""
    torch.manual_seed(1)
    pieces = wordpiece()
    config = LSTMNConfig(vocabulary=pieces.size, start=pieces.special[CLS], width=7, tape=tape)
    return Bundle(shaken(LSTMN(config), 0.5), pieces, card("lstmn", "lstmn"))


@functools.cache
def elmo():
    """Six numbers a direction, two layers."""
    torch.manual_seed(1)
    pieces = wordpiece()
    marks = {"start": pieces.special[CLS], "end": pieces.special[SEP]}
    config = ELMoConfig(vocabulary=pieces.size, width=6, **marks)
    return Bundle(shaken(ELMo(config), 0.5), pieces, card("elmo", "elmo"))


# ---- readers of reviews -----------------------------------------------------------------------

REVIEW = "A good film. The end is dull, but I liked it! Not bad."


@functools.cache
def han():
    torch.manual_seed(1)
    known = "a good film the end is dull but i liked it not bad !"
    words = Words.of(known.split(" "))
    model = HAN(HANConfig(words=words.size, width=6, units=4))
    return Bundle(shaken(model, 0.7), words, card("han", "han"))


@functools.cache
def gru_last():
    torch.manual_seed(1)
    words = han().tokenizer
    model = GRULast(GRULastConfig(words=words.size, width=6, units=5))
    return Bundle(shaken(model, 0.7), words, card("gru-last", "gru-last"))


# ---- pictures ---------------------------------------------------------------------------------


@functools.cache
def captioner(attention="soft"):
    """A writer of nineteen words that looks through the real encoder's shape, at random."""
    torch.manual_seed(1)
    words = ("a man woman dog in the on grass red", "is running two people standing and")
    tokenizer = CaptionWords.of([*SPECIAL, *" ".join(words).split()])
    config = CaptionConfig(
        vocabulary=tokenizer.size, attention=attention, annotation=9, embedding=7, width=8, inner=6
    )
    model = Captioner(config)
    encoder = model.encoder.state_dict()
    shaken(model, 0.6)
    model.encoder.load_state_dict(encoder)  # its first weights keep their scale in 16 blocks
    return Bundle(model, tokenizer, card(f"caption-{attention}", "caption"))


@functools.cache
def vit():
    """Two layers of two heads that tell three things apart, in sixteen patches."""
    torch.manual_seed(1)
    labels = ("cat", "dog", "ship")
    config = ViTConfig(
        labels=labels, side=16, grid=4, width=8, heads=2, layers=2, inner=12, stem=(3, 5)
    )
    return Bundle(shaken(ViT(config), 0.4), None, card("vit", "vit"))


@functools.cache
def sagan(attention=True):
    """It draws three kinds on 16 x 16 pixels; its places are those of an 8 x 8 grid."""
    torch.manual_seed(1)
    config = SAGANConfig(
        kinds=("daisy", "rose", "tulip"),
        noise=5,
        channels=(8, 6),
        reduction=2,
        attention=attention,
    )
    model = shaken(Generator(config), 0.4)
    for norm in model.norms:
        norm.scale.normal_(1, 0.4)
        norm.shift.normal_(0, 0.4)
    return Bundle(model, None, card("sagan", "sagan"))


# ---- thinkers ---------------------------------------------------------------------------------

STORY = ("Mary got the milk.", "John went to the garden.", "Mary went to the kitchen.")


@functools.cache
def universal():
    """It knows the words of STORY, and three answers."""
    torch.manual_seed(1)
    words = StoryWords.of(
        ["garden", "kitchen", "milk", "got", "is", "john", "mary", "the", "to", "went", "where"]
    )
    model = Universal(
        UniversalConfig(
            vocabulary=words.size, answers=3, width=16, heads=2, inner=24, steps=5, facts=6
        )
    )
    return Bundle(shaken(model, 0.4), words, card("universal", "universal"))


@functools.cache
def snail():
    torch.manual_seed(1)
    model = Snail(SnailConfig(width=8, channels=(4, 6, 6, 6), filters=5, keys=4, values=6))
    return Bundle(shaken(model, 0.3), None, card("snail", "snail"))
