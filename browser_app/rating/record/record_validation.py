"""Validation of a record's columns.

All checks are vectorised; only when one fails is the first invalid round looked up, in the order given.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.game_round import Round
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_columns import RawColumns, RecordChunk, group_starts
from browser_app.rating.record.round_record import NO_RANK, Floats, Ints, Stints
from browser_app.rating.translatable import N_

LEAVE_SLACK_S = 1.0
"""A player may leave this long after the end of the round (clocks, rounding); the time is cut off at the end."""

MAX_DURATION_S = 1e9
"""Longest round: squares of the values must stay finite."""
_ANY_COUNT, _ANY_SCORE, _ANY_SKILL, _ANY_OFFSET = (0.0, 1e9), (-1e9, 1e9), (0.0, 1e6), (-1e6, 1e6)
NUMBER_RANGES: Mapping[str, tuple[float, float]] = {
    "kills": _ANY_COUNT,
    "deaths": _ANY_COUNT,
    "score": _ANY_SCORE,
    "assists": _ANY_COUNT,
    "objectives": _ANY_COUNT,
    "ping": _ANY_COUNT,
    "skill": _ANY_SKILL,
    "offset": _ANY_OFFSET,
    "commander_skill": _ANY_SKILL,
    "adagrad_sum": _ANY_COUNT,
    "commander_adagrad_sum": _ANY_COUNT,
}
"""Least and greatest value of a player's numbers; a score and a skill's offset may be negative."""

_ROUNDING_S = 1e-6  # commander time over two adjacent stays

Bools = NDArray[np.bool_]


class RawStints(NamedTuple):
    """Unchecked stints.

    Attributes:
        appearance: row of the appearance.
        number: position in the player's list.
        team: index of the team within its round, -1 for an unknown team.
        enter, leave: seconds from the start of the round.
    """

    appearance: Ints
    number: Ints
    team: Ints
    enter: Floats
    leave: Floats

    @classmethod
    def empty(cls) -> "RawStints":
        """Return no stints."""
        index, time = np.zeros(0, np.int32), np.zeros(0)
        return cls(index, index, index, time, time)


class RecordFaults:
    """Collector of faults in some rounds; `first` is the index of the first one."""

    def __init__(self, first: int, appearance_start: NDArray[np.int64]) -> None:
        self._first = first
        self._start = appearance_start
        self._errors: list[InvalidRoundError] = []

    def add(self, index: int, field: str, problem: str) -> None:
        """Add a fault of a round; its index counts from the first of these rounds."""
        self._errors.append(InvalidRoundError(self._first + index, field, problem))

    def flag_rounds(self, bad: Bools, field: str, problem: str) -> None:
        """Add faults by flags, one per round."""
        if bad.any():
            self.add(int(np.argmax(bad)), field, problem)

    def flag_players(self, bad: Bools, field: str, problem: str) -> None:
        """Add faults by flags, one per appearance."""
        if bad.any():
            self._add_player_fault(int(np.argmax(bad)), field, problem)

    def flag_stints(self, bad: Bools, stints: RawStints, key: str, field: str, problem: str) -> None:
        """Add faults by flags, one per stint; `key` names the player's list that has it."""
        if bad.any():
            at = int(np.argmax(bad))
            self._add_player_fault(int(stints.appearance[at]), f"{key}[{stints.number[at]}].{field}", problem)

    def raise_first(self) -> None:
        """Raise the error of the first invalid round, if there is one."""
        if self._errors:
            raise min(self._errors, key=lambda fault: fault.index)

    def _add_player_fault(self, row: int, field: str, problem: str) -> None:
        index = int(np.searchsorted(self._start, row, side="right")) - 1
        self.add(index, f"players[{row - self._start[index]}].{field}", problem)


def find_malformed_field(game_round: Round) -> tuple[str, str] | None:
    """Return field and problem of a round whose ranks or races do not match its teams."""
    teams, ranks = len(game_round.teams), game_round.ranks
    if teams < 2:
        return "teams", f"must be two or more, not {teams}"
    if ranks is not None and (len(ranks) != teams or min(ranks) < 1):
        return "ranks", N_("must be one per team, 1 or more")
    if game_round.races and len(game_round.races) != teams:
        return "races", N_("must be one per team")
    return None


