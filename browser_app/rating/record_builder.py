"""From rounds, one by one, to the columns of a record, with every contradiction refused."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.errors import RepeatedIdError
from browser_app.rating.match import Match
from browser_app.rating.record import Floats, Ints, Offsets, Record, Spells
from browser_app.rating.record_chunk import take_apart
from browser_app.rating.record_columns import Chunk, Dictionaries

CHUNK = 256
"""So many rounds are objects at one time."""


def record_of(matches: Iterable[Match]) -> Record:
    """The record of some rounds.

    Raises:
        MatchError: a round contradicts itself, or two have one id.
    """
    builder = RecordBuilder()
    for match in matches:
        builder.add(match)
    return builder.build()


class RecordBuilder:
    """Takes rounds in any order; ``build`` sorts them by their start.

    Rounds are taken apart and checked some hundred at a time, so an error may be told at a later one; it names the
    first round at fault. After an error the builder is of no further use: nothing half-read becomes a record.
    """

    def __init__(self) -> None:
        self._known = Dictionaries()
        self._ids: dict[str, int] = {}
        self._waiting: list[Match] = []
        self._columns = _Columns()

    def __len__(self) -> int:
        """How many rounds were taken."""
        return len(self._ids)

    def add(self, match: Match) -> None:
        """Take one round.

        Raises:
            MatchError: this round or one before it contradicts itself.
        """
        index = len(self._ids)
        if self._ids.setdefault(match.id, index) != index:
            self.check()
            raise RepeatedIdError(index, self._ids[match.id])
        self._waiting.append(match)
        if len(self._waiting) == CHUNK:
            self.check()

    def check(self) -> None:
        """Check all rounds that were taken.

        Raises:
            MatchError: one of them contradicts itself.
        """
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._columns.add(take_apart(waiting, len(self._ids) - len(waiting), self._known))

    def build(self) -> Record:
        """The record, sorted by start; the builder is empty then.

        Raises:
            MatchError: one of the rounds contradicts itself.
        """
        self.check()
        columns, known = self._columns, self._known
        columns.add(take_apart((), len(self), known))  # so that there is one
        started = columns.take("started")
        order = np.argsort(started, kind="stable")  # unknown starts are last
        team_start, team_rows = _reordered(columns.take("team_count"), order)
        appearance_start, rows = _reordered(columns.take("appearance_count"), order)
        ids = list(self._ids)
        by_round = {field: columns.take(field)[order] for field in _OF_ROUNDS}
        by_team = {field: columns.take(field)[team_rows] for field in _OF_TEAMS}
        by_player = {field: _moved(columns.take(field), rows) for field in _OF_PLAYERS}
        moved: dict[str, Any] = by_round | by_team | by_player
        return Record(
            player_ids=tuple(known.players),
            player_names=tuple(known.names.get(i) for i in range(len(known.players))),
            games=tuple(known.games),
            maps=tuple(known.maps),
            modes=tuple(known.modes),
            team_names=tuple(known.teams),
            races=tuple(known.races),
            ids=[ids[k] for k in order.tolist()],
            given=order.astype(np.int32),
            started=_known_starts(started[order]),
            team_start=team_start,
            appearance_start=appearance_start,
            stays=_moved_spells(columns.take_spells("stays"), rows),
            chairs=_moved_spells(columns.take_spells("chairs"), rows),
            **moved,
        )


_OF_ROUNDS = ("game", "map", "mode", "duration")
_OF_TEAMS = ("team_name", "team_race", "team_rank")
_OF_PLAYERS = ("player", "kills", "deaths", "score", "ping", "squad", "quit", "ranked")


class _Columns:
    """The columns of all chunks; each is joined and handed out once, so that no more than one is there twice."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Any]] = {field: [] for field in Chunk._fields}
        self._appearances = [0]

    def add(self, chunk: Chunk) -> None:
        for field, part in zip(Chunk._fields, chunk, strict=True):
            self._parts[field].append(part)
        self._appearances.append(self._appearances[-1] + len(chunk.player))

    def take(self, field: str) -> NDArray[Any]:
        return _joined(self._parts.pop(field))

    def take_spells(self, field: str) -> Spells:
        parts: list[Spells] = self._parts.pop(field)
        rows = [part.appearance + np.int32(start) for part, start in zip(parts, self._appearances, strict=False)]
        return Spells(
            _joined(rows),
            _joined([part.team for part in parts]),
            _joined([part.enter for part in parts]),
            _joined([part.leave for part in parts]),
        )


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """One column; one without any information (stride 0 in all chunks) still takes no room."""
    parts = [part for part in parts if len(part)] or parts[:1]
    if len(parts[0]) and all(part.strides == (0,) for part in parts):
        return np.broadcast_to(parts[0][0], sum(map(len, parts)))
    return np.concatenate(parts)


def _known_starts(started: Floats) -> Floats:
    """Rounds to come may not tell their start: they take the latest of all."""
    return np.where(np.isnan(started), np.fmax.reduce(started, initial=0.0), started)


def _reordered(count: Ints, order: NDArray[np.int64]) -> tuple[Offsets, NDArray[np.int64]]:
    """New offsets, and for each row of the new order its row in the old one."""
    old = np.cumsum(count, dtype=np.int64) - count
    lengths = count[order]
    new = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return new, np.arange(new[-1]) + np.repeat(old[order] - new[:-1], lengths)


def _moved(column: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    """The column in the new order; one value for all rows stays so."""
    return column if column.strides == (0,) else column[rows]


def _moved_spells(spells: Spells, rows: NDArray[np.int64]) -> Spells:
    now = np.empty(len(rows), np.int32)
    now[rows] = np.arange(len(rows), dtype=np.int32)
    appearance = now[spells.appearance]
    order = np.argsort(appearance, kind="stable")
    return Spells(appearance[order], spells.team[order], spells.enter[order], spells.leave[order])
