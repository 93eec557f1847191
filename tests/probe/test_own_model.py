"""A visitor's own model, read through the optional transformers package.

What is checked before the library is called runs everywhere; the rest is skipped only where the
package is not installed.
"""

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from viz_core import analysis, interruption
from viz_core.probe import own_model, own_shape
from viz_core.training import minilm

TEXT, PAIR = "The animal crossed the street.", "It was tired."
KINDS = ("bert", "distilbert", "roberta", "gpt2")


def changed(folder, target, **settings):
    """The same model, with other words in its config.json."""
    shutil.copytree(folder, target, dirs_exist_ok=True)
    config = json.loads((target / "config.json").read_text())
    (target / "config.json").write_text(json.dumps(config | settings))
    return target


# ---- the trace --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_model_gives_a_trace_whose_rows_sum_to_one(kind, folders):
    own = own_model.load(str(folders[kind]))
    trace = own_model.encode(own, TEXT)
    assert trace.weights.shape[:2] == (2, 2)
    np.testing.assert_allclose(trace.weights.sum(-1), 1, atol=1e-5)
    words = trace.words()
    np.testing.assert_allclose(words.weights.sum(-1), 1, atol=1e-5)
    spoken = "".join(word for word in words.queries if word[0] not in "[<")
    assert spoken.casefold() == TEXT.replace(" ", "").casefold()


@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_pair_has_two_segments(kind, folders):
    trace = own_model.encode(own_model.load(str(folders[kind])), TEXT, PAIR)
    assert set(trace.segments) == {0, 1} and list(trace.segments) == sorted(trace.segments)
    second = [word for word in trace.between(1, 1).words().queries if word[0] not in "[<"]
    assert "".join(second).casefold() == PAIR.replace(" ", "").casefold()


def test_gpt2_looks_back_only_and_reads_one_text(folders):
    own = own_model.load(str(folders["gpt2"]))
    weights = own_model.encode(own, TEXT).weights
    assert (np.triu(weights, 1) == 0).all()
    with pytest.raises(ValueError, match="reads one text"):
        own_model.encode(own, TEXT, PAIR)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_fills_the_model_and_not_one_token_more(kind, folders):
    own = own_model.load(str(folders[kind]))
    most = 38 if kind == "roberta" else 40
    assert own.max_length == most
    ends = 0 if kind == "gpt2" else 2
    word = own.tokenizer("it it", add_special_tokens=False)["input_ids"]
    assert len(word) == 2
    assert len(own_model.encode(own, " ".join(["it"] * (most - ends))).queries) == most
    with pytest.raises(ValueError, match=f"has {most + 1} tokens; .* reads {most} at most"):
        own_model.encode(own, " ".join(["it"] * (most - ends + 1)))


def test_a_model_for_whole_books_reads_a_page(folders, tmp_path, monkeypatch):
    own = own_model.load(str(folders["gpt2"]))
    monkeypatch.setattr(own_model, "LONGEST", 30)
    assert own.max_length == 30
    with pytest.raises(ValueError, match="has 31 tokens"):
        own_model.encode(own, " ".join(["it"] * 31))


# ---- queries and keys -------------------------------------------------------------------------


