"""Patterns as people type them: `*` is any text, `?` any one character, nothing else is special."""

import fnmatch
import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

Test: TypeAlias = Callable[[str], object]
"""Given a casefolded text, true if it passes."""

_WILD = re.compile(r"[*?]")


def is_pattern(text: str) -> bool:
    """True if `text` holds a wildcard."""
    return _WILD.search(text) is not None


def matcher(patterns: Iterable[str] = (), exact: Iterable[str] = (), parts: Iterable[str] = ()) -> Test:
    """A test for texts that are, as a whole, one of `patterns` or of `exact`, or that hold one of `parts`.

    Case does not matter; in `exact` and `parts` nothing is a wildcard. Without any of them nothing passes.
    """
    texts, pieces = {text.casefold() for text in exact}, {text.casefold() for text in parts}
    hard: list[str] = []
    for pattern in map(str.casefold, patterns):
        if not is_pattern(pattern):
            texts.add(pattern)
        elif len(pattern) > 1 and pattern[0] == pattern[-1] == "*" and not is_pattern(pattern[1:-1]):
            pieces.add(pattern[1:-1])
        else:
            hard.append(pattern)
    tests: list[Test] = [_holds(piece) for piece in pieces]
    if texts:
        tests.append(texts.__contains__)
    if hard:
        tests.append(_expression(hard).match)
    return tests[0] if len(tests) == 1 else lambda text: any(test(text) for test in tests)


def _holds(piece: str) -> Test:
    return lambda text: piece in text


def _expression(patterns: Iterable[str]) -> re.Pattern[str]:
    # What fnmatch writes does not backtrack beyond one `*`, so no pattern is slow; only its brackets are not ours.
    return re.compile("|".join(fnmatch.translate(pattern.replace("[", "[[]")) for pattern in patterns))
