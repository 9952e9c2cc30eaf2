"""Draws a rating's course: its doubt as a band, its line, and every round by shape and colour."""

from collections.abc import Iterable, Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from browser_app.rating.record import Floats
from browser_app.ui.palette import Palette
from browser_app.ui.skill.over_time.scale import Scale
from browser_app.ui.skill.over_time.trace import Columns, Trace, thinned
from browser_app.ui.skill.round_marks import DRAWN, LOST, WON

MOST_MARKS = 1200
"""With more rounds in sight each is less than a pixel wide: their extremes are drawn, and no signs."""
BAND_ALPHA = 36
_RADIUS, _RISE = 3.0, 2.4
_OVERLAY_DASHES, _OVERLAY_PX = (6.0, 3.0), 1.5
_TRIANGLE = QPolygonF([QPointF(-_RADIUS, -_RISE), QPointF(_RADIUS, -_RISE), QPointF(0.0, _RADIUS)])


def draw_band(painter: QPainter, scale: Scale, trace: Trace, points: slice, color: QColor) -> None:
    """Between nine in ten; nothing where the doubt is unknown."""
    faint = QColor(color)
    faint.setAlpha(BAND_ALPHA)
    dense = is_dense(points)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faint)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not dense)
    for stretch in trace.stretches(points):
        for time, low, high in _known(*_band(scale, trace, stretch, dense=dense)):
            left = scale.left(time)
            upper, lower = (scale.top(np.clip(value, scale.low, scale.high)) for value in (high, low))
            around = np.concatenate((left, left[::-1])), np.concatenate((upper, lower[::-1]))
            painter.drawPolygon(_polygon(*around))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def draw_line(painter: QPainter, scale: Scale, trace: Trace, points: slice, pen: QPen) -> None:
    """From round to round, open where nothing was played."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    for stretch in trace.stretches(points):
        if is_dense(points):
            _draw_extremes(painter, scale, thinned(trace, stretch, 1.0 / scale.second_px), pen.color())
        else:
            time, value = _within(scale, trace.time[stretch], trace.value[stretch])
            painter.drawPolyline(_polygon(scale.left(time), scale.top(value)))


def overlay_pen(colors: Palette) -> QPen:
    """What an overlay is drawn with: dashed, so that it is known without its colour."""
    pen = QPen(colors.color("plot2"), _OVERLAY_PX)
    pen.setDashPattern([dash / _OVERLAY_PX for dash in _OVERLAY_DASHES])
    return pen


def draw_marks(painter: QPainter, scale: Scale, trace: Trace, points: slice, colors: Palette) -> None:
    """The sign of each round's outcome; none where there are too many in sight."""
    if is_dense(points):
        return
    left, top = scale.left(trace.time[points]), scale.top(trace.value[points])
    for outcome in (DRAWN, LOST, WON):
        which = trace.outcome[points] == outcome
        places = zip(left[which].tolist(), top[which].tolist(), strict=True)
        painter.setPen(QPen(colors.color("loss"), 1.25) if outcome == LOST else Qt.PenStyle.NoPen)
        painter.setBrush(colors.color({WON: "win", LOST: "surface", DRAWN: "draw"}[outcome]))
        _draw_signs(painter, outcome, places)


def _draw_signs(painter: QPainter, outcome: float, places: Iterable[tuple[float, float]]) -> None:
    """One by one: as a single path they would take Qt ten times as long."""
    if outcome == WON:
        for x, y in places:
            painter.drawEllipse(QPointF(x, y), _RADIUS, _RADIUS)
    elif outcome == LOST:
        for x, y in places:
            painter.drawPolygon(_TRIANGLE.translated(x, y))
    else:
        for x, y in places:
            painter.drawRect(QRectF(x - _RISE, y - _RISE, 2 * _RISE, 2 * _RISE))


def _draw_extremes(painter: QPainter, scale: Scale, columns: Columns, color: QColor) -> None:
    """Down to the least and up to the most of each pixel, from the last value of the pixel before."""
    before = np.concatenate((columns.first[:1], columns.last[:-1]))
    ends = np.column_stack((np.minimum(columns.least, before), np.maximum(columns.most, before)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(color, 1))
    painter.drawPolyline(_polygon(np.repeat(scale.left(columns.time), 2), scale.top(ends.ravel())))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _band(scale: Scale, trace: Trace, stretch: slice, *, dense: bool) -> tuple[Floats, Floats, Floats]:
    if dense:
        columns = thinned(trace, stretch, 1.0 / scale.second_px)
        return columns.time, columns.low, columns.high
    time, low = _within(scale, trace.time[stretch], trace.low[stretch])
    return time, low, _within(scale, trace.time[stretch], trace.high[stretch])[1]


def _within(scale: Scale, time: Floats, value: Floats) -> tuple[Floats, Floats]:
    """A first and a last point beyond the edges are moved onto them, along the line: a picture in lines is not cut."""
    time, value = time.copy(), value.copy()
    for end, beside, edge, beyond in (
        (0, 1, scale.first, time[0] < scale.first),
        (-1, -2, scale.last, time[-1] > scale.last),
    ):
        if beyond and len(time) > 1:
            value[end] += (value[beside] - value[end]) * (edge - time[end]) / (time[beside] - time[end])
            time[end] = edge
    return time, value


def _known(time: Floats, low: Floats, high: Floats) -> Iterator[tuple[Floats, Floats, Floats]]:
    """The runs of points whose doubt is known."""
    known = np.flatnonzero(~np.isnan(low))
    for run in np.split(known, np.flatnonzero(np.diff(known) > 1) + 1):
        if len(run):
            yield time[run], low[run], high[run]


def is_dense(points: slice) -> bool:
    """Whether these are too many for a sign each."""
    return bool(points.stop - points.start > MOST_MARKS)


def _polygon(left: Floats, top: Floats) -> QPolygonF:
    from pyqtgraph.functions import arrayToQPolygonF  # the legend needs this file before there is a plot

    polygon: QPolygonF = arrayToQPolygonF(left, top)
    return polygon
