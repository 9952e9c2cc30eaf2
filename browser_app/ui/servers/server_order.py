"""Filtering, sorting and holding of the server table's rows.

The order is computed at most a few times a second. While it is held, no row moves or disappears and new servers are
appended; values of visible rows still change. In the Favourites list filters hide nothing: servers that pass come
first, the others after them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from PySide6.QtCore import QObject, Signal

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, RowIds
from browser_app.catalogue.filters.server_filter import ActiveFilters, ServerFilter
from browser_app.catalogue.server_fields import sorted_rows, with_favourites_first
from browser_app.catalogue.suspicion import rows_beyond_limit
from browser_app.language import N_
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, ServerLists
from browser_app.ui.servers.server_columns import COLUMN_KEYS, column_key_of_order


class HoldReason(Enum):
    """Reasons to hold the order; the value is the status bar's text."""

    POINTER = N_("Sorting paused (pointer over list)")
    KEYS = N_("Sorting paused (selecting by keyboard)")
    MENU = N_("Sorting paused (menu open)")
    PAUSED = N_("Sorting paused (press {key} to resume)")


MAX_SHOWN_PER_HOST = 5
"""Servers shown per host while the host limit is on."""


@dataclass(frozen=True)
class ShownList:
    """A list under its filters, as a scope of Play Now.

    It stays the same while another list is shown.
    """

    lists: ServerLists
    key: str
    filters: Mapping[str, ServerFilter]
    is_limiting_hosts: bool
    sort_column: str = field(compare=False)
    """Decides which servers of a host are within the host limit."""

    def list_rows(self) -> Bools:
        """Return a flag per row, True for the servers of the list.

        Whether they pass the filters does not matter.
        """
        return self.lists.list_rows(self.key)

    def matching_rows(self, catalogue: Catalogue) -> Bools:
        """Return a flag per row, True for the servers that the list would show now."""
        shown = self.list_rows()
        if self.key != FAVOURITES_LIST:
            for each in self.filters.values():
                shown &= each.matching_rows(catalogue)
        if self.is_limiting_hosts:
            rows = sorted_rows(catalogue, self.sort_column, np.flatnonzero(shown))
            shown[rows[_rows_beyond_host_limit(catalogue, rows)]] = False
        return shown


def _rows_beyond_host_limit(catalogue: Catalogue, rows: RowIds) -> Bools:
    """Return which of these rows are beyond the limit of their host.

    Favourites never are.
    """
    return rows_beyond_limit(catalogue.operator[rows], MAX_SHOWN_PER_HOST) & ~catalogue.favourite[rows]


