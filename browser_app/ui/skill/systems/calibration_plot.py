"""A calibration plot: observed win rates over predicted chances."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.rating.evaluation.forecast_scores import CalibrationBin, wilson_interval
from browser_app.ui.skill.rating_format import format_chance, format_points, format_share, system_title
from browser_app.ui.skill.systems.plot_series import PlotSeries, draw_series_marker
from browser_app.ui.widgets.cached_paint_widget import CachedPaintWidget
from browser_app.ui.widgets.plots.painted_plot import PaintedPlot
from browser_app.ui.widgets.theme import Theme

LEFT, RIGHT, TOP, BOTTOM = 48, 20, 12, 52
_PLOT_SIZE = 372
_GRID_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


class _CalibrationPoint(NamedTuple):
    name: str
    predicted: float
    observed: float
    n: int


class CalibrationPlot(PaintedPlot):
    """Plot of the bins of several systems, with intervals and counts of one of them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Calibration: predicted and actual"), _PLOT_SIZE)
        self.setMaximumWidth(_PLOT_SIZE + LEFT)
        self._series: Mapping[str, PlotSeries] = {}
        self._detailed_system = ""
        self._points: list[_CalibrationPoint] = []
        self._cached_paint = CachedPaintWidget(self, theme, self._paint_cached)

    def show_bins(
        self, bins: Mapping[str, tuple[CalibrationBin, ...]], series: Mapping[str, PlotSeries], detailed_system: str
    ) -> None:
        """Show these systems, and intervals and counts of `detailed_system`."""
        self._series, self._detailed_system = series, detailed_system
        names = sorted(series, key=lambda name: name != detailed_system)
        self._points = [
            _CalibrationPoint(name, each.predicted, each.actual, each.n)
            for name in names
            for each in bins[name]
            if each.predicted is not None and each.actual is not None
        ]
        self._cached_paint.invalidate()
        self.refresh_points()

    def point_count(self) -> int:
        """Return the number of bins with pairs, of all systems.

        Those of the detailed system come first.
        """
        return len(self._points)

    def point_text(self, index: int) -> str:
        """Describe a bin: predicted and actual share, number of pairs and 95 % interval."""
        point = self._points[index]
        low, high = wilson_interval(point.observed, point.n)
        template = ngettext(
            "{name}: predicted {said}, actual {came} of {n} time; 95 % range {low} to {high}",
            "{name}: predicted {said}, actual {came} of {n} times; 95 % range {low} to {high}",
            point.n,
        )
        return template.format(
            name=system_title(point.name),
            said=format_chance(point.predicted),
            came=format_share(point.observed),
            n=format_points(point.n),
            low=format_share(low),
            high=format_share(high),
        )

    def values_text(self) -> str:
        """Return the bins as tab-separated values."""
        lines = ["\t".join((_("System"), _("predicted"), _("actual"), _("count"), "2.5 %", "97.5 %"))]
        for name, predicted, observed, n in self._points:
            numbers = "\t".join(repr(value) for value in (predicted, observed, n, *wilson_interval(observed, n)))
            lines.append(f"{system_title(name)}\t{numbers}")
        return "\n".join(lines)

    def point_at_position(self, where: QPointF) -> int:
        """Return the nearest bin."""
        away = [(self._point_position(point) - where).manhattanLength() for point in self._points]
        return away.index(min(away)) if away else -1

    def draw(self, painter: QPainter, index: int) -> None:
        """Draw axes, the diagonal, the systems, and the counts of one."""
        self._cached_paint.draw(painter)
        if index >= 0:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.palette.color("text1"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self._point_position(self._points[index]), 8, 8)

    def _paint_cached(self, painter: QPainter) -> None:
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # axes are not mirrored
        self._draw_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for name in reversed(list(self._series)):
            points = [point for point in self._points if point.name == name]
            if name == self._detailed_system:
                self._draw_intervals(painter, points)
            painter.setPen(self._series[name].pen(self._theme.palette))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([self._point_position(point) for point in points]))
            for point in points:
                draw_series_marker(painter, self._series[name], self._point_position(point), self._theme.palette)

    def _draw_axes(self, painter: QPainter) -> None:
        box, colors = self._plot_rect(), self._theme.palette
        for share in _GRID_SHARES:
            top, left = round(self._position(0.0, share).y()) + 0.5, self._position(share, 0.0).x()
            painter.setPen(colors.color("hairline"))
            painter.drawLine(QLineF(box.left(), top, box.right(), top))
            self.draw_label(painter, box.left() - 6, top + 4, f"{share:.0%}".removesuffix("%"), right=True)
            self._draw_centered(painter, left, box.bottom() + 16, f"{share:.0%}".removesuffix("%"))
        pen = QPen(colors.color("border"), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawLine(QLineF(self._position(0, 0), self._position(1, 1)))
        self.draw_label(painter, box.left() + 6, box.top() + 14, _("actual: won in %"))
        self.draw_label(painter, box.right(), box.bottom() + 48, _("predicted: win chance in %"), right=True)
        self.draw_label(painter, box.left() - 6, box.bottom() + 32, _("count"), right=True)

    def _draw_intervals(self, painter: QPainter, points: list[_CalibrationPoint]) -> None:
        box, last = self._plot_rect(), -math.inf
        painter.setFont(self._theme.font(11))
        for point in points:
            low, high = wilson_interval(point.observed, point.n)
            painter.setPen(QPen(self._theme.palette.color(self._series[point.name].role), 1.5))
            painter.drawLine(QLineF(self._position(point.predicted, low), self._position(point.predicted, high)))
            middle, count = self._position(point.predicted, 0).x(), format_points(point.n)
            if middle - last >= painter.fontMetrics().horizontalAdvance(count) + 4:  # skip counts that would overlap
                self._draw_centered(painter, middle, box.bottom() + 32, count)
                last = middle

    def _draw_centered(self, painter: QPainter, middle: float, baseline: float, text: str) -> None:
        painter.setFont(self._theme.font(11))
        self.draw_label(painter, middle - painter.fontMetrics().horizontalAdvance(text) / 2, baseline, text)

    def _point_position(self, point: _CalibrationPoint) -> QPointF:
        return self._position(point.predicted, point.observed)

    def _position(self, predicted: float, observed: float) -> QPointF:
        box = self._plot_rect()
        return QPointF(box.left() + predicted * box.width(), box.bottom() - observed * box.height())

    def _plot_rect(self) -> QRectF:
        return QRectF(LEFT, TOP, self.width() - LEFT - RIGHT, self.height() - TOP - BOTTOM)
