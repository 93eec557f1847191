"""The notebook runs as it is, offline, and every chart shows itself."""

from pathlib import Path

import nbclient
import nbformat

FILE = Path(__file__).parents[1] / "docs" / "notebook.ipynb"
ALTAIR, PLOTLY = "image/svg+xml", "application/vnd.plotly.v1+json"


def test_the_notebook_runs_and_its_charts_show_themselves():
    notebook = nbformat.read(FILE, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # kept without its pictures
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(FILE.parent)}}
    ).execute()
    kinds = [
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        for kind in output.get("data", {})
    ]
    assert kinds.count(ALTAIR) == 6
    assert kinds.count(PLOTLY) == 1
    assert "parapluie" in str(notebook.cells)
