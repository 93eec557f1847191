"""The one training run, on an architecture it has never heard of: a GAN of four pixels.

Two optimisers, no tokeniser: what a newcomer may need and none of the first models did.
"""

import json
from dataclasses import dataclass

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from viz_core import checkpoints
from viz_core.models import ARCHITECTURES, Architecture
from viz_core.training import __main__ as command, recipes, run, state
from viz_core.training.loop import Schedule, Task
from viz_core.training.run import Options, Recipe

REAL = torch.tensor([1.0, -1.0, 1.0, -1.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelsConfig:
    side: int


class Pixels(nn.Module):
    """The generator: what is kept."""

    def __init__(self, config: PixelsConfig) -> None:
        super().__init__()
        self.config = config
        self.draw = nn.Linear(2, config.side**2)

    def forward(self, noise):
        return self.draw(noise)


class Rivals(nn.Module):
    def __init__(self, generator: nn.Module) -> None:
        super().__init__()
        self.generator, self.critic = generator, nn.Linear(4, 1)


@dataclass(frozen=True, slots=True)
class Noise:
    values: torch.Tensor

    def share(self, rank, world):
        return Noise(self.values[rank::world])

    @property
    def count(self):
        return len(self.values)


class GanTask(Task):
    def __init__(self, generator):
        self.model = Rivals(generator)
        self.rates: list[list[float]] = []

    @property
    def kept(self):
        return self.model.generator

    def batches(self, progress, chunk):
        draw = torch.Generator().manual_seed(chunk)
        for _ in range(10):
            yield Noise(torch.randn(8, 2, generator=draw))

    def optimisers(self, schedule):
        critic = torch.optim.Adam([{"params": self.model.critic.parameters(), "factor": 4.0}])
        return [torch.optim.Adam(self.model.generator.parameters()), critic]

    def step(self, model, optimisers, batch, clip):
        generator, critic = model.generator, model.critic
        drawn = generator(batch.values)
        told = critic(drawn.detach()).mean() - critic(REAL) + critic.weight.square().sum()
        for optimiser, loss in ((optimisers[1], told.sum()), (optimisers[0], None)):
            optimiser.zero_grad()
            (-critic(generator(batch.values)).mean() if loss is None else loss).backward()
            optimiser.step()
        self.rates.append([one.param_groups[0]["lr"] for one in optimisers])
        return float(told.detach().sum())

    def held_out_losses(self):
        with torch.inference_mode():
            drawn = self.model.generator(torch.zeros(1, 2))[0]
        return {"distance": float((drawn - REAL).square().mean())}


@dataclass(frozen=True, kw_only=True)
class GanRecipe(Recipe):
    def model(self, options, tokenizer):
        assert tokenizer is None
        return run.build("pixels", PixelsConfig(side=2))

    def task(self, options, model, tokenizer):
        return GanTask(model)

    def measure(self, bundle, folder):
        drawn = bundle.model(torch.zeros(1, 2))[0]
        return {"metrics": {"pixels": {"distance": float((drawn - REAL).square().mean())}}}

    def files(self, options, tokenizer):
        return {"palette.json": '["grey"]'}


RECIPE = GanRecipe(
    name="gan",
    title="Four pixels",
    paper="Goodfellow et al. 2014",
    architecture="pixels",
    data=({"name": "four pixels", "licence": "none", "split": "none"},),
    schedule=Schedule(steps=60, peak=0.05, warmup=1, check_every=10, decay_from=0.9),
)


@pytest.fixture
def options(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    monkeypatch.setitem(ARCHITECTURES, "pixels", Architecture(PixelsConfig, Pixels, None))
    monkeypatch.setitem(recipes.RECIPES, "gan", RECIPE)
    return Options(data=tmp_path, runs=tmp_path / "runs")


def test_two_optimisers_and_no_tokeniser_train_measure_and_keep_a_checkpoint(options, capsys):
    run.train(RECIPE, options)
    bundle = checkpoints.load("gan")
    assert bundle.tokenizer is None
    assert bundle.card.metrics["pixels"]["distance"] < 0.5  # from about 1
    assert bundle.card.command == "python -m viz_core.training gan --data DIR"
    assert [point["step"] for point in bundle.card.curve] == [10, 20, 30, 40, 50, 60]
    assert (checkpoints.FOLDER / "gan" / "palette.json").read_text() == '["grey"]'
    kept = load_file(options.runs / "gan" / "best.safetensors")
    assert set(kept) == {"draw.weight", "draw.bias"}  # the critic stays in the run
    assert "distance" in capsys.readouterr().out


def test_each_optimiser_follows_the_schedule_by_its_own_factor(options):
    task = GanTask(Pixels(PixelsConfig(side=2)))
    run.loop.train(task, RECIPE.schedule, options.runs)
    assert len(task.rates) == 60
    for own, critic in task.rates:
        assert critic == pytest.approx(4 * own)


def test_both_optimisers_are_resumed(options):
    schedule = Schedule(steps=5, warmup=1, check_every=5)
    task = GanTask(Pixels(PixelsConfig(side=2)))
    run.loop.train(task, schedule, options.runs)
    again = GanTask(Pixels(PixelsConfig(side=2)))
    optimisers = again.optimisers(schedule)
    mean = state.Average(again.model, 0.0)
    assert state.restore(options.runs, again.model, optimisers, mean).step == 5
    for optimiser in optimisers:
        assert all(int(slots["step"]) == 5 for slots in optimiser.state_dict()["state"].values())
    assert torch.equal(again.model.critic.weight, task.model.critic.weight)


def test_a_run_that_was_stored_before_can_still_be_resumed(tmp_path):
    """The file's keys, spelled out: runs that last for days must survive a change of the code."""
    model = nn.Linear(2, 1)
    tensors = {"model.weight": torch.ones(1, 2), "model.bias": torch.zeros(1)}
    for index, shape in enumerate([(1, 2), (1,)]):
        tensors |= {
            f"optimiser.{index}.step": torch.tensor(7.0),
            f"optimiser.{index}.exp_avg": torch.full(shape, 0.5),
            f"optimiser.{index}.exp_avg_sq": torch.full(shape, 0.25),
            f"average.{index}": torch.full(shape, 3.0),
        }
    progress = {"step": 7, "chunk": 1, "seconds": 2.0, "best": 1.5, "best_step": 5, "began": 0}
    progress["curve"] = []
    save_file(tensors, tmp_path / "state.safetensors", {"progress": json.dumps(progress)})
    optimiser = run.loop.optimiser_for(model, Schedule(steps=10))
    mean = state.Average(model, 0.9)
    assert state.restore(tmp_path, model, [optimiser], mean) == state.Progress(**progress)
    assert model.weight.tolist() == [[1.0, 1.0]]
    assert mean.mean[0].tolist() == [[3.0, 3.0]]
    assert optimiser.state_dict()["state"][0]["exp_avg"].tolist() == [[0.5, 0.5]]


def test_what_was_never_trained_cannot_be_exported(options):
    with pytest.raises(ValueError, match=r"best.safetensors is not there: train gan first"):
        run.export(RECIPE, options)


def test_several_checkpoints_are_evaluated_at_once(options, monkeypatch, capsys):
    run.train(RECIPE, options)
    (checkpoints.FOLDER / "gan").rename(checkpoints.FOLDER / "mine")  # a name no recipe has
    run.export(RECIPE, options)
    capsys.readouterr()
    arguments = ["training", "evaluate", "gan", "mine", "--data", str(options.data)]
    monkeypatch.setattr("sys.argv", arguments)
    command.main()
    printed = capsys.readouterr().out
    assert printed.count("pixels: distance") == 2


def test_a_checkpoint_that_nothing_trains_is_named(options):
    run.train(RECIPE, options)
    card = checkpoints.card("gan")
    del recipes.RECIPES["gan"]
    with pytest.raises(ValueError, match="gan: no recipe trains the architecture 'pixels'"):
        recipes.recipe_for(card)


@pytest.mark.parametrize("name", sorted(recipes.RECIPES))
def test_every_recipe_names_itself_its_data_and_a_known_architecture(name):
    recipe = recipes.RECIPES[name]
    assert recipe.name == name
    assert recipe.architecture in ARCHITECTURES
    assert recipe.title and recipe.paper and recipe.data
    reads_text = ARCHITECTURES[recipe.architecture].tokenizer is not None
    assert recipe.examples or not reads_text  # drawings and photographs are no text
    assert all({"name", "licence", "split"} == corpus.keys() for corpus in recipe.data)
