"""Menus: built when they open, gone when they close. Their words are the program's own, never a server's."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from browser_app.language import gettext as _
from browser_app.ui.columns import COLUMNS, column_of

Entry = tuple[str, Callable[[], object]]


def make_menu(parent: QWidget, entries: Iterable[Entry]) -> QMenu:
    """A menu of words and what they do; `popup` shows it."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    add_entries(menu, entries)
    return menu


def add_entries(menu: QMenu, entries: Iterable[Entry]) -> None:
    """Put words and what they do below what is there."""
    for words, action in entries:
        menu.addAction(words, action)


def add_sort_menu(menu: QMenu, column: str, sort: Callable[[int], None]) -> None:
    """The header's titles for those without a mouse. `column`: what sorts now; `sort` takes a column's place."""
    titles = menu.addMenu(_("Sort by"))
    for place, each in enumerate(COLUMNS):
        action = titles.addAction(each.name, partial(sort, place))
        action.setCheckable(True)
        action.setChecked(each.key == column_of(column))


def popup_menu(menu: QMenu, where: QPoint, hold: Callable[[bool], None]) -> None:
    """Show it at a point of the screen; `hold` is told True while it is open."""
    menu.aboutToShow.connect(lambda: hold(True))
    menu.aboutToHide.connect(lambda: hold(False))
    menu.popup(where)