def softmax_of_sums(taken) -> np.ndarray:
    """By hand, in double precision: products, their sum, the mask, the softmax."""
    scores = (taken.query.astype(float)[:, None] * taken.key.astype(float)[None]).sum(-1)
    if taken.causal:
        scores[np.triu(np.ones_like(scores), 1) > 0] = -np.inf
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def assert_taken_apart(own, pair=None):
    trace = own_model.encode(own, TEXT, pair)
    assert np.ptp(trace.weights) > 0.5
    for layer, head in np.ndindex(trace.layers, trace.heads):
        taken = own_model.query_key(own, TEXT, layer, head, pair)
        assert taken.tokens == trace.queries
        np.testing.assert_allclose(softmax_of_sums(taken), trace.weights[layer, head], atol=1e-5)
        np.testing.assert_allclose(taken.weights, trace.weights[layer, head], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_softmax_of_the_products_is_what_the_library_attends_to(kind, folders):
    own = own_model.load(str(folders[kind]))
    assert_taken_apart(own)
    if own.reads_pairs:
        assert_taken_apart(own, PAIR)


GPT2_SWITCHES = {
    "unscaled": {"scale_attn_weights": False},
    "by the layer too": {"scale_attn_by_inverse_layer_idx": True},
    "reordered": {"reorder_and_upcast_attn": True},
    "all": {
        "scale_attn_weights": False,
        "scale_attn_by_inverse_layer_idx": True,
        "reorder_and_upcast_attn": True,
    },
}


@pytest.mark.parametrize("switches", GPT2_SWITCHES.values(), ids=GPT2_SWITCHES)
def test_the_switches_of_gpt2_are_honoured(switches, folders, tmp_path):
    own = own_model.load(str(changed(folders["gpt2"], tmp_path, **switches)))
    assert_taken_apart(own)
    given = own_model.query_key(own, TEXT, 1, 0).divisor
    root = 1.0 if switches.get("scale_attn_weights") is False else 8**0.5
    assert (given or 8**0.5) == root * (2 if "scale_attn_by_inverse_layer_idx" in switches else 1)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_a_decoder_of_bert_s_kind_looks_back_only(kind, folders, tmp_path):
    own = own_model.load(str(changed(folders[kind], tmp_path, is_decoder=True)))
    assert (np.triu(own_model.encode(own, TEXT).weights, 1) == 0).all()
    assert_taken_apart(own)


def test_scores_of_another_kind_are_declined(folders, monkeypatch):
    own = own_model.load(str(folders["bert"]))
    monkeypatch.setattr(own_model, "divided_by", lambda *_: 1.0)
    with pytest.raises(ValueError, match="cannot be taken apart here"):
        own_model.query_key(own, TEXT, 0, 0)


@pytest.mark.parametrize("place", [(2, 0), (0, 2), (-1, 0)])
def test_a_head_that_is_not_there_gets_a_sentence(place, folders):
    with pytest.raises(ValueError, match="There is no head"):
        own_model.query_key(own_model.load(str(folders["bert"])), TEXT, *place)


def test_two_visitors_at_once_get_their_own_numbers(folders):
    own = own_model.load(str(folders["gpt2"]))
    texts = [f"it was {word}" for word in ("tired", "the street", "too", "an animal")] * 6
    alone = [own_model.query_key(own, text, 1, 1).query for text in texts]
    with ThreadPoolExecutor(4) as hall:
        together = list(hall.map(lambda text: own_model.query_key(own, text, 1, 1).query, texts))
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)


# ---- real weights -----------------------------------------------------------------------------


def test_the_minilm_package_gives_what_our_own_implementation_gives(transformers):
    """Skipped only where the MiniLM package is not installed."""
    try:
        folder = minilm.folder()
    except ValueError as error:
        pytest.skip(str(error))
    own = own_model.load(str(folder))
    trace = own_model.encode(own, TEXT, PAIR)
    encoded = minilm.tokenizer(folder).encode(TEXT, PAIR)
    assert trace.queries == encoded.tokens and trace.segments == encoded.segments
    with torch.inference_mode():
        seen = minilm.load(folder)(torch.tensor([encoded.ids]), torch.tensor([encoded.segments]))
    for layer, weights in enumerate(seen.weights):
        np.testing.assert_allclose(trace.weights[layer], weights[0].numpy(), atol=1e-5)
    taken = own_model.query_key(own, TEXT, 5, 11, PAIR)
    np.testing.assert_allclose(softmax_of_sums(taken), trace.weights[5, 11], atol=1e-5)


@pytest.mark.parametrize("kind", KINDS[2:])
def test_bytes_are_shown_as_what_they_mean(kind, folders):
    """A letter that was never merged is a piece, and so is the space before it."""
    own = own_model.load(str(folders[kind]))
    pieces = [piece for piece in own_model.encode(own, "It was bé").queries if piece[0] != "<"]
    assert pieces[:4] == ["It", "was", "▁", "##b"] and "Ġ" not in "".join(pieces)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_nothing_typed_gets_a_sentence(text, folders):
    own = own_model.load(str(folders["bert"]))
    with pytest.raises(ValueError, match="nothing to read yet"):
        own_model.encode(own, text)
    with pytest.raises(ValueError, match="nothing to read yet"):
        own_model.encode(own, TEXT, text)


