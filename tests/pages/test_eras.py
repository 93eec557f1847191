"""One sentence, every era."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages/eras.py"), default_timeout=120)
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def test_every_translator_that_is_there_has_its_line():
    app = opened(text="I lost my red umbrella.")
    table = app.table[0].value
    assert {"rnn-additive", "transformer"} <= set(table["model"])
    assert all(line.strip() for line in table["says"])
    assert (table["milliseconds"].astype(float) > 0).all()


def test_encoders_are_shown_while_they_read():
    app = opened(show="read English")
    assert not app.exception
    assert "transformer" in set(app.table[0].value["model"])


def test_another_head_gives_another_sharpness():
    mean, head = opened(), opened(head="3")
    bits = [app.table[0].value.set_index("model")["entropy a row, bits"] for app in (mean, head)]
    assert bits[0]["transformer"] != bits[1]["transformer"]
    assert bits[0]["rnn-additive"] == bits[1]["rnn-additive"]  # it has one head only
