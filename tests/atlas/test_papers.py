"""BibTeX of the papers behind the pages."""

import re
from pathlib import Path

import yaml

from viz_core.atlas import papers

ROOT = Path(__file__).parents[2]


def sources(page):
    """The line that a page hands to ui.paper, its pieces joined."""
    called = re.search(r"ui\.paper\((.*?)\)\n", page.read_text(encoding="utf-8"), re.S)
    return "".join(re.findall(r'"([^"]*)"', called[1])) if called else None


def test_an_entry_is_whole_and_its_key_its_own():
    entries = [*papers.PAPERS, papers.ATLAS]
    assert len({paper.key for paper in entries}) == len(entries)
    for paper in entries:
        text = paper.bibtex()
        assert re.fullmatch(r"@\w+\{[a-z]+\d{4}\w+,\n(  \w+ = \{.+\},\n)+\}", text), text
        assert text.count("{") == text.count("}")
        assert paper.year > 1990 and paper.author and paper.title


def test_a_line_of_sources_finds_its_papers_in_order():
    line = "Bahdanau, Cho and Bengio 2015, figure 3; Wu et al. 2016, eq. 14; Cho et al. 2014."
    assert [f"{p.surname} {p.year}" for p in papers.cited(line)] == [
        "Bahdanau 2015",
        "Wu 2016",
        "Cho 2014",
    ]
    assert papers.cited("Nobody 2015; Choi 2014") == []


def test_every_page_that_names_a_paper_can_be_cited():
    named = {page.stem: sources(page) for page in (ROOT / "pages").glob("*.py")}
    told = {stem: line for stem, line in named.items() if line}
    assert len(told) > 15
    assert [stem for stem, line in told.items() if not papers.cited(line)] == []


def test_the_file_for_citing_says_what_the_entry_says():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cff["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "version", "date-released", "license"} <= set(cff)
    assert cff["title"] == papers.ATLAS.title
    assert cff["version"] == papers.ATLAS.more["version"]
    assert f'version = "{cff["version"]}"' in (ROOT / "pyproject.toml").read_text()
