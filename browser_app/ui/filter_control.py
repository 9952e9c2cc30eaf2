"""The filters in force: those of the chips and the one in the field, a set of its own for each list of the side.

Each is an expression of the filter language under a key; together they are one filter. They are kept from one run to
the next.
"""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from browser_app.catalogue.filter_language import Filter, FilterError, parse_filter
from browser_app.catalogue.filter_terms import together
from browser_app.catalogue.filter_tree import And
from browser_app.storage.kept import Kept
from browser_app.ui.filter_field import FilterField
from browser_app.ui.list_order import ListOrder
from browser_app.ui.lists import ALL

TEXT, FOLD = "text", "fold"
"""Keys of what is in the field, and of the fold of servers on one host, which is no expression."""
_KEPT = "filters"


class FilterControl(QObject):
    """Joins field, chips and order.

    Signals:
        changed: other filters are in force.
    """

    changed = Signal()

    def __init__(self, field: FilterField, order: ListOrder, kept: Kept) -> None:
        super().__init__(field)
        self._field, self._order, self._kept = field, order, kept
        self._by_list = _readable(kept.get(_KEPT))
        self._list = ALL
        field.edited.connect(self._edited)

    @property
    def terms(self) -> Mapping[str, str]:
        """The expressions in force by key, in the order in which they came; with the fold's mark."""
        return self._by_list.get(self._list, {})

    @property
    def expression(self) -> str:
        """All filters in force as one expression."""
        return str(together(self._filters().values()))

    def show_list(self, key: str) -> None:
        """Turn to another list of the side and to its filters."""
        if key != self._list:
            self._edited(self._field.text())
            self._list = key
        self._field.set_text(self.terms.get(TEXT, ""))
        self._field.clear_error()
        self._apply()

    def put(self, key: str, expression: str) -> None:
        """Bring a filter into force in place of the one with this key; an empty one takes that away.

        Nothing changes for one that cannot be read, as a newer program may have saved it.
        """
        terms = dict(self.terms)
        if expression and not _is_filter(key, expression):
            return
        if expression:
            terms[key] = expression
        elif terms.pop(key, None) is None:
            return
        self._take(terms)
        if key == TEXT and self._field.text() != expression:
            self._field.set_text(expression)

    def add(self, term: str) -> None:
        """Narrow what is in the field by one more term, unless it does so already."""
        text = self.terms.get(TEXT, "")
        node = parse_filter(text).node
        if parse_filter(term).node not in (node.parts if isinstance(node, And) else (node,)):
            self.put(TEXT, f"({text}) {term}" if "|" in text else f"{text} {term}".strip())

    def toggle(self, key: str, expression: str) -> None:
        """Bring a filter into force, or take it away."""
        self.put(key, "" if key in self.terms else expression)

    def clear(self) -> None:
        """Nothing is hidden any more."""
        self._take({})
        self._field.set_text("")
        self._field.clear_error()

    def rename(self, old: str, new: str) -> None:
        """A list of the side, which may be a filter in others, has another name; an empty one: it is no more."""
        if new and old in self._by_list:
            self._by_list[new] = self._by_list.pop(old)
        self._by_list.pop(old, None)
        for terms in self._by_list.values():
            if old in terms:
                expression = terms.pop(old)
                if new:
                    terms[new] = expression
        if not new and self._list == old:
            self._field.set_text("")  # it went with its list
        self._list = new if self._list == old and new else self._list
        self._take(dict(self.terms))

    def revise(self, key: str, expression: str) -> None:
        """A saved filter has other words: where it is in force, these hold now."""
        for terms in self._by_list.values():
            if key in terms:
                terms[key] = expression
        self._take(dict(self.terms))

    def _edited(self, text: str) -> None:
        text = text.strip()
        if self._field.read(text, parse_filter) is not None and text != self.terms.get(TEXT, ""):
            self.put(TEXT, text)

    def _take(self, terms: dict[str, str]) -> None:
        if terms:
            self._by_list[self._list] = terms
        else:
            self._by_list.pop(self._list, None)
        self._kept.put(_KEPT, self._by_list)
        self._apply()

    def _apply(self) -> None:
        self._order.show(self._list, self._filters(), folding=FOLD in self.terms)
        self.changed.emit()

    def _filters(self) -> dict[str, Filter]:
        return {key: parse_filter(text) for key, text in self.terms.items() if key != FOLD}


def _readable(kept: Any) -> dict[str, dict[str, str]]:
    """What was kept, as far as this program can read it."""
    by_list: dict[str, dict[str, str]] = {}
    for key, terms in kept.items() if isinstance(kept, dict) else ():
        good = {
            name: text for name, text in (terms.items() if isinstance(terms, dict) else ()) if _is_filter(name, text)
        }
        if good:
            by_list[key] = good
    return by_list


def _is_filter(key: str, text: Any) -> bool:
    try:
        return key == FOLD or (isinstance(text, str) and bool(parse_filter(text)))
    except FilterError:
        return False
