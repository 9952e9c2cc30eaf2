"""The style of docstrings that no linter checks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_FIRST_LINE = 80
LONG_TEXT = re.compile(rf'(?:\A(?:#.*\n)*|:(?: *#.*)?\n) *r?"""(?:(?!""").){{{LONGEST_FIRST_LINE + 1}}}')
"""A docstring that may be too long; only files with one are parsed."""


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
        if LONG_TEXT.search(text := path.read_text(encoding="utf-8"))
        for name, line in first_lines(ast.parse(text))
        if len(line) > LONGEST_FIRST_LINE
    ]
    assert too_long == []