def check_rounds(faults: RecordFaults, started: Floats, duration: Floats, finished: Bools) -> None:
    """Check starts and durations; NaN (unknown) is allowed only without an outcome."""
    faults.flag_rounds(np.isinf(started), "started", N_("is not a time"))
    faults.flag_rounds(np.isnan(started) & finished, "started", N_("is missing"))
    faults.flag_rounds(np.isinf(duration), "duration", N_("is not finite"))
    faults.flag_rounds(np.isnan(duration) & finished, "duration", N_("is missing"))
    faults.flag_rounds(duration <= 0, "duration", N_("must be above 0"))
    too_long = np.isfinite(duration) & (duration > MAX_DURATION_S)
    faults.flag_rounds(too_long, "duration", f"must be at most {MAX_DURATION_S:.0f}")


def check_numbers(faults: RecordFaults, columns: Mapping[str, Floats]) -> None:
    """Check the players' numbers by field, one per appearance; NaN is unknown."""
    for field, (least, greatest) in NUMBER_RANGES.items():
        values = columns[field]
        if values.strides != (0,):  # nothing is known otherwise
            faults.flag_players((values < least) | (values > greatest), field, describe_range(field))


def describe_range(field: str) -> str:
    """Return the problem of a number that is out of this field's range."""
    least, greatest = NUMBER_RANGES[field]
    return f"must be {least:.0f} to {greatest:.0f}"


def check_stints(faults: RecordFaults, raw: RawStints, key: str, end: Floats) -> Stints:
    """Return the stints by player and time, cut off at the end of the round.

    Stints of no length are left out. `end` is the end of each stint's round, infinite where unknown.
    """
    enter, leave = raw.enter, raw.leave
    faults.flag_stints(raw.team < 0, raw, key, "team", N_("is not one of the round’s teams"))
    faults.flag_stints(~np.isfinite(enter), raw, key, "enter", N_("is not a time"))
    faults.flag_stints(~np.isfinite(leave), raw, key, "leave", N_("is not a time"))
    faults.flag_stints(enter < 0, raw, key, "enter", N_("is before the start of the round"))
    faults.flag_stints(leave < enter, raw, key, "leave", N_("is before enter"))
    faults.flag_stints(leave > end + LEAVE_SLACK_S, raw, key, "leave", N_("is after the end of the round"))
    leave = np.minimum(leave, end)
    rows = np.flatnonzero(leave > enter)
    if not (np.diff(raw.appearance[rows]) > 0).all():
        rows = rows[np.lexsort((enter[rows], raw.appearance[rows]))]
    stints = Stints(raw.appearance[rows], raw.team[rows], enter[rows], leave[rows])
    overlaps = np.zeros(len(enter), np.bool_)
    overlaps[rows[1:]] = (np.diff(stints.appearance) == 0) & (stints.enter[1:] < stints.leave[:-1])
    faults.flag_stints(overlaps, raw, key, "enter", N_("is before the end of another stint"))
    return stints


def check_commander_stints(faults: RecordFaults, raw: RawStints, commander_stints: Stints, stints: Stints) -> None:
    """Check that commander time is covered by the player's stays on that team."""
    if not len(commander_stints.appearance):
        return
    first = np.searchsorted(stints.appearance, commander_stints.appearance, side="left")
    last = np.searchsorted(stints.appearance, commander_stints.appearance, side="right")
    commander = np.repeat(np.arange(len(first)), last - first)
    stay = np.arange(len(commander)) - np.repeat(np.cumsum(last - first) - last, last - first)
    leave = np.minimum(stints.leave[stay], commander_stints.leave[commander])
    shared = leave - np.maximum(stints.enter[stay], commander_stints.enter[commander])
    shared = np.where(stints.team[stay] == commander_stints.team[commander], np.maximum(shared, 0.0), 0.0)
    covered = np.bincount(commander, shared, len(first))
    outside = commander_stints.leave - commander_stints.enter > covered + _ROUNDING_S
    if outside.any():
        at = int(np.argmax(outside))
        is_outside = (raw.appearance == commander_stints.appearance[at]) & (raw.enter == commander_stints.enter[at])
        faults.flag_stints(is_outside, raw, "commanding", "enter", N_("is commander time outside the player’s stays"))


