"""Drawing of rating curves, uncertainty bands, markers and samples."""

from collections.abc import Iterable, Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.rating.record.round_record import Floats
from browser_app.ui.skill.outcome_marker import DRAWN, LOST, WON
from browser_app.ui.skill.over_time.rating_curve import CurveColumns, RatingCurve, thin_curve
from browser_app.ui.skill.over_time.rating_plot_transform import PlotTransform
from browser_app.ui.widgets.palette import Palette

MAX_MARKERS = 1200
"""With more visible rounds each is less than a pixel wide: extremes are drawn instead of markers."""
BAND_ALPHA = 36
_NARROWEST_BAND_PX = 6.0
_MARKER_RADIUS, _MARKER_RISE = 3.0, 2.4
_OVERLAY_DASHES, _OVERLAY_PX = (6.0, 3.0), 1.5
_TRIANGLE = QPolygonF(
    [QPointF(-_MARKER_RADIUS, -_MARKER_RISE), QPointF(_MARKER_RADIUS, -_MARKER_RISE), QPointF(0.0, _MARKER_RADIUS)]
)


def draw_uncertainty_band(
    painter: QPainter, transform: PlotTransform, curve: RatingCurve, points: slice, color: QColor
) -> None:
    """Draw the 90 % intervals where they are known."""
    faint = QColor(color)
    faint.setAlpha(BAND_ALPHA)
    dense = is_dense(points)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faint)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not dense)
    for segment in curve.segments(points):
        for time, low, high in _known_runs(*_band_edges(transform, curve, segment, dense=dense)):
            left = transform.x(time)
            upper, lower = (transform.y(np.clip(value, transform.low, transform.high)) for value in (high, low))
            if (spare := _NARROWEST_BAND_PX - (left[-1] - left[0])) > 0:  # rounds of one evening, weeks from others
                left = np.concatenate((left[:1] - spare / 2, left, left[-1:] + spare / 2))
                upper, lower = (np.pad(each, 1, mode="edge") for each in (upper, lower))
            around = np.concatenate((left, left[::-1])), np.concatenate((upper, lower[::-1]))
            painter.drawPolygon(_to_polygon(*around))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def draw_rating_line(painter: QPainter, transform: PlotTransform, curve: RatingCurve, points: slice, pen: QPen) -> None:
    """Draw the line between rounds, interrupted at gaps."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    for segment in curve.segments(points):
        if is_dense(points):
            _draw_extremes(painter, transform, thin_curve(curve, segment, 1.0 / transform.px_per_second), pen.color())
        else:
            time, value = _clip_to_view(transform, curve.time[segment], curve.value[segment])
            painter.drawPolyline(_to_polygon(transform.x(time), transform.y(value)))


def overlay_pen(colors: Palette) -> QPen:
    """Return the overlay's pen, dashed to be distinguishable without colour."""
    pen = QPen(colors.color("plot2"), _OVERLAY_PX)
    pen.setDashPattern([dash / _OVERLAY_PX for dash in _OVERLAY_DASHES])
    return pen


def draw_outcome_markers(
    painter: QPainter, transform: PlotTransform, curve: RatingCurve, points: slice, colors: Palette
) -> None:
    """Draw a marker for each round's outcome unless too many are visible."""
    if is_dense(points):
        return
    left, top = transform.x(curve.time[points]), transform.y(curve.value[points])
    for outcome in (DRAWN, LOST, WON):
        which = curve.outcome[points] == outcome
        positions = zip(left[which].tolist(), top[which].tolist(), strict=True)
        painter.setPen(QPen(colors.color("loss"), 1.25) if outcome == LOST else Qt.PenStyle.NoPen)
        painter.setBrush(colors.color({WON: "win", LOST: "surface", DRAWN: "draw"}[outcome]))
        _draw_markers(painter, outcome, positions)


def _draw_markers(painter: QPainter, outcome: float, positions: Iterable[tuple[float, float]]) -> None:
    """Draw markers one by one: Qt takes ten times as long for a single path."""
    if outcome == WON:
        for x, y in positions:
            painter.drawEllipse(QPointF(x, y), _MARKER_RADIUS, _MARKER_RADIUS)
    elif outcome == LOST:
        for x, y in positions:
            painter.drawPolygon(_TRIANGLE.translated(x, y))
    else:
        for x, y in positions:
            painter.drawRect(QRectF(x - _MARKER_RISE, y - _MARKER_RISE, 2 * _MARKER_RISE, 2 * _MARKER_RISE))


