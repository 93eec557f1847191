"""What the Vision Transformer is taught with: pictures that are moved, and read from bytes."""

from copy import deepcopy

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core.training.vit import Naming, Pictures, moved, read


def test_the_original_batches_are_read(tmp_path):
    folder = tmp_path / "cifar-10"
    folder.mkdir()
    row = np.concatenate(([7], np.repeat([10, 20, 30], 1024))).astype(np.uint8)
    np.concatenate((row, row)).tofile(folder / "one.bin")
    pictures = read(tmp_path, ["one.bin"])
    assert pictures.labels.tolist() == [7, 7]
    assert pictures.pixels[0, :, 5, 5].tolist() == [10, 20, 30]
    with pytest.raises(ValueError, match="missing"):
        read(tmp_path, ["two.bin"])


def test_a_moved_picture_has_only_colours_of_its_own():
    pixels = torch.arange(2 * 3 * 16 * 16, dtype=torch.uint8).view(2, 3, 16, 16)
    found = moved(Pictures(pixels, torch.tensor([0, 1])), torch.Generator().manual_seed(1))
    assert found.pixels.shape == pixels.shape and not torch.equal(found.pixels, pixels.float())
    assert set(found.pixels[1, 0].unique().tolist()) <= set(pixels[1, 0].unique().tolist())


def test_the_task_measures_the_share_of_wrong_names():
    model = deepcopy(tiny.vit().model)
    pixels = torch.randint(0, 256, (6, 3, 16, 16), dtype=torch.uint8)
    right = model(pixels.float()).logits.argmax(-1)
    task = Naming(model, Pictures(pixels, right), Pictures(pixels, (right + 1) % 3))
    assert task.held_out_losses() == {"wrong": 1.0}
    (batch,) = task.batches(0.0, 0)
    assert torch.isfinite(task.loss(model, batch))
