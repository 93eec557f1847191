"""The GPT: begun from some of its teacher's layers, taught all that the teacher might have said."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from viz_core.checkpoints import Bundle
from viz_core.models.gpt import GPT, GPTBlock, GPTConfig
from viz_core.text import END, PAD, SPACE, START, RunningTokenizer, Tokenizer
from viz_core.training import teacher
from viz_core.training.data import Part
from viz_core.training.loop import Schedule, Task
from viz_core.training.run import Options, Recipe
from viz_core.training.state import Progress

TAKEN = (0, 1, 2, 4, 5)  # the teacher's layers that it begins with: without the fourth
BATCH = 24  # stories
SORTED = 16  # batches that are sorted by length together, so that little is padding
CHECKED = 8  # batches of held-out stories
EVERY, LISTS = 6, (4, 40)  # after so many batches one of lists, of so many words
REPEATS = (64, 24)  # measured lists, and words of each before they come again


# ---- stories ------------------------------------------------------------------------------------


def part_of(row: int) -> Part:
    """By story; neighbours open differently, so two of them go together."""
    place = row % 64 // 2
    return "test" if place == 0 else "held-out" if place == 1 else "train"


def files(folder: Path) -> list[Path]:
    found = sorted((folder / teacher.FOLDER).glob("stories-*.npz"))
    if not found:
        raise ValueError(
            f"There are no stories in {folder / teacher.FOLDER}: let the teacher write them with "
            "python -m viz_core.training stories --weights FILE --data DIR, where FILE is "
            f"{teacher.ORIGIN}."
        )
    return found


@dataclass(frozen=True, slots=True)
class Taught:
    """Some stories of like length, with the teacher's likeliest words after each token."""

    ids: Tensor  # (story, token)
    likely: Tensor  # (story, token, LIKELY)
    chances: Tensor  # the same

    def share(self, rank: int, world: int) -> Taught:
        return Taught(self.ids[rank::world], self.likely[rank::world], self.chances[rank::world])

    @property
    def count(self) -> int:
        return int((self.ids != PAD).sum())

    def some(self, rows: Tensor) -> Taught:
        """Those rows, cut where the longest ends."""
        length = int((self.ids[rows] != PAD).sum(1).max())
        return Taught(*(part[rows, :length] for part in (self.ids, self.likely, self.chances)))


def read(path: Path, part: Part) -> Taught:
    with np.load(path) as file:
        rows = [row for row in range(len(file["ids"])) if part_of(row) == part]
        ids, likely, chances = (file[name][rows] for name in ("ids", "likely", "chances"))
    return Taught(
        torch.from_numpy(ids.astype(np.int64)),
        torch.from_numpy(likely.astype(np.int64)),
        torch.from_numpy(chances.astype(np.float32)),
    )


def joined(parts: list[Taught]) -> Taught:
    names = ("ids", "likely", "chances")
    return Taught(*(torch.cat([getattr(part, name) for part in parts]) for name in names))


def batches(stories: Taught, order: Tensor) -> Iterator[Taught]:
    sizes = (stories.ids != PAD).sum(1)
    for some in order.split(SORTED * BATCH):
        rows = some[sizes[some].argsort()].split(BATCH)
        yield from (stories.some(rows[i]) for i in torch.randperm(len(rows)).tolist())


def whole_words(tokenizer: Tokenizer) -> Tensor:
    """Tokens that are a small word of three letters or more: what a list is drawn from."""
    pieces = tokenizer.vocabulary
    whole = [i for i, piece in enumerate(pieces) if piece[0] == SPACE and len(piece) > 3]
    return torch.tensor([i for i in whole if pieces[i][1:].islower()])


def repeats(words: Tensor, count: int, length: int, generator: torch.Generator) -> Taught:
    """Lists of random words that come a second time: only then can the next word be known."""
    drawn = words[torch.randint(len(words), (count, length), generator=generator)]
    ids = torch.cat((torch.full((count, 1), START), drawn, drawn), 1)
    likely = torch.zeros(*ids.shape, teacher.LIKELY, dtype=torch.int64)
    chances = torch.zeros(*ids.shape, teacher.LIKELY)
    likely[:, :-1, 0] = ids[:, 1:]
    chances[:, length + 1 : -1, 0] = 1.0
    return Taught(ids, likely, chances)


# ---- training -----------------------------------------------------------------------------------


def nats(model: GPT, batch: Taught) -> Tensor:
    """Hinton et al. 2015, eq. 2: cross-entropy with the distribution that the word was drawn from.

    It expects the same of the pupil as the drawn words would, with less noise.
    """
    real = (batch.ids != PAD) & (batch.ids != END) & (batch.chances[..., 0] > 0)  # (story, token)
    logits = model.logits(model(batch.ids).states[real]).float()
    said = (logits.gather(1, batch.likely[real]) * batch.chances[real]).sum(1)
    return (logits.logsumexp(1) - said).sum()