def check_chunk(raw: RawColumns, first: int) -> RecordChunk:
    """Validate the columns of some rounds and return them as a chunk.

    Ranks and races match the teams; `first` is the number of rounds before these.

    Raises:
        InvalidRoundError: a round contradicts itself.
    """
    appearance_count = raw["appearance_count"]
    faults = RecordFaults(first, group_starts(appearance_count))
    teams = _TeamLookup(raw["team_name"], raw["team_count"])
    faults.flag_rounds(teams.has_duplicate_names(), "teams", N_("two have the same name"))
    finished = np.not_equal(raw["team_rank"][group_starts(raw["team_count"])[:-1]], NO_RANK)
    check_rounds(faults, raw["started"], raw["duration"], finished)
    round_of = np.repeat(np.arange(len(appearance_count), dtype=np.int32), appearance_count)
    faults.flag_players(_is_repeated(round_of, raw["player"]), "id", N_("occurs twice in this round"))
    stays, commander_stints = _check_all_stints(raw, teams, round_of, faults)
    check_numbers(faults, raw)
    faults.raise_first()
    plain = {field: raw[field] for field in RecordChunk._fields if field in raw}
    return RecordChunk(**plain, stays=stays, commander_stints=commander_stints)


class _TeamLookup:
    """Index of teams by round and name."""

    _STEP = 1 << 32  # keys are round × step + index of the name

    def __init__(self, name: Ints, count: Ints) -> None:
        self._start = group_starts(count)
        self._round = np.repeat(np.arange(len(count), dtype=np.int64), count)
        keys = self._round * self._STEP + name
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def has_duplicate_names(self) -> NDArray[np.bool_]:
        """Return whether two teams have the same name, one flag per round."""
        found = np.zeros(len(self._start) - 1, np.bool_)
        found[self._round[self._order[1:]][np.diff(self._sorted) == 0]] = True
        return found

    def find(self, round_of: Ints, name: Ints) -> Ints:
        """Return the index of each named team in its round, -1 if the round has none."""
        keys = round_of.astype(np.int64) * self._STEP + name
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        return np.where(self._sorted[at] == keys, self._order[at] - self._start[round_of], -1).astype(np.int32)


def _check_all_stints(
    given: RawColumns, teams: _TeamLookup, round_of: Ints, faults: RecordFaults
) -> tuple[Stints, Stints]:
    duration: Floats = given["duration"]
    end = np.where(np.isnan(duration), np.inf, duration)[round_of]
    raw_stays = _raw_stints(given, "stays", teams, round_of)
    stays = check_stints(faults, raw_stays, "stays", end[raw_stays.appearance])
    raw_commander_stints = _raw_stints(given, "commander_stints", teams, round_of)
    commander_stints = check_stints(faults, raw_commander_stints, "commanding", end[raw_commander_stints.appearance])
    check_commander_stints(faults, raw_commander_stints, commander_stints, stays)
    return stays, commander_stints


def _raw_stints(given: RawColumns, kind: str, teams: _TeamLookup, round_of: Ints) -> RawStints:
    count, name, enter, leave = (given[f"{kind}.{field}"] for field in ("count", "team", "enter", "leave"))
    if not len(name):
        return RawStints.empty()
    appearance = np.repeat(np.arange(len(count), dtype=np.int32), count)
    number = np.arange(len(name), dtype=np.int32) - np.repeat(np.cumsum(count, dtype=np.int32) - count, count)
    return RawStints(appearance, number, teams.find(round_of[appearance], name), enter, leave)


def _is_repeated(group: Ints, value: Ints) -> NDArray[np.bool_]:
    keys = group.astype(np.int64) << 32 | value
    again = np.zeros(len(keys), np.bool_)
    if (np.diff(np.sort(keys)) == 0).any():  # a stable order takes several times as long
        order = np.argsort(keys, kind="stable")
        again[order[1:][np.diff(keys[order]) == 0]] = True
    return again
