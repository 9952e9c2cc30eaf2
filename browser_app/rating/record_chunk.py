"""Some rounds as they were given, checked: the columns of a record."""

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record import NO_RANK, Floats, Ints, Spells
from browser_app.rating.record_checks import (
    Faults,
    GivenSpells,
    check_chairs,
    check_counts,
    check_rounds,
    checked_spells,
)
from browser_app.rating.record_columns import Chunk, starts
from browser_app.rating.record_gathering import Given


def checked(given: Given, first: int) -> Chunk:
    """The columns of some rounds.

    Args:
        given: what was given; its ranks and races are one a team.
        first: how many rounds came before them.

    Raises:
        MatchError: a round contradicts itself.
    """
    appearance_count = given["appearance_count"]
    faults = Faults(first, starts(appearance_count))
    teams = _Teams(given["team_name"], given["team_count"])
    faults.rounds(teams.twice(), "teams", "two have one name")
    finished = np.not_equal(given["team_rank"][starts(given["team_count"])[:-1]], NO_RANK)
    check_rounds(faults, given["started"], given["duration"], finished)
    round_of = np.repeat(np.arange(len(appearance_count), dtype=np.int32), appearance_count)
    faults.players(_repeated(round_of, given["player"]), "id", "is there twice in this round")
    stays, chairs = _checked_spells(given, teams, round_of, faults)
    check_counts(faults, {field: given[field] for field in ("kills", "deaths")})
    faults.refuse()
    plain = {field: given[field] for field in Chunk._fields if field in given}
    return Chunk(**plain, stays=stays, chairs=chairs)


class _Teams:
    """The teams of some rounds: finds a team's index within its round by its name."""

    _STEP = 1 << 32  # keys are round × step + index of the name

    def __init__(self, name: Ints, count: Ints) -> None:
        self._start = starts(count)
        self._round = np.repeat(np.arange(len(count), dtype=np.int64), count)
        keys = self._round * self._STEP + name
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def twice(self) -> NDArray[np.bool_]:
        """One flag a round: two of its teams have one name."""
        found = np.zeros(len(self._start) - 1, np.bool_)
        found[self._round[self._order[1:]][np.diff(self._sorted) == 0]] = True
        return found

    def find(self, round_of: Ints, name: Ints) -> Ints:
        """Index of a team in its round, -1 where the round has no such team."""
        keys = round_of.astype(np.int64) * self._STEP + name
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        return np.where(self._sorted[at] == keys, self._order[at] - self._start[round_of], -1).astype(np.int32)


def _checked_spells(given: Given, teams: _Teams, round_of: Ints, faults: Faults) -> tuple[Spells, Spells]:
    duration: Floats = given["duration"]
    end = np.where(np.isnan(duration), np.inf, duration)[round_of]
    stays_given = _spells(given, "stays", teams, round_of)
    stays = checked_spells(faults, stays_given, "stays", end[stays_given.appearance])
    chairs_given = _spells(given, "chairs", teams, round_of)
    chairs = checked_spells(faults, chairs_given, "commanding", end[chairs_given.appearance])
    check_chairs(faults, chairs_given, chairs, stays)
    return stays, chairs


def _spells(given: Given, kind: str, teams: _Teams, round_of: Ints) -> GivenSpells:
    count, name, enter, leave = (given[f"{kind}.{field}"] for field in ("count", "team", "enter", "leave"))
    if not len(name):
        return GivenSpells.none()
    appearance = np.repeat(np.arange(len(count), dtype=np.int32), count)
    number = np.arange(len(name), dtype=np.int32) - np.repeat(np.cumsum(count, dtype=np.int32) - count, count)
    return GivenSpells(appearance, number, teams.find(round_of[appearance], name), enter, leave)


def _repeated(group: Ints, value: Ints) -> NDArray[np.bool_]:
    """Where a value is there again in its group."""
    keys = group.astype(np.int64) << 32 | value
    again = np.zeros(len(keys), np.bool_)
    if (np.diff(np.sort(keys)) == 0).any():  # a stable order takes several times as long
        order = np.argsort(keys, kind="stable")
        again[order[1:][np.diff(keys[order]) == 0]] = True
    return again
