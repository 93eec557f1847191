"""Your own BERT: a folder in the views of ours, and one sentence for everything that is wrong."""

import pytest

from viz_core import own_models
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
    monkeypatch.setattr(own_models, "installed", lambda: True)
    app = opened("own", folder="/no/such/folder")
    assert any("There is no folder /no/such/folder" in info.value for info in app.info)


def test_a_folder_without_safetensors_is_refused(opened, monkeypatch, tmp_path):
    monkeypatch.setattr(own_models, "installed", lambda: True)
    (tmp_path / "config.json").write_text("{}")
    app = opened("own", folder=str(tmp_path))
    assert any("no safetensors file" in info.value for info in app.info)


def test_without_the_package_it_is_asked_for(opened, monkeypatch):
    monkeypatch.setattr(own_models, "installed", lambda: False)
    app = opened("own", folder="anything")
    assert any("pip install transformers" in info.value for info in app.info)


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