# ---- what can go wrong ------------------------------------------------------------------------


def test_without_the_package_there_is_one_sentence(monkeypatch):
    monkeypatch.setattr(own_model, "installed", lambda: False)
    with pytest.raises(ValueError, match=r"pip install transformers\.$"):
        own_model.load("bert-base-uncased")


def test_no_name_at_all_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(own_model, "installed", lambda: True)
    with pytest.raises(ValueError, match="There is no model yet"):
        own_model.load("  ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_config_that_announces_gigabytes_is_refused_before_they_are_made(kind, folders, tmp_path):
    layers = {"distilbert": "n_layers", "gpt2": "n_layer"}.get(kind, "num_hidden_layers")
    changed(folders[kind], tmp_path, **{layers: 10**6})
    with pytest.raises(ValueError, match=r"fewer weights than its config.json announces"):
        own_model.load(str(tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_under_other_names_are_not_replaced_by_random_ones(kind, folders, tmp_path):
    shutil.copytree(folders[kind], tmp_path, dirs_exist_ok=True)
    file = tmp_path / "model.safetensors"
    save_file({f"foo.{name}": value for name, value in load_file(file).items()}, file)
    with pytest.raises(ValueError, match=r"lacks \d+ weights, such as "):
        own_model.load(str(tmp_path))


def test_a_name_is_not_looked_up_where_nothing_is_online(transformers, monkeypatch):
    def unreachable(*_, **__):
        raise OSError("no route")

    monkeypatch.delenv("HTTPS_PROXY", raising=False)
    monkeypatch.delenv("https_proxy", raising=False)
    monkeypatch.setattr(own_model.socket, "create_connection", unreachable)
    asked = []
    monkeypatch.setattr(
        transformers.AutoConfig, "from_pretrained", lambda *_, **how: asked.append(how) or 1 / 0
    )
    with pytest.raises(ValueError, match="cannot be loaded from this name, if the machine is"):
        own_model.load("some/model")
    assert asked[0]["local_files_only"]


def test_a_model_without_attention_is_refused(folders, tmp_path):
    shutil.copytree(folders["bert"], tmp_path, dirs_exist_ok=True)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "resnet"}))
    with pytest.raises(ValueError, match="is of type resnet, which is not shown here"):
        own_model.load(str(tmp_path))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("inner", [None, 200, 7])
def test_the_weights_that_a_config_announces_are_those_that_are_made(kind, inner, transformers):
    """Oracle: the library's own model of that config, made without memory."""
    inner_name = own_shape.INNER[kind]
    given = {} if inner is None else {inner_name: inner}
    given |= {"type_vocab_size": 30} if kind in ("bert", "roberta") else {}
    config = transformers.AutoConfig.for_model(kind, **given)
    with torch.device("meta"):
        made = transformers.AutoModel.from_config(config)
    true = sum(parameter.numel() for parameter in made.parameters())
    assert own_shape.weighs(config) == pytest.approx(true, rel=0.001)


def test_cross_attention_is_counted_too(transformers):
    for kind in ("bert", "gpt2"):
        config = transformers.AutoConfig.for_model(kind, is_decoder=True, add_cross_attention=True)
        with torch.device("meta"):
            made = transformers.AutoModel.from_config(config)
        true = sum(parameter.numel() for parameter in made.parameters())
        assert own_shape.weighs(config) == pytest.approx(true, rel=0.001)


