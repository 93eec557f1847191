"""What the guides promise works as it is written."""

import re
from pathlib import Path

from viz_core import checkpoints
from viz_core.models import ARCHITECTURES
from viz_core.training.recipes import RECIPES
from viz_core.training.run import Options

DOCS = Path(__file__).parents[1] / "docs"


def blocks(guide: str) -> list[str]:
    text = (DOCS / guide).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def test_the_guide_leads_from_an_empty_file_to_a_picture(tmp_path, monkeypatch, capsys):
    """Its model is trained for real, kept, measured, loaded and drawn."""
    for register in (ARCHITECTURES, RECIPES):
        monkeypatch.setitem(register, "finder", None)  # taken out again at the end
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path / "checkpoints")
    scope = {"OPTIONS": Options(data=tmp_path, runs=tmp_path / "runs"), "__name__": "guide"}
    for code in blocks("adding-a-model.md"):
        exec(code, scope)
    assert "mean error" in capsys.readouterr().out
    assert checkpoints.card("finder").metrics["numbers"]["mean error"] < 0.3
    assert scope["trace"].matrix()[0].argmax() == 1  # 3.5 is the largest
    assert "3.5" in str(scope["chart"].to_dict())
