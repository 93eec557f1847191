import json
from dataclasses import dataclass, replace

import pytest
import torch

from viz_core import checkpoints
from viz_core.checkpoints import CARD, TOKENIZER, WEIGHTS, CheckpointError
from viz_core.models import ARCHITECTURES, Architecture

DESCRIBED = {
    "title": "A random model",
    "paper": "none",
    "data": [{"name": "nothing", "licence": "none", "split": "none"}],
    "command": "none",
    "seed": 1,
    "steps": 0,
    "metrics": {"test": {"BLEU": 1.5}},
    "examples": ["Vois-tu l'accord ?"],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    return checkpoints.FOLDER


@pytest.fixture
def save(folder, bundle_of):
    """Saves a random model under its own name, or another one."""

    def save(kind="rnn-additive", name=None):
        bundle = bundle_of(kind)
        described = {**DESCRIBED, "name": name or kind, "architecture": bundle.card.architecture}
        return checkpoints.save(bundle.model, bundle.tokenizer, described, folder)

    return save


def change(path, **fields):
    """Alter a card."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.mark.parametrize("name", ["rnn-additive", "rnn-local-p", "rnn-content", "transformer"])
def test_what_was_saved_comes_back_within_half_precision(name, save, bundle_of):
    save(name)
    bundle, loaded = bundle_of(name), checkpoints.load(name)
    for key, value in bundle.model.state_dict().items():
        assert torch.equal(loaded.model.state_dict()[key], value.half().float())
    source, target = torch.randint(4, 50, (2, 6)), torch.randint(4, 50, (2, 5))
    wanted, _ = bundle.model(source, target)
    found, _ = loaded.model(source, target)
    torch.testing.assert_close(found, wanted, atol=0.05, rtol=0)
    assert loaded.tokenizer.vocabulary == bundle.tokenizer.vocabulary
    assert loaded.model.config == bundle.model.config


def test_a_loaded_model_is_for_looking_not_for_training(save):
    save()
    model = checkpoints.load("rnn-additive").model
    assert not model.training
    assert not any(parameter.requires_grad for parameter in model.parameters())


def test_a_card_says_what_was_saved(save, folder, bundle_of):
    written = save()
    assert checkpoints.card("rnn-additive") == written
    assert checkpoints.cards() == [written]
    assert written.parameters == sum(
        p.numel() for p in bundle_of("rnn-additive").model.parameters()
    )
    assert written.examples == ["Vois-tu l'accord ?"]
    assert set(written.sha256) == {WEIGHTS, TOKENIZER}


def test_what_is_saved_goes_where_the_folder_is_now(folder, bundle_of):
    """Not to where it was when the module was imported."""
    bundle = bundle_of("rnn-dot")
    checkpoints.save(
        bundle.model, bundle.tokenizer, {**DESCRIBED, "name": "here", "architecture": "rnn"}
    )
    assert (folder / "here" / WEIGHTS).is_file()
    assert checkpoints.load("here").card.name == "here"


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelsConfig:
    side: int


class Pixels(torch.nn.Module):
    """A model of pictures: it reads no text."""

    def __init__(self, config: PixelsConfig) -> None:
        super().__init__()
        self.config = config
        self.filter = torch.nn.Linear(config.side**2, 3)


@pytest.fixture
def pixels(monkeypatch):
    monkeypatch.setitem(ARCHITECTURES, "pixels", Architecture(PixelsConfig, Pixels, None))
    return {**DESCRIBED, "name": "pixels", "architecture": "pixels"}


def test_a_model_that_reads_no_text_has_no_tokeniser(pixels, folder):
    model = Pixels(PixelsConfig(side=4))
    written = checkpoints.save(model, None, pixels)
    assert {path.name for path in (folder / "pixels").iterdir()} == {WEIGHTS, CARD}
    assert set(written.sha256) == {WEIGHTS}
    loaded = checkpoints.load("pixels")
    assert loaded.tokenizer is None
    assert torch.equal(loaded.model.filter.weight, model.filter.weight.half().float())


def test_a_model_that_reads_text_is_not_saved_without_its_tokeniser(folder, bundle_of):
    with pytest.raises(AssertionError, match="rnn"):
        described = {**DESCRIBED, "name": "mute", "architecture": "rnn"}
        checkpoints.save(bundle_of("rnn-dot").model, None, described)
    assert checkpoints.names() == []


def test_saving_again_replaces_the_old(save):
    save("rnn-additive", name="mine")
    save("rnn-dot", name="mine")
    assert checkpoints.load("mine").model.config.attention == "dot"


# ---- what can go wrong ------------------------------------------------------------------------


@pytest.mark.parametrize("file", [WEIGHTS, TOKENIZER])
def test_an_altered_file_is_named(file, save, folder):
    save()
    path = folder / "rnn-additive" / file
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=rf"rnn-additive/{file} is damaged or altered"):
        checkpoints.load("rnn-additive")


@pytest.mark.parametrize("file", [WEIGHTS, TOKENIZER])
def test_a_truncated_file_is_named(file, save, folder):
    save()
    path = folder / "rnn-additive" / file
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(CheckpointError, match=rf"rnn-additive/{file} is damaged or altered"):
        checkpoints.load("rnn-additive")


@pytest.mark.parametrize("file", [WEIGHTS, TOKENIZER])
def test_a_missing_file_is_named(file, save, folder):
    save()
    (folder / "rnn-additive" / file).unlink()
    with pytest.raises(CheckpointError, match=rf"rnn-additive/{file} is missing"):
        checkpoints.load("rnn-additive")


@pytest.mark.parametrize("name", ["nobody", "", ".", "..", "../x", "a/b", "/etc", "rnn-additive/"])
def test_a_name_that_is_not_in_the_folder_is_refused(name, save):
    save()
    with pytest.raises(CheckpointError, match="There is no checkpoint"):
        checkpoints.load(name)


def test_a_folder_outside_is_out_of_reach(save, folder):
    save()
    (folder / "rnn-additive").rename(folder.parent / "x")
    for name in ("../x", str(folder.parent / "x")):
        with pytest.raises(CheckpointError):
            checkpoints.load(name)


def test_without_a_folder_there_are_no_checkpoints(folder):
    assert checkpoints.cards() == []


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "{}", '{"name": "broken"}'])
def test_a_broken_card_is_named_and_leaves_the_others_alone(content, save, folder):
    written = save()
    (folder / "broken").mkdir()
    (folder / "broken" / CARD).write_text(content)
    assert checkpoints.cards() == [written]
    with pytest.raises(CheckpointError, match=r"broken/card.json cannot be read"):
        checkpoints.load("broken")


def test_a_card_from_the_future_may_say_more(save, folder):
    written = save()
    change(folder / "rnn-additive" / CARD, mood="cheerful")
    assert checkpoints.card("rnn-additive") == written


def test_an_unknown_architecture_is_refused(save, folder):
    save()
    change(folder / "rnn-additive" / CARD, architecture="abacus")
    with pytest.raises(CheckpointError, match="'abacus' is not known"):
        checkpoints.load("rnn-additive")


def test_weights_that_do_not_fit_the_card_are_named(save, folder):
    written = save()
    change(folder / "rnn-additive" / CARD, config={**written.config, "width": 32})
    with pytest.raises(CheckpointError, match=r"model.safetensors does not fit its card"):
        checkpoints.load("rnn-additive")


@pytest.mark.parametrize("wrong", [{"depth": 3}, {"attention": "telepathy"}])
def test_a_config_that_the_model_does_not_know_is_an_error_of_the_card(wrong, save, folder):
    written = save()
    change(folder / "rnn-additive" / CARD, config={**written.config, **wrong})
    with pytest.raises(CheckpointError, match=r"rnn-additive"):
        checkpoints.load("rnn-additive")


def test_a_copied_folder_is_a_checkpoint_of_its_own(save, folder):
    """The folder is the registry: its name counts, and its own files are read."""
    save()
    (folder / "rnn-additive").rename(folder / "mine")
    assert checkpoints.load("mine").model.config.attention == "additive"


def test_missing_snapshots_are_named(save):
    save()
    with pytest.raises(CheckpointError, match=r"rnn-additive/snapshots.json cannot be read"):
        checkpoints.snapshots("rnn-additive")


def test_new_figures_change_the_card_and_nothing_else(save, folder):
    save()
    before = checkpoints.load("rnn-additive")
    files = {file: (folder / "rnn-additive" / file).read_bytes() for file in (WEIGHTS, TOKENIZER)}
    measured = {"BLEU by length": [{"words": "1-4", "BLEU": 31.3}]}
    checkpoints.write_card(replace(before.card, measured=measured))
    after = checkpoints.load("rnn-additive")
    assert after.card.measured == measured
    assert replace(after.card, measured={}) == before.card
    assert files == {f: (folder / "rnn-additive" / f).read_bytes() for f in files}


def test_a_folder_of_ones_own_comes_before_the_models_on_board(save, folder, monkeypatch):
    for name in ("rnn-dot", "rnn-additive"):
        save(name)
    mine = folder.parent / "mine"
    monkeypatch.setattr(checkpoints, "BESIDE", (folder,))
    monkeypatch.setattr(checkpoints, "FOLDER", mine)
    assert checkpoints.names() == ["rnn-additive", "rnn-dot"]
    assert checkpoints.place("rnn-dot") == folder / "rnn-dot"
    bundle = checkpoints.load("rnn-dot")
    described = {**DESCRIBED, "name": "rnn-dot", "architecture": "rnn", "title": "mine"}
    checkpoints.save(bundle.model, bundle.tokenizer, described)
    assert checkpoints.place("rnn-dot") == mine / "rnn-dot"
    assert checkpoints.load("rnn-dot").card.title == "mine"
    assert checkpoints.load(folder / "rnn-dot").card.title == "A random model"  # by its path
    assert checkpoints.names() == ["rnn-additive", "rnn-dot"]
