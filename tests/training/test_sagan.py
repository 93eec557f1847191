"""What the GAN is taught with: normalised matrices, changed pictures, a distance that is known."""

import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

from tests import tiny
from viz_core import checkpoints
from viz_core.models.sagan import Generator
from viz_core.training import augmentation, sagan
from viz_core.training.data import flowers
from viz_core.training.data.flowers import Flowers
from viz_core.training.loop import Schedule
from viz_core.training.measure import pictures
from viz_core.training.measure.pictures import Cloud
from viz_core.training.sagan import Drawing, draw, plain


@pytest.fixture
def real():
    torch.manual_seed(3)
    return Flowers(torch.rand(12, 3, 16, 16) * 2 - 1, torch.arange(12) % 3)


@pytest.fixture
def task(real, monkeypatch):
    monkeypatch.setattr(pictures, "reader", lambda: tiny.vit().model)
    monkeypatch.setattr(sagan, "BATCH", 4)
    monkeypatch.setattr(sagan, "CHECKED", 8)
    torch.manual_seed(1)
    return Drawing(Generator(tiny.sagan().model.config), real)


def test_every_matrix_of_both_networks_has_a_largest_singular_value_of_one(task):
    task.model.train()
    noise, kinds = torch.randn(4, 5), torch.eye(3)[[0, 1, 2, 0]]
    for _ in range(60):  # the power method comes nearer with every pass
        task.model.discriminator(task.model.generator(noise, kinds).pixels, kinds)
    network = task.model.eval().requires_grad_(False)
    for module in (
        network.generator.first,
        network.discriminator.judge,
        network.generator.attention.f,
    ):
        assert float(torch.linalg.matrix_norm(module.weight, 2)) == pytest.approx(1, abs=0.01)
    last = network.discriminator.halves[-1].weight.flatten(1)
    assert float(torch.linalg.matrix_norm(last, 2)) == pytest.approx(1, abs=0.02)


def test_what_is_kept_draws_the_same_with_plain_weights(task):
    kept = task.kept
    assert not any("parametrizations" in name for name in kept.state_dict())
    noise, kinds = torch.randn(2, 5), torch.eye(3)[[0, 1]]
    with torch.inference_mode():
        expected = task.model.eval().generator(noise, kinds)
        torch.testing.assert_close(kept(noise, kinds).pixels, expected.pixels)
    assert plain(task.model.generator).state_dict().keys() == kept.state_dict().keys()


def test_a_step_teaches_both_by_their_own_rates(task):
    schedule = Schedule(steps=10, peak=1e-3)
    optimisers = task.optimisers(schedule)
    factors = [[group.get("factor", 1) for group in one.param_groups] for one in optimisers]
    assert factors == [[1, sagan.GAMMA_FACTOR], [sagan.JUDGE_FACTOR]]
    before = {name: value.clone() for name, value in task.model.named_parameters()}
    batch = next(task.batches(0.0, 0))
    loss = task.step(task.model, optimisers, batch, 1.0)
    changed = {
        name for name, value in task.model.named_parameters() if not value.equal(before[name])
    }
    assert any(name.startswith("generator") for name in changed)
    assert any(name.startswith("discriminator") for name in changed)
    assert "generator.attention.gamma" in changed and loss > 0


def test_the_judge_learns_to_tell_real_from_drawn(task):
    """The hinge loss is 2 for a judge that knows nothing."""
    optimisers = task.optimisers(Schedule(steps=10, peak=1e-3))
    batch = next(task.batches(0.0, 0))
    for group in optimisers[0].param_groups:
        group["lr"] = 0.0  # the generator stands still
    losses = [task.step(task.model, optimisers, batch, 1.0) for _ in range(60)]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.1


def test_the_same_chunk_is_the_same_batches(task):
    for one, again in zip(task.batches(0.0, 3), task.batches(0.0, 3), strict=True):
        torch.testing.assert_close(one.real, again.real)
        torch.testing.assert_close(one.noise, again.noise)


def test_a_check_measures_settled_weights(task):
    assert task.held_out_losses()["distance"] > 0
    assert not task.model.training
    one, two = (draw(task.kept, task.train.kinds, 8) for _ in range(2))
    torch.testing.assert_close(one, two)


def test_clouds_on_a_line_are_as_far_apart_as_their_means_and_widths_say():
    """For one dimension the distance is (m - m')^2 + (s - s')^2."""
    one = Cloud(torch.tensor([1.0, 2.0]).double(), torch.diag(torch.tensor([4.0, 1.0]).double()))
    other = Cloud(torch.tensor([4.0, 2.0]).double(), torch.diag(torch.tensor([9.0, 1.0]).double()))
    assert pictures.distance(one, other) == pytest.approx(9 + 1)
    assert pictures.distance(one, one) == pytest.approx(0, abs=1e-6)


