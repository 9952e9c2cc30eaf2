"""Filter language of the rounds table.

Bare words are searched in map, mode, team and server: `veil won -server:"third hive" with:moth chance<40`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.filters.filter_parser import FilterError, FilterFieldNames, parse_filter_expression
from browser_app.catalogue.filters.filter_predicates import (
    TextPredicate,
    evaluate_filter,
    evaluate_number_term,
    substring_predicate,
)
from browser_app.catalogue.filters.filter_tree import (
    FilterNode,
    FilterTerm,
    FlagTerm,
    NumberComparison,
    NumberRanges,
    SearchTerm,
    TextMatch,
    filter_terms,
)
from browser_app.player.co_players import CoPlayers
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.ui.skill.rounds.rounds_table_rows import rating_changes

__all__ = ["ROUND_FILTER_FIELDS", "FilterError", "filter_rounds", "needs_co_players", "parse_round_filter"]

ROUND_NUMBER_FIELDS: Mapping[str, Callable[[OwnHistory], Floats]] = {
    "there": lambda h: h.share * 100.0,
    "chance": lambda h: h.probability * 100.0,
    "change": rating_changes,
    "after": lambda h: h.after,
    "size": lambda h: h.size_mine.astype(np.float64),
}
"""Name → column, NaN where unknown; shares in percent, as displayed."""

ROUND_FLAG_FIELDS: Mapping[str, Callable[[OwnHistory], Bools]] = {
    "won": lambda h: h.outcome == 1.0,
    "lost": lambda h: h.outcome == 0.0,
    "drawn": lambda h: h.outcome == 0.5,
    "rated": lambda h: h.is_rated,
    "approximate": lambda h: h.approximate,
    "commanding": lambda h: h.commander_share > 0.0,
}

NAME_FIELDS: Mapping[str, Callable[[OwnHistory], tuple[Sequence[str], Ints]]] = {
    "map": lambda h: (h.maps, h.map),
    "mode": lambda h: (h.modes, h.mode),
    "team": lambda h: (h.teams, h.team),
    "server": lambda h: (h.servers, h.server),
}
CO_PLAYER_FIELDS = ("with", "against")

ROUND_FILTER_FIELDS = FilterFieldNames(ROUND_NUMBER_FIELDS, (*NAME_FIELDS, *CO_PLAYER_FIELDS), ROUND_FLAG_FIELDS)


def parse_round_filter(text: str) -> FilterNode:
    """Parse an expression; an empty one lets every round pass.

    Raises:
        FilterError: with the reason and the place.
    """
    return parse_filter_expression(text, ROUND_FILTER_FIELDS)


def needs_co_players(node: FilterNode) -> bool:
    """Return True if the filter asks for teammates or opponents."""
    return any(isinstance(term, TextMatch) and term.field in CO_PLAYER_FIELDS for term in filter_terms(node))


def filter_rounds(node: FilterNode, history: OwnHistory, co_players: CoPlayers | None) -> Bools:
    """Return which rounds of the history pass.

    A condition on players passes none while `co_players` is None.
    """
    return evaluate_filter(node, len(history), lambda term: _filter_by_term(term, history, co_players))


def _filter_by_term(term: FilterTerm, history: OwnHistory, co_players: CoPlayers | None) -> Bools:
    match term:
        case SearchTerm(pattern):
            test = substring_predicate((pattern,))
            return reduce(np.bitwise_or, [_filter_by_name(names(history), test) for names in NAME_FIELDS.values()])
        case TextMatch(name, patterns) if name in CO_PLAYER_FIELDS:
            if co_players is None:
                return np.zeros(len(history), np.bool_)
            return co_players.find_rounds_with(substring_predicate(patterns), teammates=name == "with")
        case TextMatch(name, patterns):
            return _filter_by_name(NAME_FIELDS[name](history), substring_predicate(patterns))
        case FlagTerm(name, value):
            return np.equal(ROUND_FLAG_FIELDS[name](history), value)
        case NumberComparison(name) | NumberRanges(name):
            return evaluate_number_term(term, ROUND_NUMBER_FIELDS[name](history))


def _filter_by_name(column: tuple[Sequence[str], Ints], test: TextPredicate) -> Bools:
    names, indices = column
    passes = np.array([bool(name) and bool(test(name.casefold())) for name in names] + [False], np.bool_)
    found: Bools = passes[indices]  # -1, for none, is the last
    return found
