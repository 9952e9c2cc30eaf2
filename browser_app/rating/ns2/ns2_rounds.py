"""Round data of the NS2 rating: eligibility, outcomes and terms of the log-odds."""

from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.circumstances import CircumstanceCode, count_lasting_players
from browser_app.rating.ns2.ns2_parameters import NS2Settings
from browser_app.rating.record import team_presence
from browser_app.rating.record.round_record import Floats, Ints, Offsets, RoundRecord
from browser_app.rating.skip_reason import SkipReason


class RoundEligibility:
    """Reasons why rounds are not rated.

    Attributes:
        is_rated: flags of the rated rounds.
    """

    def __init__(self, record: RoundRecord, min_duration_s: float) -> None:
        tests = (
            (~record.finished, SkipReason.NO_OUTCOME),
            (record.team_count != 2, SkipReason.NOT_TWO_TEAMS),
            (team_presence.count_occupied_teams(record) < 2, SkipReason.ONE_SIDE_EMPTY),
            (record.duration < min_duration_s, SkipReason.TOO_SHORT.with_value(f"{min_duration_s:g}")),
        )
        self._reasons = (*(reason for _, reason in tests), None)
        self._first_failed = np.select([failed for failed, _ in tests], list(range(len(tests))), len(tests))
        self.is_rated = self._first_failed == len(tests)

    def reasons(self, first: int, last: int) -> list[str | None]:
        """Return why each of rounds first to last - 1 is not rated, None for rated ones."""
        return [self._reasons[test] for test in self._first_failed[first:last].tolist()]


def first_team_outcomes(record: RoundRecord, first: int, last: int) -> Floats:
    """Return G of rounds of two teams: 1 the first-named won, 0 it lost, ½ a draw."""
    team = record.team_start[first:last]
    better: Floats = np.sign(record.team_rank[team + 1] - record.team_rank[team]).astype(np.float64)
    return (1.0 + better) / 2.0


class LogOddsTerms(NamedTuple):
    """Coefficients of one term, one row per player and round, ascending by round.

    Over a round Σ whole = 1, or 0 in one without sides: offsets have no part in it. Without rows the term is absent.

    Attributes:
        start: `start[i]:start[i + 1]` are the rows of round first + i.
        player: index into the record's players.
        signed: (t¹ − t²) / Σt, the coefficient of the skill: T t / Σt for players of one team.
        whole: (t¹ + t²) / Σt, the coefficient of the offset (T · T = 1).
    """

    start: Offsets
    player: Ints
    signed: Floats
    whole: Floats


def compute_field_terms(record: RoundRecord, settings: NS2Settings, first: int, last: int) -> LogOddsTerms:
    """Return the terms of field time (the article, "The Basic Model").

    Commander time is left out unless it counts as field time.
    """
    present = team_presence.compute_field_presence(
        record, settings.field_weight, first, last, include_commander_time=settings.commander_weight is None
    )
    return _build_terms(record, present, first, last)


def compute_commander_terms(record: RoundRecord, settings: NS2Settings, first: int, last: int) -> LogOddsTerms:
    """Return the terms of commander time, no rows if that counts as field time.

    See the article, "Special treatment for commanders".
    """
    if settings.commander_weight is None:
        return _build_terms(record, _NO_PRESENCE, first, last)
    presence = team_presence.compute_presence(record, record.commander_stints, settings.commander_weight, first, last)
    return _build_terms(record, presence, first, last)


def compute_expected_terms(
    record: RoundRecord, settings: NS2Settings, team: Ints, first: int, last: int
) -> tuple[LogOddsTerms, LogOddsTerms]:
    """Return the terms of field and commander time expected before a round.

    All players are there for the whole round, on their `team` (-1 for none; one entry per appearance of these
    rounds); each team's main commander commands all the time.
    """
    commands = np.zeros(len(team), np.bool_)
    if settings.commander_weight is not None:
        commands = team_presence.main_commanders(record, team, first, last)

    def terms_of(chosen: NDArray[np.bool_]) -> LogOddsTerms:
        on = np.flatnonzero(chosen).astype(np.int32)
        rows = on + np.int32(record.appearance_start[first])
        return _build_terms(record, team_presence.Presence(rows, team[on], np.ones(len(on))), first, last)

    return terms_of((team >= 0) & ~commands), terms_of(commands)


