"""Log loss of the last 150 scored rounds, for each of some systems: who is better now, and who was."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.language import gettext as _
from browser_app.player.comparison import ROLLING
from browser_app.rating.record import Floats, Ints
from browser_app.ui.plots.plot import Plot
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.skill.scale import round_step
from browser_app.ui.skill.still_picture import StillPicture
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.skill.systems.series import Series
from browser_app.ui.theme import Theme

HEIGHT = 120
_LEFT, _TOP, _BELOW, _LINE = 40, 8, 18, 14
_LEADER = 26
"""From the end of a line to its name."""
_PIECE = 32
"""Points of a line that are drawn at once."""


class RollingPlot(Plot):
    """A point a round, told of every system at once."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Log loss, last {n} rounds each").format(n=ROLLING), HEIGHT)
        self._rounds: Ints = np.zeros(0, np.int32)
        self._lines: Mapping[str, Floats] = {}
        self._drawn: Mapping[str, Series] = {}
        self._still = StillPicture(self, theme, self._draw_still)

    def show_lines(self, rounds: Ints, lines: Mapping[str, Floats], drawn: Mapping[str, Series]) -> None:
        """Show the drawn ones of these."""
        self._rounds, self._drawn = rounds, drawn
        self._lines = {name: lines[name] for name in drawn if name in lines}
        self._still.forget()
        self.changed()

    def count(self) -> int:
        """As many as there are points."""
        return len(self._rounds) if self._lines else 0

    def words(self, place: int) -> str:
        """`Round 642: NS2 logistic 0.602, XonStat Elo 0.623`."""
        said = ", ".join(f"{system_title(name)} {_loss(line[place])}" for name, line in self._lines.items())
        return _("Round {n}: {losses}").format(n=points_words(int(self._rounds[place])), losses=said)

    def values(self) -> str:
        """A line a round."""
        lines = ["\t".join((_("Round"), *map(system_title, self._lines)))]
        for place in range(self.count()):
            losses = (repr(float(line[place])) if np.isfinite(line[place]) else "" for line in self._lines.values())
            lines.append("\t".join((str(int(self._rounds[place])), *losses)))
        return "\n".join(lines)

    def place_at(self, where: QPointF) -> int:
        """The nearest round."""
        if not self.count():
            return -1
        return int(np.abs(self._lefts() - where.x()).argmin())

    def draw(self, painter: QPainter, place: int) -> None:
        """Draw round values, lines and their names, and a line at the point pointed at."""
        self._still.draw(painter)  # a thousand points of each system, once, and not at each move of the pointer
        if place >= 0:
            left = float(self._lefts()[place])
            painter.setPen(QPen(self._theme.palette.color("border"), 1))
            painter.drawLine(QLineF(left, _TOP, left, self.height() - _BELOW))

    def _draw_still(self, painter: QPainter) -> None:
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # axes are not mirrored
        ends = self._ends()
        if ends is None:
            words = _("From {n} scored rounds on.").format(n=ROLLING)
            self.label(painter, _LEFT, self.height() / 2, words)
            return
        self._draw_grid(painter, *ends)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = self._lefts()
        for name, line in self._lines.items():
            pen = self._drawn[name].pen(self._theme.palette)
            known = np.flatnonzero(np.isfinite(line))
            for run in np.split(known, np.flatnonzero(np.diff(known) > 1) + 1):
                tops = self._tops(line[run], *ends)
                seen = _extremes(left[run], tops)
                _draw_line(painter, pen, left[run][seen], tops[seen])
        self._draw_names(painter, *ends)

    def _draw_grid(self, painter: QPainter, low: float, high: float) -> None:
        box, step = self._box(), round_step((high - low) / 4)
        decimals = 2 if step >= 0.01 else 4
        for number in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1):
            top = round(float(self._tops(np.array(number * step), low, high))) + 0.5
            painter.setPen(self._theme.palette.color("hairline"))
            painter.drawLine(QLineF(box.left(), top, box.right(), top))
            self.label(painter, box.left() - 6, top + 4, points_words(number * step, decimals), right=True)
        first, last = points_words(int(self._rounds[0])), points_words(int(self._rounds[-1]))
        self.label(painter, box.left(), self.height() - 4, _("round {n}").format(n=first))
        if len(self._rounds) > 1:
            self.label(painter, box.right(), self.height() - 4, last, right=True)

    def _draw_names(self, painter: QPainter, low: float, high: float) -> None:
        """At the lines' ends, moved apart where they would lie over each other."""
        box, colors = self._box(), self._theme.palette
        ends = {name: line[np.isfinite(line)][-1] for name, line in self._lines.items() if np.isfinite(line).any()}
        tops = {name: float(self._tops(np.array(value), low, high)) for name, value in ends.items()}
        last = -np.inf
        overflow = max(0.0, len(tops) * _LINE - box.height())
        for name in sorted(tops, key=tops.__getitem__):
            beside = max(tops[name], last + _LINE)
            last = beside
            painter.setPen(self._drawn[name].pen(colors))
            bend = QPointF(box.right() + 10, beside - overflow)
            points = [QPointF(box.right(), tops[name]), bend, QPointF(box.right() + _LEADER - 4, bend.y())]
            painter.drawPolyline(QPolygonF(points))
            self.label(painter, box.right() + _LEADER, bend.y() + 4, system_title(name))

    def _ends(self) -> tuple[float, float] | None:
        values = [line[np.isfinite(line)] for line in self._lines.values()]
        known = np.concatenate(values) if values else np.zeros(0)
        if not len(known):
            return None
        low, high = float(known.min()), float(known.max())
        room = max(0.02, (high - low) * 0.1)
        return low - room, high + room

    def _lefts(self) -> Floats:
        box, first, last = self._box(), float(self._rounds[0]), float(self._rounds[-1])
        return np.asarray(box.left() + (self._rounds - first) / max(1.0, last - first) * box.width())

    def _tops(self, values: Floats, low: float, high: float) -> Floats:
        box = self._box()
        return np.asarray(box.bottom() - (values - low) / (high - low) * box.height())

    def _box(self) -> QRectF:
        metrics = self.fontMetrics()
        names = max((metrics.horizontalAdvance(system_title(name)) for name in self._lines), default=0)
        return QRectF(_LEFT, _TOP, max(80, self.width() - _LEFT - _LEADER - names), self.height() - _TOP - _BELOW)


def _extremes(left: Floats, top: Floats) -> NDArray[np.intp]:
    """Of the points over each pixel the highest and the lowest, in the line's order: the others lie between them."""
    pixel = left.astype(np.int64)
    starts = np.flatnonzero(np.diff(pixel, prepend=pixel[:1] - 1))
    by_height = np.lexsort((top, pixel))
    ends = np.append(starts[1:], len(left)) - 1
    return np.unique(np.concatenate((by_height[starts], by_height[ends])))


def _draw_line(painter: QPainter, pen: QPen, left: Floats, top: Floats) -> None:
    """Piece by piece, its dashes going on: as a whole it would take Qt three times as long."""
    points = [QPointF(x, y) for x, y in zip(left.tolist(), top.tolist(), strict=True)]
    way = np.cumsum(np.hypot(np.diff(left, prepend=left[:1]), np.diff(top, prepend=top[:1]))) / pen.widthF()
    for first in range(0, len(points) - 1, _PIECE):
        pen.setDashOffset(float(way[first]))
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points[first : first + _PIECE + 1]))


def _loss(value: float) -> str:
    return points_words(float(value), 3) if np.isfinite(value) else "–"
