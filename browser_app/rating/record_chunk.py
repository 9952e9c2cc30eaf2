"""Some rounds taken apart into columns, attribute by attribute: loops in C instead of one over objects."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.match import Match, Player
from browser_app.rating.record import NO_RANK, Floats, Ints, Spells
from browser_app.rating.record_checks import (
    Faults,
    GivenSpells,
    check_chairs,
    check_rounds,
    checked_spells,
    well_formed,
)

Bytes = NDArray[np.int8]
Scalar = TypeVar("Scalar", bound=np.generic)


class Names(dict[str, int]):
    """Distinct names and their indices, in the order of their first appearance."""

    def __missing__(self, name: str) -> int:
        index = self[name] = len(self)
        return index

    def indices(self, names: Iterable[str]) -> Ints:
        """Index of each, the new ones added."""
        return np.array(list(map(self.__getitem__, names)), np.int32)

    def optional(self, names: Sequence[str | None]) -> Ints:
        """Like ``indices``, -1 for none (None or empty)."""
        return np.array([self[name] if name else -1 for name in names], np.int32)


class Dictionaries:
    """All names of a record; ``names`` is what players are called, by their index."""

    def __init__(self) -> None:
        self.players, self.teams, self.races = Names(), Names(), Names()
        self.games, self.maps, self.modes = Names(), Names(), Names()
        self.names: dict[int, str] = {}


class Chunk(NamedTuple):
    """The columns of a record (see there) for some rounds; rows count from the chunk's first.

    Columns nobody tells anything of have stride 0: they take no room.
    """

    game: Ints
    map: Ints
    mode: Ints
    started: Floats
    duration: Floats
    team_count: Ints
    team_name: Ints
    team_race: Ints
    team_rank: Ints
    appearance_count: Ints
    player: Ints
    kills: Floats
    deaths: Floats
    score: Floats
    ping: Floats
    squad: Ints
    quit: Bytes
    ranked: Bytes
    stays: Spells
    chairs: Spells


def take_apart(matches: Sequence[Match], first: int, known: Dictionaries) -> Chunk:
    """The columns of some rounds, checked.

    Args:
        matches: the rounds.
        first: how many rounds came before them.
        known: names so far; new ones are added.

    Raises:
        MatchError: a round contradicts itself.
    """
    appearance_count = _count(matches, "players")
    faults = Faults(first, _starts(appearance_count))
    whole = well_formed(matches, faults)
    if len(whole) < len(matches):
        if whole:
            take_apart(whole, first, known)
        faults.refuse()
    players: list[Player] = list(chain.from_iterable(_values(matches, "players")))
    team_count = _count(matches, "teams")
    teams = _Teams(known.teams, matches, team_count)
    rank = _flat(match.ranks or (NO_RANK,) * len(match.teams) for match in matches)
    started, duration = _floats(matches, "started"), _floats(matches, "duration")
    player = known.players.indices(_values(players, "id"))
    _keep_names(known.names, player, players)
    check_rounds(faults, started, duration, np.not_equal(rank[_starts(team_count)[:-1]], NO_RANK))
    faults.rounds(teams.twice(), "teams", "two have one name")
    round_of = np.repeat(np.arange(len(matches), dtype=np.int32), appearance_count)
    faults.players(_repeated(round_of, player), "id", "is there twice in this round")
    stays, chairs = _checked_spells(players, teams, round_of, duration, faults)
    faults.refuse()
    return Chunk(
        game=known.games.optional(_values(matches, "game")),
        map=known.maps.optional(_values(matches, "map")),
        mode=known.modes.indices(_values(matches, "mode")),
        started=started,
        duration=duration,
        team_count=team_count,
        team_name=teams.name,
        team_race=known.races.optional(
            list(chain.from_iterable(match.races or (None,) * len(match.teams) for match in matches))
        ),
        team_rank=rank,
        appearance_count=appearance_count,
        player=player,
        kills=_floats(players, "kills"),
        deaths=_floats(players, "deaths"),
        score=_floats(players, "score"),
        ping=_floats(players, "ping"),
        squad=_or_none(_values(players, "squad"), np.int32(-1), Names().optional),
        quit=_flags(players, "quit"),
        ranked=_flags(players, "ranked"),
        stays=stays,
        chairs=chairs,
    )


class _Teams:
    """The teams of some rounds: finds a team's index within its round by its name."""

    def __init__(self, names: Names, matches: Sequence[Match], count: Ints) -> None:
        self.name = names.indices(chain.from_iterable(_values(matches, "teams")))
        self._names = names
        self._start = _starts(count)
        self._round = np.repeat(np.arange(len(matches), dtype=np.int64), count)
        keys = self._round * len(names) + self.name
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def twice(self) -> NDArray[np.bool_]:
        """One flag a round: two of its teams have one name."""
        flags = np.zeros(len(self._start) - 1, np.bool_)
        flags[self._round[self._order[1:]][np.diff(self._sorted) == 0]] = True
        return flags

    def find(self, round_of: Ints, names: Iterable[str]) -> Ints:
        """Index of a team in its round, -1 where the round has no such team."""
        if not len(round_of):
            return np.zeros(0, np.int32)
        known = np.array([self._names.get(name, -1) for name in names], np.int64)
        keys = round_of.astype(np.int64) * len(self._names) + known
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        found = (self._sorted[at] == keys) & (known >= 0)
        return np.where(found, self._order[at] - self._start[round_of], -1).astype(np.int32)


