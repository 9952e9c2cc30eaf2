"""The active filters of each server list, and saved filters.

Each filter is an expression under a key; all expressions together are one filter. They are saved between sessions.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from browser_app.catalogue.filters.filter_tree import AndNode, SearchTerm
from browser_app.catalogue.filters.server_filter import (
    FilterError,
    ServerFilter,
    combine_filters,
    parse_filter,
    parse_filter_leniently,
)
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.saved_filter_store import MAX_FILTER_NAME, SAVED_LIST_PREFIX, SavedFilterStore
from browser_app.ui.filters.filter_field import FilterField
from browser_app.ui.lists.server_list_membership import ALL_LIST, FRIENDS_LIST, GAME_LIST_PREFIX
from browser_app.ui.servers.server_order import ServerOrder
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.dialogs import NameDialog
from browser_app.ui.widgets.menus import create_menu
from browser_app.ui.widgets.theme import Theme

FIELD_FILTER_KEY, HOST_LIMIT_KEY = "text", "fold"
"""Keys of the filter field's expression and of the host limit, which has no expression."""
_UI_STATE_KEY = "filters"
_log = logging.getLogger(__name__)


class FilterController(QObject):
    """Connects filter field, chips and order.

    Signals:
        filters_changed: the active filters changed.
    """

    filters_changed = Signal()

    def __init__(
        self, field: FilterField, order: ServerOrder, ui_state: UiState, saved_filters: Mapping[str, str]
    ) -> None:
        super().__init__(field)
        self._field, self._order, self._ui_state, self._saved_filters = field, order, ui_state, saved_filters
        self._by_list = _restored_filters(ui_state.get(_UI_STATE_KEY))
        self._list = ALL_LIST
        field.filter_edited.connect(self._on_field_edited)

    @property
    def expressions(self) -> Mapping[str, str]:
        """The active expressions by key, oldest first, including the host limit's entry."""
        return self._by_list.get(self._list, {})

    @property
    def expression(self) -> str:
        """All active filters, and what the list itself is a filter of, as one expression."""
        return str(combine_filters((self._list_filter(), *self._parsed_filters().values())))

    def _list_filter(self) -> ServerFilter:
        """Return the filter of a game's list, of a saved filter's and of friends.

        Other lists have one that passes all.
        """
        if self._list.startswith(SAVED_LIST_PREFIX):
            text = self._saved_filters.get(self._list.removeprefix(SAVED_LIST_PREFIX), "")
            return parse_filter(text if _is_filter(self._list, text) else "")
        if self._list.startswith(GAME_LIST_PREFIX):
            return parse_filter(self._list)
        return parse_filter("friend:yes" if self._list == FRIENDS_LIST else "")

    def show_list(self, key: str) -> None:
        """Switch to another server list and its filters."""
        if key != self._list:
            self._on_field_edited(self._field.text())
            self._list = key
        self._field.set_text(self.expressions.get(FIELD_FILTER_KEY, ""))
        self._field.clear_error()
        self._apply()

    def set_filter(self, key: str, expression: str) -> None:
        """Replace the filter with this key; an empty expression removes it.

        An invalid expression changes nothing: a newer version may have saved it.
        """
        if expression and not _is_filter(key, expression):
            return
        self._replace_filter(key, expression)
        if key == FIELD_FILTER_KEY and self._field.text() != expression:
            self._field.set_text(expression)

    def _replace_filter(self, key: str, expression: str) -> None:
        if expression != self.expressions.get(key, ""):
            expressions = {**self.expressions, key: expression}
            self._set_expressions({name: text for name, text in expressions.items() if text})

    def add_term(self, term: str) -> None:
        """Add a term to the filter field's expression, unless it contains the term."""
        text = self.expressions.get(FIELD_FILTER_KEY, "")
        node = parse_filter(text).node
        if parse_filter(term).node not in (node.operands if isinstance(node, AndNode) else (node,)):
            self.set_filter(FIELD_FILTER_KEY, f"({text}) {term}" if "|" in text else f"{text} {term}".strip())

    def toggle_filter(self, key: str, expression: str) -> None:
        """Turn a filter on or off."""
        self.set_filter(key, "" if key in self.expressions else expression)

    def clear_filters(self) -> None:
        """Remove all filters."""
        self._set_expressions({})
        self._field.set_text("")
        self._field.clear_error()

    def rename_saved_filter(self, old: str, new: str) -> None:
        """Rename a saved filter in all lists, or remove it if `new` is empty."""
        if new and old in self._by_list:
            self._by_list[new] = self._by_list.pop(old)
        self._by_list.pop(old, None)
        for expressions in self._by_list.values():
            if old in expressions:
                expression = expressions.pop(old)
                if new:
                    expressions[new] = expression
        if not new and self._list == old:
            self._field.set_text("")  # the list is gone, and its text with it
        self._list = new if self._list == old and new else self._list
        self._set_expressions(dict(self.expressions))

    def saved_filter_uses(self, key: str) -> dict[str, dict[str, str]]:
        """Return the active filters of a saved filter's own list, and of those with it."""
        return {name: dict(filters) for name, filters in self._by_list.items() if name == key or key in filters}

    def restore_saved_filter(self, key: str, uses: Mapping[str, Mapping[str, str]]) -> None:
        """Activate a deleted saved filter where `saved_filter_uses` had found it."""
        for name, filters in uses.items():
            restored = filters if name == key else {key: filters[key]}
            self._by_list[name] = {**self._by_list.get(name, {}), **restored}
        self._set_expressions(dict(self.expressions))

    def update_saved_filter(self, key: str, expression: str) -> None:
        """Apply a saved filter's new expression wherever it is active."""
        for expressions in self._by_list.values():
            if key in expressions:
                expressions[key] = expression
        self._set_expressions(dict(self.expressions))

    def _on_field_edited(self, text: str) -> None:
        """Filter by the text.

        If a word is wrong, it is underlined, and the last valid filter stays in force, without the search word that
        became the wrong one. If there is none, the words that are right apply. Writing these again may add brackets; if
        the result is too long, the filter stays as it is.
        """
        valid_part, error = parse_filter_leniently(text)
        in_force = self.expressions.get(FIELD_FILTER_KEY, "")
        if error is None:
            self._field.clear_error()
            expression = text.strip()
        else:
            self._field.show_error(error.message, error.start, error.end)
            expression = _without_growing_word(in_force, text, error) if in_force else str(valid_part)
        if not expression or _is_filter(FIELD_FILTER_KEY, expression):
            self._replace_filter(FIELD_FILTER_KEY, expression)

    def _set_expressions(self, expressions: dict[str, str]) -> None:
        if expressions:
            self._by_list[self._list] = expressions
        else:
            self._by_list.pop(self._list, None)
        self._ui_state.set(_UI_STATE_KEY, self._by_list)
        self._apply()
        self._announce_count()

    def _announce_count(self) -> None:
        """Announce how many servers are shown, unless a page shows that there are none."""
        if number := self._order.shown_count:
            text = ngettext("{n} server shown", "{n} servers shown", number)
            announce(self._field, text.format(n=integer_text(number)))

    def _apply(self) -> None:
        self._order.show_list(self._list, self._parsed_filters(), limit_hosts=HOST_LIMIT_KEY in self.expressions)
        self.filters_changed.emit()

    def _parsed_filters(self) -> dict[str, ServerFilter]:
        return {key: parse_filter(text) for key, text in self.expressions.items() if key != HOST_LIMIT_KEY}


