"""The filter language of the rounds table.

Bare words are searched in map, mode, team and server: `veil won -server:"third hive" with:moth chance<40`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from browser_app.catalogue.filter_parser import FilterError, FilterFieldNames, parse_filter_expression
from browser_app.catalogue.filter_predicates import TextPredicate, compare, has_wildcards, is_within, text_predicate
from browser_app.catalogue.filter_tree import (
    AndNode,
    FilterNode,
    FlagTerm,
    NotNode,
    NumberComparison,
    NumberRanges,
    OrNode,
    SearchTerm,
    TextMatch,
    TextPattern,
)
from browser_app.player.co_players import CoPlayers
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.ui.skill.rounds.rounds_table_rows import rating_changes

__all__ = ["ROUND_FILTER_FIELDS", "FilterError", "filter_rounds", "needs_company", "parse_round_filter"]

BoolArray = NDArray[np.bool_]

NUMBER_FIELDS: Mapping[str, Callable[[OwnHistory], Floats]] = {
    "there": lambda h: h.share * 100.0,
    "chance": lambda h: h.probability * 100.0,
    "change": rating_changes,
    "after": lambda h: h.after,
    "size": lambda h: h.size_mine.astype(np.float64),
}
"""Name → its column, NaN where unknown; shares in percent, as they are shown."""

FLAG_FIELDS: Mapping[str, Callable[[OwnHistory], BoolArray]] = {
    "won": lambda h: h.outcome == 1.0,
    "lost": lambda h: h.outcome == 0.0,
    "drawn": lambda h: h.outcome == 0.5,
    "rated": lambda h: ~np.isnan(h.probability),
    "approximate": lambda h: h.approximate,
    "commanding": lambda h: h.chair > 0.0,
}

NAME_FIELDS: Mapping[str, Callable[[OwnHistory], tuple[Sequence[str], Ints]]] = {
    "map": lambda h: (h.maps, h.map),
    "mode": lambda h: (h.modes, h.mode),
    "team": lambda h: (h.teams, h.team),
    "server": lambda h: (h.servers, h.server),
}
COMPANY_FIELDS = ("with", "against")

ROUND_FILTER_FIELDS = FilterFieldNames(NUMBER_FIELDS, (*NAME_FIELDS, *COMPANY_FIELDS), FLAG_FIELDS)


def parse_round_filter(text: str) -> FilterNode:
    """Read an expression; an empty one lets every round pass.

    Raises:
        FilterError: what is wrong and where.
    """
    return parse_filter_expression(text, ROUND_FILTER_FIELDS)


def needs_company(node: FilterNode) -> bool:
    """Whether it asks who played along."""
    match node:
        case AndNode(parts) | OrNode(parts):
            return any(map(needs_company, parts))
        case NotNode(inner):
            return needs_company(inner)
        case TextMatch(name, _):
            return name in COMPANY_FIELDS
    return False


def filter_rounds(node: FilterNode, history: OwnHistory, company: CoPlayers | None) -> BoolArray:
    """One flag a round of the history. Without company nobody was there."""
    match node:
        case AndNode(parts):
            return reduce(np.bitwise_and, [filter_rounds(each, history, company) for each in parts])
        case OrNode(parts):
            return reduce(np.bitwise_or, [filter_rounds(each, history, company) for each in parts])
        case NotNode(inner):
            return ~filter_rounds(inner, history, company)
        case TextMatch(name, patterns) if name in COMPANY_FIELDS:
            nobody = np.zeros(len(history), np.bool_)
            return nobody if company is None else company.rounds_with(_pattern_matcher(patterns), mine=name == "with")
    return _filter_by_columns(node, history)


def _filter_by_columns(node: FilterNode, history: OwnHistory) -> BoolArray:
    match node:
        case SearchTerm(pattern):
            return reduce(
                np.bitwise_or,
                [_filter_by_name(names(history), _pattern_matcher((pattern,))) for names in NAME_FIELDS.values()],
            )
        case TextMatch(name, patterns):
            return _filter_by_name(NAME_FIELDS[name](history), _pattern_matcher(patterns))
        case FlagTerm(name, value):
            return np.equal(FLAG_FIELDS[name](history), value)
        case NumberComparison(name, sign, number):
            return compare(NUMBER_FIELDS[name](history), sign, number)
        case NumberRanges(name, ranges):
            return is_within(NUMBER_FIELDS[name](history), ranges)
    return np.ones(len(history), np.bool_)


def _pattern_matcher(patterns: Sequence[TextPattern]) -> TextPredicate:
    """Passes texts that hold one of the patterns; one with wildcards must be the whole text."""
    wild = [each for each in patterns if not each.literal and has_wildcards(each.text)]
    return text_predicate(
        patterns=[each.text for each in wild], substrings=[each.text for each in patterns if each not in wild]
    )


def _filter_by_name(column: tuple[Sequence[str], Ints], test: TextPredicate) -> BoolArray:
    names, places = column
    passes = np.array([bool(name) and bool(test(name.casefold())) for name in names] + [False], np.bool_)
    found: BoolArray = passes[places]  # -1, for none, is the last
    return found
