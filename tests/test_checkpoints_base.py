"""A checkpoint that is kept as a difference to the one below it."""

import pytest
import torch

from viz_core import checkpoints, probe
from viz_core.checkpoints import WEIGHTS, CheckpointError
from viz_core.training import tasks
from viz_core.training.tasks import on_top

CARD = {
    "title": "A random model",
    "paper": "none",
    "architecture": "bert",
    "data": [],
    "command": "none",
    "seed": 1,
    "steps": 0,
    "metrics": {},
    "examples": [],
}


@pytest.fixture
def kept(tmp_path, monkeypatch, bert_of, wordpiece):
    """bert-mini, and bert-sentiment with one more layer's worth of changes, as saved."""
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    base = bert_of("bert-mini").model
    checkpoints.save(base, wordpiece, {**CARD, "name": "bert-mini"}, tmp_path)
    torch.manual_seed(2)
    model = on_top(checkpoints.load("bert-mini").model, "classify", trained=1)
    with torch.no_grad():
        for name, value in model.named_parameters():
            if value.requires_grad and not name.startswith("norm"):
                value.add_(0.1 * torch.randn_like(value))
    card = {**CARD, "name": "bert-sentiment"}
    return model, checkpoints.save(model, wordpiece, card, tmp_path, base="bert-mini")


def test_a_difference_is_small_and_comes_back_whole(kept, tmp_path):
    model, card = kept
    loaded = checkpoints.load("bert-sentiment")
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.model.state_dict()[name], value.half().float()), name
    sizes = [(tmp_path / n / WEIGHTS).stat().st_size for n in ("bert-sentiment", "bert-mini")]
    assert sizes[0] < 0.6 * sizes[1]
    assert not (tmp_path / "bert-sentiment" / checkpoints.TOKENIZER).exists()
    assert card.config["base"] == "bert-mini"
    assert probe.classify(loaded, "The cat sees.").keys() == {"negative", "positive"}


def test_a_difference_does_not_fit_another_base(kept, tmp_path, bert_of, wordpiece):
    other = bert_of("bert-mini").model
    torch.manual_seed(3)
    changed = type(other)(other.config)
    checkpoints.save(changed, wordpiece, {**CARD, "name": "bert-mini"}, tmp_path)
    with pytest.raises(CheckpointError, match="was trained on another bert-mini"):
        checkpoints.load("bert-sentiment")


def test_a_base_that_went_further_keeps_what_its_tasks_share(kept, tmp_path, bert_of, wordpiece):
    before = probe.classify(checkpoints.load("bert-sentiment"), "The cat sees.")
    base = bert_of("bert-mini").model
    further = type(base)(base.config)
    further.load_state_dict(base.state_dict())
    tasks.learn_top(further, trained=1)
    with torch.no_grad():
        for parameter in further.parameters():
            if parameter.requires_grad:
                parameter.add_(torch.randn_like(parameter))
    checkpoints.save(further, wordpiece, {**CARD, "name": "bert-mini"}, tmp_path)
    assert probe.classify(checkpoints.load("bert-sentiment"), "The cat sees.") == before


def test_a_difference_without_its_base_says_so(kept, tmp_path):
    (tmp_path / "bert-mini").rename(tmp_path / "gone")
    with pytest.raises(CheckpointError, match="There is no checkpoint 'bert-mini'"):
        checkpoints.load("bert-sentiment")
