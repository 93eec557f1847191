"""The figures of the lectures: exact ones come out exactly, and every one opens a page."""

from pathlib import Path

import pytest

from viz_core.atlas.figures import CLOSED, TRAINED

PAGES = Path(__file__).parents[2] / "pages"


@pytest.mark.parametrize("figure", [f for f in CLOSED if f.published], ids=lambda f: f.title)
def test_a_closed_form_has_the_published_numbers(figure):
    found = figure.ours()
    assert set(found) == set(figure.published)
    assert figure.agrees(found)


def test_a_wrong_number_would_be_seen():
    figure = next(f for f in CLOSED if f.ours)
    assert not figure.agrees({name: value + 0.01 for name, value in figure.published.items()})


@pytest.mark.parametrize("figure", [*CLOSED, *TRAINED], ids=lambda f: f.title)
def test_a_figure_opens_a_page_that_is_there(figure):
    assert (PAGES / f"{figure.page}.py").is_file()


def test_titles_differ_because_tiles_are_named_by_them():
    titles = [figure.title for figure in (*CLOSED, *TRAINED)]
    assert len(set(titles)) == len(titles)