class StoriesTask(Task):
    def __init__(self, model: GPT, tokenizer: Tokenizer, folder: Path, seed: int = 1) -> None:
        self.model: GPT = model
        self.words = whole_words(tokenizer)
        self.folder, self.seed = folder, seed
        held_out = joined([read(path, "held-out") for path in files(folder)])
        first = torch.arange(min(len(held_out.ids), CHECKED * BATCH))
        self.held_out = list(batches(held_out, first))

    def batches(self, progress: float, chunk: int) -> Iterator[Taught]:
        """Four files at a time, whatever has been written by now."""
        there = files(self.folder)
        rng = np.random.default_rng((self.seed, 4 * chunk // len(there)))
        turn = rng.permutation(len(there))
        chosen = [there[turn[(4 * chunk + i) % len(there)]] for i in range(4)]
        stories = joined([read(path, "train") for path in chosen])
        generator = torch.Generator().manual_seed(int(rng.integers(1 << 40)))
        order = torch.from_numpy(rng.permutation(len(stories.ids)))
        for number, batch in enumerate(batches(stories, order)):
            yield batch
            if number % EVERY == 0:
                yield repeats(self.words, BATCH, int(rng.integers(*LISTS)), generator)

    def loss(self, model: nn.Module, batch: Taught) -> Tensor:
        assert isinstance(model, GPT)
        with torch.autocast("cpu", torch.bfloat16):
            return nats(model, batch)

    @torch.inference_mode()
    def held_out_losses(self) -> dict[str, float]:
        total = sum(float(self.loss(self.model, batch)) for batch in self.held_out)
        return {"stories": total / sum(batch.count for batch in self.held_out)}


def take_over(model: GPT, llama: teacher.Llama) -> None:
    """The teacher's embedding, last norm and chosen layers become the pupil's first weights."""
    with torch.no_grad():
        model.embedding.weight.copy_(llama.embedding)
        model.norm.weight.copy_(llama.norm)
        for block, number in zip(model.blocks, TAKEN, strict=True):
            assert isinstance(block, GPTBlock)
            layer, own = llama.layers[number], block.attention
            for linear in (own.query, own.key, own.value, own.out):
                nn.init.zeros_(linear.bias)
            pairs = {
                block.norm: layer.norm,
                own.query: layer.query,
                own.key: layer.key,
                own.value: layer.value,
                own.out: layer.out,
                block.inner_norm: layer.inner_norm,
                block.gate: layer.gate,
                block.rise: layer.rise,
                block.fall: layer.fall,
            }
            for module, weight in pairs.items():
                assert isinstance(module.weight, Tensor)
                module.weight.copy_(weight)


# ---- what is measured ---------------------------------------------------------------------------


@torch.inference_mode()
def perplexity(bundle: Bundle, folder: Path) -> dict[str, float]:
    """On stories that were never read: how many words it hesitates between, in effect.

    The first token is not judged, as half of the stories open with one drawn at random.
    """
    stories = joined([read(path, "test") for path in files(folder)])
    model, total, right, tokens, words = bundle.model, 0.0, 0, 0, 0
    for batch in batches(stories, torch.arange(len(stories.ids))):
        real = batch.ids[:, 2:] != PAD
        logits = model.logits(model(batch.ids[:, :-1]).states[:, 1:][real])
        wanted = batch.ids[:, 2:][real]
        total += float(nn.functional.cross_entropy(logits, wanted, reduction="sum"))
        right += int((logits.argmax(1) == batch.likely[:, 1:-1][real][:, 0]).sum())
        tokens += len(wanted)
        words += sum(len(bundle.tokenizer.decode(row.tolist()).split()) for row in batch.ids)
    judged = (stories.ids[:, 1:-1] != END) & (stories.ids[:, 2:] != PAD)
    chances = stories.chances[:, 1:-1][judged].double()
    floor = -float((chances * chances.clamp_min(1e-12).log()).sum())  # what the teacher left open
    return {
        "perplexity": round(math.exp(total / tokens), 3),
        "teacher's perplexity": round(math.exp(floor / tokens), 3),
        "nats per word": round(total / words, 4),
        "same first word as the teacher": round(right / tokens, 4),
        "stories": float(len(stories.ids)),
        "tokens": float(tokens),
    }


def corpus(folder: Path) -> dict[str, float]:
    """All that the teacher wrote, test part included."""
    stories = tokens = 0
    for path in files(folder):
        with np.load(path) as file:
            stories, tokens = stories + len(file["ids"]), tokens + int((file["ids"] != PAD).sum())
    return {"stories": float(stories), "tokens": float(tokens)}


@torch.inference_mode()
def induction(bundle: Bundle, seed: int = 0) -> dict[str, Any]:
    """Olsson et al. 2022: on words drawn at random and then repeated, how much each head looks at
    what came after the same token the first time; and how often that is what it says."""
    model: GPT = bundle.model
    generator = torch.Generator().manual_seed(seed)
    ids = repeats(whole_words(bundle.tokenizer), *REPEATS, generator).ids
    found, length = model(ids), REPEATS[1]
    drawn = ids[:, 1 : length + 1]
    again = torch.arange(length + 1, 2 * length)  # the second time, but for the last token
    looked = found.weights[..., again, :]  # (batch, layer, head, again, key)
    after = looked[..., torch.arange(length - 1), again - length + 1]
    before = looked[..., torch.arange(length - 1), again - 1]
    logits = model.logits(found.states)
    said = (logits[:, again].argmax(-1) == drawn[:, 1:]).float().mean()
    chance = logits.log_softmax(-1)[:, :-1].gather(-1, ids[:, 1:, None])
    first, second = -chance[:, 1:length].mean(), -chance[:, length + 1 :].mean()
    return {
        "after": after.mean((0, -1)).double().numpy().round(4).tolist(),  # (layer, head)
        "before": before.mean((0, -1)).double().numpy().round(4).tolist(),
        "said": round(float(said), 4),
        "taught": f"one batch in {EVERY + 1} was such a list, so this was taught on purpose",
        "nats first": round(float(first), 3),
        "nats again": round(float(second), 3),
    }


# ---- the recipe ---------------------------------------------------------------------------------


class GPTRecipe(Recipe):
    def tokenizer(self, options: Options) -> RunningTokenizer:
        files(options.data)  # says so if there are none
        path = options.data / teacher.FOLDER / "tokenizer.json"
        made = RunningTokenizer.from_json(path.read_text(encoding="utf-8"))
        assert isinstance(made, RunningTokenizer)
        return made

    def model(self, options: Options, tokenizer: Tokenizer) -> GPT:
        return GPT(GPTConfig(vocabulary=tokenizer.size, layers=len(TAKEN)))

    def begin(self, options: Options, model: nn.Module) -> Progress:
        """From its own checkpoint, or from the teacher's layers."""
        if not options.further:
            assert isinstance(model, GPT)
            llama, _ = teacher.read(options.weights)
            take_over(model, teacher.narrowed(llama, teacher.kept(options.data)))
        return super().begin(options, model)

    def task(self, options: Options, model: nn.Module, tokenizer: Tokenizer) -> StoriesTask:
        assert isinstance(model, GPT)
        return StoriesTask(model, tokenizer, options.data, self.schedule.seed)

    def measure(self, bundle: Bundle, folder: Path) -> dict[str, Any]:
        return {
            "metrics": {
                "stories test": perplexity(bundle, folder),
                "stories written": corpus(folder),
            },
            "measured": {"induction": induction(bundle)},
        }


RECIPE = GPTRecipe(
    name="gpt",
    title="GPT, writes small stories",
    paper="Radford et al. 2018",
    architecture="gpt",
    data=(
        {
            "name": "stories written by stories15M (Karpathy 2023) at temperature 0.9, top 16",
            "licence": "MIT (the teacher)",
            "split": "by story: 30 of 32 train, 1 held-out, 1 test",
        },
    ),
    schedule=Schedule(
        steps=12_000,
        peak=6e-4,
        warmup=100,
        decay_from=0.3,
        check_every=100,
        patience=60,
        average=0.9,
    ),
    examples=(
        "Once upon a time, there was a little dog",
        "Tom and Anna went to the park. They saw",
        "The king was sad because",
        "One day, a big bear",
    ),
    notes=(
        "A pupil of stories15M, a Llama of six layers: it began with five of them and the 4,237 "
        "words that the teacher uses, and was taught on stories that the teacher wrote, with the "
        "16 likeliest words at every place (Hinton et al. 2015; Sanh et al. 2019). So it knows "
        "stories for small children and nothing else. One batch in seven was a list of random "
        "words that comes twice: finding what came after the same word before was taught on "
        "purpose, as the stories alone gave no head that does it. Its first 3,900 steps read 9 "
        "million tokens of stories; of those, a quarter were written again for the later steps, "
        "and 11 million tokens are new: 20 million in all."
    ),
)
RECIPES = {RECIPE.name: RECIPE}