SPOILT = {
    "negative": ("hidden_size", -16),
    "none": ("hidden_size", 0),
    "a word": ("hidden_size", "wide"),
    "a fraction": ("intermediate_size", 1.5),
    "a list": ("vocab_size", [1, 2]),
    "an object": ("num_hidden_layers", {"a": 1}),
    "missing": ("type_vocab_size", None),
    "no head": ("num_attention_heads", 0),
    "heads that do not fit": ("num_attention_heads", 7),
    "wide layers": ("intermediate_size", 10**6),
    "many segments": ("type_vocab_size", 10**6),
    "many places": ("max_position_embeddings", 10**6),
    "many words": ("vocab_size", 10**6),
    "an unknown curve": ("hidden_act", "../../etc/passwd"),
    "a type of its own": ("model_type", ["bert"]),
    "positions elsewhere": ("position_embedding_type", "relative_key"),
    "eight bits": ("quantization_config", {"quant_method": "bitsandbytes", "load_in_8bit": True}),
}


@pytest.mark.parametrize(("part", "value"), SPOILT.values(), ids=SPOILT)
def test_a_spoilt_config_gets_one_sentence(part, value, folders, tmp_path):
    with pytest.raises(ValueError) as caught:
        own_model.load(str(changed(folders["bert"], tmp_path, **{part: value})))
    said = str(caught.value)
    assert said.startswith(str(tmp_path)) and "\n" not in said and len(said) < 400
    assert said.endswith(".") and not said.endswith(":.")


