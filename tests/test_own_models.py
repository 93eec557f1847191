"""A visitor's own model, read through the optional transformers package.

What is checked before the library is called runs everywhere; the rest is skipped only where the
package is not installed.
"""

import json
import shutil
import struct

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer as Engine, decoders, models, pre_tokenizers, processors, trainers

from viz_core import analysis, own_models
from viz_core.training import minilm

LINES = ["The animal didn't cross the street.", "It was too tired, wasn't it?"] * 3
TEXT, PAIR = "The animal crossed the street.", "It was tired."
KINDS = ("bert", "distilbert", "roberta", "gpt2")


@pytest.fixture(scope="module")
def transformers():
    return pytest.importorskip("transformers")


def word_pieces() -> Engine:
    from viz_core.wordpiece import WordPiece

    return WordPiece.train(LINES, size=90).engine


def byte_pieces(special: list[str]) -> Engine:
    engine = Engine(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=320, special_tokens=special, show_progress=False)
    engine.train_from_iterator(LINES, trainer)
    if "<s>" in special:
        ends = {name: engine.get_vocab()[name] for name in ("<s>", "</s>")}
        engine.post_processor = processors.RobertaProcessing(
            ("</s>", ends["</s>"]), ("<s>", ends["<s>"]), add_prefix_space=False
        )
    return engine


def save(transformers, kind: str, folder) -> None:
    """A small random model in Hugging Face format, with its tokeniser."""
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
    made[kind]().save_pretrained(folder)
    fast = t.PreTrainedTokenizerFast(tokenizer_object=engine, model_input_names=inputs, **names)
    fast.save_pretrained(folder)


@pytest.fixture(scope="module")
def folders(transformers, tmp_path_factory):
    found = {}
    for kind in KINDS:
        found[kind] = tmp_path_factory.mktemp(kind)
        save(transformers, kind, found[kind])
    return found


# ---- the trace --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_model_gives_a_trace_whose_rows_sum_to_one(kind, folders):
    own = own_models.load(str(folders[kind]))
    trace = own_models.encode(own, TEXT)
    assert trace.weights.shape[:2] == (2, 2)
    np.testing.assert_allclose(trace.weights.sum(-1), 1, atol=1e-5)
    words = trace.words()
    np.testing.assert_allclose(words.weights.sum(-1), 1, atol=1e-5)
    spoken = "".join(word for word in words.queries if word[0] not in "[<")
    assert spoken.casefold() == TEXT.replace(" ", "").casefold()


@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_pair_has_two_segments(kind, folders):
    trace = own_models.encode(own_models.load(str(folders[kind])), TEXT, PAIR)
    assert set(trace.segments) == {0, 1} and list(trace.segments) == sorted(trace.segments)
    second = [word for word in trace.between(1, 1).words().queries if word[0] not in "[<"]
    assert "".join(second).casefold() == PAIR.replace(" ", "").casefold()


def test_gpt2_looks_back_only_and_reads_one_text(folders):
    own = own_models.load(str(folders["gpt2"]))
    weights = own_models.encode(own, TEXT).weights
    assert (np.triu(weights, 1) == 0).all()
    with pytest.raises(ValueError, match="reads one text"):
        own_models.encode(own, TEXT, PAIR)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_fills_the_model_and_not_one_token_more(kind, folders):
    own = own_models.load(str(folders[kind]))
    most = 38 if kind == "roberta" else 40
    assert own.max_length == most
    ends = 0 if kind == "gpt2" else 2
    word = own.tokenizer("it it", add_special_tokens=False)["input_ids"]
    assert len(word) == 2
    assert len(own_models.encode(own, " ".join(["it"] * (most - ends))).queries) == most
    with pytest.raises(ValueError, match=f"has {most + 1} tokens; .* reads {most} at most"):
        own_models.encode(own, " ".join(["it"] * (most - ends + 1)))


def test_the_minilm_package_gives_what_our_own_implementation_gives(transformers):
    """Skipped only where the MiniLM package is not installed."""
    try:
        folder = minilm.folder()
    except ValueError as error:
        pytest.skip(str(error))
    trace = own_models.encode(own_models.load(str(folder)), TEXT, PAIR)
    encoded = minilm.tokenizer(folder).encode(TEXT, PAIR)
    assert trace.queries == encoded.tokens and trace.segments == encoded.segments
    with torch.inference_mode():
        seen = minilm.load(folder)(torch.tensor([encoded.ids]), torch.tensor([encoded.segments]))
    for layer, weights in enumerate(seen.weights):
        np.testing.assert_allclose(trace.weights[layer], weights[0].numpy(), atol=1e-5)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_nothing_typed_gets_a_sentence(text, folders):
    own = own_models.load(str(folders["bert"]))
    with pytest.raises(ValueError, match="nothing to read yet"):
        own_models.encode(own, text)
    with pytest.raises(ValueError, match="nothing to read yet"):
        own_models.encode(own, TEXT, text)


# ---- what can go wrong ------------------------------------------------------------------------


def test_without_the_package_there_is_one_sentence(monkeypatch):
    monkeypatch.setattr(own_models, "installed", lambda: False)
    with pytest.raises(ValueError, match=r"pip install transformers\.$"):
        own_models.load("bert-base-uncased")


@pytest.fixture
def pretend(monkeypatch):
    """The checks before the library is called need no library."""
    monkeypatch.setattr(own_models, "installed", lambda: True)


def test_a_home_that_nobody_has_gets_a_sentence(pretend):
    with pytest.raises(ValueError, match="The folder ~no-such-user-here/x cannot be read"):
        own_models.load("~no-such-user-here/x")


