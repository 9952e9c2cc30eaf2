"""Predicates for texts against a plain matcher."""

from hypothesis import given
from hypothesis import strategies as st

from browser_app.catalogue.filters.filter_predicates import text_predicate

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
