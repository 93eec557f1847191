"""Nothing that visitors do lets the server grow without end."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]


def kept_apart() -> list[str]:
    """Every st.cache_data and st.cache_resource in the app."""
    return [
        f"{path.name}:{node.name}"
        for path in [*sorted(ROOT.glob("viz_core/**/*.py")), *sorted(ROOT.glob("pages/*.py"))]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and any("cache_" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]


def test_all_results_are_kept_in_the_one_place_that_is_bounded_by_bytes():
    assert kept_apart() == []
