"""Our models against Hugging Face's, on the same weights or the same shape, one thread."""

from __future__ import annotations

import math
import os

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", OMP_NUM_THREADS="1")

import torch
from transformers import AutoTokenizer, BertModel, MarianConfig, MarianMTModel

from benchmarks.timing import Row, medians
from viz_core import checkpoints, probe
from viz_core.cards import Card
from viz_core.checkpoints import Bundle
from viz_core.models.transformer import Transformer, TransformerConfig
from viz_core.probe.translator import read
from viz_core.text import END, PAD, START, Tokenizer
from viz_core.training import minilm

torch.set_num_threads(1)
LENGTHS = {14: 40, 32: 40, 128: 20, 512: 8}  # tokens -> repeats
SENTENCE = "the animal did not cross the street because it was too tired and the road was wide ."
WORDS = SENTENCE.split()
SOURCE = "The animal did not cross the street because it was too tired."
STEPS = 20


def card(name: str, architecture: str) -> Card:
    return Card(
        name=name, title="", paper="", architecture=architecture, config={}, parameters=0, data=[],
        command="", seed=0, steps=0, metrics={}, examples=[], sha256={},
    )  # fmt: skip


def text(tokens: int) -> str:
    """So many tokens with [CLS] and [SEP]: each of WORDS is one."""
    return " ".join((WORDS * (tokens // len(WORDS) + 1))[: tokens - 2])


def encoder() -> Bundle:
    """The published MiniLM in our implementation."""
    folder = minilm.folder()
    model = checkpoints.for_reading(minilm.load(folder))
    return Bundle(model, minilm.tokenizer(folder), card("minilm", "bert"))


def traces(bundle: Bundle) -> list[Row]:
    """From a text to the weights of all layers and heads."""
    folder = minilm.folder()
    theirs = BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    split = AutoTokenizer.from_pretrained(folder)
    rows = []
    for length, repeats in LENGTHS.items():
        given = text(length)

        @torch.inference_mode()
        def hugging_face(given: str = given) -> tuple[torch.Tensor, ...]:
            found = theirs(**split(given, return_tensors="pt"), output_attentions=True)
            return found.attentions  # type: ignore[no-any-return]

        ours = probe.encode(bundle, given).weights
        reference = torch.cat(hugging_face()).numpy()
        assert ours.shape == reference.shape == (6, 12, length, length)
        assert abs(ours - reference).max() < 1e-4
        times = medians([lambda given=given: probe.encode(bundle, given), hugging_face], repeats)
        rows.append(Row(f"trace of {length} tokens", *times, "ms", 0.8))
    return rows


def growth(rows: list[Row]) -> str:
    """How our time grows: the exponent of length, between neighbouring lengths."""
    lengths = list(LENGTHS)
    parts = []
    for i in range(1, len(rows)):
        power = math.log(rows[i].ours / rows[i - 1].ours) / math.log(lengths[i] / lengths[i - 1])
        parts.append(f"{power:.2f} from {lengths[i - 1]} to {lengths[i]} tokens")
    return "time grows with length to the power of " + ", ".join(parts)


def translator() -> Bundle:
    """A Transformer of the app's shape that never ends by itself: all searches take STEPS steps."""
    torch.manual_seed(0)
    tokenizer = Tokenizer.train([SOURCE] * 2, size=8000)
    model = Transformer(TransformerConfig(vocabulary=8000))
    with torch.no_grad():
        model.bias[END] = -1e4
    return Bundle(checkpoints.for_reading(model), Wide(tokenizer.engine), card("t", "transformer"))


class Wide(Tokenizer):
    """A small tokeniser that has a name for each of 8,000 tokens."""

    def label(self, token: int) -> str:
        return str(token)


def marian(config: TransformerConfig) -> MarianMTModel:
    torch.manual_seed(0)
    model = MarianMTModel(
        MarianConfig(
            vocab_size=config.vocabulary,
            d_model=config.width,
            encoder_layers=config.encoder_layers,
            decoder_layers=config.decoder_layers,
            encoder_attention_heads=config.heads,
            decoder_attention_heads=config.heads,
            encoder_ffn_dim=config.inner,
            decoder_ffn_dim=config.inner,
            max_position_embeddings=config.max_length,
            pad_token_id=PAD,
            bos_token_id=START,
            eos_token_id=END,
            decoder_start_token_id=START,
            forced_eos_token_id=None,
        )
    )
    model.final_logits_bias[0, END] = -1e4
    return model.eval()


def translations() -> list[Row]:
    """Beam search, on our side with every hypothesis and its attention on record."""
    bundle = translator()
    theirs = marian(bundle.model.config)
    ids = torch.tensor([read(bundle, SOURCE).ids])
    rows = []
    for size in (1, 5, 10):

        @torch.inference_mode()
        def generate(size: int = size) -> torch.Tensor:
            mask = torch.ones_like(ids)
            found = theirs.generate(
                ids, attention_mask=mask, num_beams=size, max_new_tokens=STEPS, do_sample=False
            )
            return found  # type: ignore[no-any-return]

        def search(size: int = size) -> int:
            bundle.tokenizer.size = 8000
            return max(node.step for node in probe.beam(bundle, SOURCE, size, limit=STEPS).nodes)

        assert search() == STEPS and generate().shape[1] == STEPS + 1
        times = medians([search, generate], 15)
        rows.append(Row(f"{STEPS} steps of beam {size}, tree and attention", *times, "ms", 0.5))
    return rows
