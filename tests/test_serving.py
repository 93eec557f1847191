"""Every page tells the browser where its server is, before Streamlit has to guess."""

from viz_core import serving
from viz_core.atlas.pages import BY_STEM


def test_streamlits_own_page_still_has_a_place_for_it():
    html = serving.shell()
    assert html.index("<head>") < html.index(serving.TOLD) < html.index("<script type=")


def test_every_page_has_its_address():
    assert {route.path for route in serving.routes()} == {"/", *(f"/{stem}" for stem in BY_STEM)}
