"""A page as a visitor's link opens it, without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

PAGES = Path(__file__).parents[1] / "pages"


def page(stem: str, /, **params: str) -> AppTest:
    """page("bert", layer="2"): run it with these inputs; whatever they are, it is no exception."""
    app = AppTest.from_file(PAGES / f"{stem}.py", default_timeout=300)
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app
