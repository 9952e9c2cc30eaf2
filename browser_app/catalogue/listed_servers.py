"""Servers by row, and what the user's own lists say of each."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

import numpy as np

from browser_app.catalogue.columns import FLAGS, Bools, Columns, Rows
from browser_app.catalogue.facts import Facts, PlayerRow, Status, Target
from browser_app.catalogue.marks import Marks
from browser_app.catalogue.stable_keys import StableKeys
from browser_app.catalogue.user_lists import UserLists
from browser_app.protocols.address import Address

_T = TypeVar("_T")


class ListedServers(Columns):
    """Who stands in which row, and the columns that follow from the user's lists.

    Kept true: these columns say what `set_lists` was last given, of rows and answers that come later too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[Target] = []
        """By row: how the server is asked."""
        self.all_facts: list[Facts | None] = []
        """By row: the last answer as it came; see `Catalogue.facts`."""
        self.player_lists: dict[int, tuple[PlayerRow, ...]] = {}
        """The last player list of those rows that ever told one."""
        self._rows: dict[Address, int] = {}
        self._lists = UserLists()
        self._stable_keys = StableKeys()
        self._moved: dict[str, frozenset[int]] = dict.fromkeys(FLAGS, frozenset())
        """By flag: rows that are marked for their stable key."""

    def id_of(self, address: Address) -> int | None:
        """The row with this query address."""
        return self._rows.get(address)

    def note(self, row: int) -> str:
        """The user's note; empty where there is none."""
        return self._by_address(self._lists.notes, row) or ""

    def notes(self) -> Iterator[tuple[int, str]]:
        """Rows with a note, and the note."""
        if self._lists.notes:
            yield from ((row, note) for row in range(len(self)) if (note := self.note(row)))

    def friend_group(self, player: PlayerRow) -> str | None:
        """The user's group of friends that this player is in; None for nobody the user looks out for, and for bots."""
        return None if player.bot else self._lists.friends.group_of(player.name)

    def marked(self, marks: Marks) -> Bools:
        """The rows that a list would mark, whatever their keys."""
        pairs = zip(self.targets, self.all_facts, strict=True)
        return np.fromiter((marks.match(target.address, facts) for target, facts in pairs), np.bool_, len(self))

    def set_lists(self, lists: UserLists) -> None:
        """Mark all rows by the user's lists, and from now on those that come later."""
        before, self._lists = self._lists, lists
        rows, changed = np.arange(len(self)), set[str]()
        for flag in FLAGS:
            if lists.marks(flag) != before.marks(flag):
                self._moved[flag] = self._moved_of(lists.marks(flag))
                self._mark(flag, rows, changed)
        if lists.last_played != before.last_played:
            self._put_last_played(rows, changed)
        if lists.friends != before.friends:
            self._count_friends(np.array(list(self.player_lists), np.intp), changed)

    def _apply_lists(self, rows: Rows, columns: set[str]) -> None:
        """What an empty list would say of them stands there already."""
        for flag in FLAGS:
            if self._lists.marks(flag):
                self._mark(flag, rows, columns)
        self._put_last_played(rows, columns)
        if self._lists.friends:
            self._count_friends(rows, columns)

    def _mark(self, flag: str, rows: Rows, columns: set[str]) -> None:
        marks = self._lists.marks(flag)
        facts, targets = self.all_facts, self.targets
        moved = self._moved[flag]
        marked = (
            [row in moved or marks.match(targets[row].address, facts[row]) for row in rows.tolist()] if marks else False
        )
        self._put(flag, rows, marked, columns)

    def _follow_keys(self, columns: set[str]) -> Rows:
        """Mark by stable keys anew, which any answer can change for other servers too; the rows that changed."""
        changed: set[int] = set()
        for flag in FLAGS:
            before, now = self._moved[flag], self._moved_of(self._lists.marks(flag))
            if now != before:
                self._moved[flag] = now
                self._mark(flag, np.array(sorted(before ^ now), np.intp), columns)
                changed |= before ^ now
        return np.array(sorted(changed), np.intp)

    def _moved_of(self, marks: Marks) -> frozenset[int]:
        """Servers that may be taken for listed ones which have left their addresses."""
        found: set[int] = set()
        for key, address in marks.keys.items():
            home = self._rows.get(address)
            row = self._stable_keys.only_row(key, home, self._silent)
            if row is not None and (home is None or self._deserted(home)):
                found.add(row)
        return frozenset(found)

    def _deserted(self, row: int) -> bool:
        """It was asked in vain and has not answered in this run."""
        return self._silent(row) and (self.all_facts[row] is None or bool(self.old[row]))

    def _silent(self, row: int) -> bool:
        return self.status[row] in (Status.NO_ANSWER, Status.MALFORMED)

    def _put_last_played(self, rows: Rows, columns: set[str]) -> None:
        if self._lists.last_played:
            times = [self._by_address(self._lists.last_played, row) for row in rows.tolist()]
            self._put("last_played", rows, times, columns)

    def _count_friends(self, rows: Rows, columns: set[str]) -> None:
        counts: object = 0
        if self._lists.friends:
            named, lists = self._lists.friends.names_any, self.player_lists
            counts = [sum(not p.bot and named(p.name) for p in lists.get(row, ())) for row in rows.tolist()]
        self._put("friends", rows, counts, columns)

    def _by_address(self, values: Mapping[Address, _T], row: int) -> _T | None:
        value = values.get(self.targets[row].address)
        facts = self.all_facts[row]
        return values.get(facts.connect) if value is None and facts is not None else value
