"""Growing numpy columns of a record that is being built."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.game_round import MinimalPlayer, Player, Round, Stint
from browser_app.rating.record.round_record import NO_RANK, Floats, Ints, Offsets, Stints

Flags = NDArray[np.int8]
Scalar = TypeVar("Scalar", bound=np.generic)


class NameIndex(dict[str, int]):
    """Distinct names and their indices, in the order of first appearance."""

    def __missing__(self, name: str) -> int:
        index = self[name] = len(self)
        return index

    def add_all(self, names: Sequence[str]) -> Ints:
        """Return the index of each name, adding new ones."""
        return np.fromiter(map(self.__getitem__, names), np.int32, len(names))

    def add_optional(self, names: Sequence[str | None]) -> Ints:
        """Return the index of each name like `add_all`, -1 for None and ""."""
        return np.array([self[name] if name else -1 for name in names], np.int32)


class NameTables:
    """All names of a record; `display_names` has the players' names by index."""

    def __init__(self) -> None:
        self.players, self.teams, self.races = NameIndex(), NameIndex(), NameIndex()
        self.games, self.maps, self.modes = NameIndex(), NameIndex(), NameIndex()
        self.display_names: dict[int, str] = {}

    def renumber(self, others: "NameTables", kind: str) -> Ints:
        """Return for each index into the others' names the one here.

        Unknown names are added; -1 (none) stays -1.
        """
        here, theirs = getattr(self, kind), getattr(others, kind)
        return np.array([*map(here.__getitem__, theirs), -1], np.int32)


class GrowingColumn:
    """A column that grows in place; unknown values alone are stored as one."""

    def __init__(self) -> None:
        self._dtype: np.dtype[Any] | None = None
        self._bytes = bytearray()
        self._rows = 0
        self._unknown: Any = None

    def extend(self, part: NDArray[Any]) -> None:
        """Append rows of the column's type, which the first call sets, even with no rows."""
        self._dtype = part.dtype
        if not len(part):
            return
        if not self._bytes and part.strides == (0,):
            self._unknown = part[0]
        else:
            if not self._bytes and self._rows:
                self._bytes += np.full(self._rows, self._unknown).tobytes()
            self._bytes += part.tobytes()
        self._rows += len(part)

    def to_array(self) -> NDArray[Any]:
        """Return all rows; the column must not grow afterwards."""
        if self._rows and not self._bytes:
            return np.broadcast_to(self._unknown, self._rows)
        return np.frombuffer(self._bytes, self._dtype)


class RecordChunk(NamedTuple):
    """The columns of a `RoundRecord` for some rounds; rows count from the first.

    Columns without information have stride 0 and take no memory.
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
    assists: Floats
    objectives: Floats
    ping: Floats
    squad: Ints
    quit: Flags
    ranked: Flags
    skill: Floats
    offset: Floats
    commander_skill: Floats
    adagrad_sum: Floats
    commander_adagrad_sum: Floats
    stays: Stints
    commander_stints: Stints


def list_lengths(lists: Sequence[Sequence[object]]) -> Ints:
    """Return the length of each list."""
    return np.fromiter(map(len, lists), np.int32, len(lists))


def group_starts(count: Ints) -> Offsets:
    """Return where each group starts, followed by the end of the last one."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(count, dtype=np.int64)])


def float_column(values: Sequence[float | None]) -> Floats:
    """Return a column of numbers, NaN for None (numpy converts None to NaN)."""
    return column_or_unknown(values, NO_NUMBER, lambda known: np.array(known, np.float64))


def flag_column(values: Sequence[bool | None]) -> Flags:
    """Return a column of 1 (yes), 0 (no) and -1 (unknown)."""
    return column_or_unknown(
        values, NO_FLAG, lambda known: np.array([-1 if flag is None else flag for flag in known], np.int8)
    )


def column_or_unknown(
    values: Sequence[Any], unknown: NDArray[Scalar], convert: Callable[[Sequence[Any]], NDArray[Scalar]]
) -> NDArray[Scalar]:
    """Return the converted values, a slice of `unknown` if all are None."""
    if (not values or values[0] is None) and values.count(None) == len(values):
        return unknown[: len(values)]
    return convert(values)


def _constant_column(value: Scalar) -> NDArray[Scalar]:
    """Return one value for more rows than there can be (stride 0)."""
    return np.broadcast_to(value, np.iinfo(np.int32).max)


NO_NUMBER = _constant_column(np.float64(np.nan))
NO_INDEX = _constant_column(np.int32(-1))
NO_FLAG = _constant_column(np.int8(-1))
NO_COUNT = _constant_column(np.int32(0))


RawColumns = dict[str, NDArray[Any]]
"""Columns by their names in `RecordChunk`, with unchecked stints.

These are `KIND.count` (per appearance), `KIND.team` (index into all team names), `KIND.enter` and `KIND.leave`.
"""


