"""Fields for settings about games: which of them, or a value for each."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QTableWidget,
    QTableWidgetItem,
)

from browser_app.language import gettext as _

_HEIGHT = 132
_VALUE_WIDTH = 110
_ID = Qt.ItemDataRole.UserRole

Show = Callable[[Any], None]


def edit_games(games: Mapping[str, str], put: Callable[[tuple[str, ...]], None]) -> tuple[QListWidget, Show]:
    """A list of all games to tick; ids that no game has any more are left in the setting as they are."""
    box = QListWidget()
    box.setFixedHeight(_HEIGHT)
    for game, name in sorted(games.items(), key=lambda each: each[1].casefold()):
        item = QListWidgetItem(name, box)
        item.setData(_ID, game)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Unchecked)
    others: list[str] = []

    def show(value: tuple[str, ...]) -> None:
        others[:] = [game for game in value if game not in games]
        for place in range(box.count()):
            on = box.item(place).data(_ID) in value
            box.item(place).setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def changed() -> None:
        items = (box.item(place) for place in range(box.count()))
        on = [item.data(_ID) for item in items if item.checkState() == Qt.CheckState.Checked]
        put((*on, *others))

    box.itemChanged.connect(lambda _item: changed())
    return box, show


def edit_game_table(
    games: Mapping[str, str], put: Callable[[Mapping[str, Any]], None], *, number: bool
) -> tuple[QTableWidget, Show]:
    """A table of all games with a cell for each; an empty one is no value. A cell that is no number is left out."""
    order = sorted(games, key=lambda game: games[game].casefold())
    table = _table(len(order))
    cells: dict[str, QTableWidgetItem] = {}
    for row, game in enumerate(order):
        name = QTableWidgetItem(games[game])
        name.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        table.setItem(row, 0, name)
        cells[game] = QTableWidgetItem()
        table.setItem(row, 1, cells[game])
    others: dict[str, Any] = {}

    def show(value: Mapping[str, Any]) -> None:
        others.clear()
        others.update((game, each) for game, each in value.items() if game not in games)
        for game, cell in cells.items():
            each = value.get(game, "")
            cell.setText(f"{each:g}" if isinstance(each, float) else str(each))

    def changed() -> None:
        texts = {game: cell.text().strip() for game, cell in cells.items()}
        written = {game: _number(text) if number else text for game, text in texts.items() if text}
        put({**others, **{game: each for game, each in written.items() if each is not None}})

    table.itemChanged.connect(lambda _item: changed())
    return table, show


def _table(rows: int) -> QTableWidget:
    table = QTableWidget(rows, 2)
    table.setHorizontalHeaderLabels([_("Game"), _("Value")])
    table.verticalHeader().hide()
    table.setTabKeyNavigation(False)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.AllEditTriggers)
    table.setFixedHeight(_HEIGHT)
    table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().resizeSection(1, _VALUE_WIDTH)
    return table


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".").replace("\u2212", "-"))
    except ValueError:
        return None
