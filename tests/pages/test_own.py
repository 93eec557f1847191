"""Your own BERT: a folder in the views of ours, and one sentence for everything that is wrong."""

import pytest
import streamlit as st
from streamlit import config

from viz_core.probe import own_folder, own_model
from viz_core.training import minilm


def test_until_a_folder_is_named_our_own_model_is_shown(opened, said, findings):
    app = opened("own")
    assert "this is our own bert-mini" in said(app)
    assert findings(app)[0].startswith("it attends most to ")


def test_without_any_model_there_is_a_sentence(opened_at, tmp_path):
    app = opened_at(tmp_path, "own")
    assert not app.error
    assert "bert-mini is not trained yet" in app.info[0].value


def test_a_folder_that_is_not_there_is_named(opened, monkeypatch):
    monkeypatch.setattr(own_model, "installed", lambda: True)
    app = opened("own", folder="/no/such/folder")
    assert any("There is no model in /no/such/folder" in info.value for info in app.info)


def test_a_folder_without_safetensors_is_refused(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(own_model, "installed", lambda: True)
    (tmp_path / "config.json").write_text("{}")
    app = opened("own", folder=str(tmp_path))
    assert any("no safetensors file" in info.value for info in app.info)


def test_without_the_package_it_is_asked_for(opened, monkeypatch):
    monkeypatch.setattr(own_model, "installed", lambda: False)
    app = opened("own", folder="anything")
    assert any("pip install transformers" in info.value for info in app.info)


@pytest.mark.parametrize("address", ["0.0.0.0", ""])
def test_strangers_cannot_name_a_folder_where_no_models_folder_is_set(
    address, opened, said, monkeypatch, tmp_path
):
    monkeypatch.setattr(own_folder, "ROOT", None)
    before = st.get_option("server.address")
    config.set_option("server.address", address)
    try:
        app = opened("own", folder=str(tmp_path))
    finally:
        config.set_option("server.address", before)
    assert "folder" not in {field.key for field in app.text_input}
    assert "Own models are switched off here" in said(app)
    assert str(tmp_path) not in said(app)


def test_the_minilm_package_is_shown_in_all_views(opened, said, findings):
    """Skipped only where transformers or the MiniLM package is not installed."""
    pytest.importorskip("transformers")
    try:
        folder = minilm.folder()
    except ValueError as error:
        pytest.skip(str(error))
    app = opened("own", folder=str(folder), pair="The street was wide.", block="A → B")
    assert "of type bert: 6 layers of 12 heads, 22.7 million parameters" in said(app)
    assert findings(app)[1].startswith("Sharpest is layer ")


@pytest.mark.parametrize("typed", ["Tôi mất ô.", "แมว", "این یک جمله"])
def test_a_model_of_ones_own_may_read_any_language(typed, opened, folders):
    app = opened("own", folder=str(folders["gpt2"]), text=typed)
    assert not app.warning and not app.info and not app.exception
    assert app.get("vega_lite_chart")


# ---- four kinds of models ---------------------------------------------------------------------

KINDS = ("bert", "distilbert", "roberta", "gpt2")
SHORT = "The animal was tired because it was tired."


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_drawn_and_taken_apart(kind, opened, folders, said, findings):
    app = opened("own", folder=str(folders[kind]), text=SHORT, level="sub-words", layer="2")
    assert f"of type {kind}: 2 layers of 2 heads" in said(app)
    lines, tiles, product, _ = findings(app)
    assert lines.startswith("it attends most to ") and tiles.startswith("Sharpest is layer ")
    assert product.startswith("it to ") and "8 products add up to" in product
    weight = float(lines.split(", ")[1])
    assert float(app.latex[1].value.split("= ")[-1].strip("\n$")) == pytest.approx(
        weight, abs=0.006
    )
    assert product.endswith(f"the weight is {weight:.2f}")


@pytest.mark.parametrize("summary", ["mean of heads", "rollout"])
@pytest.mark.parametrize("view", ["lines", "matrix"])
@pytest.mark.parametrize("kind", ["roberta", "gpt2"])
def test_every_view_of_ours_shows_theirs(kind, view, summary, opened, folders, findings):
    app = opened("own", folder=str(folders[kind]), text=SHORT, view=view, summary=summary)
    assert findings(app)[0].startswith("it attends most to ")


@pytest.mark.parametrize("block", ["A → B", "B → A", "within A", "within B"])
@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_pair_of_theirs_is_cut_into_blocks(kind, block, opened, folders, findings):
    pair = {"text": "It was tired.", "pair": "The animal was it."}
    app = opened("own", folder=str(folders[kind]), **pair, block=block)
    assert " attends most to " in findings(app)[0]
    assert len(app.latex) == 2


@pytest.mark.parametrize(
    ("kind", "label"),
    [("bert", "Hide [CLS] and [SEP]"), ("roberta", "Hide <s> and </s>"), ("gpt2", None)],
)
def test_the_special_tokens_of_a_model_are_hidden_by_their_names(kind, label, opened, folders):
    app = opened("own", folder=str(folders[kind]), text=SHORT)
    labels = [toggle.label.replace("\\", "") for toggle in app.toggle if toggle.key == "bare"]
    assert labels == ([label] if label else [])


def test_another_model_with_fewer_heads_takes_the_place_of_ours(opened, folders, findings):
    app = opened("own", layer="2", heads="3", text=SHORT)
    app.text_input(key="folder").set_value(str(folders["gpt2"])).run()
    assert not app.exception
    assert findings(app)[0].startswith("it attends most to ")


def test_until_a_folder_is_named_ours_is_taken_apart_too(opened, findings):
    assert "products add up to" in findings(opened("own"))[2]


def test_in_a_hall_only_the_models_folder_is_open(opened, folders, monkeypatch, said):
    monkeypatch.setattr(own_folder, "ROOT", folders["bert"].parent)
    assert "of type bert" in said(opened("own", folder="bert", text=SHORT))
    app = opened("own")
    assert "name one of these above: bert" in said(app)
    assert app.text_input(key="folder").label.startswith("Name of a model in the models folder")
    app = opened("own", folder=str(folders["gpt2"]))
    assert [info.value.replace("\\", "") for info in app.info] == [
        f"There is no model {folders['gpt2']} in the models folder of this app."
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_head_for_it_is_told_with_a_caution(kind, opened, folders, said):
    told = said(opened("own", folder=str(folders[kind])))
    assert "From “it” to “animal” **layer " in told and "the best of 4 heads on one" in told
    assert "“animal”" not in said(opened("own", folder=str(folders[kind]), text="It was tired."))
