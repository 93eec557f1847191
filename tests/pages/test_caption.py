"""The page of the captions upon random weights: strips, forced words, and sentences."""

from dataclasses import asdict

import pytest

from tests import tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from viz_core import checkpoints

    folder = tmp_path_factory.mktemp("captions")
    for attention in ("soft", "hard"):
        bundle = tiny.captioner(attention)
        described = asdict(bundle.card)
        for computed in ("config", "parameters", "sha256"):
            del described[computed]
        checkpoints.save(bundle.model, bundle.tokenizer, described, folder)
    return folder


def test_it_opens_with_a_strip(opened_at, folder, findings, said):
    app = opened_at(folder, "caption")
    assert len(findings(app)) == 1
    assert "It looked most narrowly for" in findings(app)[0]
    assert "A person says" in said(app)
    assert len(app.latex) == 2


def test_looking_away_stands_first_and_reads_the_same_picture_in_three_ways(
    opened_at, folder, findings, said
):
    app = opened_at(folder, "caption", view="Count by looking away", photo="cat", size="1")
    assert [tab.label for tab in app.tabs] == ["Count by looking away", "Caption"]
    (readings,) = findings(app)
    assert "Everything alike: 25 of 49" in readings and "Cut out: hard: 1 of 49" in readings
    assert said(app).count("so it counts") == 3
    assert r"a_{2,3}" in app.latex[0].value


def test_soft_stands_beside_hard(opened_at, folder, findings, said):
    app = opened_at(folder, "caption", attention="both", photo="cat")
    assert [text.split(":")[0] for text in findings(app)[:2]] == [
        "Soft attention",
        "Hard attention",
    ]
    assert "places a word" in said(app)


def test_a_forced_word_begins_the_caption_and_an_unknown_one_gets_a_sentence(
    opened_at, folder, findings
):
    app = opened_at(folder, "caption", beginning="two people")
    assert "“two people" in findings(app)[0]
    app.text_input(key="beginning").set_value("a <b>zebra</b>").run()
    assert not app.exception and not app.error
    assert any("No caption has the word" in info.value for info in app.info)


def test_without_its_checkpoint_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "caption")
    assert any("caption-soft is not trained yet" in info.value for info in app.info)
