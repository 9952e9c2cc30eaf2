"""Catalogue columns that follow from the user's lists."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from browser_app.catalogue.catalogue_columns import USER_LIST_FLAGS, Bools, CatalogueColumns, RowIds
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.protocols.address import Address


class StableKeyIndex:
    """Rows by the stable key of their last answer.

    A key is the server's own word, which anybody can copy; so it proves nothing where two rows carry it.
    """

    def __init__(self) -> None:
        self._rows: dict[str, set[int]] = {}

    def set_key(self, row: int, old_key: str | None, new_key: str | None) -> None:
        """A row's key is `new_key` and was `old_key`; None is no key."""
        if old_key == new_key:
            return
        if old_key is not None:
            self._rows[old_key].discard(row)
        if new_key is not None:
            self._rows.setdefault(new_key, set()).add(row)

    def unique_row(self, key: str, home_row: int | None, is_unresponsive: Callable[[int], bool]) -> int | None:
        """The one row besides `home_row` that carries the key, of several the one that is not silent; None in doubt."""
        carriers = self._rows.get(key)
        if not carriers:
            return None
        away = carriers - {home_row}
        if len(away) > 1:
            away = {row for row in away if not is_unresponsive(row)}
        return next(iter(away)) if len(away) == 1 else None


_T = TypeVar("_T")


class UserListColumns(CatalogueColumns):
    """Who stands in which row, and the columns that follow from the user's lists.

    Kept true: these columns say what `set_user_lists` was last given, of rows and answers that come later too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[QueryTarget] = []
        """By row: how the server is asked."""
        self.info_by_row: list[ServerInfo | None] = []
        """By row: the last answer as it came; see `Catalogue.facts`."""
        self.player_lists: dict[int, tuple[PlayerInfo, ...]] = {}
        """The last player list of those rows that ever told one."""
        self._row_by_address: dict[Address, int] = {}
        self._user_lists = UserLists()
        self._stable_keys = StableKeyIndex()
        self._moved_rows: dict[str, frozenset[int]] = dict.fromkeys(USER_LIST_FLAGS, frozenset())
        """By flag: rows that are marked for their stable key."""

    def row_of(self, address: Address) -> int | None:
        """The row with this query address."""
        return self._row_by_address.get(address)

    def note_of(self, row: int) -> str:
        """The user's note; empty where there is none."""
        return self._by_address(self._user_lists.notes, row) or ""

    def notes(self) -> Iterator[tuple[int, str]]:
        """Rows with a note, and the note."""
        if self._user_lists.notes:
            yield from ((row, note) for row in range(len(self)) if (note := self.note_of(row)))

    def friend_group_of(self, player: PlayerInfo) -> str | None:
        """The user's group of friends that this player is in; None for nobody the user looks out for, and for bots."""
        return None if player.bot else self._user_lists.friends.group_of(player.name)

    def matching_rows(self, matcher: ServerMatcher) -> Bools:
        """The rows that a list would mark, whatever their keys."""
        pairs = zip(self.targets, self.info_by_row, strict=True)
        return np.fromiter((matcher.matches(target.address, facts) for target, facts in pairs), np.bool_, len(self))

    def set_user_lists(self, lists: UserLists) -> None:
        """Mark all rows by the user's lists, and from now on those that come later."""
        before, self._user_lists = self._user_lists, lists
        rows, changed = np.arange(len(self)), set[str]()
        for flag in USER_LIST_FLAGS:
            if lists.matcher_of(flag) != before.matcher_of(flag):
                self._moved_rows[flag] = self._find_moved_rows(lists.matcher_of(flag))
                self._set_flag(flag, rows, changed)
        if lists.last_played != before.last_played:
            self._set_last_played(rows, changed)
        if lists.friends != before.friends:
            self._count_friends(np.array(list(self.player_lists), np.intp), changed)

    def _apply_user_lists(self, rows: RowIds, columns: set[str]) -> None:
        """What an empty list would say of them stands there already."""
        for flag in USER_LIST_FLAGS:
            if self._user_lists.matcher_of(flag):
                self._set_flag(flag, rows, columns)
        self._set_last_played(rows, columns)
        if self._user_lists.friends:
            self._count_friends(rows, columns)

    def _set_flag(self, flag: str, rows: RowIds, columns: set[str]) -> None:
        marks = self._user_lists.matcher_of(flag)
        facts, targets = self.info_by_row, self.targets
        moved = self._moved_rows[flag]
        marked = (
            [row in moved or marks.matches(targets[row].address, facts[row]) for row in rows.tolist()]
            if marks
            else False
        )
        self._set_values(flag, rows, marked, columns)

    def _update_moved_rows(self, columns: set[str]) -> RowIds:
        """Mark by stable keys anew, which any answer can change for other servers too; the rows that changed."""
        changed: set[int] = set()
        for flag in USER_LIST_FLAGS:
            before, now = self._moved_rows[flag], self._find_moved_rows(self._user_lists.matcher_of(flag))
            if now != before:
                self._moved_rows[flag] = now
                self._set_flag(flag, np.array(sorted(before ^ now), np.intp), columns)
                changed |= before ^ now
        return np.array(sorted(changed), np.intp)

    def _find_moved_rows(self, matcher: ServerMatcher) -> frozenset[int]:
        """Servers that may be taken for listed ones which have left their addresses."""
        found: set[int] = set()
        for key, address in matcher.keys.items():
            home = self._row_by_address.get(address)
            row = self._stable_keys.unique_row(key, home, self.is_unresponsive)
            if row is not None and (home is None or self._is_abandoned(home)):
                found.add(row)
        return frozenset(found)

    def _is_abandoned(self, row: int) -> bool:
        """It was asked in vain and has not answered in this run."""
        return self.is_unresponsive(row) and (self.info_by_row[row] is None or bool(self.old[row]))

    def _set_last_played(self, rows: RowIds, columns: set[str]) -> None:
        if self._user_lists.last_played:
            times = [self._by_address(self._user_lists.last_played, row) for row in rows.tolist()]
            self._set_values("last_played", rows, times, columns)

    def _count_friends(self, rows: RowIds, columns: set[str]) -> None:
        counts: object = 0
        if self._user_lists.friends:
            named, lists = self._user_lists.friends.contains, self.player_lists
            counts = [sum(not p.bot and named(p.name) for p in lists.get(row, ())) for row in rows.tolist()]
        self._set_values("friends", rows, counts, columns)

    def _by_address(self, values: Mapping[Address, _T], row: int) -> _T | None:
        value = values.get(self.targets[row].address)
        facts = self.info_by_row[row]
        return values.get(facts.connect) if value is None and facts is not None else value
