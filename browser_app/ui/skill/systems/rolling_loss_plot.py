"""A plot of the rolling log loss of rating systems."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.language import gettext as _
from browser_app.rating.evaluation.system_comparison import ROLLING_ROUNDS
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.ui.skill.rating_format import format_points, system_title
from browser_app.ui.skill.systems.plot_series import PlotSeries
from browser_app.ui.widgets.cached_paint_widget import CachedPaintWidget
from browser_app.ui.widgets.plots.painted_plot import PaintedPlot
from browser_app.ui.widgets.plots.tick_steps import nice_tick_step
from browser_app.ui.widgets.theme import Theme

ROLLING_PLOT_HEIGHT = 120
_LEFT, _TOP, _BOTTOM, _LABEL_HEIGHT = 40, 8, 18, 14
_LEADER_LENGTH = 26
"""Pixels between the end of a line and its label."""
_POINTS_PER_DRAW = 32
"""Points of a line that are drawn at a time."""


class RollingLossPlot(PaintedPlot):
    """Plot with a line for each system and a point for each round."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Log loss, last {n} rounds").format(n=ROLLING_ROUNDS), ROLLING_PLOT_HEIGHT)
        self._rounds: Ints = np.zeros(0, np.int32)
        self._losses: Mapping[str, Floats] = {}
        self._series: Mapping[str, PlotSeries] = {}
        self._cached_paint = CachedPaintWidget(self, theme, self._paint_cached)

    def show_losses(self, rounds: Ints, losses: Mapping[str, Floats], series: Mapping[str, PlotSeries]) -> None:
        """Show the losses of the plotted systems."""
        self._rounds, self._series = rounds, series
        self._losses = {name: losses[name] for name in series if name in losses}
        self._cached_paint.invalidate()
        self.refresh_points()

    def point_count(self) -> int:
        """Return the number of rounds."""
        return len(self._rounds) if self._losses else 0

    def point_text(self, index: int) -> str:
        """Return `Round 642: NS2 logistic 0.602, XonStat Elo 0.623`."""
        losses = ", ".join(f"{system_title(name)} {_format_loss(line[index])}" for name, line in self._losses.items())
        return _("Round {n}: {losses}").format(n=format_points(int(self._rounds[index])), losses=losses)

    def values_text(self) -> str:
        """Return the losses as tab-separated values."""
        lines = ["\t".join((_("Round"), *map(system_title, self._losses)))]
        for index in range(self.point_count()):
            losses = (repr(float(line[index])) if np.isfinite(line[index]) else "" for line in self._losses.values())
            lines.append("\t".join((str(int(self._rounds[index])), *losses)))
        return "\n".join(lines)

    def point_at_position(self, where: QPointF) -> int:
        """Return the nearest round."""
        if not self.point_count():
            return -1
        return int(np.abs(self._x_positions() - where.x()).argmin())

    def draw(self, painter: QPainter, index: int) -> None:
        """Draw gridlines, lines, labels, and a cursor at the highlighted round."""
        self._cached_paint.draw(painter)  # a thousand points of each system, not painted again for each pointer move
        if index >= 0:
            left = float(self._x_positions()[index])
            painter.setPen(QPen(self._theme.palette.color("border"), 1))
            painter.drawLine(QLineF(left, _TOP, left, self.height() - _BOTTOM))

    def _paint_cached(self, painter: QPainter) -> None:
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # axes are not mirrored
        ends = self._value_range()
        if ends is None:
            words = _("Needs {n} scored rounds.").format(n=ROLLING_ROUNDS)
            self.draw_label(painter, _LEFT, self.height() / 2, words)
            return
        self._draw_grid(painter, *ends)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = self._x_positions()
        for name, line in self._losses.items():
            pen = self._series[name].pen(self._theme.palette)
            known = np.flatnonzero(np.isfinite(line))
            for run in np.split(known, np.flatnonzero(np.diff(known) > 1) + 1):
                tops = self._y_positions(line[run], *ends)
                seen = _pixel_extremes(left[run], tops)
                _draw_dashed_line(painter, pen, left[run][seen], tops[seen])
        self._draw_labels(painter, *ends)

    def _draw_grid(self, painter: QPainter, low: float, high: float) -> None:
        box, step = self._plot_rect(), nice_tick_step((high - low) / 4)
        decimals = 2 if step >= 0.01 else 4
        for number in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1):
            top = round(float(self._y_positions(np.array(number * step), low, high))) + 0.5
            painter.setPen(self._theme.palette.color("hairline"))
            painter.drawLine(QLineF(box.left(), top, box.right(), top))
            self.draw_label(painter, box.left() - 6, top + 4, format_points(number * step, decimals), right=True)
        first, last = format_points(int(self._rounds[0])), format_points(int(self._rounds[-1]))
        self.draw_label(painter, box.left(), self.height() - 4, _("round {n}").format(n=first))
        if len(self._rounds) > 1:
            self.draw_label(painter, box.right(), self.height() - 4, last, right=True)

    def _draw_labels(self, painter: QPainter, low: float, high: float) -> None:
        """Draw labels at the ends of the lines, moved apart if they would overlap."""
        box, colors = self._plot_rect(), self._theme.palette
        ends = {name: line[np.isfinite(line)][-1] for name, line in self._losses.items() if np.isfinite(line).any()}
        tops = {name: float(self._y_positions(np.array(value), low, high)) for name, value in ends.items()}
        last = -np.inf
        overflow = max(0.0, len(tops) * _LABEL_HEIGHT - box.height())
        for name in sorted(tops, key=tops.__getitem__):
            beside = max(tops[name], last + _LABEL_HEIGHT)
            last = beside
            painter.setPen(self._series[name].pen(colors))
            bend = QPointF(box.right() + 10, beside - overflow)
            points = [QPointF(box.right(), tops[name]), bend, QPointF(box.right() + _LEADER_LENGTH - 4, bend.y())]
            painter.drawPolyline(QPolygonF(points))
            self.draw_label(painter, box.right() + _LEADER_LENGTH, bend.y() + 4, system_title(name))

    def _value_range(self) -> tuple[float, float] | None:
        values = [line[np.isfinite(line)] for line in self._losses.values()]
        known = np.concatenate(values) if values else np.zeros(0)
        if not len(known):
            return None
        low, high = float(known.min()), float(known.max())
        margin = max(0.02, (high - low) * 0.1)
        return low - margin, high + margin

    def _x_positions(self) -> Floats:
        box, first, last = self._plot_rect(), float(self._rounds[0]), float(self._rounds[-1])
        return np.asarray(box.left() + (self._rounds - first) / max(1.0, last - first) * box.width())

    def _y_positions(self, values: Floats, low: float, high: float) -> Floats:
        box = self._plot_rect()
        return np.asarray(box.bottom() - (values - low) / (high - low) * box.height())

    def _plot_rect(self) -> QRectF:
        metrics = self.fontMetrics()
        names = max((metrics.horizontalAdvance(system_title(name)) for name in self._losses), default=0)
        return QRectF(
            _LEFT, _TOP, max(80, self.width() - _LEFT - _LEADER_LENGTH - names), self.height() - _TOP - _BOTTOM
        )


def _pixel_extremes(left: Floats, top: Floats) -> NDArray[np.intp]:
    """Keep the lowest and highest point at each pixel, in order.

    The others are between them.
    """
    pixel = left.astype(np.int64)
    starts = np.flatnonzero(np.diff(pixel, prepend=pixel[:1] - 1))
    by_height = np.lexsort((top, pixel))
    ends = np.append(starts[1:], len(left)) - 1
    return np.unique(np.concatenate((by_height[starts], by_height[ends])))


def _draw_dashed_line(painter: QPainter, pen: QPen, left: Floats, top: Floats) -> None:
    """Draw in pieces with continuous dashes.

    Qt takes three times as long for the whole line.
    """
    points = [QPointF(x, y) for x, y in zip(left.tolist(), top.tolist(), strict=True)]
    way = np.cumsum(np.hypot(np.diff(left, prepend=left[:1]), np.diff(top, prepend=top[:1]))) / pen.widthF()
    for first in range(0, len(points) - 1, _POINTS_PER_DRAW):
        pen.setDashOffset(float(way[first]))
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points[first : first + _POINTS_PER_DRAW + 1]))


def _format_loss(value: float) -> str:
    return format_points(float(value), 3) if np.isfinite(value) else "–"
