"""The recipes that are on board, run from end to end on a handful of sentences."""

import gzip
import json
import zipfile
from dataclasses import replace

import pytest
import torch

from tests import tiny
from viz_core import checkpoints, probe
from viz_core.models.bert import Bert, BertConfig
from viz_core.models.rnn_search import RNNSearchConfig
from viz_core.text import Tokenizer
from viz_core.training import bert, data, run, tasks
from viz_core.training.loop import Schedule
from viz_core.training.measure import bert as bert_measure, translation as translation_measure
from viz_core.training.rnn_search import RNN_SEARCH
from viz_core.training.run import Options
from viz_core.training.translation import WATCHED, film, write_film

QUICK = Schedule(steps=6, peak=1e-3, warmup=1, check_every=3, average=0.5)


@pytest.fixture
def options(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    return Options(data=tmp_path, runs=tmp_path / "runs")


# ---- a translator -----------------------------------------------------------------------------


@pytest.fixture
def translator(options, monkeypatch):
    lines = [side for pair in WATCHED for side in pair] + ["I see cats.", "Je vois chats."]
    tokenizer = Tokenizer.train([*lines, *lines, "0123456789"], size=300)
    pairs = [(f"I see {n} cats.", f"Je vois {n} chats.") for n in range(1000)]
    (options.data / data.TATOEBA.file).parent.mkdir(parents=True)
    with zipfile.ZipFile(options.data / data.TATOEBA.file, "w") as archive:
        archive.writestr("fra.txt", "".join(f"{e}\t{f}\tCC-BY\n" for e, f in pairs))
    options.runs.mkdir()
    (options.runs / f"tokenizer-{tokenizer.size}.json").write_text(tokenizer.to_json())
    figures = {"metrics": {"tatoeba test": {"BLEU": 12.5}}, "measured": {}}
    monkeypatch.setattr(translation_measure, "measure", lambda bundle, folder: figures)
    config = RNNSearchConfig(vocabulary=tokenizer.size, embedding=16, width=16)
    return replace(
        RNN_SEARCH, config=config, mixture={"tatoeba": 0.01}, batch_tokens=300, schedule=QUICK
    )


def test_a_translator_is_trained_measured_and_kept_with_its_film(translator, options):
    run.train(translator, options)
    bundle = checkpoints.load("rnn-search")
    card = bundle.card
    assert card.architecture == "rnn-search" and card.metrics["tatoeba test"]["BLEU"] == 12.5
    assert card.examples == [english for english, _ in WATCHED]
    assert [corpus["name"] for corpus in card.data] == ["tatoeba"]
    assert [point["step"] for point in card.curve] == [3, 6]
    steps, traces = probe.evolution(bundle, 1)
    assert steps == [0] and traces[0].kind == "alignment"
    assert traces[0].keys == probe.align(bundle, *WATCHED[1]).source


def test_a_translator_goes_further_with_its_weights_its_steps_and_its_film(translator, options):
    run.train(translator, options)
    card = checkpoints.card("rnn-search")
    longer = replace(translator, schedule=replace(QUICK, steps=9))
    folder = options.runs / "rnn-search"
    for file in ("state.safetensors", "best.safetensors", "snapshots.jsonl"):
        (folder / file).unlink()
    run.train(longer, replace(options, further=True))
    later = checkpoints.card("rnn-search")
    assert later.command.endswith("--data DIR --further")
    assert [point["step"] for point in later.curve] == [3, 6, 9]
    assert later.curve[: len(card.curve)] == card.curve
    lines = (folder / "snapshots.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [0, card.steps]


def test_the_first_weights_follow_from_the_seed(translator, options):
    """Two runs of one recipe are the same run."""
    weights = []
    for folder in ("one", "two"):
        runs = options.runs / folder
        runs.mkdir()
        for file in options.runs.glob("tokenizer-*.json"):
            (runs / file.name).write_text(file.read_text())
        run.train(translator, replace(options, runs=runs))
        weights.append(checkpoints.load("rnn-search").model.state_dict())
    for name, value in weights[0].items():
        assert torch.equal(value, weights[1][name])


# ---- a task on top of BERT --------------------------------------------------------------------


@pytest.fixture
def sentiment(options, monkeypatch, wordpiece):
    monkeypatch.setattr(bert, "ON_TOP", 1)
    (options.data / "sst2").mkdir()
    texts = [
        f"the cat number {n} is a {word} cat today" for n in range(200) for word in ("good", "bad")
    ]
    lines = [f"{int('good' in text)}\t{text}\n" for text in texts]
    with gzip.open(options.data / "sst2" / "train.tsv.gz", "wt") as file:
        file.write("label\tsentence\n" + "".join(lines))
    torch.manual_seed(1)
    config = BertConfig(
        vocabulary=wordpiece.size, width=16, heads=2, layers=2, inner=16, max_length=64
    )
    below = run.describe(bert.MINI, options, run.Progress())
    checkpoints.save(Bert(config), wordpiece, below)
    figures = {"metrics": {"SST-2 dev": {"accuracy": 0.5}}}
    monkeypatch.setattr(bert_measure, "measure", lambda bundle, folder: figures)
    return replace(bert.SENTIMENT, schedule=QUICK, published=False)


def test_a_task_is_kept_as_a_difference_and_its_lower_layers_stay(sentiment, options):
    run.train(sentiment, options)
    below, tuned = checkpoints.load("bert-mini"), checkpoints.load("bert-sentiment")
    assert tuned.card.config["base"] == "bert-mini"
    assert tuned.card.metrics == {"SST-2 dev": {"accuracy": 0.5}}
    assert tuned.model.config.labels == tasks.LABELS["classify"]
    weights = [bundle.model.layers[0].rise.weight for bundle in (below, tuned)]
    assert torch.equal(*weights)
    weights = [bundle.model.layers[1].rise.weight for bundle in (below, tuned)]
    assert not torch.equal(*weights)


def test_a_task_goes_further_from_its_own_weights(sentiment, options):
    run.train(sentiment, options)
    kept = checkpoints.load("bert-sentiment")
    model = sentiment.model(options, kept.tokenizer)
    past = sentiment.begin(replace(options, further=True), model)
    assert past.step == past.began == kept.card.steps
    assert torch.equal(model.head.weight, kept.model.head.weight)
    learning = {name.split(".")[0] for name, p in model.named_parameters() if p.requires_grad}
    assert "head" in learning and "token" not in learning


def test_a_film_goes_on_where_a_grown_model_spells_a_sentence_as_before(tmp_path):
    tokenizer = tiny.tokenizer()
    pieces = [len(tokenizer.encode_source(english).ids) for english, _ in WATCHED]
    sentences = [
        {"source": [], "target": [], "steps": [0, 50], "weights": [[[9] * keys], [[8] * keys]]}
        for keys in (pieces[0], pieces[1], pieces[2], pieces[3] + 1)  # the last in other pieces
    ]
    write_film({"sentences": sentences}, tmp_path)
    kept = json.loads(film(tmp_path, tokenizer))["sentences"]
    assert [one["steps"] for one in kept] == [[0, 50], [0, 50], [0, 50], []]
    assert kept[2]["weights"] == sentences[2]["weights"]