def _checked_spells(
    players: Sequence[Player], teams: _Teams, round_of: Ints, duration: Floats, faults: Faults
) -> tuple[Spells, Spells]:
    end = np.where(np.isnan(duration), np.inf, duration)[round_of]
    stays_given = _spells(players, "stays", teams, round_of)
    stays = checked_spells(faults, stays_given, "stays", end[stays_given.appearance])
    chairs_given = _spells(players, "commanding", teams, round_of)
    chairs = checked_spells(faults, chairs_given, "commanding", end[chairs_given.appearance])
    check_chairs(faults, chairs_given, chairs, stays)
    return stays, chairs


def _spells(players: Sequence[Player], key: str, teams: _Teams, round_of: Ints) -> GivenSpells:
    lists = _values(players, key)
    count = np.array(list(map(len, lists)), np.int32)
    spells = list(chain.from_iterable(lists))
    appearance = np.repeat(np.arange(len(players), dtype=np.int32), count)
    number = np.arange(len(spells), dtype=np.int32) - np.repeat(np.cumsum(count, dtype=np.int32) - count, count)
    team = teams.find(round_of[appearance], _values(spells, "team"))
    return GivenSpells(appearance, number, team, _floats(spells, "enter"), _floats(spells, "leave"))


def _keep_names(names: dict[int, str], player: Ints, players: Sequence[Player]) -> None:
    told = _values(players, "name")
    if told.count(None) < len(told):
        names.update((i, name) for i, name in zip(player.tolist(), told, strict=True) if name is not None)


def _repeated(group: Ints, value: Ints) -> NDArray[np.bool_]:
    """Where a value is there again in its group."""
    order = np.lexsort((value, group))
    again = np.zeros(len(value), np.bool_)
    again[order[1:]] = (np.diff(value[order]) == 0) & (np.diff(group[order]) == 0)
    return again


def _values(things: Sequence[Any], attribute: str) -> list[Any]:
    return list(map(attrgetter(attribute), things))


def _count(things: Sequence[Any], attribute: str) -> Ints:
    return np.array(list(map(len, _values(things, attribute))), np.int32)


def _starts(count: Ints) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(count, dtype=np.int64)])


def _flat(lists: Iterable[Iterable[int]]) -> Ints:
    return np.array(list(chain.from_iterable(lists)), np.int32)


def _floats(things: Sequence[Any], attribute: str) -> Floats:
    """A column of numbers, NaN for None (numpy reads None so)."""
    return _or_none(_values(things, attribute), np.float64(np.nan), lambda values: np.array(values, np.float64))


def _flags(things: Sequence[Any], attribute: str) -> Bytes:
    """A column of yes (1), no (0) and unknown (-1)."""
    return _or_none(
        _values(things, attribute),
        np.int8(-1),
        lambda values: np.array([-1 if flag is None else flag for flag in values], np.int8),
    )


def _or_none(values: list[Any], unknown: Scalar, convert: Callable[[list[Any]], NDArray[Scalar]]) -> NDArray[Scalar]:
    """The column, or where all is unknown one value for all rows."""
    if values.count(None) == len(values):
        return np.broadcast_to(unknown, len(values))
    return convert(values)
