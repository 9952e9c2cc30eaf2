"""The user's choice, order and widths of the server table's columns."""

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QMenu

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.language import gettext as _
from browser_app.storage.ui_state import UiState
from browser_app.ui.servers.server_columns import COLUMN_KEYS, SERVER_COLUMNS, column_key_of_order
from browser_app.ui.servers.server_order import ServerOrder
from browser_app.ui.servers.server_table import ServerTableView
from browser_app.ui.widgets.menus import create_menu

MIN_NAME_WIDTH = 140
"""Columns are hidden until the name column has this width (px) and space for its sample."""
_UI_STATE_KEY = "columns"
_SAVE_DELAY_MS = 400
_MIN_WIDTH, _MAX_WIDTH = 24, 600
_INDEX_BY_KEY = {key: index for index, key in enumerate(COLUMN_KEYS)}
SPARSE_SHARE = 0.1
"""A column with values for fewer of a list's servers gives its space to names that would be cut."""
_ALWAYS_SHOWN = ("favourite", "name")


class RedundantColumns(NamedTuple):
    """Keys of the columns that are redundant for a list."""

    empty: frozenset[str] = frozenset()
    """No server has a value, or all are of one game."""
    sparse: frozenset[str] = frozenset()
    """Few servers have a value."""


def redundant_columns(catalogue: Catalogue, listed: Bools, candidates: Set[str]) -> RedundantColumns:
    """Return which candidates, keys of columns, are redundant for the listed servers."""
    rows = np.flatnonzero(listed)
    shares = {
        column.key: np.count_nonzero(SERVER_FIELDS[column.key].known(catalogue, rows)) / max(1, len(rows))
        for column in SERVER_COLUMNS
        if column.may_be_empty and column.key in candidates
    }
    empty = {key for key, share in shares.items() if not share}
    if len(np.unique(catalogue.game.ids[rows])) <= 1:
        empty.add("game")
    return RedundantColumns(frozenset(empty), frozenset(key for key, share in shares.items() if share < SPARSE_SHARE))


