"""Server filters: one expression, and several active together.

Bare words are searched in name, map, mode, tags and player names. A space is "and", `|` is "or", `-` is "not", brackets
group and quotes make literal: `players>=6 ping<80 -full map:veil* (mode:ns2,siege | country:de) "two words"`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, Ints
from browser_app.catalogue.filters import filter_tree
from browser_app.catalogue.filters.filter_fields import FIELD_SYNONYMS, FLAG_FIELDS, NUMBER_FIELDS, TEXT_FIELDS
from browser_app.catalogue.filters.filter_parser import (
    FilterError,
    FilterFieldNames,
    parse_filter_expression,
    parse_valid_terms,
)
from browser_app.catalogue.filters.filter_predicates import evaluate_filter, evaluate_number_term, line_predicate

__all__ = ["FILTER_FIELDS", "FilterError", "ServerFilter", "parse_filter"]

FILTER_FIELDS = FilterFieldNames(NUMBER_FIELDS, TEXT_FIELDS, FLAG_FIELDS, FIELD_SYNONYMS)
"""All fields, for completion and help."""


@dataclass(frozen=True, slots=True)
class ServerFilter:
    """A parsed filter.

    `str()` returns its canonical spelling, which parses to an equal filter.
    """

    node: filter_tree.FilterNode

    def __str__(self) -> str:
        return str(self.node)

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields that it reads.

        A bare word reads `player` among others, the only one of them that costs a query of its own.
        """
        terms = filter_tree.filter_terms(self.node)
        return frozenset("player" if isinstance(term, filter_tree.SearchTerm) else term.field for term in terms)

    def matching_rows(self, catalogue: Catalogue) -> Bools:
        """Return a flag per row, True where there is a server that passes.

        The array belongs to the caller.
        """
        passing: Bools = evaluate_filter(self.node, len(catalogue), lambda term: _evaluate_term(term, catalogue))
        return passing & catalogue.occupied


def parse_filter(text: str) -> ServerFilter:
    """Parse an expression; an empty one lets every row pass.

    Raises:
        FilterError: with the reason and the characters at fault.
    """
    return ServerFilter(parse_filter_expression(text, FILTER_FIELDS))


def parse_filter_leniently(text: str) -> tuple[ServerFilter, FilterError | None]:
    """Parse an expression without the words that are wrong.

    Returns the first error, too.
    """
    node, error = parse_valid_terms(text, FILTER_FIELDS)
    return ServerFilter(node), error


def _evaluate_term(term: filter_tree.FilterTerm, catalogue: Catalogue) -> Bools:
    match term:
        case filter_tree.SearchTerm(pattern):
            return _evaluate_search(pattern, catalogue)
        case filter_tree.TextMatch(name, patterns):
            return TEXT_FIELDS[name](catalogue, patterns)
        case filter_tree.FlagTerm(name, value):
            return FLAG_FIELDS[name](catalogue) if value else ~FLAG_FIELDS[name](catalogue)
        case filter_tree.NumberComparison(name) | filter_tree.NumberRanges(name):
            return evaluate_number_term(term, NUMBER_FIELDS[name](catalogue))


def _evaluate_search(pattern: filter_tree.TextPattern, catalogue: Catalogue) -> Bools:
    test = line_predicate(pattern)
    return np.fromiter(map(bool, map(test, catalogue.search_texts())), np.bool_, len(catalogue))


class ActiveFilters:
    """Filters by key over the rows of one list, evaluated once at construction.

    Attributes:
        list_mask: the rows of the list.
        passing: rows, in the list or not, that pass every filter.
    """

    def __init__(self, filters: Mapping[str, ServerFilter], catalogue: Catalogue, listed: Bools) -> None:
        self.list_mask = listed
        self._catalogue = catalogue
        self._masks = {key: each.matching_rows(catalogue) for key, each in filters.items()}
        self._fail_counts: Ints = np.zeros(len(listed), np.int32)
        for mask in self._masks.values():
            self._fail_counts += ~mask
        self.passing: Bools = self._fail_counts == 0

    def __contains__(self, key: object) -> bool:
        return key in self._masks

    def rows_passing_other_filters(self, key: str) -> Bools:
        """Return the rows of the list that pass all filters but this one.

        Whether they pass this one does not matter.
        """
        mask = self._masks.get(key)
        passed = self.passing if mask is None else self._fail_counts - ~mask == 0
        return self.list_mask & passed

    def hidden_count(self, key: str) -> int:
        """Return the number of rows that removing only this filter would bring back."""
        return int(np.count_nonzero(self.rows_passing_other_filters(key) & ~self._masks[key]))

    def remaining_count(self, candidate: ServerFilter, key: str = "") -> int:
        """Return the number of rows left if `candidate` is added.

        It replaces the filter `key` if that is active.
        """
        mask = candidate.matching_rows(self._catalogue)[: len(self.list_mask)]  # rows may have been added since
        return int(np.count_nonzero(self.rows_passing_other_filters(key) & mask))


def combine_filters(filters: Iterable[ServerFilter]) -> ServerFilter:
    """Return one filter for the rows that pass all of them."""
    nodes = tuple(each.node for each in filters if not isinstance(each.node, filter_tree.MatchAll))
    if len(nodes) == 1:
        return ServerFilter(nodes[0])
    return ServerFilter(filter_tree.AndNode(nodes) if nodes else filter_tree.MatchAll())
