"""The filter of the rounds: the language of the servers' filter, with fields of its own.

Bare words are searched in map, mode, team and server: `veil won -server:"third hive" with:moth chance<40`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from browser_app.catalogue.filter_numbers import compared, within
from browser_app.catalogue.filter_parser import Fields, FilterError, parse
from browser_app.catalogue.filter_tree import (
    And,
    Comparison,
    Flag,
    Node,
    Not,
    Or,
    Pattern,
    Ranges,
    Text,
    Word,
)
from browser_app.catalogue.wildcards import Test, is_pattern, matcher
from browser_app.player.company import Company
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record import Floats, Ints
from browser_app.ui.skill.rounds.round_row import changes

__all__ = ["FIELDS", "FilterError", "needs_company", "parse_rounds", "passing"]

Bools = NDArray[np.bool_]

NUMBERS: Mapping[str, Callable[[OwnHistory], Floats]] = {
    "there": lambda h: h.share * 100.0,
    "chance": lambda h: h.probability * 100.0,
    "change": changes,
    "after": lambda h: h.after,
    "size": lambda h: h.size_mine.astype(np.float64),
}
"""Name → its column, NaN where unknown; shares in percent, as they are shown."""

FLAGS: Mapping[str, Callable[[OwnHistory], Bools]] = {
    "won": lambda h: h.outcome == 1.0,
    "lost": lambda h: h.outcome == 0.0,
    "drawn": lambda h: h.outcome == 0.5,
    "rated": lambda h: ~np.isnan(h.probability),
    "approximate": lambda h: h.approximate,
    "commanding": lambda h: h.chair > 0.0,
}

NAMES: Mapping[str, Callable[[OwnHistory], tuple[Sequence[str], Ints]]] = {
    "map": lambda h: (h.maps, h.map),
    "mode": lambda h: (h.modes, h.mode),
    "team": lambda h: (h.teams, h.team),
    "server": lambda h: (h.servers, h.server),
}
COMPANY = ("with", "against")

FIELDS = Fields(NUMBERS, (*NAMES, *COMPANY), FLAGS)


def parse_rounds(text: str) -> Node:
    """Read an expression; an empty one lets every round pass.

    Raises:
        FilterError: what is wrong and where.
    """
    return parse(text, FIELDS)


def needs_company(node: Node) -> bool:
    """Whether it asks who played along."""
    match node:
        case And(parts) | Or(parts):
            return any(map(needs_company, parts))
        case Not(inner):
            return needs_company(inner)
        case Text(name, _):
            return name in COMPANY
    return False


def passing(node: Node, history: OwnHistory, company: Company | None) -> Bools:
    """One flag a round of the history. Without company nobody was there."""
    match node:
        case And(parts):
            return reduce(np.bitwise_and, [passing(each, history, company) for each in parts])
        case Or(parts):
            return reduce(np.bitwise_or, [passing(each, history, company) for each in parts])
        case Not(inner):
            return ~passing(inner, history, company)
        case Text(name, patterns) if name in COMPANY:
            nobody = np.zeros(len(history), np.bool_)
            return nobody if company is None else company.where(_part(patterns), mine=name == "with")
    return _by_columns(node, history)


def _by_columns(node: Node, history: OwnHistory) -> Bools:
    match node:
        case Word(pattern):
            return reduce(np.bitwise_or, [_named(names(history), _part((pattern,))) for names in NAMES.values()])
        case Text(name, patterns):
            return _named(NAMES[name](history), _part(patterns))
        case Flag(name, value):
            return np.equal(FLAGS[name](history), value)
        case Comparison(name, sign, number):
            return compared(NUMBERS[name](history), sign, number)
        case Ranges(name, ranges):
            return within(NUMBERS[name](history), ranges)
    return np.ones(len(history), np.bool_)


def _part(patterns: Sequence[Pattern]) -> Test:
    """Passes texts that hold one of the patterns; one with wildcards must be the whole text."""
    wild = [each for each in patterns if not each.literal and is_pattern(each.text)]
    return matcher(patterns=[each.text for each in wild], parts=[each.text for each in patterns if each not in wild])


def _named(column: tuple[Sequence[str], Ints], test: Test) -> Bools:
    names, places = column
    passes = np.array([bool(name) and bool(test(name.casefold())) for name in names] + [False], np.bool_)
    found: Bools = passes[places]  # -1, for none, is the last
    return found