def _without_growing_word(in_force: str, text: str, error: FilterError) -> str:
    """Return a filter without its last word, if that is the beginning of a wrong word.

    `png` searches for servers until `png<80` turns out to be wrong.
    """
    start = max(text.rfind(mark, 0, error.start) for mark in " (|") + 1
    before = text[:start].lstrip()
    word = in_force.removeprefix(before)
    if not in_force.startswith(before) or not word or not text.startswith(word, start):
        return in_force
    is_search = _is_filter(FIELD_FILTER_KEY, word) and isinstance(parse_filter(word).node, SearchTerm)
    return before.strip() if is_search else in_force


def _restored_filters(saved: Any) -> dict[str, dict[str, str]]:
    """Return the saved filters that this version can parse."""
    by_list: dict[str, dict[str, str]] = {}
    for key, expressions in saved.items() if isinstance(saved, dict) else ():
        good = {
            name: text
            for name, text in (expressions.items() if isinstance(expressions, dict) else ())
            if _is_filter(name, text)
        }
        if good != expressions:
            _log.info("ignored invalid saved filters of the list %s", key)
        if good:
            by_list[key] = good
    return by_list


def _is_filter(key: str, text: Any) -> bool:
    try:
        return key == HOST_LIMIT_KEY or (isinstance(text, str) and bool(parse_filter(text)))
    except FilterError:
        return False


