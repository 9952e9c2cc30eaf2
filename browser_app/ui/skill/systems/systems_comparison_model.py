"""The table model of the comparison of rating systems."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.rating.evaluation.system_comparison import ComparedSystem, SystemComparison
from browser_app.ui.skill.rating_format import format_chance, format_change, format_points, system_title
from browser_app.ui.skill.systems.plot_series import PLOT_SERIES, PlotSeries
from browser_app.ui.widgets.sorted_table_model import ModelIndex

COMPARISON_COLUMNS = (
    N_("Shown"),
    N_("System"),
    N_("Log loss"),
    N_("Accuracy"),
    N_("Brier"),
    N_("Behind best, 95 %"),
)
PLOTTED, SYSTEM, LOG_LOSS, ACCURACY, BRIER, LOSS_DIFFERENCE = range(len(COMPARISON_COLUMNS))


class SystemComparisonModel(QAbstractTableModel):
    """Table model of a `SystemComparison`, with the rows that the plots show."""

    def __init__(self) -> None:
        super().__init__()
        self.comparison: SystemComparison | None = None
        self.active_system = ""
        self._series_by_system: dict[str, PlotSeries] = {}

    @property
    def rows(self) -> tuple[ComparedSystem, ...]:
        """The compared systems."""
        return self.comparison.systems if self.comparison is not None else ()

    @property
    def plotted_series(self) -> dict[str, PlotSeries]:
        """Names of the plotted systems in table order, with their appearance."""
        return {row.name: self._series_by_system[row.name] for row in self.rows if row.name in self._series_by_system}

    def show_comparison(self, comparison: SystemComparison | None, active_system: str) -> None:
        """Show a comparison and keep the plotted systems.

        If none is plotted, plot the best, the runner-up and the active system.
        """
        self.beginResetModel()
        self.comparison, self.active_system = comparison, active_system
        names = [row.name for row in self.rows if row.log_loss is not None]
        self._series_by_system = {name: series for name, series in self._series_by_system.items() if name in names}
        self.endResetModel()
        if comparison is not None and not self._series_by_system:
            for name in dict.fromkeys((comparison.best, comparison.runner_up, active_system)):
                if name in names:
                    self.toggle_plotted(names.index(name))

    def set_active_system(self, active_system: str) -> None:
        """Set the system used for the game."""
        self.active_system = active_system
        if self.rows:
            self.dataChanged.emit(self.index(0, PLOTTED), self.index(len(self.rows) - 1, LOSS_DIFFERENCE))

    def toggle_plotted(self, row: int) -> None:
        """Plot a row, or remove it from the plots; does nothing if all series are used."""
        name = self.rows[row].name
        free = [series for series in PLOT_SERIES if series not in self._series_by_system.values()]
        if name in self._series_by_system:
            del self._series_by_system[name]
        elif free and self.rows[row].log_loss is not None:
            self._series_by_system[name] = free[0]
        self.dataChanged.emit(self.index(row, PLOTTED), self.index(row, LOSS_DIFFERENCE))

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return the number of systems."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return the number of `COMPARISON_COLUMNS`."""
        return 0 if parent.isValid() else len(COMPARISON_COLUMNS)

    def data(self, index: ModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return texts of cells; for screen readers the whole row."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cell_text(row, index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.row_accessible_text(row) if index.column() == SYSTEM else self.cell_text(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            words = ngettext("Scored on {n} round", "Scored on {n} rounds", row.rounds)
            return words.format(n=format_points(row.rounds))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> Any:
        """Return the titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(COMPARISON_COLUMNS[section])
        return None

    def cell_text(self, row: ComparedSystem, column: int) -> str:
        """Return a cell's text, `–` for an unknown value."""
        if column == PLOTTED:
            return _("shown") if row.name in self._series_by_system else ""
        if column == SYSTEM:
            return system_title(row.name)
        if column == LOSS_DIFFERENCE:
            return self._loss_difference_text(row)
        value = {LOG_LOSS: row.log_loss, ACCURACY: row.accuracy, BRIER: row.brier}[column]
        return format_chance(value, 1) if column == ACCURACY else format_points(value, 3)

    def _loss_difference_text(self, row: ComparedSystem) -> str:
        if self.comparison is not None and row.name == self.comparison.best:
            return _("best here")
        if row.low is None or row.high is None:
            return format_change(row.behind, 3)
        low, high = format_change(row.low, 3), format_change(row.high, 3)
        return _("{behind}, {low} to {high}").format(behind=format_change(row.behind, 3), low=low, high=high)

    def row_accessible_text(self, row: ComparedSystem) -> str:
        """Return a whole row as text."""
        cells = [
            f"{_(COMPARISON_COLUMNS[column])} {self.cell_text(row, column)}"
            for column in (LOG_LOSS, ACCURACY, BRIER, LOSS_DIFFERENCE)
        ]
        active = [_("used for this game")] if row.name == self.active_system else []
        plotted = [_("shown")] if row.name in self._series_by_system else []
        return ", ".join((system_title(row.name), *active, *plotted, *cells))

    def to_tsv(self) -> str:
        """Return the table as tab-separated values with full precision."""
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
