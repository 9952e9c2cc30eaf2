"""Catalogue columns that follow from the user's lists."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeVar

import numpy as np

from browser_app.catalogue.catalogue_columns import USER_LIST_FLAGS, Bools, CatalogueColumns, RowIds
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import protocol_family

MAX_ROWS_WITH_KEY: Final = 64
"""A server whose address changes daily leaves some thirty unresponsive rows; a key of more rows has been copied."""


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
            if not self._rows[old_key]:
                del self._rows[old_key]
        if new_key is not None:
            self._rows.setdefault(new_key, set()).add(row)

    def rows(self, key: str) -> Collection[int]:
        """Return the rows with a key."""
        return self._rows.get(key, ())


_T = TypeVar("_T")


class UserListMarks:
    """Keeps the catalogue's columns that follow from the user's lists up to date.

    Rows and replies that come after `set_lists` are marked as well.
    """

    def __init__(self, columns: CatalogueColumns) -> None:
        self._columns = columns
        self._lists = UserLists()
        self._stable_keys = StableKeyIndex()
        self._rows_by_key = frozenset[int]()
        """Favourites that are marked because of their stable key."""

    @property
    def countries(self) -> Mapping[Address, str]:
        """Countries that the user set, by query address."""
        return self._lists.countries

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
                if flag == "favourite":
                    self._rows_by_key = self._find_rows_by_key()
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
        by_key = self._rows_by_key if flag == "favourite" else ()
        marked = (
            [row in by_key or matcher.matches(targets[row].address, infos[row]) for row in rows.tolist()]
            if matcher
            else False
        )
        self._columns.set_values(flag, rows, marked, columns)

    def update_rows_by_key(self, columns: set[str]) -> RowIds:
        """Mark favourites again by stable keys; return the changed rows.

        Any reply can affect other servers' marks.
        """
        before, self._rows_by_key = self._rows_by_key, self._find_rows_by_key()
        changed = np.array(sorted(before ^ self._rows_by_key), np.intp)
        if len(changed):
            self._set_flag("favourite", changed, columns)
        return changed

    def _find_rows_by_key(self) -> frozenset[int]:
        found = (self._stable_keys.rows(key) for key in self._lists.favourite.keys)
        return frozenset(row for rows in found if len(rows) == 1 for row in rows)

    def row_with_key(self, key: str, home_row: int | None) -> int | None:
        """Return the only responsive row of a stable key, besides `home_row`, or None."""
        rows = self._stable_keys.rows(key)
        if len(rows) > MAX_ROWS_WITH_KEY:
            return None
        away = [row for row in rows if row != home_row and not self._columns.is_unresponsive(row)]
        return away[0] if len(away) == 1 else None

    def own_rows(self, rows: slice = slice(None)) -> Bools:
        """Return which of `rows` are the user's own servers.

        Those are all that the user has to do with, apart from blocking them. Friends count where the server has
        answered: a list can name anybody.
        """
        c = self._columns
        own: Bools = c.favourite[rows] | c.recently_left[rows] | c.password_saved[rows] | c.has_user_data[rows]
        with_friends = (c.friends[rows] > 0) & ~np.isnan(c.last_answer[rows])
        return own | c.added_by_user[rows] | with_friends | ~np.isnan(c.last_played[rows])

    def may_retarget(self, row: int, target: QueryTarget) -> bool:
        """Return whether a list may change how an unanswered server is queried.

        Not to another game's protocol if the server is the user's own: it would never answer again.
        """
        known = self._columns.targets[row].protocol
        is_other_game = known != target.protocol and protocol_family(known) != protocol_family(target.protocol)
        return not (is_other_game and self.own_rows(slice(row, row + 1)).any())

    def _set_last_played(self, rows: RowIds, columns: set[str]) -> None:
        times: object = np.nan
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
