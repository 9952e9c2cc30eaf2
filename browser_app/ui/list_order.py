"""Which servers the table shows and in which order: the side list's choice, the filter, the column, and the hold.

The order is worked out anew at most a few times a second. While it is held no row moves or goes; servers that come then
stand at the end. Values in sight change all the time. No filter hides a favourite in the list *Favourites*: those that
pass come first there, the others after them.
"""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, Signal

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Bools, Rows
from browser_app.catalogue.filter_language import Filter, parse_filter
from browser_app.catalogue.orders import order
from browser_app.games.profile import GameProfile
from browser_app.ui.side_model import SideItem

ALL, FAVOURITES, RECENT, FRIENDS, BLOCKED = "all", "favourites", "recent", "friends", "blocked"
GAME = "game:"


class ListOrder(QObject):
    """The table's order.

    Signals:
        ordered: the rows to show, in order.
        hold_changed: whether the order is held, and why.
    """

    ordered = Signal(object)
    hold_changed = Signal(bool, str)

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._catalogue = catalogue
        self._games = games
        self._filter: Filter = parse_filter("")
        self._filtered = False
        self._list = ALL
        self._column = "score"
        self._holds: dict[str, bool] = {}
        self._stale = False
        self._shown = np.empty(0, np.intp)
        self._kept = -1

    @property
    def column(self) -> str:
        """The column that sorts, with `-` when turned round."""
        return self._column

    @property
    def listed(self) -> str:
        """Key of the side's list that is shown."""
        return self._list

    @property
    def filtered(self) -> bool:
        """A filter is in force."""
        return self._filtered

    @property
    def held(self) -> bool:
        """No new order is shown now."""
        return any(self._holds.values())

    def set_filter(self, text: str) -> None:
        """Show only what passes.

        Raises:
            FilterError: not a filter; the last valid one stays in force.
        """
        self._filter = parse_filter(text)
        self._filtered = bool(text.strip())
        self.reorder()

    def set_list(self, key: str) -> None:
        """Show another list of the side."""
        self._list = key
        self.reorder()

    def sort_by(self, column: str) -> None:
        """Sort by a column; by the same once more turns it round."""
        self._column = f"-{column}" if column == self._column else column
        self.reorder()

    def is_held_for(self, reason: str) -> bool:
        """This reason holds it, whatever others do."""
        return self._holds.get(reason, False)

    def hold(self, reason: str, held: bool) -> None:
        """Hold the order still for a reason, or let go; the last to let go brings the newest order."""
        if self.is_held_for(reason) == held:
            return
        self._holds[reason] = held
        reasons = [why for why, on in self._holds.items() if on]
        self.hold_changed.emit(bool(reasons), reasons[-1] if reasons else "")
        if not reasons and self._stale:
            self.reorder()

    def refresh(self) -> None:
        """The scores have changed: a new order, unless it is held."""
        if not self.held:
            self._stale = False
            self._show(self._with_kept(self._wanted_order()))
            return
        self._stale = True
        rows = self._wanted_order()
        new = rows[~np.isin(rows, self._shown)]
        if len(new):
            self._show(np.concatenate((self._shown, new)))

    def reorder(self) -> None:
        """A new order now: the user asked for it."""
        self._stale = False
        self._show(self._wanted_order())

    def keep(self, server: int) -> None:
        """This server is selected: a refresh leaves it where it is, even when it does not pass the filter any more."""
        self._kept = server

    def _with_kept(self, rows: Rows) -> Rows:
        places = np.flatnonzero(self._shown == self._kept)
        if not len(places) or self._kept in rows:
            return rows
        return np.insert(rows, min(int(places[0]), len(rows)), self._kept)

    def _show(self, rows: Rows) -> None:
        self._shown = rows
        self.ordered.emit(rows)

    def _wanted_order(self) -> Rows:
        listed, passing = self._in_list(), self._filter.mask(self._catalogue)
        rows = order(self._catalogue, self._column, np.flatnonzero(listed & passing))
        if self._list == FAVOURITES:
            rest = order(self._catalogue, self._column, np.flatnonzero(listed & ~passing))
            rows = np.concatenate((rows, rest))
        return rows

    def _in_list(self) -> Bools:
        c = self._catalogue
        if self._list == FAVOURITES:
            return c.favourite.copy()
        if self._list == RECENT:
            return ~np.isnan(c.last_played)
        if self._list == BLOCKED:
            return c.blocked.copy()
        wanted = c.friends > 0 if self._list == FRIENDS else np.ones(len(c), np.bool_)
        if self._list.startswith(GAME):
            game = self._list.removeprefix(GAME)
            wanted = np.array([each == game for each in c.game.pool], np.bool_)[c.game.ids]
        return wanted & ~c.blocked

    def side_items(self) -> list[SideItem]:
        """The side list with its counts: lists first, then the games that have servers."""
        c = self._catalogue
        items = [
            SideItem(ALL, "list", "All", int(np.count_nonzero(~c.blocked))),
            SideItem(FAVOURITES, "star", "Favourites", int(np.count_nonzero(c.favourite))),
            SideItem(RECENT, "clock", "Recent", int(np.count_nonzero(~np.isnan(c.last_played)))),
            SideItem(FRIENDS, "friend", "Friends", int(np.count_nonzero((c.friends > 0) & ~c.blocked))),
            SideItem(BLOCKED, "block", "Blocked", int(np.count_nonzero(c.blocked))),
        ]
        counts = np.bincount(c.game.ids[~c.blocked], minlength=len(c.game.pool)).tolist()
        known = [(number, game) for game, number in zip(c.game.pool, counts, strict=True) if number and game]
        if known:
            items.append(SideItem("", "", "Games", 0))
        for number, game in sorted(known, key=lambda each: (-each[0], each[1])):
            profile = self._games.get(game)
            items.append(SideItem(GAME + game, "", profile.name if profile else game, number))
        return items
