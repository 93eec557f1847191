"""The page of the patches, upon the model that is on board."""

from dataclasses import asdict

from streamlit.testing.v1 import AppTest

from tests import tiny
from tests.opening import page
from viz_core import checkpoints


def opened(**params: str) -> AppTest:
    app = page("patches", **params)
    assert not app.error
    return app


def test_every_head_is_drawn_with_labels_and_places(findings, said):
    app = opened(photo="cat")
    heads, labels, places = findings(app)
    assert "where [class] looks" in heads and "is highest" in labels
    assert "Neighbours have a cosine" in places
    assert "Taken for:" in said(app)


def test_a_patch_is_asked_and_shuffling_is_told(findings, said):
    app = opened(photo="horse", row="2", column="3", seed="3", layer="2")
    assert "where patch 2,3 looks" in findings(app)[0]
    assert "Shuffled, " in said(app)


def test_another_shape_of_model_has_its_own_layers_and_patches(tmp_path, opened_at, said):
    bundle = tiny.vit()
    described = asdict(bundle.card)
    for computed in ("config", "parameters", "sha256"):
        del described[computed]
    checkpoints.save(bundle.model, bundle.tokenizer, described, tmp_path)
    app = opened_at(tmp_path, "patches", photo="cat")
    assert app.button_group(key="layer").options == ["all", "1", "2"]
    assert app.slider(key="row").max == 4 and "in 16 patches" in said(app)
    assert r"\sqrt{4}" in app.latex[0].value


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "patches")
    assert any("vit is not trained yet" in info.value for info in app.info)
