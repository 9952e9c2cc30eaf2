"""The table's columns as the user arranged them: which are shown, in which order, how wide; kept from run to run."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QMenu

from browser_app.language import gettext as _
from browser_app.storage.kept import Kept
from browser_app.ui.columns import COLUMNS
from browser_app.ui.menus import make_menu
from browser_app.ui.table_view import ServerTableView

NAME_ROOM = 140
"""Columns go until the names have so much room, and the sample of them has it."""
_KEPT = "columns"
_REST_MS = 400
_LEAST, _MOST = 24, 600
_PLACE = {column.key: place for place, column in enumerate(COLUMNS)}
_STAYS = ("favourite", "name")


class ColumnLayout(QObject):
    """Arranges the header's sections.

    Kept true: the star is the first column; star and name are always shown.
    """

    def __init__(self, table: ServerTableView, kept: Kept) -> None:
        super().__init__(table)
        self._table, self._header, self._kept = table, table.header, kept
        self._chosen = {column.key for column in COLUMNS if column.chosen}
        self._arranging = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._rested)
        self._restore(kept.get(_KEPT))
        self._header.sectionMoved.connect(self._rest.start)
        self._header.sectionResized.connect(self._resized)
        self._header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._header.customContextMenuRequested.connect(self._open_menu)
        table.resized.connect(self.fit)
        self._header.sort_moved.connect(self.fit)

    @property
    def chosen(self) -> frozenset[str]:
        """Keys of the columns that are shown where there is room."""
        return frozenset(self._chosen)

    def choose(self, key: str, shown: bool) -> None:
        """Show a column, or hide it."""
        (self._chosen.add if shown else self._chosen.discard)(key)
        self.fit()
        self.save()

    def reset(self) -> None:
        """As the program comes."""
        self._restore({})
        self.fit()
        self.save()

    def fit(self) -> None:
        """Show the chosen columns, as far as there is room, and as wide as leaves room for the names."""
        widths = {
            column.key: self._width(column.key)
            for column in COLUMNS
            if (column.key in self._chosen or column.key in _STAYS) and not column.stretch
        }
        name = COLUMNS[_PLACE["name"]]
        bar = self._table.verticalScrollBar().sizeHint().width()  # also when it is hidden: columns do not come and go
        room = self._table.width() - bar
        least = max(NAME_ROOM, self._header.text_width(_(name.sample)))
        for key in _going():
            if sum(widths.values()) + least <= room:
                break
            widths.pop(key, None)
        self._narrow(widths, sum(widths.values()) + least - room)
        self._give(widths, sum(widths.values()) + self._header.text_width(_(name.wished)) - room)
        self._arranging = True
        for place, column in enumerate(COLUMNS):
            self._header.setSectionHidden(place, not (column.stretch or column.key in widths))
            if column.key in widths:
                self._header.resizeSection(place, widths[column.key])
        self._arranging = False

    def _narrow(self, widths: dict[str, int], missing: int) -> None:
        """Take so many px from columns that the user made wider than they need to be, for this window."""
        for key, width in widths.items():
            taken = max(0, min(missing, width - self._usual(key)))
            widths[key] -= taken
            missing -= taken

    def _give(self, widths: dict[str, int], wished: int) -> None:
        """Take so many px from columns that can give some and were not sized by the user."""
        for column in COLUMNS:
            if column.least and column.key in widths and column.key not in self._widths:
                least = max(column.least, self._header.title_width(COLUMNS.index(column)))
                given = max(0, min(wished, widths[column.key] - least))
                widths[column.key] -= given
                wished -= given

    def save(self) -> None:
        """Keep it as it is."""
        self._rest.stop()
        order = [COLUMNS[self._header.logicalIndex(place)].key for place in range(len(COLUMNS))]
        widths = {key: width for key, width in self._widths.items() if width != self._usual(key)}
        self._kept.put(_KEPT, {"order": order, "widths": widths, "chosen": sorted(self._chosen)})

    def menu(self) -> QMenu:
        """The columns there are, ticked where shown."""
        menu = make_menu(self._table, ())
        self._fill(menu)
        return menu

    def add_to(self, menu: QMenu) -> None:
        """The same as a part of another menu, for those without a mouse."""
        self._fill(menu.addMenu(_("Columns")))

    def _fill(self, menu: QMenu) -> None:
        for column in COLUMNS:
            if column.key not in _STAYS:
                action = menu.addAction(column.name)
                action.setCheckable(True)
                action.setChecked(column.key in self._chosen)
                action.toggled.connect(lambda on, key=column.key: self.choose(key, on))
        menu.addSeparator()
        menu.addAction(_("As it was at first"), self.reset)

    def _open_menu(self, where: QPoint) -> None:
        self.menu().popup(self._header.mapToGlobal(where))

    def _width(self, key: str) -> int:
        return self._widths.get(key, self._usual(key))

    def _usual(self, key: str) -> int:
        """As declared, or what its title and its sample need in this language and this font."""
        column = COLUMNS[_PLACE[key]]
        title = 0 if column.icon else self._header.title_width(_PLACE[key])
        sample = self._header.text_width(_(column.sample)) + column.drawn if column.sample else 0
        return max(column.width, title, sample)

    def _resized(self, section: int, _before: int, width: int) -> None:
        column = COLUMNS[section]
        if not self._arranging and width and not column.stretch:
            self._widths[column.key] = min(width, _MOST)
            self._rest.start()

    def _rested(self) -> None:
        """The user has moved or sized a column, and lets go."""
        self.fit()
        self.save()

    def _restore(self, kept: Any) -> None:
        """Arrange as kept, as far as it can be read; columns that are new stand where the program has them."""
        kept = kept if isinstance(kept, dict) else {}
        chosen, widths = kept.get("chosen"), kept.get("widths")
        known = chosen if isinstance(chosen, list) else [column.key for column in COLUMNS if column.chosen]
        self._chosen = {key for key in known if key in _PLACE}
        self._widths: dict[str, int] = {
            key: width
            for key, width in (widths.items() if isinstance(widths, dict) else ())
            if key in _PLACE and isinstance(width, int) and _LEAST <= width <= _MOST
        }
        self._arranging = True
        for place, column in enumerate(COLUMNS):
            if not column.stretch:
                self._header.resizeSection(place, self._width(column.key))
        for visual, key in enumerate(_full_order(kept.get("order"))):
            self._header.moveSection(self._header.visualIndex(_PLACE[key]), visual)
        self._arranging = False


def _going() -> Iterator[str]:
    """Columns in the order in which they make room; those that the user added stay longest."""
    return (column.key for column in sorted(COLUMNS, key=lambda each: (not each.chosen, each.goes)) if column.goes)


def _full_order(kept: Any) -> list[str]:
    """Every column once, the star first; one that was not kept follows its neighbour of the program's own order."""
    order = [key for key in dict.fromkeys(kept if isinstance(kept, list) else ()) if key in _PLACE]
    for place, column in enumerate(COLUMNS):
        if column.key not in order:
            before = COLUMNS[place - 1].key if place else None
            order.insert(order.index(before) + 1 if before in order else 0, column.key)
    order.sort(key=lambda key: key != "favourite")
    return order
