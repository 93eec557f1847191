"""What every test may rely on: no network, one thread, repeatable examples."""

import os

# Before torch and tokenizers are imported; the app that the browser tests start inherits it.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["OMP_NUM_THREADS"] = "1"

import altair as alt
import pytest
from hypothesis import settings

alt.data_transformers.disable_max_rows()  # as Streamlit does; alone, Altair stops at 5,000 rows

# The same examples on each machine, and no time limit for each: a slow machine is not a bug.
settings.register_profile("atlas", deadline=None, derandomize=True)
settings.load_profile("atlas")


# ---- tiny models: random weights, made in a moment, the same on each run -----------------------

PAIRS = (
    ("The cat sees the dog.", "Le chat voit le chien."),
    ("The dog didn't see it.", "Le chien ne l'a pas vu."),
    ("It's my red umbrella.", "C'est mon parapluie rouge."),
    ("Do you see the agreement?", "Vois-tu l'accord aujourd'hui ?"),
)


@pytest.fixture(scope="session")
def pairs():
    """Four English sentences with their French."""
    return PAIRS


@pytest.fixture(scope="session")
def tokenizer():
    """A vocabulary of 90 that knows the letters of PAIRS and digits, and a few whole words."""
    from viz_core.text import Tokenizer

    lines = [side for pair in PAIRS for side in pair]
    return Tokenizer.train([*lines, *lines, "0 1 2 3 4 5 6 7 8 9"], size=90)


@pytest.fixture(scope="session")
def bundle_of(tokenizer):
    """bundle_of("rnn-dot"), bundle_of("transformer"): random weights, ready to run."""
    import functools

    import torch

    from viz_core import checkpoints
    from viz_core.models.rnn import RNN, RNNConfig
    from viz_core.models.rnn_search import RNNSearch, RNNSearchConfig
    from viz_core.models.transformer import Transformer, TransformerConfig

    @functools.cache
    def make(name):
        torch.manual_seed(1)
        model: RNN | RNNSearch | Transformer
        if name == "transformer":
            model = Transformer(
                TransformerConfig(
                    vocabulary=tokenizer.size, width=16, heads=4, encoder_layers=2, inner=32
                )
            )
        elif name == "rnn-search":
            model = RNNSearch(RNNSearchConfig(vocabulary=tokenizer.size, embedding=16, width=16))
        else:
            kind = name.removeprefix("rnn-")
            model = RNN(
                RNNConfig(
                    vocabulary=tokenizer.size, attention=kind, embedding=16, width=16, reach=2
                )
            )
        with torch.no_grad():  # far from uniform, so that a mistake shows
            for name_, parameter in model.named_parameters():
                if "norm" not in name_:
                    parameter.normal_(std=0.5)
        card = checkpoints.Card(
            name=name,
            title="A random model",
            paper="none",
            architecture=name if name == "rnn-search" else name.split("-")[0],
            config={},
            parameters=0,
            data=[],
            command="",
            seed=1,
            steps=0,
            metrics={},
            examples=[],
            sha256={},
        )
        return checkpoints.Bundle(model.eval().requires_grad_(False), tokenizer, card)

    return make


@pytest.fixture(scope="session")
def wordpiece():
    """A BERT vocabulary of 160 that knows the English letters of PAIRS and a few whole words."""
    from viz_core.text.wordpiece import WordPiece

    lines = [english for english, _ in PAIRS]
    letters = "abcdefghijklmnopqrstuvwxyz 0123456789 . , ? ! '"
    return WordPiece.train([*lines, *lines, letters, letters], size=160)


@pytest.fixture(scope="session")
def bert_of(wordpiece):
    """bert_of("bert-mini"), bert_of("bert-entities"): random weights, ready to run."""
    import functools

    import torch

    from viz_core import checkpoints
    from viz_core.models.bert import Bert, BertConfig

    heads = {
        "bert-mini": {},
        "bert-sentiment": {"task": "classify", "labels": ("negative", "positive")},
        "bert-entities": {"task": "tag", "labels": ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")},
        "bert-answers": {"task": "answer", "labels": ("start", "end")},
    }

    @functools.cache
    def make(name):
        torch.manual_seed(1)
        config = BertConfig(
            vocabulary=wordpiece.size,
            width=24,
            heads=3,
            layers=2,
            inner=32,
            max_length=64,
            **heads[name],
        )
        model = Bert(config)
        with torch.no_grad():  # far from uniform, so that a mistake shows
            for name_, parameter in model.named_parameters():
                if "norm" not in name_:
                    parameter.normal_(std=0.3)
        card = checkpoints.Card(
            name=name,
            title="A random BERT",
            paper="none",
            architecture="bert",
            config={},
            parameters=0,
            data=[],
            command="",
            seed=1,
            steps=0,
            metrics={},
            examples=[],
            sha256={},
        )
        return checkpoints.Bundle(model.eval().requires_grad_(False), wordpiece, card)

    return make


# ---- models of a visitor's own: four kinds in Hugging Face format ------------------------------

KINDS = ("bert", "distilbert", "roberta", "gpt2")
LINES = ["The animal didn't cross the street.", "It was too tired, wasn't it?"] * 3


@pytest.fixture(scope="session")
def transformers():
    return pytest.importorskip("transformers")


@pytest.fixture(scope="session")
def folders(transformers, tmp_path_factory):
    """folders["gpt2"]: a small random model with its tokeniser."""
    found = {kind: tmp_path_factory.mktemp("own") / kind for kind in KINDS}
    for kind, folder in found.items():
        save_own(transformers, kind, folder)
    return found


def word_pieces():
    from viz_core.text.wordpiece import WordPiece

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
    import torch

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


@pytest.fixture(scope="session")
def alphabet():
    """A few letters; all others are unknown."""
    from viz_core.text.characters import Alphabet

    return Alphabet.of("abcdefghijklmnopqrstuvwxyzCIS ,.\"'")


@pytest.fixture(scope="session")
def characters_of(alphabet):
    """characters_of("lstm"), characters_of("gru"): random weights far from zero, ready to run."""
    import functools

    import torch

    from viz_core import checkpoints
    from viz_core.models.characters import Characters, CharactersConfig

    @functools.cache
    def make(cell):
        torch.manual_seed(1)
        model = Characters(CharactersConfig(vocabulary=alphabet.size, cell=cell, width=12))
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.normal_(std=0.7)
        described = dict.fromkeys(checkpoints.Card.__dataclass_fields__, "")
        card = checkpoints.Card(**{**described, "name": f"char-{cell}"})
        return checkpoints.Bundle(model.eval().requires_grad_(False), alphabet, card)

    return make