class ColumnCollector:
    """Columns of rounds that are added in batches; `len` is the number of rounds.

    New names are added to `name_tables`.
    """

    def __init__(self, name_tables: NameTables) -> None:
        self._name_tables = name_tables
        self._columns = defaultdict[str, GrowingColumn](GrowingColumn)
        self._rounds = 0

    def __len__(self) -> int:
        return self._rounds

    def add(self, rounds: Sequence[Round]) -> None:
        """Add some rounds whose ranks and races match their teams."""
        known = self._name_tables
        players = list(chain.from_iterable([game_round.players for game_round in rounds]))
        player = known.players.add_all([each.id for each in players])
        self._extend(_round_columns(rounds, known))
        self._extend(_stint_columns("stays", [each.stays for each in players], known.teams))
        if all(issubclass(kind, MinimalPlayer) for kind in set(map(type, players))):
            self._extend(
                {
                    "player": player,
                    **_unknown_player_columns(len(players)),
                    **_no_stints("commander_stints", len(players)),
                }
            )
        else:
            _add_display_names(known.display_names, player, players)
            self._extend({"player": player, **_player_columns(players)})
            self._extend(_stint_columns("commander_stints", [each.commanding for each in players], known.teams))
        self._rounds += len(rounds)

    def to_columns(self) -> RawColumns:
        """Return all columns; no rounds can be added afterwards."""
        return {name: column.to_array() for name, column in self._columns.items()}

    def _extend(self, columns: RawColumns) -> None:
        for name, part in columns.items():
            self._columns[name].extend(part)


def _round_columns(rounds: Sequence[Round], known: NameTables) -> RawColumns:
    ranks = chain.from_iterable([game_round.ranks or (NO_RANK,) * len(game_round.teams) for game_round in rounds])
    races = chain.from_iterable([game_round.races or (None,) * len(game_round.teams) for game_round in rounds])
    return {
        "game": known.games.add_optional([game_round.game for game_round in rounds]),
        "map": known.maps.add_optional([game_round.map for game_round in rounds]),
        "mode": known.modes.add_all([game_round.mode for game_round in rounds]),
        "started": float_column([game_round.started for game_round in rounds]),
        "duration": float_column([game_round.duration for game_round in rounds]),
        "team_count": list_lengths([game_round.teams for game_round in rounds]),
        "team_name": known.teams.add_all(list(chain.from_iterable([game_round.teams for game_round in rounds]))),
        "team_race": known.races.add_optional(list(races)),
        "team_rank": np.array(list(ranks), np.int32),
        "appearance_count": list_lengths([game_round.players for game_round in rounds]),
    }


def _player_columns(players: Sequence[Player]) -> RawColumns:
    return {
        "kills": float_column([player.kills for player in players]),
        "deaths": float_column([player.deaths for player in players]),
        "score": float_column([player.score for player in players]),
        "assists": float_column([player.assists for player in players]),
        "objectives": float_column([player.objectives for player in players]),
        "ping": float_column([player.ping for player in players]),
        "squad": column_or_unknown([player.squad for player in players], NO_INDEX, _squad_numbers),
        "quit": flag_column([player.quit for player in players]),
        "ranked": flag_column([player.ranked for player in players]),
        "skill": float_column([player.skill for player in players]),
        "offset": float_column([player.offset for player in players]),
        "commander_skill": float_column([player.commander_skill for player in players]),
        "adagrad_sum": float_column([player.adagrad_sum for player in players]),
        "commander_adagrad_sum": float_column([player.commander_adagrad_sum for player in players]),
    }


def _unknown_player_columns(count: int) -> RawColumns:
    """Return the columns of `count` players who have no values."""
    return {name: unknown[:count] for name, unknown in _UNKNOWN_PLAYER_VALUES.items()}


_UNKNOWN_PLAYER_VALUES: RawColumns = {
    **dict.fromkeys(("kills", "deaths", "score", "assists", "objectives", "ping"), NO_NUMBER),
    "squad": NO_INDEX,
    **dict.fromkeys(("quit", "ranked"), NO_FLAG),
    **dict.fromkeys(("skill", "offset", "commander_skill", "adagrad_sum", "commander_adagrad_sum"), NO_NUMBER),
}


def _squad_numbers(names: Sequence[str | None]) -> Ints:
    """Return squad numbers, unique within this batch and so within each round."""
    squads = NameIndex()
    return np.array([-1 if name is None or name == "" else squads[name] for name in names], np.int32)


def _stint_columns(kind: str, lists: Sequence[Sequence[Stint]], teams: NameIndex) -> RawColumns:
    stints = list(chain.from_iterable(lists))
    if not stints:
        return _no_stints(kind, len(lists))
    return {
        f"{kind}.count": list_lengths(lists),
        f"{kind}.team": teams.add_all([stint.team for stint in stints]),
        f"{kind}.enter": np.array([stint.enter for stint in stints], np.float64),
        f"{kind}.leave": np.array([stint.leave for stint in stints], np.float64),
    }


def _no_stints(kind: str, players: int) -> RawColumns:
    none: RawColumns = {f"{kind}.team": _NO_TEAM, f"{kind}.enter": _NO_TIME, f"{kind}.leave": _NO_TIME}
    return {f"{kind}.count": NO_COUNT[:players], **none}


_NO_TEAM, _NO_TIME = np.zeros(0, np.int32), np.zeros(0)


def _add_display_names(names: dict[int, str], player: Ints, players: Sequence[Player]) -> None:
    given = [each.name for each in players]
    if given.count(None) < len(given):
        names.update((i, name) for i, name in zip(player.tolist(), given, strict=True) if name is not None)