def test_links_in_a_circle_get_a_sentence(pretend, tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(ValueError, match="cannot be read"):
        own_models.load(str(tmp_path))


@pytest.mark.parametrize("name", ["/no/such/folder", "../nowhere", "a/b/c", "./x", "~nobody/x"])
def test_a_folder_that_is_not_there_is_named(name, pretend):
    with pytest.raises(ValueError, match="There is no folder"):
        own_models.load(name)


def test_no_name_at_all_gets_a_sentence(pretend):
    with pytest.raises(ValueError, match="There is no model yet"):
        own_models.load("  ")


def write(folder, header: bytes, length: int | None = None, rest: bytes = b"") -> None:
    (folder / "config.json").write_text("{}")
    size = len(header) if length is None else length
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", size) + header + rest)


def header(end: int) -> bytes:
    return json.dumps({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, end]}}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"short",
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 100) + b"{}",
        struct.pack("<Q", 0),
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 2) + b"{}" + b"left over",
        struct.pack("<Q", 4) + b"null",
        struct.pack("<Q", len(header(8))) + header(8) + b"1234",
        struct.pack("<Q", 10_000) + b"[" * 10_000,
    ],
)
def test_a_malformed_weights_file_is_named_before_it_is_opened(content, tmp_path, pretend):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ValueError, match=r"model.safetensors is damaged"):
        own_models.load(str(tmp_path))


def test_a_sound_header_is_let_through(tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    own_models.check(tmp_path)


def test_a_folder_without_config_or_safetensors_says_which(tmp_path, pretend):
    with pytest.raises(ValueError, match=r"no config.json"):
        own_models.load(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(ValueError, match="no safetensors file"):
        own_models.load(str(tmp_path))


def test_a_link_that_leads_outside_is_refused(tmp_path, pretend):
    inside, outside = tmp_path / "model", tmp_path / "secret"
    inside.mkdir()
    outside.write_text("{}")
    (inside / "config.json").symlink_to(outside)
    with pytest.raises(ValueError, match=r"config.json points outside"):
        own_models.load(str(inside))


def test_too_many_bytes_are_refused(tmp_path, pretend, monkeypatch):
    monkeypatch.setattr(own_models, "LARGEST", 10)
    write(tmp_path, header(4), rest=b"1234")
    with pytest.raises(ValueError, match="too large"):
        own_models.load(str(tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_a_config_that_announces_gigabytes_is_refused_before_they_are_made(kind, folders, tmp_path):
    shutil.copytree(folders[kind], tmp_path, dirs_exist_ok=True)
    config = json.loads((tmp_path / "config.json").read_text())
    layers = next(name for name in ("num_hidden_layers", "n_layers", "n_layer") if name in config)
    (tmp_path / "config.json").write_text(json.dumps(config | {layers: 10**9}))
    with pytest.raises(ValueError, match=r"fewer weights than its config.json announces"):
        own_models.load(str(tmp_path))


def test_a_vocabulary_too_large_to_read_is_refused(tmp_path, pretend, monkeypatch):
    monkeypatch.setattr(own_models, "DESCRIBED", 10)
    write(tmp_path, header(4), rest=b"1234")
    (tmp_path / "tokenizer.json").write_text("{}" * 10)
    with pytest.raises(ValueError, match=r"tokenizer.json has 20 bytes: too large"):
        own_models.load(str(tmp_path))


def test_a_model_without_attention_is_refused(transformers, tmp_path):
    write(tmp_path, header(4), rest=b"1234")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "resnet"}))
    with pytest.raises(ValueError, match="is of type resnet, which is not shown here"):
        own_models.load(str(tmp_path))


def test_code_that_comes_with_a_model_is_not_run(folders, tmp_path):
    for file in folders["bert"].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = json.loads((tmp_path / "config.json").read_text())
    config["auto_map"] = {"AutoModel": "mine.Mine", "AutoConfig": "mine.Config"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "mine.py").write_text("raise SystemExit('this was run')")
    trace = own_models.encode(own_models.load(str(tmp_path)), TEXT)
    assert trace.layers == 2


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json"])
def test_a_broken_file_gets_one_sentence(file, folders, tmp_path):
    for path in folders["bert"].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / file).write_text("{not json")
    with pytest.raises(ValueError) as caught:
        own_models.load(str(tmp_path))
    assert "\n" not in str(caught.value) and "cannot be loaded" in str(caught.value)


def test_a_name_without_a_network_gets_one_sentence(transformers):
    with pytest.raises(ValueError, match="cannot be loaded from this name, if the machine"):
        own_models.load("nobody/no-such-model")


# ---- what is said of it -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_layers_and_heads_are_told_whatever_they_are_called(kind, folders):
    own = own_models.load(str(folders[kind]))
    assert f"of type {kind}: 2 layers of 2 heads" in own_models.described(own)


@pytest.mark.parametrize("kind", KINDS)
def test_every_head_is_labelled_by_the_passages_that_fit(kind, folders):
    own = own_models.load(str(folders[kind]))
    long = ("it " * 100, "it " * 100)
    assert own_models.labels(own, [long]) == []
    labels = own_models.labels(own, [long, ("it it", "it")])
    assert [len(row) for row in labels] == [2, 2]
    text, pair = ("it it", "it") if own.reads_pairs else ("it it it", None)
    (profiles,) = [analysis.profiles([own_models.encode(own, text, pair)])]
    assert labels == [[profile.label for profile in row] for row in profiles]


def test_readiness_names_the_package_that_is_missing(monkeypatch):
    monkeypatch.setattr(own_models, "installed", lambda: False)
    assert "pip install transformers" in own_models.readiness()
    monkeypatch.setattr(own_models, "installed", lambda: True)
    assert "name a folder" in own_models.readiness()
