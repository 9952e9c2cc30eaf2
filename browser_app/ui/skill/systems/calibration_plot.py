"""Calibration: how often what was said came to be. A point a bin, with bars for how far luck alone reaches."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.rating.scores import Bin
from browser_app.rating.wilson import wilson
from browser_app.ui.plots.plot import Plot
from browser_app.ui.skill.numbers import chance_words, points_words
from browser_app.ui.skill.still_picture import StillPicture
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.skill.systems.series import Series, draw_sign
from browser_app.ui.theme import Theme

LEFT, RIGHT, TOP, BELOW = 48, 20, 12, 52
_SIDE = 400
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


class _Point(NamedTuple):
    name: str
    said: float
    came: float
    n: int


class CalibrationPlot(Plot):
    """Shows the bins of some systems; the bars and counts are those of one of them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Calibration: what was said, what came"), _SIDE)
        self.setMaximumWidth(_SIDE + LEFT)
        self._drawn: Mapping[str, Series] = {}
        self._barred = ""
        self._points: list[_Point] = []
        self._still = StillPicture(self, theme, self._draw_still)

    def show_bins(self, bins: Mapping[str, tuple[Bin, ...]], drawn: Mapping[str, Series], barred: str) -> None:
        """Show these systems, `barred` with bars and counts."""
        self._drawn, self._barred = drawn, barred
        names = sorted(drawn, key=lambda name: name != barred)
        self._points = [
            _Point(name, each.predicted, each.actual, each.n)
            for name in names
            for each in bins[name]
            if each.predicted is not None and each.actual is not None
        ]
        self._still.forget()
        self.changed()

    def count(self) -> int:
        """The bins that hold any pair, of all systems; the barred one's first."""
        return len(self._points)

    def words(self, place: int) -> str:
        """`NS2 logistic: said 34 %, came 43 % of 97 times; luck alone reaches from 34 % to 53 %`."""
        point = self._points[place]
        low, high = wilson(point.came, point.n)
        template = ngettext(
            "{name}: said {said}, came {came} of {n} time; luck alone reaches from {low} to {high}",
            "{name}: said {said}, came {came} of {n} times; luck alone reaches from {low} to {high}",
            point.n,
        )
        return template.format(
            name=system_title(point.name),
            said=chance_words(point.said),
            came=chance_words(point.came),
            n=points_words(point.n),
            low=chance_words(low),
            high=chance_words(high),
        )

    def values(self) -> str:
        """A line a bin: system, said, came, count, and the interval."""
        lines = ["\t".join((_("System"), _("said"), _("came"), _("count"), "2.5 %", "97.5 %"))]
        for name, said, came, n in self._points:
            numbers = "\t".join(repr(value) for value in (said, came, n, *wilson(came, n)))
            lines.append(f"{system_title(name)}\t{numbers}")
        return "\n".join(lines)

    def place_at(self, where: QPointF) -> int:
        """The nearest bin."""
        away = [(self._at(point) - where).manhattanLength() for point in self._points]
        return away.index(min(away)) if away else -1

    def draw(self, painter: QPainter, place: int) -> None:
        """Draw axes, the line of the right ones, the systems, and the counts of one."""
        self._still.draw(painter)
        if place >= 0:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.palette.color("text1"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self._at(self._points[place]), 8, 8)

    def _draw_still(self, painter: QPainter) -> None:
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # axes are not mirrored
        self._draw_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for name in reversed(list(self._drawn)):
            points = [point for point in self._points if point.name == name]
            if name == self._barred:
                self._draw_bars(painter, points)
            painter.setPen(self._drawn[name].pen(self._theme.palette))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([self._at(point) for point in points]))
            for point in points:
                draw_sign(painter, self._drawn[name], self._at(point), self._theme.palette)

    def _draw_axes(self, painter: QPainter) -> None:
        box, colors = self._box(), self._theme.palette
        for share in _QUARTERS:
            top, left = round(self._spot(0.0, share).y()) + 0.5, self._spot(share, 0.0).x()
            painter.setPen(colors.color("hairline"))
            painter.drawLine(QLineF(box.left(), top, box.right(), top))
            self.label(painter, box.left() - 6, top + 4, f"{share:.0%}".removesuffix("%"), right=True)
            self._centred(painter, left, box.bottom() + 16, f"{share:.0%}".removesuffix("%"))
        pen = QPen(colors.color("border"), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawLine(QLineF(self._spot(0, 0), self._spot(1, 1)))
        self.label(painter, box.left() + 6, box.top() + 14, _("came: won in %"))
        self.label(painter, box.right(), box.bottom() + 48, _("said: chance to win in %"), right=True)
        self.label(painter, box.left() - 6, box.bottom() + 32, _("count"), right=True)

    def _draw_bars(self, painter: QPainter, points: list[_Point]) -> None:
        box, last = self._box(), -math.inf
        painter.setFont(self._theme.font(11))
        for point in points:
            low, high = wilson(point.came, point.n)
            painter.setPen(QPen(self._theme.palette.color(self._drawn[point.name].role), 1.5))
            painter.drawLine(QLineF(self._spot(point.said, low), self._spot(point.said, high)))
            middle, count = self._spot(point.said, 0).x(), points_words(point.n)
            if middle - last >= painter.fontMetrics().horizontalAdvance(count) + 4:  # else one would cover the other
                self._centred(painter, middle, box.bottom() + 32, count)
                last = middle

    def _centred(self, painter: QPainter, middle: float, baseline: float, text: str) -> None:
        painter.setFont(self._theme.font(11))
        self.label(painter, middle - painter.fontMetrics().horizontalAdvance(text) / 2, baseline, text)

    def _at(self, point: _Point) -> QPointF:
        return self._spot(point.said, point.came)

    def _spot(self, said: float, came: float) -> QPointF:
        box = self._box()
        return QPointF(box.left() + said * box.width(), box.bottom() - came * box.height())

    def _box(self) -> QRectF:
        return QRectF(LEFT, TOP, self.width() - LEFT - RIGHT, self.height() - TOP - BELOW)