_NO_PRESENCE = team_presence.Presence(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))


def _build_terms(record: RoundRecord, present: team_presence.Presence, first: int, last: int) -> LogOddsTerms:
    within = record.round_of_appearance[present.appearance] - first
    whole = present.amount / np.bincount(within, present.amount, last - first)[within]
    signed = np.where(present.team == 0, whole, -whole)
    player = record.player[present.appearance]
    switched = np.flatnonzero(np.diff(present.appearance) == 0)
    if len(switched):  # players on both teams get one row
        rows = np.delete(np.arange(len(player)), switched + 1)
        within, player = within[rows], player[rows]
        whole, signed = np.add.reduceat(whole, rows), np.add.reduceat(signed, rows)
    whole = np.where(record.has_sides[within + first], whole, 0.0)
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(within, minlength=last - first))])
    return LogOddsTerms(start, player, signed, whole)


TermRows: TypeAlias = tuple[list[int], list[float], list[float]]
"""One term of one round: players, their signed and their whole coefficients (see `LogOddsTerms`)."""

NO_ROWS: TermRows = ([], [], [])


class SlicedTerms:
    """Terms as plain lists, from which the rows of a round are sliced.

    A list of rows per round would slow the garbage collector.
    """

    def __init__(self, terms: LogOddsTerms) -> None:
        self._start: list[int] = terms.start.tolist()
        self._player: list[int] = terms.player.tolist()
        self._signed: list[float] = terms.signed.tolist()
        self._whole: list[float] = terms.whole.tolist()

    def rows_of_round(self, i: int) -> TermRows:
        """Return the rows of the block's round i."""
        a, b = self._start[i], self._start[i + 1]
        return (self._player[a:b], self._signed[a:b], self._whole[a:b]) if b > a else NO_ROWS


class ExpectedInputs(NamedTuple):
    """Inputs of the forecasts, known before the rounds.

    Attributes:
        field: all players on the team with most of their time, without the commanders.
        commander: the commanders that the rounds name.
        has_two_sides: whether both teams have players.
        circumstance: for the number of players on a team.
    """

    field: SlicedTerms
    commander: SlicedTerms
    has_two_sides: list[bool]
    circumstance: list[int]


class NS2RoundBlock:
    """Rounds first to last - 1 of a record.

    Attributes:
        reasons: why each is not rated, or None.
        outcomes: G of each.
    """

    def __init__(
        self, record: RoundRecord, settings: NS2Settings, eligibility: RoundEligibility, first: int, last: int
    ) -> None:
        self._record, self._settings, self._first, self._last = record, settings, first, last
        self.reasons = eligibility.reasons(first, last)
        self.outcomes: list[float] = first_team_outcomes(record, first, last).tolist()
        self._field = SlicedTerms(compute_field_terms(record, settings, first, last))
        self._commander = SlicedTerms(compute_commander_terms(record, settings, first, last))
        self._circumstance = [0] * (last - first)
        if settings.uses_circumstances:
            players = count_lasting_players(record, first, last)
            self._circumstance = CircumstanceCode(record).encode(record, players, first, last).tolist()

    def inputs_of_round(self, i: int) -> tuple[TermRows, TermRows, int]:
        """Return field terms, commander terms and circumstance (0: ignored) of round i."""
        return self._field.rows_of_round(i), self._commander.rows_of_round(i), self._circumstance[i]

    @cached_property
    def expected(self) -> ExpectedInputs:
        """Inputs of the forecasts, computed on demand as few runs need them."""
        record, first, last = self._record, self._first, self._last
        team = team_presence.longest_team(record, first, last)
        field, commander = compute_expected_terms(record, self._settings, team, first, last)
        within = record.round_of_appearance[slice(*record.appearance_start[[first, last]])] - first
        players = np.bincount(within[team >= 0], minlength=last - first)
        first_players = np.bincount(within[team == 0], minlength=last - first)
        two_sides = (record.team_count[first:last] == 2) & (first_players > 0) & (first_players < players)
        known = CircumstanceCode(record).encode(record, players.astype(np.int32), first, last)
        return ExpectedInputs(SlicedTerms(field), SlicedTerms(commander), two_sides.tolist(), known.tolist())