def saved_bert(transformers, source, target, **shape):
    """A sound BERT of another shape, with the tokeniser of a small one."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    given = {"hidden_size": 8, "num_attention_heads": 8, "intermediate_size": 8} | shape
    config = transformers.BertConfig(vocab_size=90, max_position_embeddings=512, **given)
    transformers.BertModel(config).save_pretrained(target)
    return str(target)


def test_a_sound_model_of_400_layers_is_refused_before_it_is_read(folders, transformers, tmp_path):
    """It took 22 GB: 3,200 heads on every pair of tokens."""
    folder = saved_bert(transformers, folders["bert"], tmp_path, num_hidden_layers=400)
    with pytest.raises(ValueError, match=r"400 layers of 8 heads: 3,200 in all, and 400 at most"):
        own_model.load(folder)


def test_a_sound_model_of_a_million_wide_layers_is_refused(folders, transformers, tmp_path):
    shape = {"num_hidden_layers": 1, "intermediate_size": 100_000}
    folder = saved_bert(transformers, folders["bert"], tmp_path, **shape)
    with pytest.raises(ValueError, match=r"is 100,000 numbers wide"):
        own_model.load(folder)


@pytest.mark.parametrize("shape", [{"num_hidden_layers": 400}, {"intermediate_size": 100_000}])
def test_a_name_online_is_bound_like_a_folder(shape, transformers, monkeypatch):
    """Only its config is fetched before it is refused."""
    config = transformers.BertConfig(**({"hidden_size": 48, "num_hidden_layers": 1} | shape))
    monkeypatch.setattr(own_model, "_online", lambda: True)
    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", lambda *_, **__: config)
    monkeypatch.setattr(
        transformers.AutoModel, "from_pretrained", lambda *_, **__: pytest.fail("it was fetched")
    )
    with pytest.raises(ValueError, match="at most"):
        own_model.load("some/model")


def test_more_heads_read_fewer_tokens(folders, transformers, tmp_path):
    """All weights of one text stay within TRACE."""
    shape = {"num_hidden_layers": 24, "num_attention_heads": 16, "hidden_size": 16}
    own = own_model.load(saved_bert(transformers, folders["bert"], tmp_path, **shape))
    assert own.max_length == 322
    assert 4 * 24 * 16 * own.max_length**2 <= own_model.TRACE
    with pytest.raises(ValueError, match="reads 322 at most"):
        own_model.encode(own, "it " * 400)


def test_half_precision_is_counted_as_it_is_held(folders, monkeypatch):
    own = own_model.load(str(folders["bert"]))
    weights = own_shape.weighs(own.model.config)
    monkeypatch.setattr(own_model.own_folder, "LARGEST", 4 * weights - 1)
    monkeypatch.setattr(own_model.own_folder, "check", lambda *_: None)
    with pytest.raises(ValueError, match="million weights: too many"):
        own_model.load(str(folders["bert"]))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_get_a_sentence(value, folders, tmp_path):
    shutil.copytree(folders["bert"], tmp_path, dirs_exist_ok=True)
    weights = load_file(tmp_path / "model.safetensors")
    weights["encoder.layer.1.attention.self.key.weight"][0, 0] = value
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ValueError, match="holds weights that are not numbers"):
        own_model.load(str(tmp_path))


def test_weights_so_large_that_they_overflow_get_a_sentence(folders, tmp_path):
    shutil.copytree(folders["bert"], tmp_path, dirs_exist_ok=True)
    weights = load_file(tmp_path / "model.safetensors")
    for part in ("query", "key"):
        weights[f"encoder.layer.0.attention.self.{part}.weight"] *= 1e30
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ValueError, match="weights that are not numbers on this text"):
        own_model.encode(own_model.load(str(tmp_path)), TEXT)


class Left(BaseException):
    pass


def test_a_forward_pass_ends_inside_when_its_visitor_left(folders):
    own, asked = own_model.load(str(folders["bert"])), []

    def left_after_ten():
        asked.append(1)
        if len(asked) > 10:
            raise Left

    with interruption.watched_by(left_after_ten), pytest.raises(Left):
        own_model.encode(own, TEXT)
    assert len(asked) == 11


def test_code_that_comes_with_a_model_is_not_run(folders, tmp_path):
    for file in folders["bert"].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = json.loads((tmp_path / "config.json").read_text())
    config["auto_map"] = {"AutoModel": "mine.Mine", "AutoConfig": "mine.Config"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "mine.py").write_text("raise SystemExit('this was run')")
    trace = own_model.encode(own_model.load(str(tmp_path)), TEXT)
    assert trace.layers == 2


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json"])
def test_a_broken_file_gets_one_sentence(file, folders, tmp_path):
    for path in folders["bert"].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / file).write_text("{not json")
    with pytest.raises(ValueError) as caught:
        own_model.load(str(tmp_path))
    assert re.search(r"cannot be loaded|is damaged", str(caught.value))
    assert "\n" not in str(caught.value)


def test_a_name_that_nobody_has_gets_one_sentence(transformers, monkeypatch):
    monkeypatch.setattr(own_model, "_online", lambda: True)
    with pytest.raises(ValueError, match="cannot be loaded from this name, if the machine"):
        own_model.load("nobody/no-such-model")


# ---- what is said of it -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_layers_and_heads_are_told_whatever_they_are_called(kind, folders):
    own = own_model.load(str(folders[kind]))
    count = sum(parameter.numel() for parameter in own.model.parameters())
    told = f"of type {kind}: 2 layers of 2 heads, {count:,} parameters."
    assert told in own_model.described(own)


@pytest.mark.parametrize("kind", KINDS)
def test_every_head_is_labelled_by_the_passages_that_fit(kind, folders):
    own = own_model.load(str(folders[kind]))
    long = ("it " * 100, "it " * 100)
    assert own_model.labels(own, [long]) == []
    labels = own_model.labels(own, [long, ("it it", "it")])
    assert [len(row) for row in labels] == [2, 2]
    text, pair = ("it it", "it") if own.reads_pairs else ("it it it", None)
    (profiles,) = [analysis.profiles([own_model.encode(own, text, pair)])]
    assert labels == [[profile.label for profile in row] for row in profiles]


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("bert", ("[CLS]", "[SEP]")),
        ("distilbert", ("[CLS]", "[SEP]")),
        ("roberta", ("<s>", "</s>")),
        ("gpt2", ()),
    ],
)
def test_each_kind_tells_its_own_special_tokens(kind, names, folders):
    own = own_model.load(str(folders[kind]))
    assert own_model.special(own) == names
    assert set(names) <= set(own_model.encode(own, TEXT).keys)


def test_readiness_names_the_package_that_is_missing(monkeypatch):
    monkeypatch.setattr(own_model, "installed", lambda: False)
    assert "pip install transformers" in own_model.readiness()
    monkeypatch.setattr(own_model, "installed", lambda: True)
    assert "name a folder" in own_model.readiness()
