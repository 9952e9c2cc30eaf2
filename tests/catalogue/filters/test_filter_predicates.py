"""Predicates for texts against a plain matcher."""

import time

from hypothesis import given
from hypothesis import strategies as st

from browser_app.catalogue.filters.filter_predicates import line_predicate, text_predicate
from browser_app.catalogue.filters.filter_tree import TextPattern

PATTERNS = st.lists(st.text("aAb[]!*?", max_size=6), max_size=4)
TEXTS = st.text("aAb[]!\n", max_size=6)


def matches(pattern: str, text: str) -> bool:
    """Return True if a pattern matches a whole text."""
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(matches(pattern[1:], text[start:]) for start in range(len(text) + 1))
    return bool(text) and pattern[0] in ("?", text[0]) and matches(pattern[1:], text[1:])


@given(PATTERNS, TEXTS)
def test_patterns_match_whole_texts(patterns: list[str], text: str) -> None:
    expected = any(matches(pattern.casefold(), text.casefold()) for pattern in patterns)
    assert bool(text_predicate(patterns)(text.casefold())) == expected


@given(PATTERNS, PATTERNS, TEXTS)
def test_exact_texts_and_parts_have_no_wildcards(exact: list[str], parts: list[str], text: str) -> None:
    folded = text.casefold()
    expected = any(each.casefold() == folded for each in exact) or any(each.casefold() in folded for each in parts)
    assert bool(text_predicate(exact=exact, substrings=parts)(folded)) == expected


@given(st.text("aAb[]!*?", min_size=1, max_size=6), TEXTS)
def test_one_line_contains_pattern(pattern: str, text: str) -> None:
    lines = text.casefold().split("\n")
    assert bool(line_predicate(TextPattern(pattern))("\n".join(lines))) == any(
        matches(f"*{pattern.casefold()}*", line) for line in lines
    )
    assert bool(line_predicate(TextPattern(pattern, literal=True))("\n".join(lines))) == any(
        pattern.casefold() in line for line in lines
    )


def test_repetitive_line_is_read_once() -> None:
    start = time.process_time()
    assert not line_predicate(TextPattern("a*b"))("a" * 30_000 + "\nb")
    assert time.process_time() - start < 1.0  # 450 million steps from each place take several seconds
