"""What the rounds of a record may not be: every refusal of a round that contradicts itself, over columns.

Nothing is looked up until something is wrong; then the first round at fault is named, in the order given.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.errors import MatchError
from browser_app.rating.match import Match
from browser_app.rating.record import Floats, Ints, Spells

LEAVE_SLACK_S = 1.0
"""So much later than the end of the round somebody may leave; it is cut (clocks and rounding)."""

LONGEST_S, MOST_COUNTED = 1e9, 1e9
"""No round is longer, and nobody kills or dies more often in one; squares of what is told must stay finite."""

_ROUNDING_S = 1e-6  # a chair spell over two stays that touch

Bools = NDArray[np.bool_]


class GivenSpells(NamedTuple):
    """Spells as given: row of the appearance, position in the player's list, index of the team (-1: no such)."""

    appearance: Ints
    number: Ints
    team: Ints
    enter: Floats
    leave: Floats

    @classmethod
    def none(cls) -> "GivenSpells":
        """Nobody was anywhere."""
        index, time = np.zeros(0, np.int32), np.zeros(0)
        return cls(index, index, index, time, time)


class Faults:
    """Collects what is wrong with some rounds; indices count from the first round ever given."""

    def __init__(self, first: int, appearance_start: NDArray[np.int64]) -> None:
        self._first = first
        self._start = appearance_start
        self._found: list[MatchError] = []

    def add(self, index: int, field: str, problem: str) -> None:
        """Something wrong with a round, its index counted among these."""
        self._found.append(MatchError(self._first + index, field, problem))

    def rounds(self, bad: Bools, field: str, problem: str) -> None:
        """One flag a round."""
        if bad.any():
            self.add(int(np.argmax(bad)), field, problem)

    def players(self, bad: Bools, field: str, problem: str) -> None:
        """One flag an appearance."""
        if bad.any():
            self._player(int(np.argmax(bad)), field, problem)

    def spells(self, bad: Bools, spells: GivenSpells, key: str, field: str, problem: str) -> None:
        """One flag a spell; `key` is the player's list it stands in."""
        if bad.any():
            at = int(np.argmax(bad))
            self._player(int(spells.appearance[at]), f"{key}[{spells.number[at]}].{field}", problem)

    def refuse(self) -> None:
        """Raise the error of the first round at fault, if there is one."""
        if self._found:
            raise min(self._found, key=lambda fault: fault.index)

    def _player(self, row: int, field: str, problem: str) -> None:
        index = int(np.searchsorted(self._start, row, side="right")) - 1
        self.add(index, f"players[{row - self._start[index]}].{field}", problem)


def ill_formed(match: Match) -> tuple[str, str] | None:
    """Field and problem of a round whose teams, ranks and races are not one to one: it cannot be in columns at all."""
    teams, ranks = len(match.teams), match.ranks
    if teams < 2:
        return "teams", f"two or more are needed, not {teams}"
    if ranks is not None and (len(ranks) != teams or min(ranks) < 1):
        return "ranks", "one a team is needed, 1 or more"
    if match.races and len(match.races) != teams:
        return "races", "one a team is needed"
    return None


def check_rounds(faults: Faults, started: Floats, duration: Floats, finished: Bools) -> None:
    """Starts and durations; NaN is "not told", which only a round without an outcome may."""
    faults.rounds(np.isinf(started), "started", "is not a time")
    faults.rounds(np.isnan(started) & finished, "started", "is missing")
    faults.rounds(np.isinf(duration), "duration", "is not finite")
    faults.rounds(np.isnan(duration) & finished, "duration", "is missing")
    faults.rounds(duration <= 0, "duration", "must be above 0")
    faults.rounds(np.isfinite(duration) & (duration > LONGEST_S), "duration", f"must be at most {LONGEST_S:.0f}")


def check_counts(faults: Faults, counts: Mapping[str, Floats]) -> None:
    """Kills and deaths by their field, one an appearance; NaN is "not told"."""
    for field, count in counts.items():
        faults.players(count > MOST_COUNTED, field, f"must be at most {MOST_COUNTED:.0f}")


def checked_spells(faults: Faults, given: GivenSpells, key: str, end: Floats) -> Spells:
    """The spells in the order of their players and times, cut at the end of their round; those of no length are gone.

    ``end`` is the end of the round, one a spell, infinite where it is unknown.
    """
    enter, leave = given.enter, given.leave
    faults.spells(given.team < 0, given, key, "team", "is none of the round's teams")
    faults.spells(~np.isfinite(enter), given, key, "enter", "is not a time")
    faults.spells(~np.isfinite(leave), given, key, "leave", "is not a time")
    faults.spells(enter < 0, given, key, "enter", "is before the start of the round")
    faults.spells(leave < enter, given, key, "leave", "is before enter")
    faults.spells(leave > end + LEAVE_SLACK_S, given, key, "leave", "is after the end of the round")
    leave = np.minimum(leave, end)
    rows = np.flatnonzero(leave > enter)
    if not (np.diff(given.appearance[rows]) > 0).all():
        rows = rows[np.lexsort((enter[rows], given.appearance[rows]))]
    spells = Spells(given.appearance[rows], given.team[rows], enter[rows], leave[rows])
    overlaps = np.zeros(len(enter), np.bool_)
    overlaps[rows[1:]] = (np.diff(spells.appearance) == 0) & (spells.enter[1:] < spells.leave[:-1])
    faults.spells(overlaps, given, key, "enter", "is before the end of another spell")
    return spells


def check_chairs(faults: Faults, given: GivenSpells, chairs: Spells, stays: Spells) -> None:
    """Time in the chair is time on that team: covered by the player's stays there."""
    if not len(chairs.appearance):
        return
    first = np.searchsorted(stays.appearance, chairs.appearance, side="left")
    last = np.searchsorted(stays.appearance, chairs.appearance, side="right")
    chair = np.repeat(np.arange(len(first)), last - first)
    stay = np.arange(len(chair)) - np.repeat(np.cumsum(last - first) - last, last - first)
    shared = np.minimum(stays.leave[stay], chairs.leave[chair]) - np.maximum(stays.enter[stay], chairs.enter[chair])
    shared = np.where(stays.team[stay] == chairs.team[chair], np.maximum(shared, 0.0), 0.0)
    covered = np.bincount(chair, shared, len(first))
    outside = chairs.leave - chairs.enter > covered + _ROUNDING_S
    if outside.any():
        at = int(np.argmax(outside))
        place = (given.appearance == chairs.appearance[at]) & (given.enter == chairs.enter[at])
        faults.spells(place, given, "commanding", "enter", "is time in the chair outside the player's stays")
