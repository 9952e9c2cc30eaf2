"""Docstrings keep the style that no linter checks."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_FIRST_LINE = 80


def first_lines(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring:
                yield getattr(node, "name", "the module"), docstring.splitlines()[0]


@pytest.mark.parametrize("folder", ["browser_app", "packaging", "tests"])
def test_first_lines_are_short(folder: str) -> None:
    too_long = [
        f"{path.relative_to(ROOT)}: {name}: {line}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name, line in first_lines(ast.parse(path.read_text()))
        if len(line) > LONGEST_FIRST_LINE
    ]
    assert too_long == []