def test_the_root_of_a_product_equals_one_by_eigenvectors():
    random = torch.randn(2, 9, 4, generator=torch.Generator().manual_seed(1)).double()
    a, b = (each.T @ each for each in random)
    values, vectors = torch.linalg.eigh(a)
    root = vectors @ values.sqrt().diag() @ vectors.T
    expected = torch.linalg.eigvalsh(root @ b @ root).clamp(min=0).sqrt().sum()
    zero = torch.zeros(4).double()
    found = pictures.distance(Cloud(zero, a), Cloud(zero, b))
    assert found == pytest.approx(float(a.trace() + b.trace() - 2 * expected))


def test_real_pictures_are_measured_beside_drawn_ones_with_and_without_attention(real, monkeypatch):
    monkeypatch.setattr(pictures, "reader", lambda: tiny.vit().model)
    monkeypatch.setattr(sagan, "LOOKED_AT", 3)
    found = sagan.measure(tiny.sagan(), real, real)
    assert found["distance to test pictures"]["real pictures"] == pytest.approx(0, abs=0.01)
    assert {"with attention", "gamma = 0"} == set(found["distance to training pictures"])
    assert 0 < found["attention"]["weight beyond 4 places"] < 1
    twin = sagan.measure(tiny.sagan(attention=False), real, real)
    assert "attention" not in twin
    assert set(twin["distance to training pictures"]) == {"trained without attention"}


def test_the_twin_differs_by_its_attention_alone():
    """Steps are those of the card, and the rate falls where its minutes made it fall."""
    ours, twin = sagan.SAGAN, sagan.TWIN
    assert twin.config == replace(ours.config, attention=False) and twin.data == ours.data
    same = replace(twin.schedule, steps=ours.schedule.steps, decay_from=ours.schedule.decay_from)
    assert same == ours.schedule
    card = checkpoints.card("sagan")
    assert twin.schedule.steps == card.curve[-1]["step"]
    falls = ours.schedule.decay_from * card.curve[-1]["minutes"]
    steps, minutes = ([point[key] for point in card.curve] for key in ("step", "minutes"))
    at = np.interp(falls, minutes, steps) / twin.schedule.steps
    assert twin.schedule.decay_from == pytest.approx(at, abs=0.01)


def test_changes_keep_the_size_and_let_the_gradient_through():
    torch.manual_seed(1)
    pixels = torch.rand(5, 3, 16, 16, requires_grad=True)
    changed = augmentation.augmented(pixels)
    assert changed.shape == pixels.shape
    changed.sum().backward()
    assert pixels.grad is not None and pixels.grad.abs().sum() > 0


def test_a_picture_is_moved_as_a_whole():
    torch.manual_seed(1)
    pixels = torch.zeros(6, 3, 16, 16)
    pixels[:, :, 7, 8] = 1
    found = augmentation.moved(pixels)
    for each in found:
        row, column = divmod(int(each[0].argmax()), 16)
        assert abs(row - 7) <= 2 and abs(column - 8) <= 2
    assert found.sum() == pixels.sum()


def test_a_cut_hides_at_most_a_quarter():
    torch.manual_seed(1)
    hidden = (augmentation.cut(torch.ones(40, 3, 16, 16)) == 0).float().mean((1, 2, 3))
    assert 0 < hidden.max() <= 0.25


def test_every_fifth_picture_of_a_kind_is_kept_for_the_test(tmp_path):
    (tmp_path / "flowers").mkdir()
    with zipfile.ZipFile(tmp_path / flowers.SOURCE.file, "w") as archive:
        for kind, colour in (("5", "red"), ("54", "yellow"), ("7", "blue")):
            for number in range(10):
                file = io.BytesIO()
                Image.new("RGB", (40, 40), colour).save(file, "PNG")
                archive.writestr(f"{kind}_image_{number:05}.jpg", file.getvalue())
    train, test = flowers.read(tmp_path, ("5", "54"))
    assert train.kinds.tolist() == [0] * 8 + [1] * 8 and test.kinds.tolist() == [0, 0, 1, 1]
    assert train.pixels.shape == (16, 3, 32, 32)
    assert train.pixels[0, :, 9, 9].tolist() == [1, -1, -1]  # red, and 7 is no kind of ours
    with pytest.raises(ValueError, match="missing"):
        flowers.read(tmp_path / "nowhere")
