"""The glossary and the walks of `browser_app/README.md` name things that exist."""

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "browser_app"


def defined_names() -> set[str]:
    """Return every name that the product defines.

    Classes, functions, fields, attributes and constants.
    """
    names = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Name(id=name) | ast.arg(arg=name):
                    names.add(name)
                case ast.Attribute(attr=name):
                    names.add(name)
    return names


def glossary_names() -> set[str]:
    text = (PACKAGE / "README.md").read_text(encoding="utf-8").partition("\n## Glossary")[2]
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row[3])}


def walk_names() -> set[str]:
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    walks = text.partition("\n## Three walks")[2].partition("\n## Glossary")[0]
    return set(re.findall(r"`(\w+)`", walks))


def test_names_exist() -> None:
    names = glossary_names()
    assert len(names) > 50
    assert (names | walk_names()) - defined_names() == set()


def test_paths_exist() -> None:
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([a-z_]+/(?:[a-z_0-9]+/)*[a-z_0-9]+\.py)`", text)) - {"tests/test_glossary.py"}
    assert [path for path in sorted(paths) if not (PACKAGE / path).exists()] == []