class SavedFilterController(QObject):
    """Dialogs and menus of saved filters.

    Signals:
        filter_renamed: old and new key, before the change; the new one is the key of all servers if it is deleted.
        filter_restored: key of a deleted filter that is there again.
        change_reported: text about a change, and a function that undoes it.
        alert_toggled: the name of a filter whose alert is to be set, or removed.

    Attributes:
        has_alert: returns whether there is an alert on the filter of a name.
    """

    filter_renamed = Signal(str, str)
    filter_restored = Signal(str)
    change_reported = Signal(str, object)
    alert_toggled = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, saved: SavedFilterStore, filters: FilterController) -> None:
        super().__init__(parent)
        self._theme, self._parent, self._saved, self._filters = theme, parent, saved, filters
        self.has_alert: Callable[[str], bool] = lambda _name: False

    def ask_to_save(self, expression: str = "") -> None:
        """Ask for a name for an expression, by default that of the active filters."""
        expression = expression or self._filters.expression
        problem = _expression_problem(expression)
        dialog = NameDialog(
            self._theme, self._parent, _("Save this filter"), expression, "",
            lambda name: problem or self._name_problem(name),
        )  # fmt: skip
        dialog.name_entered.connect(lambda name: self._save_filter(name, expression))
        dialog.open()

    def open_menu(self, key: str, where: QPoint) -> None:
        """Open the menu of a saved filter, if the key belongs to one."""
        if not key.startswith(SAVED_LIST_PREFIX):
            return
        name = key.removeprefix(SAVED_LIST_PREFIX)
        notify = _("Stop notifying me") if self.has_alert(name) else _("Notify me of new matches")
        entries = (
            (notify, lambda: self.alert_toggled.emit(name)),
            (_("Rename…"), lambda: self.ask_to_rename(name)),
            (_("Delete"), lambda: self.delete_filter(name)),
        )
        create_menu(self._parent, entries).popup(where)

    def ask_to_rename(self, name: str) -> None:
        """Ask for a new name."""

        def find_problem(new: str) -> str:
            return "" if self._saved.find_name(new) == name else self._name_problem(new, taken=True)

        dialog = NameDialog(self._theme, self._parent, _("Rename filter"), self._saved[name], name, find_problem)
        dialog.name_entered.connect(lambda new: self._rename_filter(name, new))
        dialog.open()

    def delete_filter(self, name: str) -> None:
        """Delete a saved filter; undoing it brings back what followed from it."""
        if name not in self._saved:
            return
        key, expression, position = SAVED_LIST_PREFIX + name, self._saved[name], list(self._saved).index(name)
        uses, had_alert = self._filters.saved_filter_uses(key), self.has_alert(name)

        def undo() -> None:
            if self._saved.find_name(name) is not None:
                return  # another one has been saved under this name
            self._saved.restore(name, expression, position)
            self._filters.restore_saved_filter(key, uses)
            self.filter_restored.emit(key)
            if had_alert:
                self.alert_toggled.emit(name)

        self._filters.rename_saved_filter(key, "")
        self.filter_renamed.emit(key, ALL_LIST)
        self._saved.delete(name)
        self.change_reported.emit(_("Filter “{name}” deleted").format(name=name), undo)

    def _save_filter(self, name: str, expression: str) -> None:
        self._saved.save(name, expression)
        self._filters.update_saved_filter(SAVED_LIST_PREFIX + (self._saved.find_name(name) or name), expression)

    def _rename_filter(self, old: str, new: str) -> None:
        new = " ".join(new.split())
        self._filters.rename_saved_filter(SAVED_LIST_PREFIX + old, SAVED_LIST_PREFIX + new)
        self.filter_renamed.emit(SAVED_LIST_PREFIX + old, SAVED_LIST_PREFIX + new)
        self._saved.rename(old, new)

    def _name_problem(self, name: str, *, taken: bool = False) -> str:
        if not 0 < len(" ".join(name.split())) <= MAX_FILTER_NAME:
            return _("Names can have 1 to {n} characters.").format(n=MAX_FILTER_NAME)
        if self._saved.find_name(name) is None:
            return ""
        return _("Another filter already has this name.") if taken else ""


def _expression_problem(expression: str) -> str:
    """Return why an expression cannot be saved, empty if it can.

    As one expression, with brackets, active filters may be longer than a filter may be.
    """
    try:
        parse_filter(expression)
    except FilterError as error:
        return _("This filter cannot be saved: {why}.").format(why=error)
    return ""
