"""The table model of the comparison of rating systems."""

from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import Qt

from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.rating.evaluation.system_comparison import ComparedSystem, SystemComparison
from browser_app.ui.skill.rating_format import format_change, format_points, format_share, system_title
from browser_app.ui.skill.systems.plot_series import PLOT_SERIES, PlotSeries
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex, SortedTableModel


class ComparisonColumn(NamedTuple):
    """One column of the comparison; the one without a width takes the free space."""

    title: str
    width: int = 0
    align_right: bool = False
    icon: str = ""

    @property
    def name(self) -> str:
        """Translated title; the first column, with samples of the lines, shows none."""
        return _(self.title) if self.title else _("Shown")


COMPARISON_COLUMNS = (
    ComparisonColumn("", 40),
    ComparisonColumn(N_("System")),
    ComparisonColumn(N_("Log loss"), 70, align_right=True),
    ComparisonColumn(N_("Accuracy"), 76, align_right=True),
    ComparisonColumn(N_("Brier"), 62, align_right=True),
    ComparisonColumn(N_("Behind best, 95 %"), 184),
)
PLOTTED, SYSTEM, LOG_LOSS, ACCURACY, BRIER, LOSS_DIFFERENCE = range(len(COMPARISON_COLUMNS))


class SystemComparisonModel(SortedTableModel):
    """Table model of a `SystemComparison`, with the rows that the plots show."""

    def __init__(self) -> None:
        super().__init__(COMPARISON_COLUMNS)
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
        self.order = np.arange(len(self.rows), dtype=np.int64)
        self.endResetModel()
        if comparison is not None and not self._series_by_system:
            for name in dict.fromkeys((comparison.best, comparison.runner_up, active_system)):
                if name in names:
                    self.toggle_plotted(names.index(name))

    def set_active_system(self, active_system: str) -> None:
        """Set the system used for the game."""
        self.active_system = active_system
        self.refresh_rows(0, len(self.rows) - 1)

    def toggle_plotted(self, row: int) -> None:
        """Plot a row, or remove it from the plots; does nothing if all series are used."""
        name = self.rows[row].name
        free = [series for series in PLOT_SERIES if series not in self._series_by_system.values()]
        if name in self._series_by_system:
            del self._series_by_system[name]
        elif free and self.rows[row].log_loss is not None:
            self._series_by_system[name] = free[0]
        self.refresh_rows(row, row)

    def data(self, index: ModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return how many rounds a row is based on as the tooltip of its cells."""
        if role != Qt.ItemDataRole.ToolTipRole:
            return super().data(index, role)
        row = self.rows[index.row()]
        return ngettext("Scored on {n} round", "Scored on {n} rounds", row.rounds).format(n=format_points(row.rounds))

    def cell_accessible_text(self, row: int, column: int) -> str:
        """Return a cell's text."""
        return self.cell_text(row, column)

    def cell_text(self, row: int, column: int) -> str:
        """Return a cell's text, `–` for an unknown value."""
        compared = self.rows[row]
        if column == PLOTTED:
            return _("shown") if compared.name in self._series_by_system else ""
        if column == SYSTEM:
            return system_title(compared.name)
        if column == LOSS_DIFFERENCE:
            return self._loss_difference_text(compared)
        value = {LOG_LOSS: compared.log_loss, ACCURACY: compared.accuracy, BRIER: compared.brier}[column]
        return format_share(value, 1) if column == ACCURACY else format_points(value, 3)

    def _loss_difference_text(self, row: ComparedSystem) -> str:
        if self.comparison is not None and row.name == self.comparison.best:
            return _("best here")
        if row.low is None or row.high is None:
            return format_change(row.behind, 3)
        low, high = format_change(row.low, 3), format_change(row.high, 3)
        return _("{behind}, {low} to {high}").format(behind=format_change(row.behind, 3), low=low, high=high)

    def row_accessible_text(self, row: int) -> str:
        """Return a whole row as text."""
        active = [_("used for this game")] if self.rows[row].name == self.active_system else []
        title, plotted = self.cell_text(row, SYSTEM), self.cell_text(row, PLOTTED)
        cells = [
            f"{COMPARISON_COLUMNS[each].name} {self.cell_text(row, each)}"
            for each in range(LOG_LOSS, len(COMPARISON_COLUMNS))
        ]
        return ", ".join((title, *active, *filter(None, [plotted]), *cells))

    def to_tsv(self) -> str:
        """Return the table as tab-separated values with full precision."""
        titles = (_("System"), _("Rounds"), _("Log loss"), _("Accuracy"), _("Brier"), _("Behind"), "2.5 %", "97.5 %")
        lines = ["\t".join(titles)]
        for row in self.rows:
            values = (row.log_loss, row.accuracy, row.brier, row.behind, row.low, row.high)
            texts = ("" if value is None else repr(value) for value in values)
            lines.append("\t".join((system_title(row.name), str(row.rounds), *texts)))
        return "\n".join(lines)
