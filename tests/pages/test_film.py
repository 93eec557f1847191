"""How attention sharpened while a model learned: the same film on two pages."""

import json

import pytest

from tests.opening import page


@pytest.mark.parametrize(("stem", "section"), [("alignment", "learned"), ("it", "born")])
def test_the_film_has_a_frame_for_each_snapshot_and_says_what_it_shows(stem, section):
    assert not page(stem).get("plotly_chart")  # closed, it costs nothing
    app = page(stem, **{section: "true"})
    (film,) = app.get("plotly_chart")
    spec = json.loads(film.proto.spec)
    assert len(spec["frames"]) == len(spec["layout"]["sliders"][0]["steps"]) > 2
    said = " ".join(text.value for text in app.markdown)
    assert "steps of training the largest weight" in film.proto.alt
    assert f"{film.proto.alt}." in said
