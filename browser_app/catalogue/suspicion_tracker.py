"""Suspicion marks of all servers, kept up to date with every reply."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue_columns import CatalogueColumns, RowIds
from browser_app.catalogue.server_info import PlayerInfo, ServerInfo
from browser_app.catalogue.suspicion import (
    MARKS_FOUND_IN_RESCORE,
    MIN_PLAYERS_FOR_SUSPICION,
    SuspicionMark,
    suspicions_of,
)
from browser_app.protocols.address import Address

MIN_FROZEN_S, MAX_FROZEN_S = 120.0, 3600.0
"""Time between two player lists that are compared: longer than servers cache a list, shorter than players stay."""
MIN_COUNTED_TIME_S = 60.0
"""Shorter times on the server may be a placeholder for an unknown time."""
MIN_TIME_ON_BOTH_S = 120.0
"""Players on two servers for this long have not moved from one to the other: longer than servers cache a list."""
MAX_COMPARED_SERVERS, MAX_COMPARED_PLAYERS = 4, 32
"""Servers that list the same players, those with the newest lists, and players that are compared after each reply. With
all of them, a thousand servers with one list between them would take minutes.
"""


class PlayerPresence(NamedTuple):
    """The players on a server's newest list."""

    since: Mapping[str, float]
    """By name, the time (Unix time, s) from which on they have been there for certain."""
    until: float
    """When the list was received."""

    def is_shared_with(self, other: "PlayerPresence") -> bool:
        """Return whether enough players have been on both servers at once.

        Then they cannot have moved from one to the other.
        """
        until = min(self.until, other.until)
        compared = islice(self.since.items(), MAX_COMPARED_PLAYERS)
        common_s = [until - max(since, other.since[name]) for name, since in compared if name in other.since]
        return sum(each >= MIN_TIME_ON_BOTH_S for each in common_s) >= MIN_PLAYERS_FOR_SUSPICION


class SharedPlayerLists:
    """Index of servers by their player names, updated with every player list."""

    def __init__(self) -> None:
        self._presence_by_row: dict[int, PlayerPresence] = {}
        self._rows_by_names: dict[frozenset[str], dict[int, None]] = defaultdict(dict)
        """The rows of each set of names, those with the newest lists last."""

    def set_players(self, row: int, players: Sequence[PlayerInfo], received_at: float) -> set[int]:
        """Store a server's newest list.

        Returns the rows for which `rows_with_same_players` may have changed.
        """
        before = self._presence_by_row.pop(row, None)
        changed = {row}
        if before is not None:
            names = frozenset(before.since)
            rows = self._rows_by_names[names]
            del rows[row]
            changed |= _newest(rows)
            if not rows:
                del self._rows_by_names[names]
        since = {
            player.name: _present_since(player, received_at, before)
            for player in players
            if player.name and not player.bot
        }
        if len(since) >= MIN_PLAYERS_FOR_SUSPICION:
            self._presence_by_row[row] = PlayerPresence(since, received_at)
            rows = self._rows_by_names[frozenset(since)]
            changed |= _newest(rows)
            rows[row] = None
        return changed

    def rows_with_same_players(self, row: int) -> set[int]:
        """Return other rows that list the same players at once.

        These cannot have moved from one to the other.
        """
        presence = self._presence_by_row.get(row)
        if presence is None:
            return set()
        rows = _newest(self._rows_by_names[frozenset(presence.since)], but=row)
        return {other for other in rows if presence.is_shared_with(self._presence_by_row[other])}


def _newest(rows: dict[int, None], but: int = -1) -> set[int]:
    """Return the last rows, at most `MAX_COMPARED_SERVERS`, without one of them."""
    return set(islice((row for row in reversed(rows) if row != but), MAX_COMPARED_SERVERS))


def _present_since(player: PlayerInfo, received_at: float, before: PlayerPresence | None) -> float:
    """Return since when a listed player has been on a server.

    That follows from their time there, or from the server's previous list.
    """
    if player.duration_s is not None and player.duration_s >= MIN_COUNTED_TIME_S:
        return received_at - player.duration_s
    return before.since.get(player.name, received_at) if before is not None else received_at


