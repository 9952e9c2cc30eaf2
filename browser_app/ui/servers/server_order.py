"""Filtering, sorting and holding of the server table's rows.

The order is worked out anew at most a few times a second. While it is held no row moves or goes; servers that come then
stand at the end. Values in sight change all the time. No filter hides a favourite in the list *Favourites*: those that
pass come first there, the others after them.
"""

from collections.abc import Mapping
from enum import Enum

import numpy as np
from PySide6.QtCore import QObject, Signal

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.server_filter import ActiveFilters, ServerFilter
from browser_app.catalogue.server_orders import SORT_KEYS, sorted_rows
from browser_app.catalogue.suspicion import rows_beyond_limit
from browser_app.language import N_
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, ServerLists


class HoldReason(Enum):
    """Why the order is held; the value is shown in the status bar."""

    POINTER = N_("Sorting paused (pointer over list)")
    KEYS = N_("Sorting paused (selecting by keyboard)")
    MENU = N_("Sorting paused (menu open)")
    PAUSED = N_("Sorting paused (press Space to resume)")


MAX_SERVERS_PER_HOST = 5
"""So many servers of one host are shown while hosts are folded."""


class ServerOrder(QObject):
    """The table's order.

    Signals:
        ordered: the rows to show, in order.
        counted: `terms` and `folded` are new.
        hold_changed: whether the order is held, and why.

    Attributes:
        terms: the filters over the list shown, as of the last order.
        folded: servers that folding hides, or would hide.
    """

    order_changed = Signal(object)
    counts_changed = Signal()
    hold_changed = Signal(object)

    def __init__(self, catalogue: Catalogue, lists: ServerLists, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._catalogue, self._lists = catalogue, lists
        self._filters: Mapping[str, ServerFilter] = {}
        self._list = ALL_LIST
        self._column = "score"
        self._limit_hosts = False
        self._holds: list[HoldReason] = []
        self._stale = False
        self._shown = np.empty(0, np.intp)
        self._selected_server = -1
        self.terms = ActiveFilters({}, catalogue, lists.list_rows(ALL_LIST))
        self.host_limit_count = 0

    @property
    def sort_column(self) -> str:
        """The column that sorts, with `-` when turned round."""
        return self._column

    @property
    def current_list(self) -> str:
        """Key of the side's list that is shown."""
        return self._list

    @property
    def filters(self) -> Mapping[str, ServerFilter]:
        """The filters in force, by key."""
        return self._filters

    @property
    def is_limiting_hosts(self) -> bool:
        """At most `MAX_SERVERS_PER_HOST` servers of one host are shown."""
        return self._limit_hosts

    @property
    def is_held(self) -> bool:
        """No new order is shown now."""
        return bool(self._holds)

    def show_list(self, list_key: str, filters: Mapping[str, ServerFilter], *, limit_hosts: bool = False) -> None:
        """Show what passes these filters of one of the side's lists."""
        self._list, self._filters, self._limit_hosts = list_key, dict(filters), limit_hosts
        self.reorder()

    def sort_by(self, column: str) -> None:
        """Sort by a column; by the same once more turns it round."""
        self.set_sort_column(f"-{column}" if column == self._column else column)

    def set_sort_column(self, column: str) -> None:
        """Sort by a column, with `-` the other way round; one that is unknown changes nothing."""
        if column.removeprefix("-") in SORT_KEYS:
            self._column = column
            self.reorder()

    def is_held_for(self, reason: HoldReason) -> bool:
        """This reason holds it, whatever others do."""
        return reason in self._holds

    def set_hold(self, reason: HoldReason, held: bool) -> None:
        """Hold the order still for a reason, or let go; the last to let go brings the newest order."""
        if self.is_held_for(reason) == held:
            return
        (self._holds.append if held else self._holds.remove)(reason)
        self.hold_changed.emit(self._holds[-1] if self._holds else None)
        if not self._holds and self._stale:
            self.reorder()

    def refresh(self) -> None:
        """The scores have changed: a new order, unless it is held."""
        rows = self._compute_order()
        self._stale = self.is_held
        if not self.is_held:
            self._emit_order(self._with_selected(rows))
            return
        new = rows[~np.isin(rows, self._shown)]
        if len(new):
            self._emit_order(np.concatenate((self._shown, new)))

    def reorder(self) -> None:
        """A new order now: the user asked for it."""
        self._stale = False
        self._emit_order(self._compute_order())

    def set_selected_server(self, server: int) -> None:
        """This server is selected: a refresh leaves it where it is, even when it does not pass the filter any more."""
        self._selected_server = server

    def _with_selected(self, rows: RowIds) -> RowIds:
        places = np.flatnonzero(self._shown == self._selected_server)
        if not len(places) or self._selected_server in rows:
            return rows
        return np.insert(rows, min(int(places[0]), len(rows)), self._selected_server)

    def _emit_order(self, rows: RowIds) -> None:
        self._shown = rows
        self.order_changed.emit(rows)

    def _compute_order(self) -> RowIds:
        listed = self._lists.list_rows(self._list)
        self.terms = ActiveFilters(self._filters, self._catalogue, listed)
        rows = sorted_rows(self._catalogue, self._column, np.flatnonzero(listed & self.terms.passing))
        if self._list == FAVOURITES_LIST:
            rest = sorted_rows(self._catalogue, self._column, np.flatnonzero(listed & ~self.terms.passing))
            rows = np.concatenate((rows, rest))
        rows = self._limit_rows_per_host(rows)
        self.counts_changed.emit()
        return rows

    def _limit_rows_per_host(self, rows: RowIds) -> RowIds:
        """Without those that come after the first few of their host; favourites and the selected server stay."""
        c = self._catalogue
        hidden = (
            rows_beyond_limit(c.operator[rows], MAX_SERVERS_PER_HOST)
            & ~c.favourite[rows]
            & (rows != self._selected_server)
        )
        self.host_limit_count = int(np.count_nonzero(hidden))
        return rows[~hidden] if self._limit_hosts else rows
