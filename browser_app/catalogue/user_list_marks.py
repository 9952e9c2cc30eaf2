"""Catalogue columns that follow from the user's lists."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from browser_app.catalogue.catalogue_columns import USER_LIST_FLAGS, Bools, CatalogueColumns, RowIds
from browser_app.catalogue.server_info import PlayerInfo
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.protocols.address import Address


class StableKeyIndex:
    """Rows by the stable key of their last reply.

    Servers report their keys themselves and anybody can copy one, so a key that several rows share proves nothing.
    """

    def __init__(self) -> None:
        self._rows: dict[str, set[int]] = {}

    def set_key(self, row: int, old_key: str | None, new_key: str | None) -> None:
        """Change a row's key; None is no key."""
        if old_key == new_key:
            return
        if old_key is not None:
            self._rows[old_key].discard(row)
        if new_key is not None:
            self._rows.setdefault(new_key, set()).add(row)

    def unique_row(self, key: str, home_row: int | None, is_unresponsive: Callable[[int], bool]) -> int | None:
        """Return the row besides `home_row` with this key, or None.

        If several rows have it, this is the only responsive one.
        """
        carriers = self._rows.get(key)
        if not carriers:
            return None
        away = carriers - {home_row}
        if len(away) > 1:
            away = {row for row in away if not is_unresponsive(row)}
        return next(iter(away)) if len(away) == 1 else None


_T = TypeVar("_T")


class UserListMarks:
    """Keeps the catalogue's columns that follow from the user's lists up to date.

    Rows and replies that come after `set_lists` are marked as well.
    """

    def __init__(self, columns: CatalogueColumns) -> None:
        self._columns = columns
        self._lists = UserLists()
        self._stable_keys = StableKeyIndex()
        self._moved_rows: dict[str, frozenset[int]] = dict.fromkeys(USER_LIST_FLAGS, frozenset())
        """By flag: rows that are marked because of their stable key."""

    def note_of(self, row: int) -> str:
        """Return the user's note; empty where there is none."""
        return self._by_address(self._lists.notes, row) or ""

    def notes(self) -> Iterator[tuple[int, str]]:
        """Yield rows with a note, and the note."""
        if self._lists.notes:
            yield from ((row, note) for row in range(len(self._columns)) if (note := self.note_of(row)))

    def friend_group_of(self, player: PlayerInfo) -> str | None:
        """Return the group of friends that this player is in.

        None for bots and players in none.
        """
        return None if player.bot else self._lists.friends.group_of(player.name)

    def matching_rows(self, matcher: ServerMatcher) -> Bools:
        """Return the rows that a list would mark, apart from its stable keys."""
        columns = self._columns
        pairs = zip(columns.targets, columns.info_by_row, strict=True)
        return np.fromiter((matcher.matches(target.address, info) for target, info in pairs), np.bool_, len(columns))

    def set_lists(self, lists: UserLists) -> None:
        """Mark all rows by the user's lists, and from now on new ones."""
        before, self._lists = self._lists, lists
        rows, changed = np.arange(len(self._columns)), set[str]()
        for flag in USER_LIST_FLAGS:
            if lists.matcher_of(flag) != before.matcher_of(flag):
                self._moved_rows[flag] = self._find_moved_rows(lists.matcher_of(flag))
                self._set_flag(flag, rows, changed)
        if lists.last_played != before.last_played:
            self._set_last_played(rows, changed)
        if lists.friends != before.friends:
            self._count_friends(np.array(list(self._columns.player_lists), np.intp), changed)

    def set_stable_key(self, row: int, old_key: str | None, new_key: str | None) -> None:
        """Update the key of a row; None is no key."""
        self._stable_keys.set_key(row, old_key, new_key)

    def apply(self, rows: RowIds, columns: set[str]) -> None:
        """Mark these rows by the current lists.

        Adds the names of changed columns to `columns`.
        """
        for flag in USER_LIST_FLAGS:
            if self._lists.matcher_of(flag):
                self._set_flag(flag, rows, columns)
        self._set_last_played(rows, columns)
        if self._lists.friends:
            self._count_friends(rows, columns)

    def _set_flag(self, flag: str, rows: RowIds, columns: set[str]) -> None:
        matcher = self._lists.matcher_of(flag)
        infos, targets = self._columns.info_by_row, self._columns.targets
        moved = self._moved_rows[flag]
        marked = (
            [row in moved or matcher.matches(targets[row].address, infos[row]) for row in rows.tolist()]
            if matcher
            else False
        )
        self._columns.set_values(flag, rows, marked, columns)

    def update_moved_rows(self, columns: set[str]) -> RowIds:
        """Mark again by stable keys; return the changed rows.

        Any reply can affect other servers' marks.
        """
        changed: set[int] = set()
        for flag in USER_LIST_FLAGS:
            before, now = self._moved_rows[flag], self._find_moved_rows(self._lists.matcher_of(flag))
            if now != before:
                self._moved_rows[flag] = now
                self._set_flag(flag, np.array(sorted(before ^ now), np.intp), columns)
                changed |= before ^ now
        return np.array(sorted(changed), np.intp)

    def _find_moved_rows(self, matcher: ServerMatcher) -> frozenset[int]:
        """Return servers that have presumably moved here from a listed address."""
        found: set[int] = set()
        for key, address in matcher.keys.items():
            home = self._columns.row_of(address)
            row = self._stable_keys.unique_row(key, home, self._columns.is_unresponsive)
            if row is not None and (home is None or self._is_abandoned(home)):
                found.add(row)
        return frozenset(found)

    def _is_abandoned(self, row: int) -> bool:
        """Return True if the last query failed and the server has not replied in this run."""
        columns = self._columns
        return columns.is_unresponsive(row) and (columns.info_by_row[row] is None or bool(columns.old[row]))

    def _set_last_played(self, rows: RowIds, columns: set[str]) -> None:
        if self._lists.last_played:
            times = [self._by_address(self._lists.last_played, row) for row in rows.tolist()]
            self._columns.set_values("last_played", rows, times, columns)

    def _count_friends(self, rows: RowIds, columns: set[str]) -> None:
        counts: object = 0
        if self._lists.friends:
            named, lists = self._lists.friends.contains, self._columns.player_lists
            counts = [sum(not p.bot and named(p.name) for p in lists.get(row, ())) for row in rows.tolist()]
        self._columns.set_values("friends", rows, counts, columns)

    def _by_address(self, values: Mapping[Address, _T], row: int) -> _T | None:
        value = values.get(self._columns.targets[row].address)
        info = self._columns.info_by_row[row]
        return values.get(info.connect) if value is None and info is not None else value
