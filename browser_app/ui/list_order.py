"""Which servers the table shows and in which order: the side list's choice, the filters, the column, and the hold.

The order is worked out anew at most a few times a second. While it is held no row moves or goes; servers that come then
stand at the end. Values in sight change all the time. No filter hides a favourite in the list *Favourites*: those that
pass come first there, the others after them.
"""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, Signal

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Rows
from browser_app.catalogue.filter_language import Filter
from browser_app.catalogue.filter_terms import Terms
from browser_app.catalogue.orders import ORDERS, order
from browser_app.catalogue.trust import beyond
from browser_app.ui.lists import ALL, FAVOURITES, Lists

FOLD_AT = 5
"""So many servers of one host are shown while hosts are folded."""


class ListOrder(QObject):
    """The table's order.

    Signals:
        ordered: the rows to show, in order.
        counted: `terms` and `folded` are new.
        hold_changed: whether the order is held, and why.

    Attributes:
        terms: the filters over the list shown, as of the last order.
        folded: servers that folding hides, or would hide.
    """

    ordered = Signal(object)
    counted = Signal()
    hold_changed = Signal(bool, str)

    def __init__(self, catalogue: Catalogue, lists: Lists, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._catalogue, self._lists = catalogue, lists
        self._filters: Mapping[str, Filter] = {}
        self._list = ALL
        self._column = "score"
        self._folding = False
        self._holds: dict[str, bool] = {}
        self._stale = False
        self._shown = np.empty(0, np.intp)
        self._kept = -1
        self.terms = Terms({}, catalogue, lists.rows(ALL))
        self.folded = 0

    @property
    def column(self) -> str:
        """The column that sorts, with `-` when turned round."""
        return self._column

    @property
    def listed(self) -> str:
        """Key of the side's list that is shown."""
        return self._list

    @property
    def filters(self) -> Mapping[str, Filter]:
        """The filters in force, by key."""
        return self._filters

    @property
    def folding(self) -> bool:
        """At most `FOLD_AT` servers of one host are shown."""
        return self._folding

    @property
    def held(self) -> bool:
        """No new order is shown now."""
        return any(self._holds.values())

    def show(self, listed: str, filters: Mapping[str, Filter], *, folding: bool = False) -> None:
        """Show what passes these filters of one of the side's lists."""
        self._list, self._filters, self._folding = listed, dict(filters), folding
        self.reorder()

    def sort_by(self, column: str) -> None:
        """Sort by a column; by the same once more turns it round."""
        self.set_column(f"-{column}" if column == self._column else column)

    def set_column(self, column: str) -> None:
        """Sort by a column, with `-` the other way round; one that is unknown changes nothing."""
        if column.removeprefix("-") in ORDERS:
            self._column = column
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
        rows = self._wanted_order()
        self._stale = self.held
        if not self.held:
            self._show(self._with_kept(rows))
            return
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
        listed = self._lists.rows(self._list)
        self.terms = Terms(self._filters, self._catalogue, listed)
        rows = order(self._catalogue, self._column, np.flatnonzero(listed & self.terms.passing))
        if self._list == FAVOURITES:
            rest = order(self._catalogue, self._column, np.flatnonzero(listed & ~self.terms.passing))
            rows = np.concatenate((rows, rest))
        rows = self._fold(rows)
        self.counted.emit()
        return rows

    def _fold(self, rows: Rows) -> Rows:
        """Without those that come after the first few of their host; favourites and the selected server stay."""
        c = self._catalogue
        hidden = beyond(c.operator[rows], FOLD_AT) & ~c.favourite[rows] & (rows != self._kept)
        self.folded = int(np.count_nonzero(hidden))
        return rows[~hidden] if self._folding else rows