class ServerOrder(QObject):
    """The table's order.

    Signals:
        order_changed: the rows to show, in order.
        counts_changed: `active_filters` and `host_limit_count` are new.
        hold_changed: the latest `HoldReason`, None if the order is not held.

    Attributes:
        current_list: key of the sidebar's current list.
        filters: the filters over it, by key.
        sort_column: the sort column, with `-` if reversed.
        has_favourites_on_top: favourites come before all other servers.
        is_limiting_hosts: at most `MAX_SHOWN_PER_HOST` servers of one host are shown.
        active_filters: the filters over the current list, as of the last order.
        host_limit_count: servers that the host limit hides, or would hide.
    """

    order_changed = Signal(object)
    counts_changed = Signal()
    hold_changed = Signal(object)

    def __init__(self, catalogue: Catalogue, lists: ServerLists, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._catalogue, self._lists = catalogue, lists
        self.filters: Mapping[str, ServerFilter] = {}
        self.current_list = ALL_LIST
        self.sort_column = "score"
        self.has_favourites_on_top = False
        self.is_limiting_hosts = False
        self._holds: list[HoldReason] = []
        self._stale = False
        self._shown = self._current = np.empty(0, np.intp)
        self._selected_server = -1
        self.active_filters = ActiveFilters({}, catalogue, lists.list_rows(ALL_LIST))
        self.host_limit_count = 0

    def show_list(self, list_key: str, filters: Mapping[str, ServerFilter], *, limit_hosts: bool = False) -> None:
        """Show a list's servers that pass the filters."""
        self.current_list, self.filters, self.is_limiting_hosts = list_key, dict(filters), limit_hosts
        self.reorder()

    def sort_by(self, column: str) -> None:
        """Sort by a column, or reverse the order if it is the sort column already."""
        self.set_sort_column(f"-{column}" if column == self.sort_column else column)

    def set_sort_column(self, column: str) -> None:
        """Sort by a column, reversed with `-`; one that is not shown changes nothing."""
        if column_key_of_order(column) in COLUMN_KEYS:
            self.sort_column = column
            self.reorder()

    def set_favourites_on_top(self, on_top: bool) -> None:
        """Show the favourites first, or wherever the sort column puts them."""
        self.has_favourites_on_top = on_top
        self.reorder()

    def is_held_for(self, reason: HoldReason) -> bool:
        """Return whether this reason holds the order."""
        return reason in self._holds

    def set_hold(self, reason: HoldReason, held: bool) -> None:
        """Hold or release the order for a reason.

        Releasing the last one applies the latest order.
        """
        if self.is_held_for(reason) == held:
            return
        (self._holds.append if held else self._holds.remove)(reason)
        self.hold_changed.emit(self._holds[-1] if self._holds else None)
        if not self._holds and self._stale:
            self.reorder()

    def refresh(self) -> None:
        """Apply the order of new scores; while held, only append new servers."""
        rows = self._compute_order()
        self._stale = bool(self._holds)
        if not self._holds:
            self._emit_order(self._with_selected(rows))
            return
        new = rows[~np.isin(rows, self._shown)]
        if len(new):
            self._emit_order(np.concatenate((self._shown, new)))

    def reorder(self) -> None:
        """Apply a new order at once, on the user's request."""
        self._stale = False
        self._emit_order(self._compute_order())

    @property
    def shown_count(self) -> int:
        """Number of servers shown."""
        return len(self._shown)

    def list_rows(self) -> Bools:
        """Return a flag per row, True for the servers of the current list.

        Whether they pass the filters does not matter.
        """
        return self._lists.list_rows(self.current_list)

    def shown_list(self) -> ShownList:
        """Return the current list under its filters."""
        return ShownList(self._lists, self.current_list, self.filters, self.is_limiting_hosts, self.sort_column)

    def matching_rows(self, catalogue: Catalogue) -> Bools:
        """Return a flag per row, True for the servers that the list shows.

        They are those of the last order, held or not.
        """
        rows = np.zeros(len(catalogue), np.bool_)
        rows[self._current] = True
        return rows

    def set_selected_server(self, server: int) -> None:
        """Set the selected server.

        A refresh keeps it in place even if it no longer passes the filters.
        """
        self._selected_server = server

    def rows_in_use(self) -> RowIds:
        """Return the rows that must stay.

        The selected one and, while the order is held, all that are shown.
        """
        rows = self._shown if self._holds else self._shown[:0]
        return np.append(rows, self._selected_server) if self._selected_server >= 0 else rows

    def _with_selected(self, rows: RowIds) -> RowIds:
        positions = np.flatnonzero(self._shown == self._selected_server)
        if not len(positions) or self._selected_server in rows:
            return rows
        return np.insert(rows, min(int(positions[0]), len(rows)), self._selected_server)

    def _emit_order(self, rows: RowIds) -> None:
        self._shown = rows
        self.order_changed.emit(rows)

    def _compute_order(self) -> RowIds:
        listed = self.list_rows()
        self.active_filters = ActiveFilters(self.filters, self._catalogue, listed)
        rows = sorted_rows(self._catalogue, self.sort_column, np.flatnonzero(listed & self.active_filters.passing))
        if self.current_list == FAVOURITES_LIST:
            rest = sorted_rows(self._catalogue, self.sort_column, np.flatnonzero(listed & ~self.active_filters.passing))
            rows = np.concatenate((rows, rest))
        rows = self._limit_rows_per_host(rows)
        self._current = with_favourites_first(self._catalogue, rows) if self.has_favourites_on_top else rows
        self.counts_changed.emit()
        return self._current

    def _limit_rows_per_host(self, rows: RowIds) -> RowIds:
        """Remove servers beyond the limit of their host.

        Favourites and the selected server stay.
        """
        hidden = _rows_beyond_host_limit(self._catalogue, rows) & (rows != self._selected_server)
        self.host_limit_count = int(np.count_nonzero(hidden))
        return rows[~hidden] if self.is_limiting_hosts else rows
