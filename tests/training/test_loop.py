"""The training loop and its task. Run as a script it is one process of a run of two."""

import gzip
import json
import math
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from viz_core.models import ARCHITECTURES
from viz_core.models.rnn import RNNConfig
from viz_core.models.rnn_search import RNNSearchConfig
from viz_core.models.transformer import TransformerConfig
from viz_core.text import PAD, Tokenizer
from viz_core.training import data, loop, state
from viz_core.training.data import Example, Pair
from viz_core.training.loop import Schedule
from viz_core.training.processes import Processes
from viz_core.training.state import Progress
from viz_core.training.translation import WATCHED, TranslationTask

ROOT = Path(__file__).parents[2]
KINDS = pytest.mark.parametrize("kind", ["rnn", "rnn-search", "transformer"])
QUICK = Schedule(steps=4, warmup=1, check_every=2)


def write_corpora(folder: Path) -> None:
    """Two corpora as they are downloaded, with sentences enough for each part."""
    pairs = [(f"I see {n} cats.", f"Je vois {n} chats.") for n in range(1000)]
    for source in (data.TATOEBA, data.EUROPARL):
        (folder / source.file).parent.mkdir(parents=True)
    with zipfile.ZipFile(folder / data.TATOEBA.file, "w") as archive:
        lines = [f"{english}\t{french}\tCC-BY" for english, french in pairs]
        archive.writestr("fra.txt", "\n".join(lines) + "\n")
    with gzip.open(folder / data.EUROPARL.file, "wt", encoding="utf-8") as file:
        file.writelines(f"{english}\t{french}\n" for english, french in pairs)


def task_in(folder: Path, kind: str = "rnn", out: str = "out") -> TranslationTask:
    """A tiny model on the corpora in a folder; no dropout, so that a step can be repeated."""
    lines = [side for pair in WATCHED for side in pair] + ["I see cats.", "Je vois chats."]
    tokenizer = Tokenizer.train([*lines, *lines, "0123456789"], size=300)
    torch.manual_seed(1)
    size = tokenizer.size
    configs = {
        "rnn": RNNConfig(vocabulary=size, attention="additive", embedding=16, width=16, dropout=0),
        "rnn-search": RNNSearchConfig(vocabulary=size, embedding=16, width=16, dropout=0),
        "transformer": TransformerConfig(
            vocabulary=size, width=16, heads=4, encoder_layers=1, decoder_layers=1, dropout=0
        ),
    }
    model = ARCHITECTURES[kind].model(configs[kind])
    mixture = {"tatoeba": 0.01}  # 160 sentences a chunk

    def read(name, part):
        return data.read(name, folder, part)

    return TranslationTask(model, tokenizer, read, mixture, out=folder / out, batch_tokens=255)


