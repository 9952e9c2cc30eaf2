"""Every threat is covered by tests that exist."""

import ast
from pathlib import Path

import pytest
from threats import THREATS

TESTS = Path(__file__).resolve().parent.parent
SOURCES = {
    "the network",
    "masters",
    "links",
    "imports",
    "other users of this machine",
    "secrets",
    "player sources",
    "the page of new versions",
}


def names_in(path: str) -> set[str]:
    """Return the names of a file's tests; methods as `Class::test`."""
    found = set()
    for node in ast.parse((TESTS / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return found


def test_every_source_has_threats() -> None:
    assert THREATS.keys() >= SOURCES
    assert all(threats and all(threats.values()) for threats in THREATS.values())


@pytest.mark.parametrize("source", THREATS)
def test_named_tests_exist(source: str) -> None:
    named = {test for tests in THREATS[source].values() for test in tests}
    there = {path: names_in(path) for path in {test.partition("::")[0] for test in named}}
    assert {test for test in named if test.partition("::")[2] not in there[test.partition("::")[0]]} == set()