class ColumnLayout(QObject):
    """Arranges the header's sections and saves the arrangement.

    The star is always the first column; star and name cannot be hidden.
    """

    def __init__(self, table: ServerTableView, ui_state: UiState) -> None:
        super().__init__(table)
        self._table, self._header, self._ui_state = table, table.header, ui_state
        self._visible_keys = {column.key for column in SERVER_COLUMNS if column.default_visible}
        self._redundant, self._shown_list = RedundantColumns(), object()
        self._wanted_keys: set[str] = set()
        """Columns that the user has chosen to show, which stay where they are redundant."""
        self._arranging = False
        self._save_timer = QTimer(self, singleShot=True, interval=_SAVE_DELAY_MS)
        self._save_timer.timeout.connect(self._save_arrangement)
        self._restore(ui_state.get(_UI_STATE_KEY))
        self._header.sectionMoved.connect(self._save_timer.start)
        self._header.sectionResized.connect(self._on_section_resized)
        self._header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._header.customContextMenuRequested.connect(self._open_menu)
        table.resized.connect(self.fit_columns)
        self._header.sort_column_changed.connect(self.fit_columns)

    def set_column_visible(self, key: str, shown: bool) -> None:
        """Show or hide a column."""
        for keys in (self._visible_keys, self._wanted_keys):
            (keys.add if shown else keys.discard)(key)
        self.fit_columns()
        self.save()

    def hide_redundant(self, catalogue: Catalogue, order: ServerOrder, shown_list: object) -> None:
        """Hide columns that are redundant for the list on screen.

        While `shown_list` stays the same, columns only reappear: single answers hide none.
        """
        candidates = self._visible_keys - self._wanted_keys - {column_key_of_order(order.sort_column)}
        redundant = redundant_columns(catalogue, order.active_filters.list_mask, candidates)
        if shown_list == self._shown_list:
            redundant = RedundantColumns(*map(frozenset.intersection, redundant, self._redundant))
        self._shown_list = shown_list
        if redundant != self._redundant:
            self._redundant = redundant
            self.fit_columns()

    def reset(self) -> None:
        """Restore the default arrangement."""
        self._restore({})
        self.fit_columns()
        self.save()

    def fit_columns(self) -> None:
        """Show the chosen columns that fit.

        They are narrowed so that the name column keeps its minimum width, and widened before it has more than it needs.
        """
        shown = self._shown_keys() | {*_ALWAYS_SHOWN}
        widths = {
            column.key: self._width(column.key)
            for column in SERVER_COLUMNS
            if column.key in shown and not column.stretch
        }
        name = SERVER_COLUMNS[_INDEX_BY_KEY["name"]]
        # Also while hidden, so that columns do not come and go with it.
        bar = self._table.verticalScrollBar().sizeHint().width()
        space = self._table.width() - bar
        least = max(MIN_NAME_WIDTH, self._header.text_width(_(name.sample)))
        wished = max(least, self._header.text_width(_(name.long_sample)))
        self._drop_columns(widths, self._redundant.sparse - self._wanted_keys, space - wished)
        self._drop_columns(widths, {*widths}, space - least)
        self._shrink_flexible_columns(widths, sum(widths.values()) + wished - space)
        self._shrink_user_widths(widths, sum(widths.values()) + least - space)
        self._widen_columns(widths, space - wished - sum(widths.values()))
        self._arranging = True
        for index, column in enumerate(SERVER_COLUMNS):
            self._header.setSectionHidden(index, not (column.stretch or column.key in widths))
            if column.key in widths:
                self._header.resizeSection(index, widths[column.key])
        self._arranging = False

    def _drop_columns(self, widths: dict[str, int], droppable: Set[str], space: int) -> None:
        """Remove droppable columns until the least widths of the others fit into `space`."""
        for key in self._keys_by_drop_order():
            if sum(min(width, self._least_width(key)) for key, width in widths.items()) <= space:
                return
            if key in droppable:
                widths.pop(key, None)

    def _keys_by_drop_order(self) -> list[str]:
        """Return column keys in the order in which they are hidden.

        Columns the user added come last.
        """
        added = {column.key for column in SERVER_COLUMNS if not column.default_visible} | self._wanted_keys
        droppable = (column for column in SERVER_COLUMNS if column.drop_order)
        return [column.key for column in sorted(droppable, key=lambda each: (each.key in added, each.drop_order))]

    def _shown_keys(self) -> set[str]:
        return (self._visible_keys - self._redundant.empty) | self._wanted_keys

    def _shrink_user_widths(self, widths: dict[str, int], missing: int) -> None:
        """Take `missing` px from columns made wider than their default.

        These are the user's widths; only this window changes.
        """
        for key, width in widths.items():
            taken = max(0, min(missing, width - self._default_width(key)))
            widths[key] -= taken
            missing -= taken

    def _shrink_flexible_columns(self, widths: dict[str, int], wished: int) -> None:
        """Take `wished` px from columns that have a minimum width.

        Columns resized by the user keep their width.
        """
        for key, width in widths.items():
            given = max(0, min(wished, width - self._least_width(key)))
            widths[key] -= given
            wished -= given

    def _widen_columns(self, widths: dict[str, int], spare: int) -> None:
        """Give `spare` px to columns in which longer texts would be elided.

        Columns resized by the user keep their width.
        """
        for key, width in widths.items():
            long_sample = SERVER_COLUMNS[_INDEX_BY_KEY[key]].long_sample
            if long_sample and key not in self._widths:
                given = max(0, min(spare, self._header.text_width(long_sample) - width))
                widths[key] += given
                spare -= given

    def _least_width(self, key: str) -> int:
        """Return the width down to which a column gives up space.

        This is its own width if it gives up none.
        """
        column, index = SERVER_COLUMNS[_INDEX_BY_KEY[key]], _INDEX_BY_KEY[key]
        if not column.min_width or key in self._widths:
            return self._width(key)
        return max(column.min_width, self._header.title_width(index))

    def save(self) -> None:
        """Save the current arrangement."""
        self._save_timer.stop()
        order = [SERVER_COLUMNS[self._header.logicalIndex(index)].key for index in range(len(SERVER_COLUMNS))]
        widths = {key: width for key, width in self._widths.items() if width != self._default_width(key)}
        chosen, wanted = sorted(self._visible_keys), sorted(self._wanted_keys)
        self._ui_state.set(_UI_STATE_KEY, {"order": order, "widths": widths, "chosen": chosen, "wanted": wanted})

    def menu(self) -> QMenu:
        """Return the menu of columns, checked if shown."""
        menu = create_menu(self._table, ())
        self._fill_menu(menu)
        return menu

    def add_submenu(self, menu: QMenu) -> None:
        """Add the same as a submenu, for use without a mouse."""
        self._fill_menu(menu.addMenu(_("Columns")))

    def _fill_menu(self, menu: QMenu) -> None:
        given_up = {key for key in self._redundant.sparse if self._header.isSectionHidden(_INDEX_BY_KEY[key])}
        shown = self._shown_keys() - given_up
        for column in SERVER_COLUMNS:
            if column.key not in _ALWAYS_SHOWN:
                action = menu.addAction(column.name)
                action.setCheckable(True)
                action.setChecked(column.key in shown)
                action.toggled.connect(lambda on, key=column.key: self.set_column_visible(key, on))
        menu.addSeparator()
        menu.addAction(_("Reset columns"), self.reset)

    def _open_menu(self, where: QPoint) -> None:
        self.menu().popup(self._header.mapToGlobal(where))

    def _width(self, key: str) -> int:
        return self._widths.get(key, self._default_width(key))

    def _default_width(self, key: str) -> int:
        """Return the declared width, or what title and sample need.

        The latter depends on language and font.
        """
        column = SERVER_COLUMNS[_INDEX_BY_KEY[key]]
        title = 0 if column.icon else self._header.title_width(_INDEX_BY_KEY[key])
        sample = self._header.text_width(_(column.sample)) + column.extra_width if column.sample else 0
        return max(column.width, title, sample)

    def _on_section_resized(self, section: int, _before: int, width: int) -> None:
        column = SERVER_COLUMNS[section]
        if not self._arranging and width and not column.stretch:
            self._widths[column.key] = min(width, _MAX_WIDTH)
            self._save_timer.start()

    def _save_arrangement(self) -> None:
        """Fit and save after the user has moved or resized a column."""
        self.fit_columns()
        self.save()

    def _restore(self, saved: Any) -> None:
        """Apply a saved arrangement as far as it is valid.

        Columns unknown to it keep their default position.
        """
        saved = saved if isinstance(saved, dict) else {}
        default, widths = [column.key for column in SERVER_COLUMNS if column.default_visible], saved.get("widths")
        self._visible_keys = _column_keys(saved.get("chosen"), default)
        self._wanted_keys = _column_keys(saved.get("wanted")) & self._visible_keys
        self._widths: dict[str, int] = {
            key: width
            for key, width in (widths.items() if isinstance(widths, dict) else ())
            if key in _INDEX_BY_KEY and isinstance(width, int) and _MIN_WIDTH <= width <= _MAX_WIDTH
        }
        self._arranging = True
        for index, column in enumerate(SERVER_COLUMNS):
            if not column.stretch:
                self._header.resizeSection(index, self._width(column.key))
        for visual, key in enumerate(_complete_order(saved.get("order"))):
            self._header.moveSection(self._header.visualIndex(_INDEX_BY_KEY[key]), visual)
        self._arranging = False