def losses(task: TranslationTask, steps: int = 2) -> list[float]:
    """Of the whole batch, at each step. Plain descent: a gradient of the wrong size would show."""
    model = Processes().wrap(task.model)
    optimiser = torch.optim.SGD(task.model.parameters(), lr=0.5)
    batches = task.batches(1.0, 0)
    return [loop.step_once(task, model, optimiser, next(batches), clip=1e6) for _ in range(steps)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("data")
    write_corpora(folder)
    return folder


# ---- the schedule -----------------------------------------------------------------------------


def test_the_rate_warms_up_holds_and_falls_to_nothing():
    schedule = Schedule(steps=1000, peak=2.0, warmup=100, decay_from=0.6)
    rates = [schedule.rate(step, step / 1000) for step in range(1001)]
    assert rates[:100] == pytest.approx([2.0 * (i + 1) / 100 for i in range(100)])
    assert rates[100:600] == pytest.approx([2.0] * 500)
    assert rates[600:] == pytest.approx([2.0 * (1000 - i) / 400 for i in range(600, 1001)])
    assert rates[-1] == 0
    assert schedule.rate(1200, 1.2) == 0


def test_minutes_count_as_well_as_steps():
    schedule = Schedule(steps=100)
    assert loop.share_done(Progress(step=25, seconds=30), schedule, None) == 0.25
    assert loop.share_done(Progress(step=25, seconds=30), schedule, 1.0) == 0.5
    assert loop.share_done(Progress(step=75, seconds=30), schedule, 1.0) == 0.75


def test_a_run_that_has_to_wait_for_a_core_spends_none_of_its_minutes(folder, tmp_path):
    """A task that stands still half a second a step: by the clock on the wall, two seconds."""
    task = task_in(folder, out="waits")
    step = task.step

    def waiting(*given):
        time.sleep(0.5)
        return step(*given)

    task.step = waiting
    began = time.monotonic()
    progress = loop.train(task, QUICK, tmp_path, minutes=1.9 / 60)
    assert time.monotonic() - began > 2
    assert progress.step == QUICK.steps  # the budget did not end it
    assert 0 < progress.seconds < 1.5
    assert progress.curve[-1]["minutes"] == round(progress.seconds / 60, 2)


def test_training_stops_when_the_held_out_loss_has_not_fallen_for_long():
    schedule = Schedule(steps=10_000, check_every=100, patience=3)
    assert not loop.stale(Progress(step=500, best_step=300), schedule)
    assert loop.stale(Progress(step=600, best_step=300), schedule)


def test_snapshots_are_dense_at_first():
    steps = [step for step in range(1, 12_001) if loop.is_snapshot(step)]
    assert steps == [50, 100, 200, 400, 800, 1600, 3200, 4000, 6400, 8000, 12_000]


def test_weight_decay_is_for_matrices_only(folder):
    optimiser = loop.optimiser_for(task_in(folder).model, Schedule(steps=1, decay=0.1))
    for group in optimiser.param_groups:
        assert group["params"]
        assert {p.dim() > 1 for p in group["params"]} == {group["weight_decay"] == 0.1}


# ---- resuming ---------------------------------------------------------------------------------


@KINDS
def test_a_restored_run_goes_on_as_if_never_interrupted(kind, folder, tmp_path):
    task = task_in(folder, kind)
    optimiser = loop.optimiser_for(task.model, QUICK)
    batches = list(task.batches(1.0, 0))
    for batch in batches[:2]:
        loop.step_once(task, task.model, optimiser, batch, clip=1.0)
    progress = Progress(step=2, chunk=3, seconds=1.5, best=0.5, curve=[{"step": 2, "loss": 1.0}])
    mean = state.Average(task.model, keep=0.9)
    mean.update(1)
    state.store(tmp_path, task.model, [optimiser], mean, progress)

    again = task_in(folder, kind)
    torch.nn.init.normal_(again.model.embedding.weight)  # somewhere else altogether
    restored = loop.optimiser_for(again.model, QUICK)
    again_mean = state.Average(again.model, keep=0.9)
    assert state.restore(tmp_path, again.model, [restored], again_mean) == progress
    assert all(map(torch.equal, again_mean.mean, mean.mean))
    for batch in batches[2:4]:
        wanted = loop.step_once(task, task.model, optimiser, batch, clip=1.0)
        assert loop.step_once(again, again.model, restored, batch, clip=1.0) == wanted


def test_resuming_what_never_began_gets_a_sentence(folder, tmp_path):
    task = task_in(folder)
    with pytest.raises(ValueError, match=r"state.safetensors is not there: train without --resume"):
        loop.train(task, QUICK, tmp_path, resume=True)


def test_a_finished_run_can_be_resumed_with_nothing_left_to_do(folder, tmp_path):
    before = loop.train(task_in(folder, out="a"), QUICK, tmp_path)
    assert before.step == 4
    assert loop.train(task_in(folder, out="a"), QUICK, tmp_path, resume=True).step == 4


@KINDS
def test_training_lowers_the_held_out_loss_and_keeps_its_course(kind, folder, tmp_path):
    task = task_in(folder, kind, out=f"learned-{kind}")
    before = sum(task.held_out_losses().values())
    schedule = Schedule(steps=20, peak=0.01, warmup=1, check_every=5)
    progress = loop.train(task, schedule, tmp_path)
    assert progress.best < before - 0.5
    assert [point["step"] for point in progress.curve] == [5, 10, 15, 20]
    log = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in log][:4] == [5, 10, 15, 20]
    assert state.read_progress(tmp_path) == progress
    kept = load_file(tmp_path / "best.safetensors")
    assert set(kept) == set(task.model.state_dict())
    snapshots = (task.out / "snapshots.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in snapshots] == [0]


def test_a_run_that_goes_further_counts_what_lies_behind_it(folder, tmp_path):
    task = task_in(folder, out="further")
    behind = [{"step": 16, "minutes": 0.001, "loss": 5.0, "held_out": 5.0}]
    schedule = Schedule(steps=20, peak=0.01, warmup=2, check_every=2)
    progress = loop.train(task, schedule, tmp_path, past=state.past(16, behind))
    assert [point["step"] for point in progress.curve] == [16, 18, 20]
    assert progress.best_step in (18, 20)
    assert progress.seconds > 0.06
    first, other = (
        [batch.source.tolist() for batch in task.batches(1.0, chunk)]
        for chunk in (0, state.past(16).chunk)
    )
    assert first != other


# ---- averaged weights, half precision -----------------------------------------------------------


def test_the_mean_of_the_weights_is_its_closed_form():
    """m_t = k_t m_{t-1} + (1 - k_t) w_t, so m_T = sum_t w_t (1 - k_t) prod_{u > t} k_u."""
    model = torch.nn.Linear(3, 2)
    mean = state.Average(model, keep=0.9)
    history = [model.weight.detach().clone()]
    keeps = [1.0]
    for step in range(1, 60):
        with torch.no_grad():
            model.weight.normal_()
        history.append(model.weight.detach().clone())
        keeps.append(min(0.9, (1 + step) / (10 + step)))
        mean.update(step)
    assert keeps[1] < 0.2 < keeps[-1]  # short at first
    shares = [(1 - keeps[t]) * math.prod(keeps[t + 1 :]) for t in range(1, 60)]
    shares.insert(0, math.prod(keeps[1:]))  # what is left of the weights it began with
    assert sum(shares) == pytest.approx(1)
    wanted = sum(share * weight for share, weight in zip(shares, history, strict=True))
    torch.testing.assert_close(mean.mean[0], wanted)


def test_inside_with_the_model_has_the_mean_and_afterwards_its_own_weights():
    model = torch.nn.Linear(3, 2)
    mean = state.Average(model, keep=0.5)
    before = model.weight.detach().clone()
    with torch.no_grad():
        model.weight.add_(1.0)
    with mean:
        assert torch.equal(model.weight, before)
    assert torch.equal(model.weight, before + 1)
    assert torch.equal(mean.mean[0], before)


def test_without_an_average_nothing_is_kept_and_nothing_changes():
    model = torch.nn.Linear(3, 2)
    mean, before = state.Average(model, keep=0.0), model.weight.detach().clone()
    mean.update(1)
    with mean:
        assert torch.equal(model.weight, before)
    assert mean.mean == []


def test_the_mean_is_what_is_checked_and_kept(folder, tmp_path, monkeypatch):
    """A mean that never moves: the best weights are those the run began with."""
    task = task_in(folder, out="mean")
    before = {name: value.half() for name, value in task.model.state_dict().items()}
    still = Schedule(steps=2, warmup=1, check_every=2, average=0.5)
    monkeypatch.setattr(state.Average, "update", lambda self, step: None)
    loop.train(task, still, tmp_path)
    kept = load_file(tmp_path / "best.safetensors")
    assert all(torch.equal(kept[name], value) for name, value in before.items())
    assert not torch.equal(task.model.embedding.weight.half(), before["embedding.weight"])


@KINDS
def test_half_precision_products_give_nearly_the_same_loss_and_whole_gradients(kind, folder):
    task = task_in(folder, kind)
    batch = next(task.batches(0.0, 0))
    whole = task.loss(task.model, batch)
    task.half = True
    half = task.loss(task.model, batch)
    assert half.item() == pytest.approx(whole.item(), rel=0.02)
    assert half.item() != whole.item()
    half.backward()
    assert {p.grad.dtype for p in task.model.parameters()} == {torch.float32}


# ---- one process or two -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_processes(folder) -> dict:
    """What two processes report, each on its share of every batch."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    subprocess.run(
        [*command, "--nproc_per_node=2", __file__, str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        check=True,
        timeout=600,
    )
    found: dict = json.loads((folder / "two.json").read_text())
    return found


@KINDS
def test_two_processes_get_the_loss_of_one_on_the_joint_batch(kind, folder, two_processes):
    wanted = losses(task_in(folder, kind))
    assert wanted[0] != pytest.approx(wanted[1], abs=1e-3)
    assert two_processes[kind] == pytest.approx(wanted, abs=1e-5)


def test_two_processes_write_each_snapshot_once(folder, two_processes):
    lines = (folder / "two" / "snapshots.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [0]


@KINDS
def test_a_process_without_a_row_has_no_loss_and_no_error(kind, folder):
    """The last batch may have fewer rows than there are processes."""
    task = task_in(folder, kind)
    batch = data.collate(data.encode(task.tokenizer, [Pair("I see 7 cats.", "Je vois 7 chats.")]))
    loss = task.loss(task.model, batch.share(1, 2))
    loss.backward()
    assert loss.item() == 0


def test_no_sentence_is_in_two_parts(folder):
    parts = [
        {pair.english for pair in data.read("tatoeba", folder, part)}
        for part in ("train", "held-out", "test")
    ]
    assert all(parts)
    assert sum(map(len, parts)) == len(set.union(*parts)) == 1000


# ---- the task ---------------------------------------------------------------------------------


@KINDS
def test_the_loss_is_torchs_label_smoothed_cross_entropy(kind, folder):
    task = task_in(folder, kind)
    batch = next(task.batches(0.0, 0))
    logits = task.model.logits(task.model(batch.source, batch.target)[0])
    wanted = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1),
        batch.wanted.flatten(),
        ignore_index=PAD,
        label_smoothing=0.1,
        reduction="sum",
    )
    torch.testing.assert_close(task.loss(task.model, batch), wanted)


def test_naming_adds_the_noun_that_it_stands_for(folder):
    task = task_in(folder, "transformer")
    rows = [
        Example(np.array([5, 6, 7, 3]), np.array([8, 3]), 2, 5),
        Example(np.array([5, 6, 3]), np.array([8, 9, 3])),
    ]
    batch = data.collate(rows)
    plain = task.loss(task.model, batch)
    task.naming = 0.5
    state = task.model.encode(batch.source).states[0, 2]
    named = task.model.logits(state).log_softmax(-1)[5]
    torch.testing.assert_close(task.loss(task.model, batch), plain - 0.5 * named)


def test_the_guiding_loss_asks_where_the_links_are(folder):
    task = task_in(folder, "rnn-search")
    row = np.array([5, 6, 7])
    batch = data.collate([Example(row, row, links=np.array([[0, 2], [1, 1]]))])
    plain = task.loss(task.model, batch)
    task.guiding = 0.5
    _, weights = task.model(batch.source, batch.target)
    told = weights[0, 0, 2].log() + weights[0, 1, 1].log()
    torch.testing.assert_close(task.loss(task.model, batch), plain - 0.5 * told)


def test_short_sentences_come_first_and_chunks_can_be_drawn_again(folder):
    task = task_in(folder)
    long = Example(np.full(40, 5), np.full(40, 5))
    task.pools["tatoeba"] = [*task.pools["tatoeba"][:100], *[long] * 100]
    assert all(batch.source.shape[1] <= 12 for batch in task.batches(0.0, 0))
    assert any(batch.source.shape[1] == 40 for batch in task.batches(0.5, 0))
    first, again = (list(task.batches(0.5, 7)) for _ in range(2))
    assert all(torch.equal(a.source, b.source) for a, b in zip(first, again, strict=True))


if __name__ == "__main__":  # one process of test_two_processes...
    given_folder = Path(sys.argv[1])
    found = {
        kind: losses(task_in(given_folder, kind)) for kind in ("rnn", "rnn-search", "transformer")
    }
    loop.train(task_in(given_folder, out="two"), QUICK, given_folder / "two")
    if Processes().first:
        (given_folder / "two.json").write_text(json.dumps(found))
    torch.distributed.destroy_process_group()
