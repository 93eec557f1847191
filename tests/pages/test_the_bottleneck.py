import json

from streamlit.testing.v1 import AppTest

from tests.opening import page

TEXT = "The cat sees the dog."


def opened(**params: str) -> AppTest:
    return page("the_bottleneck", **{"text": TEXT, **params})


def specs(app: AppTest) -> list[dict]:
    charts = app.get("vega_lite_chart")
    return [json.loads(chart.proto.spec) | {"description": chart.proto.alt} for chart in charts]


def said(app: AppTest) -> str:
    return " ".join(part.value for part in (*app.markdown, *app.info, *app.caption))


def test_both_curves_both_translations_and_the_memory_are_drawn(nine):
    from viz_core import ui

    app = opened()
    assert not app.exception and not app.error
    curve, fading, rest = specs(app)
    # rnn-none is the first of the nine and rnn-additive the second: 10 and 11 BLEU when long.
    assert curve["description"] == (
        "Attention adds 0.0 BLEU on sentences of 1-4 words and 1.0 on those of 21-24"
    )
    assert fading["description"].startswith("Read from left to right")
    assert "without attention the word most forgotten" in rest["description"]
    texts = [ui.translated(name, TEXT).text for name in ("rnn-none", "rnn-additive")]
    assert [heading.value for heading in app.subheader] == [ui.escape(text) for text in texts]
    assert "5 English words" in said(app)


def test_until_the_plain_model_is_trained_the_other_stands_alone(nine, checkpoints_at, tmp_path):
    (tmp_path / "rnn-additive").symlink_to(nine / "rnn-additive")
    checkpoints_at(tmp_path)
    app = opened()
    assert not app.exception and not app.error
    assert [info.value for info in app.info] == ["Not trained yet, so not shown: rnn-none."]
    assert specs(app)[0]["description"].startswith("with attention has 30.0 BLEU")


def test_the_reader_and_the_model_can_be_chosen(nine):
    app = opened(reader="Read from right to left", model="rnn-additive")
    assert not app.exception
    assert specs(app)[1]["description"].startswith("Read from right to left")
    assert "h_{1} - h_{1}" in app.latex[0].value


def test_the_measure_is_explained_and_the_published_numbers_are_named(nine):
    told = said(opened())
    assert "BLEU, from 0 to 100" in told and "python -m" not in told  # no commands for the public
    assert "Published" in told and "17.82" in told
