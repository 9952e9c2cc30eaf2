"""What a run needs of some thousand rounds, prepared in columns and handed out as plain lists, round by round."""

from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.ns2.bias import circumstances, sizes
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.rounds import Eligibility, outcomes
from browser_app.rating.ns2.terms import Terms, chair_terms, expected_terms, field_terms
from browser_app.rating.record import Record

Rows: TypeAlias = tuple[list[int], list[float], list[float]]
"""One term of one round: who, his signed part and his whole part (see ``Terms``)."""

NOBODY: Rows = ([], [], [])


class TermLists:
    """Terms as plain lists, cut into rounds when asked: so many small lists at a time would busy the collector."""

    def __init__(self, terms: Terms) -> None:
        self._start: list[int] = terms.start.tolist()
        self._player: list[int] = terms.player.tolist()
        self._signed: list[float] = terms.signed.tolist()
        self._whole: list[float] = terms.whole.tolist()

    def of(self, i: int) -> Rows:
        """The rows of the block's round i."""
        a, b = self._start[i], self._start[i + 1]
        return (self._player[a:b], self._signed[a:b], self._whole[a:b]) if b > a else NOBODY


class Expected(NamedTuple):
    """What can be said of the rounds beforehand.

    Attributes:
        field: everybody on the team he was longest on. two_sides: whether both teams have somebody.
        circumstance: that of as many players as are on a team.
    """

    field: TermLists
    two_sides: list[bool]
    circumstance: list[int]


class Block:
    """Rounds first to last - 1 of a record.

    Attributes:
        reasons: why each is not rated, or None. outcomes: G of each.
    """

    def __init__(self, record: Record, settings: Settings, eligibility: Eligibility, first: int, last: int) -> None:
        self._record, self._first, self._last = record, first, last
        self.reasons = eligibility.reasons(first, last)
        self.outcomes: list[float] = outcomes(record, first, last).tolist()
        self._field = TermLists(field_terms(record, settings, first, last))
        self._chair = TermLists(chair_terms(record, settings, first, last))
        self._circumstance = [0] * (last - first)
        if settings.bias_strength is not None:
            self._circumstance = circumstances(record, sizes(record, first, last), first, last).tolist()

    def of(self, i: int) -> tuple[Rows, Rows, int]:
        """Field, chair and circumstance of round i; the last is 0 where circumstances have no part."""
        return self._field.of(i), self._chair.of(i), self._circumstance[i]

    @cached_property
    def expected(self) -> Expected:
        """What forecasts are made from; few runs ask for it."""
        record, first, last = self._record, self._first, self._last
        terms = expected_terms(record, first, last)
        players = np.diff(terms.start)
        within = np.repeat(np.arange(last - first), players)
        of_first = np.bincount(within, terms.signed > 0.0, last - first)
        two_sides = (record.team_count[first:last] == 2) & (of_first > 0) & (of_first < players)
        known = circumstances(record, players.astype(np.int32), first, last)
        return Expected(TermLists(terms), two_sides.tolist(), known.tolist())
