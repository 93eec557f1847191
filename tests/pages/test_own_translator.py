"""From a file of pairs to the pages: a translator of a visitor's own, English to Persian, tiny."""

import itertools
import json
import shutil
import sys

import pytest

from viz_core import checkpoints, ui
from viz_core.models.rnn import RNNConfig
from viz_core.models.transformer import TransformerConfig
from viz_core.training import __main__ as command, own
from viz_core.training.loop import Schedule

WHO = {"the cat": "گربه", "the dog": "سگ", "my friend": "دوست من", "the girl": "دختر"}
WHAT = {"a book": "یک کتاب", "the house": "خانه", "a red apple": "یک سیب سرخ", "bread": "نان"}
DOES = {"sees": "می‌بیند", "wants": "می‌خواهد", "finds": "پیدا می‌کند", "buys": "می‌خرد"}
WHEN = {"today": "امروز", "now": "اکنون"}
PAIRS = [
    (f"{who} {does} {what} {when}.", f"{when_} {who_} {what_} {does_}.")
    for (who, who_), (what, what_), (does, does_), (when, when_) in itertools.product(
        WHO.items(), WHAT.items(), DOES.items(), WHEN.items()
    )
]
PAGES = ("alignment", "transformer", "decoder", "ablation", "beam", "machine")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder that the command writes; a handful of steps teach nothing and show the path."""
    folder = tmp_path_factory.mktemp("own")
    pairs = folder / "my.tsv"
    pairs.write_text("\n".join(map("\t".join, PAIRS)), encoding="utf-8")
    shape = {"width": 16, "heads": 2, "encoder_layers": 2, "decoder_layers": 1, "inner": 16}
    models = {
        "transformer": TransformerConfig(vocabulary=150, **shape),
        "rnn": RNNConfig(vocabulary=150, attention="additive", embedding=8, width=8),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "FOLDER", folder / "checkpoints")
        patch.setattr(own, "MODELS", models)
        patch.setattr(own, "SCHEDULE", Schedule(steps=3, warmup=1, check_every=2))
        for name, kind in (("en-fa", "transformer"), ("en-fa-rnn", "rnn")):
            words = ["--pairs", pairs, "--name", name, "--architecture", kind, "--target", "fa"]
            words += ["--source", "en", "--runs", folder / "runs"]
            patch.setattr(sys, "argv", ["training", "translate", *map(str, words)])
            command.main()
    return folder / "checkpoints"


def test_the_card_tells_languages_figures_and_the_command(trained, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", trained)
    card = checkpoints.card("en-fa")
    assert (card.own, card.source, card.target) == (True, "en", "fa")
    assert card.title == "Yours: Transformer, English to Persian"
    assert set(card.metrics["own test"]) == {"BLEU", "chrF", "perplexity", "sentences"}
    assert card.command.endswith(
        "translate --pairs my.tsv --name en-fa --source en --target fa --minutes 20"
    )
    english = {source for source, _ in PAIRS}
    assert len(card.examples) == own.SHOWN and set(card.examples) <= english
    assert checkpoints.load(trained / "en-fa-rnn").card.architecture == "rnn"  # named by its path


@pytest.mark.parametrize("stem", PAGES)
def test_it_appears_by_itself_in_the_pages_with_its_own_languages(trained, opened_at, stem):
    app = opened_at(trained, stem, model="en-fa (yours)")
    assert not app.error
    assert app.text_input(key="text").value in {source for source, _ in PAIRS}
    labels = [box.label for box in app.text_input]
    assert "English sentence" in labels
    told = " ".join(
        str(part.value) for part in [*app.markdown, *app.caption, *app.info, *app.warning]
    )
    assert "French" not in " ".join([*labels, told])
    assert "en-fa" in told  # the line on the model, with what was measured
    if stem in ("alignment", "decoder", "beam"):
        assert "Persian" in " ".join([*labels, told])


def test_what_the_translators_on_board_learned_from_is_not_said_of_it(trained, opened_at):
    long = " ".join(["the cat sees bread now ."] * 5)  # 30 words
    app = opened_at(trained, "alignment", model="en-fa (yours)", text=long)
    assert not any("learned from sentences" in warning.value for warning in app.warning)


def test_beside_those_on_board_it_is_marked_as_the_visitors(trained, opened_at, monkeypatch):
    monkeypatch.setattr(checkpoints, "BESIDE", (checkpoints.REPOSITORY,))
    app = opened_at(trained, "alignment")
    box = app.selectbox(key="model")
    assert box.options[0] == ui.ALIGNING[0]
    assert [option for option in box.options if "yours" in option] == [
        "en-fa (yours)",
        "en-fa-rnn (yours)",
    ]
    assert "French" in " ".join(part.value for part in app.markdown)
    box.set_value("en-fa-rnn").run()
    assert not app.exception
    assert "Your own Persian" in " ".join(each.label for each in app.text_input)


def test_every_era_shows_the_visitors_own_beside_the_others(trained, opened_at, monkeypatch, specs):
    monkeypatch.setattr(checkpoints, "BESIDE", (checkpoints.REPOSITORY,))
    app = opened_at(trained, "eras")
    assert not app.error
    assert "yours: en-fa" in str(specs(app)[0])


def test_on_the_page_of_eras_one_that_reads_another_language_is_missed_by_name(
    trained, opened_at, tmp_path, monkeypatch
):
    monkeypatch.setattr(checkpoints, "BESIDE", (checkpoints.REPOSITORY,))
    folder = tmp_path / "checkpoints"
    shutil.copytree(trained / "en-fa-rnn", folder / "de-fa")
    card = json.loads((folder / "de-fa" / "card.json").read_text())
    (folder / "de-fa" / "card.json").write_text(
        json.dumps(card | {"name": "de-fa", "source": "de"})
    )
    told = [caption.value for caption in opened_at(folder, "eras").caption]
    assert "Not here, where all read one English sentence: de\\-fa" in told
