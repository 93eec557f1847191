"""One list of pages, which nothing may drift from."""

from dataclasses import replace
from pathlib import Path

import pytest

from viz_core.atlas.pages import BY_STEM, PAGES, parts
from viz_core.ui.tiles import PICTURES

FOLDER = Path(__file__).parents[2] / "pages"


def test_every_script_is_listed_and_every_page_has_its_script():
    assert sorted(BY_STEM) == sorted(path.stem for path in FOLDER.glob("*.py"))
    assert len(BY_STEM) == len(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_begins_and_ends_with_its_own_entry(page):
    script = (FOLDER / f"{page.stem}.py").read_text(encoding="utf-8")
    assert f'ui.header("{page.stem}")' in script
    assert script.splitlines()[-1].startswith(f'ui.foot("{page.stem}"')


def test_every_page_but_home_has_a_picture_for_its_tile():
    assert sorted(PICTURES) == sorted(set(BY_STEM) - {"home"})


@pytest.mark.parametrize("field", ["title", "lead", "line", "summary", "note"])
def test_a_page_that_lacks_a_text_does_not_start(field):
    with pytest.raises(ValueError, match=f"'beam' has no {field}"):
        replace(BY_STEM["beam"], **{field: ""})


def test_the_parts_follow_each_other_as_in_the_lecture():
    listed = [page for part in parts().values() for page in part]
    assert listed == list(PAGES)  # no part is interrupted by another


def test_a_page_that_takes_a_sentence_has_a_box_for_it():
    for page in PAGES:
        script = (FOLDER / f"{page.stem}.py").read_text(encoding="utf-8")
        has_box = "ui.english(" in script or "ui.text(" in script
        assert has_box or not page.takes_sentence
