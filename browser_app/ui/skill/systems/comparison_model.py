"""The comparison as a table's model: a row a system, its texts for eyes, speech and the clipboard alike."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.player.comparison import Comparison, SystemRow
from browser_app.ui.side_model import Index
from browser_app.ui.skill.numbers import chance_words, change_words, points_words
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.skill.systems.series import SERIES, Series

COLUMNS = (
    later("Drawn"),
    later("System"),
    later("Log loss"),
    later("Accuracy"),
    later("Brier"),
    later("Behind the best, 95 %"),
)
DRAWN, SYSTEM, LOG_LOSS, ACCURACY, BRIER, BEHIND = range(len(COLUMNS))


class ComparisonModel(QAbstractTableModel):
    """Rows of a `Comparison`, and which of them the plots show."""

    def __init__(self) -> None:
        super().__init__()
        self.comparison: Comparison | None = None
        self.judge = ""
        self._drawn: dict[str, Series] = {}

    @property
    def rows(self) -> tuple[SystemRow, ...]:
        """Those of the comparison."""
        return self.comparison.rows if self.comparison is not None else ()

    @property
    def drawn(self) -> dict[str, Series]:
        """What the plots show: names, in the table's order, and how each is drawn."""
        return {row.name: self._drawn[row.name] for row in self.rows if row.name in self._drawn}

    def show_comparison(self, comparison: Comparison | None, judge: str) -> None:
        """Show these rows. What was drawn stays so; at first it is the best, the next behind it and the judge."""
        self.beginResetModel()
        self.comparison, self.judge = comparison, judge
        names = [row.name for row in self.rows if row.log_loss is not None]
        self._drawn = {name: series for name, series in self._drawn.items() if name in names}
        self.endResetModel()
        if comparison is not None and not self._drawn:
            for name in dict.fromkeys((comparison.best, comparison.second, judge)):
                if name in names:
                    self.toggle(names.index(name))

    def show_judge(self, judge: str) -> None:
        """Another system speaks for the game."""
        self.judge = judge
        if self.rows:
            self.dataChanged.emit(self.index(0, DRAWN), self.index(len(self.rows) - 1, BEHIND))

    def toggle(self, row: int) -> None:
        """Draw a row, or do not any more; one more than there are series is not drawn."""
        name = self.rows[row].name
        free = [series for series in SERIES if series not in self._drawn.values()]
        if name in self._drawn:
            del self._drawn[name]
        elif free and self.rows[row].log_loss is not None:
            self._drawn[name] = free[0]
        self.dataChanged.emit(self.index(row, DRAWN), self.index(row, BEHIND))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """A row a system."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """As `COLUMNS`."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Texts of cells; the whole row for speech."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(row) if index.column() == SYSTEM else self.text(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return _("Scored on {n} rounds").format(n=points_words(row.rounds))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        """Titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(COLUMNS[section])
        return None

    def text(self, row: SystemRow, column: int) -> str:
        """A cell's text; `–` where nothing was said."""
        if column == DRAWN:
            return _("drawn") if row.name in self._drawn else ""
        if column == SYSTEM:
            return system_title(row.name)
        if column == BEHIND:
            return self._behind(row)
        value = {LOG_LOSS: row.log_loss, ACCURACY: row.accuracy, BRIER: row.brier}[column]
        return chance_words(value, 1) if column == ACCURACY else points_words(value, 3)

    def _behind(self, row: SystemRow) -> str:
        if self.comparison is not None and row.name == self.comparison.best:
            return _("the best here")
        if row.low is None or row.high is None:
            return change_words(row.behind, 3)
        low, high = change_words(row.low, 3), change_words(row.high, 3)
        return _("{behind}, {low} to {high}").format(behind=change_words(row.behind, 3), low=low, high=high)

    def spoken(self, row: SystemRow) -> str:
        """All of a row."""
        cells = [f"{_(COLUMNS[column])} {self.text(row, column)}" for column in (LOG_LOSS, ACCURACY, BRIER, BEHIND)]
        judge = [_("judges this game")] if row.name == self.judge else []
        drawn = [_("drawn")] if row.name in self._drawn else []
        return ", ".join((system_title(row.name), *judge, *drawn, *cells))

    def copied(self) -> str:
        """The table as lines of values parted by tabs, numbers with all their digits."""
        lines = [
            "\t".join(
                (_("System"), _("Rounds"), _("Log loss"), _("Accuracy"), _("Brier"), _("Behind"), "2.5 %", "97.5 %")
            )
        ]
        for row in self.rows:
            values = (row.log_loss, row.accuracy, row.brier, row.behind, row.low, row.high)
            texts = ("" if value is None else repr(value) for value in values)
            lines.append("\t".join((system_title(row.name), str(row.rounds), *texts)))
        return "\n".join(lines)