class PlayerTimes:
    """Times on the server by player name.

    They reveal servers whose players' times never grow.
    """

    def __init__(self) -> None:
        self._earlier: dict[int, tuple[float, dict[str, float]]] = {}
        self._frozen: set[int] = set()

    def set_players(self, row: int, players: Sequence[PlayerInfo], received_at: float) -> None:
        """Compare a server's newest list with an earlier one, if there is one.

        That one is at least `MIN_FROZEN_S` old.
        """
        earlier_at, earlier = self._earlier.get(row, (-np.inf, {}))
        age = received_at - earlier_at
        if 0.0 <= age < MIN_FROZEN_S:
            return
        times = {
            player.name: time_s
            for player in players
            if player.name and not player.bot and (time_s := player.duration_s or 0.0) >= MIN_COUNTED_TIME_S
        }
        stayed = earlier.keys() & times.keys() if 0.0 <= age <= MAX_FROZEN_S else ()
        self._frozen.discard(row)
        if len(stayed) >= MIN_PLAYERS_FOR_SUSPICION and all(times[name] == earlier[name] for name in stayed):
            self._frozen.add(row)
        self._earlier[row] = received_at, times

    def forget(self, row: int) -> None:
        """Forget the times of a row that will hold another server."""
        self._frozen.discard(row)
        self._earlier.pop(row, None)

    def are_frozen(self, row: int) -> bool:
        """Return whether the last two lists show that players' times do not grow."""
        return row in self._frozen


class SuspicionTracker:
    """Updates the catalogue's column of suspicion marks.

    Remembers what it needs of earlier replies.
    """

    def __init__(self, columns: CatalogueColumns) -> None:
        self._columns = columns
        self._shared_players = SharedPlayerLists()
        self._player_times = PlayerTimes()
        self._without_list: set[int] = set()
        """Rows that reported players along with an empty player list."""

    def update(self, rows: RowIds, infos: Sequence[ServerInfo], changed: set[str]) -> None:
        """Update the marks of servers whose replies were just merged.

        Servers that share players with them are updated, too.
        """
        columns, found, concerned = self._columns, dict[int, int](), set[int]()
        for row, info in zip(rows.tolist(), infos, strict=True):
            if info.player_list is not None:
                concerned |= self._set_players(row, info, info.player_list)
            elif info.is_empty and row in columns.player_lists:
                concerned |= self._shared_players.set_players(row, (), float(columns.last_answer[row]))
            if row in columns.player_lists:
                concerned.add(row)
            else:
                found[row] = suspicions_of(info, ())
        found |= {row: self._marks_of(row, last) for row in concerned if (last := columns.info_by_row[row]) is not None}
        marked = np.fromiter(found, np.intp, len(found))
        kept = columns.suspicions[marked] & MARKS_FOUND_IN_RESCORE
        columns.set_values("suspicions", marked, np.array([*found.values()], np.int32) | kept, changed)

    def forget(self, row: int) -> None:
        """Forget the players of a row that will hold another server."""
        self._shared_players.set_players(row, (), 0.0)
        self._player_times.forget(row)
        self._without_list.discard(row)

    def _set_players(self, row: int, info: ServerInfo, players: Sequence[PlayerInfo]) -> set[int]:
        received_at = float(self._columns.last_answer[row])
        self._player_times.set_players(row, players, received_at)
        self._without_list.discard(row)
        if not players and (info.players or 0) >= MIN_PLAYERS_FOR_SUSPICION:
            self._without_list.add(row)
        return self._shared_players.set_players(row, players, received_at)

    def _marks_of(self, row: int, info: ServerInfo) -> int:
        signs = {
            SuspicionMark.EMPTY_PLAYER_LIST: row in self._without_list,
            SuspicionMark.FROZEN_TIMES: self._player_times.are_frozen(row),
            SuspicionMark.COPIED_PLAYERS: self._has_copied_players(row),
        }
        marks = suspicions_of(info, self._columns.player_lists.get(row, ()))
        return marks | sum(mark.value for mark, is_set in signs.items() if is_set)

    def _has_copied_players(self, row: int) -> bool:
        """Return True if another server lists the same players.

        The same server on its other IP version does not count.
        """
        name, address = self._columns.name[row], self._columns.targets[row].address
        return any(
            self._columns.name[other] != name or not _is_dual_stack_pair(self._columns.targets[other].address, address)
            for other in self._shared_players.rows_with_same_players(row)
        )


def _is_dual_stack_pair(one: Address, other: Address) -> bool:
    """Return True for an IPv4 and an IPv6 address with equal ports.

    Masters list dual-stack servers under both.
    """
    return one.port == other.port and (":" in one.host) != (":" in other.host)
