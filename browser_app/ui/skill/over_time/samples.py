"""Draws what a service said: steps, dotted, with a diamond where a value was first read."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.player.sampled_course import SampledCourse
from browser_app.rating.record import Floats
from browser_app.ui.palette import Palette
from browser_app.ui.skill.over_time.curves import is_dense
from browser_app.ui.skill.over_time.scale import Scale

_DOTS, _LINE_PX, _SIGN = (1.5, 2.0), 1.5, 3.5
_DIAMOND = QPolygonF([QPointF(0, -_SIGN), QPointF(_SIGN, 0), QPointF(0, _SIGN), QPointF(-_SIGN, 0)])


def draw_samples(painter: QPainter, scale: Scale, course: SampledCourse, colors: Palette) -> None:
    """Each value until another one was read, the last one until its last reading."""
    seen = course.span(scale.first, scale.last)
    if seen.start == seen.stop:
        return
    since, points = course.since[seen], course.points[seen]
    after = course.since[seen.stop] if seen.stop < len(course) else course.until[-1]
    left = scale.left(np.clip(np.append(since, after), scale.first, scale.last))
    top = scale.top(points)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(colors))
    painter.drawPolyline(_corners(left, top))
    if not is_dense(seen):
        for time, x, y in zip(since.tolist(), left.tolist(), top.tolist(), strict=False):
            if time >= scale.first:
                _draw_sign(painter, QPointF(x, y), colors)


def draw_sampled_line(painter: QPainter, begin: QPointF, end: QPointF, colors: Palette) -> None:
    """A piece of such a line, for the legend."""
    painter.setPen(_pen(colors))
    painter.drawLine(begin, end)
    _draw_sign(painter, (begin + end) / 2, colors)


def _pen(colors: Palette) -> QPen:
    pen = QPen(colors.color("plot2"), _LINE_PX)
    pen.setDashPattern([dot / _LINE_PX for dot in _DOTS])
    return pen


def _corners(left: Floats, top: Floats) -> QPolygonF:
    """From where each value begins along to where it ends: `left` has one more than `top`."""
    lefts, tops = np.repeat(left, 2)[1:-1].tolist(), np.repeat(top, 2).tolist()
    return QPolygonF([QPointF(x, y) for x, y in zip(lefts, tops, strict=True)])


def _draw_sign(painter: QPainter, at: QPointF, colors: Palette) -> None:
    painter.setPen(QPen(colors.color("plot2"), 1.25))
    painter.setBrush(colors.color("surface"))
    painter.drawPolygon(_DIAMOND.translated(at))