def _column_keys(saved: Any, default: Sequence[str] = ()) -> set[str]:
    """Return the column keys in a saved list, or `default` if it is no list."""
    return {key for key in (saved if isinstance(saved, list) else default) if isinstance(key, str)} & {*_INDEX_BY_KEY}


def _complete_order(saved: Any) -> list[str]:
    """Return every column key once, the star first.

    Keys missing from `saved` follow their default neighbour.
    """
    texts = [key for key in (saved if isinstance(saved, list) else ()) if isinstance(key, str)]
    order = [key for key in dict.fromkeys(texts) if key in _INDEX_BY_KEY]
    for index, column in enumerate(SERVER_COLUMNS):
        if column.key not in order:
            before = SERVER_COLUMNS[index - 1].key if index else None
            order.insert(order.index(before) + 1 if before in order else 0, column.key)
    order.sort(key=lambda key: key != "favourite")
    return order


def add_sort_menu(
    menu: QMenu,
    order: ServerOrder,
    sort_by_index: Callable[[int], None],
    put_favourites_on_top: Callable[[bool], object],
) -> None:
    """Add a "Sort by" submenu, for use without a mouse.

    Args:
        menu: the menu to extend.
        order: the current order.
        sort_by_index: called with the index of the chosen column.
        put_favourites_on_top: called with the new choice.
    """
    titles = menu.addMenu(_("Sort by"))
    for index, each in enumerate(SERVER_COLUMNS):
        action = titles.addAction(each.name, partial(sort_by_index, index))
        action.setCheckable(True)
        action.setChecked(each.key == column_key_of_order(order.sort_column))
    titles.addSeparator()
    on_top = titles.addAction(_("Favourites on top"))
    on_top.setCheckable(True)
    on_top.setChecked(order.has_favourites_on_top)
    on_top.triggered.connect(put_favourites_on_top)
