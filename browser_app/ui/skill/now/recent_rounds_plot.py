"""A plot of the rating change over the most recent rounds."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.language import gettext as _
from browser_app.player.own_history import OwnHistory
from browser_app.player.skill_summary import TREND_ROUNDS
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.ui.skill.outcome_marker import LOST, WON, draw_outcome_marker
from browser_app.ui.skill.rating_format import format_change, format_points, rating_decimals
from browser_app.ui.widgets.cached_paint_widget import CachedPaintWidget
from browser_app.ui.widgets.plots.painted_plot import PaintedPlot
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import clock_time_text, day_and_month_text

PLOT_HEIGHT = 138
_MARGIN = 10


def last_rated_rows(history: OwnHistory) -> Ints:
    """Return the history rows of the last rounds that changed the rating.

    The oldest is first.
    """
    rated = np.flatnonzero(history.is_rated & ~np.isnan(history.outcome))
    return np.asarray(rated[-TREND_ROUNDS:], np.int32)


class RecentRoundsPlot(PaintedPlot):
    """Plot of the cumulative rating change.

    It also works if each mode has its own rating. Time runs from left to right in every language.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Last {n} rounds").format(n=TREND_ROUNDS), PLOT_HEIGHT)
        self._history: OwnHistory | None = None
        self._rows: Ints = np.empty(0, np.int32)
        self._cumulative_changes: Floats = np.empty(0)
        self._cached_paint = CachedPaintWidget(self, theme, self._paint_cached)

    def show_history(self, history: OwnHistory) -> None:
        """Show the most recent rounds of a history."""
        self._history, self._rows = history, last_rated_rows(history)
        self._cumulative_changes = np.cumsum(history.after[self._rows] - history.before[self._rows])
        self._cached_paint.invalidate()
        self.refresh_points()

    def point_count(self) -> int:
        """Return the number of shown rounds."""
        return len(self._rows)

    def point_text(self, index: int) -> str:
        """Return a round as text."""
        history = self._history
        if history is None:
            return ""
        row = int(self._rows[index])
        decimals = rating_decimals(history.system)
        started, where = float(history.started[row]), int(history.map[row])
        parts = [f"{day_and_month_text(started)} {clock_time_text(started)}", history.maps[where] if where >= 0 else ""]
        change = format_change(float(history.after[row] - history.before[row]), decimals + 1)
        words = {
            WON: _("{round}: won, {change} to {rating}"),
            LOST: _("{round}: lost, {change} to {rating}"),
        }.get(float(history.outcome[row]), _("{round}: drawn, {change} to {rating}"))
        rating = format_points(float(history.after[row]), decimals)
        return words.format(round=", ".join(filter(None, parts)), change=change, rating=rating)

    def values_text(self) -> str:
        """Return all rounds as tab-separated values."""
        history, lines = self._history, ["id\toutcome\tbefore\tafter"]
        if history is not None:
            for row in self._rows.tolist():
                numbers = (history.outcome[row], history.before[row], history.after[row])
                lines.append("\t".join((history.ids[row], *(f"{each:g}" for each in numbers))))
        return "\n".join(lines)

    def point_at_position(self, where: QPointF) -> int:
        """Return the round nearest to a position, -1 if there are no rounds."""
        if not self.point_count():
            return -1
        return min(range(self.point_count()), key=lambda index: abs(self._x(index) - where.x()))

    def _point(self, index: int) -> QPointF:
        return QPointF(self._x(index), self._y(index))

    def _x(self, index: int) -> float:
        width = self.width() - 2 * _MARGIN
        return _MARGIN + width * (index / (TREND_ROUNDS - 1))

    def _y(self, index: int) -> float:
        low, high = float(min(self._cumulative_changes.min(), 0.0)), float(max(self._cumulative_changes.max(), 0.0))
        share = (float(self._cumulative_changes[index]) - low) / (high - low or 1.0)
        return self.height() - _MARGIN - share * (self.height() - 2 * _MARGIN)

    def draw(self, painter: QPainter, index: int) -> None:
        """Draw the line, the markers and a ring around the round `index`."""
        self._cached_paint.draw(painter)
        if index >= 0:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.palette.color("text1"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self._point(index), 7, 7)

    def _paint_cached(self, painter: QPainter) -> None:
        if self._history is None or not self.point_count():
            return
        colors = self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        points = [self._point(each) for each in range(self.point_count())]
        painter.setPen(QPen(colors.color("plot1"), 1.5))
        painter.drawPolyline(QPolygonF(points))
        for each, point in enumerate(points):
            draw_outcome_marker(painter, self._theme, float(self._history.outcome[self._rows[each]]), point, 3.5)
