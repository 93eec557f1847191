"""The page of the machine: every family, training against inference, every box."""

import statistics
import time

import pytest
from streamlit.testing.v1 import AppTest

from tests.opening import page

TRAINING = "the right words: training"


def opened(**params: str) -> AppTest:
    app = page("machine", **params)
    assert not app.error
    return app


def finding(app):
    (chart,) = [chart.proto for chart in app.get("vega_lite_chart")]
    return chart.alt


def test_every_family_on_board_is_drawn_and_can_be_chosen():
    app = opened(text="I am a student.")
    families = app.segmented_control(key="model").options
    assert {"RNN", "RNN with attention", "Transformer", "BERT"} <= set(families)
    said = set()
    for family in families:
        said.add(finding(opened(text="I am a student.", model=family)))
    assert len(said) == len(families)


@pytest.mark.parametrize("family", ["RNN", "RNN with attention", "Transformer", "BERT", "GPT"])
def test_a_step_through_twenty_five_words_costs_the_server_little(family):
    """Of the 300 ms that a step may take half is left for the browser. Processor time: a busy
    machine makes a step slow, not dear."""
    text = "The old farmer who lives near the river told us that his two brown horses ran away "
    app = opened(text=text + "last night because somebody left the gate open.", model=family)
    assert app.segmented_control(key="model").value is not None
    spent, said = [], set()
    for step in range(1, 6):
        app.slider(key="step").set_value(step)
        began = time.process_time()
        app.run()
        spent.append(time.process_time() - began)
        said.add(finding(app))
    assert len(said) > 1
    assert statistics.median(spent) < 0.15


def test_in_training_the_words_are_judged_together():
    app = opened(text="I am a student.", reads=TRAINING)
    assert finding(app).endswith("of 5 are the right ones")
    app.text_input(key="target").set_value("Je suis fatigué.").run()
    assert not app.exception and "are the right ones" in finding(app)


def test_an_opened_box_leads_to_its_pages_with_the_same_sentence():
    app = opened(text="I am a student.", box="Encoder 2")
    assert finding(app).startswith("Encoder 2: from 6 × 256")
    links = " ".join(each.proto.body for each in app.get("html"))
    assert "transformer?text=I+am+a+student.&amp;layer=2" in links
    app.segmented_control(key="model").set_value("bert-mini").run()
    assert not app.exception and finding(app).startswith("Encoder 2: from 7 × 384")
    app.segmented_control(key="box").set_value("whole").run()
    assert not finding(app).startswith("Encoder 2: from")


@pytest.mark.parametrize("model", ["RNN", "Transformer", "BERT"])
def test_nothing_to_read_gets_a_sentence(model):
    app = opened(model=model)
    app.text_input(key="text").set_value("").run()
    assert not app.exception
    assert any("nothing to read yet" in info.value for info in app.info)


def test_without_checkpoints_the_page_says_so(tmp_path, opened_at):
    app = opened_at(tmp_path, "machine")
    assert any("No model is on board" in info.value for info in app.info)
