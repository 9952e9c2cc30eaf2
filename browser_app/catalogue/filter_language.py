"""The filter language: an expression as typed, and the rows of the catalogue that pass it.

Bare words are searched in name, map, mode, tags and player names. A space is "and", `|` is "or", `-` is "not"; brackets
and quotes do what they do everywhere: `players>=6 ping<80 -full map:veil* (mode:ns2,siege | country:de) "two words"`.
"""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Bools
from browser_app.catalogue.filter_fields import FLAGS, NUMBERS, TEXTS
from browser_app.catalogue.filter_numbers import compared, within
from browser_app.catalogue.filter_parser import Fields, FilterError, parse
from browser_app.catalogue.filter_tree import (
    And,
    Comparison,
    Everything,
    Flag,
    Node,
    Not,
    Or,
    Pattern,
    Ranges,
    Text,
    Word,
)
from browser_app.catalogue.wildcards import matcher

__all__ = ["FIELDS", "Filter", "FilterError", "parse_filter"]

FIELDS = Fields(NUMBERS, TEXTS, FLAGS)
"""The fields there are; for completion and help."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A readable filter. `str()` gives it in one spelling, which reads back as the same filter."""

    node: Node

    def __str__(self) -> str:
        return str(self.node)

    def mask(self, catalogue: Catalogue) -> Bools:
        """Which rows pass, one flag a row; an array of the caller's own."""
        return _mask(self.node, catalogue).copy()


def parse_filter(text: str) -> Filter:
    """Read an expression; an empty one lets everything pass.

    Raises:
        FilterError: what is wrong and where.
    """
    return Filter(parse(text, FIELDS))


def _mask(node: Node, catalogue: Catalogue) -> Bools:
    match node:
        case And(parts):
            return reduce(np.bitwise_and, [_mask(each, catalogue) for each in parts])
        case Or(parts):
            return reduce(np.bitwise_or, [_mask(each, catalogue) for each in parts])
        case Not(inner):
            return ~_mask(inner, catalogue)
        case Word(pattern):
            return _search(pattern, catalogue)
        case Text(name, patterns):
            return TEXTS[name](catalogue, patterns)
        case Flag(name, value):
            return FLAGS[name](catalogue) if value else ~FLAGS[name](catalogue)
        case Comparison(name, sign, number):
            return compared(NUMBERS[name](catalogue), sign, number)
        case Ranges(name, ranges):
            return within(NUMBERS[name](catalogue), ranges)
        case Everything():
            return np.ones(len(catalogue), np.bool_)


def _search(pattern: Pattern, catalogue: Catalogue) -> Bools:
    test = matcher(parts=[pattern.text]) if pattern.literal else matcher(patterns=[f"*{pattern.text}*"])
    return np.fromiter(map(bool, map(test, catalogue.search_texts())), np.bool_, len(catalogue))
