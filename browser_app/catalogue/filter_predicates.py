"""Predicates of filters: wildcard patterns for texts, comparisons for numbers."""

import fnmatch
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, Floats

_OPERATORS: Mapping[str, Callable[[Floats, float], Bools]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": lambda column, value: (column != value) & ~np.isnan(column),
    ">=": operator.ge,
    ">": operator.gt,
}


def compare(column: Floats, operator_text: str, number: float) -> Bools:
    """Which values stand so to a number; `operator_text` is one of ``< <= = != >= >``."""
    return _OPERATORS[operator_text](column, number)


def is_within(column: Floats, ranges: Sequence[tuple[float | None, float | None]]) -> Bools:
    """Which values are in one of the ranges, whose ends belong to them; None is no end."""
    mask = np.zeros(len(column), np.bool_)
    for low, high in ranges:
        mask |= (column >= (-np.inf if low is None else low)) & (column <= (np.inf if high is None else high))
    return mask


TextPredicate: TypeAlias = Callable[[str], object]
"""Given a casefolded text, true if it passes."""

_WILDCARD = re.compile(r"[*?]")


def has_wildcards(text: str) -> bool:
    """True if `text` holds a wildcard."""
    return _WILDCARD.search(text) is not None


def text_predicate(
    patterns: Iterable[str] = (), exact: Iterable[str] = (), substrings: Iterable[str] = ()
) -> TextPredicate:
    """A test for texts that are, as a whole, one of `patterns` or of `exact`, or that hold one of `substrings`.

    Case does not matter; in `exact` and `substrings` nothing is a wildcard. Without any of them nothing passes.
    """
    texts, pieces = {text.casefold() for text in exact}, {text.casefold() for text in substrings}
    hard: list[str] = []
    for pattern in map(str.casefold, patterns):
        if not has_wildcards(pattern):
            texts.add(pattern)
        elif len(pattern) > 1 and pattern[0] == pattern[-1] == "*" and not has_wildcards(pattern[1:-1]):
            pieces.add(pattern[1:-1])
        else:
            hard.append(pattern)
    tests: list[TextPredicate] = [_contains(piece) for piece in pieces]
    if texts:
        tests.append(texts.__contains__)
    if hard:
        tests.append(_compile_patterns(hard).match)
    return tests[0] if len(tests) == 1 else lambda text: any(test(text) for test in tests)


def _contains(piece: str) -> TextPredicate:
    return lambda text: piece in text


def _compile_patterns(patterns: Iterable[str]) -> re.Pattern[str]:
    # What fnmatch writes does not backtrack beyond one `*`, so no pattern is slow; only its brackets are not ours.
    return re.compile("|".join(fnmatch.translate(pattern.replace("[", "[[]")) for pattern in patterns))
