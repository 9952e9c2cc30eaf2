"""Evaluation of filter expressions over columns: logic, numbers, wildcards."""

import fnmatch
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, Floats
from browser_app.catalogue.filters import filter_tree


def evaluate_filter(
    node: filter_tree.FilterNode, row_count: int, evaluate_term: Callable[[filter_tree.FilterTerm], Bools]
) -> Bools:
    """Return the rows that pass an expression."""
    match node:
        case filter_tree.AndNode(operands):
            return reduce(np.bitwise_and, [evaluate_filter(each, row_count, evaluate_term) for each in operands])
        case filter_tree.OrNode(operands):
            return reduce(np.bitwise_or, [evaluate_filter(each, row_count, evaluate_term) for each in operands])
        case filter_tree.NotNode(operand):
            return ~evaluate_filter(operand, row_count, evaluate_term)
        case filter_tree.MatchAll():
            return np.ones(row_count, np.bool_)
        case _:
            return evaluate_term(node)


_OPERATORS: Mapping[str, Callable[[Floats, float], Bools]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": lambda column, value: (column != value) & ~np.isnan(column),
    ">=": operator.ge,
    ">": operator.gt,
}


def evaluate_number_term(term: filter_tree.NumberComparison | filter_tree.NumberRanges, column: Floats) -> Bools:
    """Return which values meet a condition; unknown ones (NaN) meet none."""
    if isinstance(term, filter_tree.NumberComparison):
        return _OPERATORS[term.operator](column, term.value)
    mask = np.zeros(len(column), np.bool_)
    for low, high in term.ranges:
        mask |= (column >= (-np.inf if low is None else low)) & (column <= (np.inf if high is None else high))
    return mask


TextPredicate: TypeAlias = Callable[[str], object]
"""Takes a casefolded text; truthy if the text passes."""

_WILDCARD = re.compile(r"[*?]")


def has_wildcards(text: str) -> bool:
    """Return True if `text` contains `*` or `?`."""
    return _WILDCARD.search(text) is not None


def text_predicate(
    patterns: Iterable[str] = (), exact: Iterable[str] = (), substrings: Iterable[str] = ()
) -> TextPredicate:
    """Return a predicate for texts that match whole or contain a part.

    A text passes if it matches one of `patterns` or `exact` as a whole, or contains one of `substrings`. Case is
    ignored; wildcards count only in `patterns`. Without any argument nothing passes.
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
    tests: list[TextPredicate] = []
    if texts:
        tests.append(texts.__contains__)
    if pieces:
        tests.append(_contains_any(pieces))
    if hard:
        tests.append(_matches_any(hard))
    return tests[0] if len(tests) == 1 else lambda text: any(test(text) for test in tests)


def whole_text_predicate(patterns: Sequence[filter_tree.TextPattern]) -> TextPredicate:
    """Return a predicate for texts that equal one of the patterns."""
    return text_predicate(
        patterns=[pattern.text for pattern in patterns if not pattern.literal],
        exact=[pattern.text for pattern in patterns if pattern.literal],
    )


def substring_predicate(patterns: Sequence[filter_tree.TextPattern]) -> TextPredicate:
    """Return a predicate for texts that contain one of the patterns.

    A pattern with wildcards must match the whole text.
    """
    wild = [p for p in patterns if not p.literal and has_wildcards(p.text)]
    return text_predicate(patterns=[p.text for p in wild], substrings=[p.text for p in patterns if p not in wild])


def line_predicate(pattern: filter_tree.TextPattern) -> TextPredicate:
    """Return a predicate for texts in which one line contains the pattern."""
    text = pattern.text.casefold()
    if pattern.literal or not has_wildcards(text):
        return _contains_any([text])
    literal = max(_WILDCARD.split(text), key=len)
    pieces = (re.escape(piece).replace(r"\?", ".") for piece in text.strip("*").split("*"))
    # From the line's start, and each piece at its first place: a line is read once, whatever repeats in it. Searching
    # for a line feed is faster than for the start of a line.
    search = re.compile(r"\n" + "".join(f"(?>.*?{piece})" for piece in pieces)).search
    return lambda lines: literal in lines and search("\n" + lines)


def _contains_any(pieces: Iterable[str]) -> TextPredicate:
    return lambda text: any(piece in text for piece in pieces)


def _matches_any(patterns: Iterable[str]) -> TextPredicate:
    # A text without a pattern's longest literal part cannot match, and looking for that takes a small part of the time.
    # fnmatch's expressions backtrack to the last `*` at most, so no pattern is slow. Brackets are literal in ours.
    parts = [
        (max(_WILDCARD.split(pattern), key=len), re.compile(fnmatch.translate(pattern.replace("[", "[[]"))).match)
        for pattern in patterns
    ]
    return lambda text: any(literal in text and match(text) for literal, match in parts)