def _draw_extremes(painter: QPainter, transform: PlotTransform, columns: CurveColumns, color: QColor) -> None:
    """Draw the range of values at each pixel.

    It is connected to the last value of the previous pixel.
    """
    before = np.concatenate((columns.first[:1], columns.last[:-1]))
    ends = np.column_stack((np.minimum(columns.lowest, before), np.maximum(columns.highest, before)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(color, 1))
    painter.drawPolyline(_to_polygon(np.repeat(transform.x(columns.time), 2), transform.y(ends.ravel())))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _band_edges(
    transform: PlotTransform, curve: RatingCurve, segment: slice, *, dense: bool
) -> tuple[Floats, Floats, Floats]:
    if dense:
        columns = thin_curve(curve, segment, 1.0 / transform.px_per_second)
        return columns.time, columns.low, columns.high
    time, low = _clip_to_view(transform, curve.time[segment], curve.low[segment])
    return time, low, _clip_to_view(transform, curve.time[segment], curve.high[segment])[1]


def _clip_to_view(transform: PlotTransform, time: Floats, value: Floats) -> tuple[Floats, Floats]:
    """Move a first and a last point outside the view onto its edges.

    They move along the line, as vector exports are not clipped.
    """
    time, value = time.copy(), value.copy()
    for end, beside, edge, beyond in (
        (0, 1, transform.first, time[0] < transform.first),
        (-1, -2, transform.last, time[-1] > transform.last),
    ):
        if beyond and len(time) > 1:
            value[end] += (value[beside] - value[end]) * (edge - time[end]) / (time[beside] - time[end])
            time[end] = edge
    return time, value


def _known_runs(time: Floats, low: Floats, high: Floats) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield the runs of points whose interval is known."""
    known = np.flatnonzero(~np.isnan(low))
    for run in np.split(known, np.flatnonzero(np.diff(known) > 1) + 1):
        if len(run):
            yield time[run], low[run], high[run]


def is_dense(points: slice) -> bool:
    """Return True if there are too many points to draw a marker for each."""
    return bool(points.stop - points.start > MAX_MARKERS)


def _to_polygon(left: Floats, top: Floats) -> QPolygonF:
    from pyqtgraph.functions import arrayToQPolygonF  # the legend needs this module before the first plot

    polygon: QPolygonF = arrayToQPolygonF(left, top)
    return polygon


_SAMPLE_DOTS, _SAMPLE_LINE_PX, _SAMPLE_MARKER_PX = (1.5, 2.0), 1.5, 3.5
_SAMPLE_DIAMOND = QPolygonF(
    [
        QPointF(0, -_SAMPLE_MARKER_PX),
        QPointF(_SAMPLE_MARKER_PX, 0),
        QPointF(0, _SAMPLE_MARKER_PX),
        QPointF(-_SAMPLE_MARKER_PX, 0),
    ]
)


def draw_samples(painter: QPainter, transform: PlotTransform, sampled: SkillSampleSeries, colors: Palette) -> None:
    """Draw each value until the next one was read.

    The last one is drawn until its last reading.
    """
    seen = sampled.slice_between(transform.first, transform.last)
    if seen.start == seen.stop:
        return
    since, points = sampled.first_read[seen], sampled.points[seen]
    after = sampled.first_read[seen.stop] if seen.stop < len(sampled) else sampled.last_read[-1]
    left = transform.x(np.clip(np.append(since, after), transform.first, transform.last))
    top = transform.y(points)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_samples_pen(colors))
    painter.drawPolyline(_step_polyline(left, top))
    if not is_dense(seen):
        for time, x, y in zip(since.tolist(), left.tolist(), top.tolist(), strict=False):
            if time >= transform.first:
                _draw_sample_marker(painter, QPointF(x, y), colors)


def draw_sample_legend(painter: QPainter, begin: QPointF, end: QPointF, colors: Palette) -> None:
    """Draw a piece of the samples' line for the legend."""
    painter.setPen(_samples_pen(colors))
    painter.drawLine(begin, end)
    _draw_sample_marker(painter, (begin + end) / 2, colors)


def _samples_pen(colors: Palette) -> QPen:
    pen = QPen(colors.color("plot2"), _SAMPLE_LINE_PX)
    pen.setDashPattern([dot / _SAMPLE_LINE_PX for dot in _SAMPLE_DOTS])
    return pen


def _step_polyline(left: Floats, top: Floats) -> QPolygonF:
    """Return a polyline of steps; `left` has one element more than `top`."""
    lefts, tops = np.repeat(left, 2)[1:-1].tolist(), np.repeat(top, 2).tolist()
    return QPolygonF([QPointF(x, y) for x, y in zip(lefts, tops, strict=True)])


def _draw_sample_marker(painter: QPainter, at: QPointF, colors: Palette) -> None:
    painter.setPen(QPen(colors.color("plot2"), 1.25))
    painter.setBrush(colors.color("surface"))
    painter.drawPolygon(_SAMPLE_DIAMOND.translated(at))
