"""A week as a grid: a row a day, a cell an hour, the darker the more often alive; a bar where it mostly is."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from browser_app.catalogue.week import Week
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.plots.moments import weekday
from browser_app.ui.plots.plot import Plot
from browser_app.ui.theme import Theme

LEFT, TOP, ROW, GAP = 32, 4, 14, 1.1
HEIGHT = TOP + 7 * ROW + 18
_FAINTEST, _RANGE = 0.05, 0.9
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -24, Qt.Key.Key_Down: 24}


def _no_week() -> Week:
    unknown = np.full((7, 24), np.nan)
    return Week(unknown, unknown, np.zeros((7, 24)))


class WeekGrid(Plot):
    """Shows a `Week`. Its points are the 168 hours from Monday on."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name, HEIGHT)
        self._week = _no_week()

    def show_week(self, week: Week) -> None:
        """Show another one."""
        self._week = week
        self.changed()

    def count(self) -> int:
        """The hours of a week."""
        return 168

    def words(self, place: int) -> str:
        """`Thu 19–20 h: alive 5 of 6 times, mean 9.3`."""
        day, hour = divmod(place, 24)
        seen = int(self._week.seen[day, hour])
        when = _("{day} {hour}–{next} h").format(day=weekday(day), hour=hour, next=hour + 1)
        if not seen:
            return _("{when}: not seen yet").format(when=when)
        words = ngettext(
            "{when}: alive {alive} of {n} time, mean {mean}",
            "{when}: alive {alive} of {n} times, mean {mean}",
            seen,
        )
        alive, mean = round(float(self._week.alive[day, hour]) * seen), float(self._week.players[day, hour])
        return words.format(when=when, alive=alive, n=seen, mean=f"{mean:.1f}".removesuffix(".0"))

    def summary(self) -> str:
        """How much of the week it is mostly alive."""
        seen, alive = int((self._week.seen > 0).sum()), int(self._week.mostly_alive.sum())
        return _("Mostly alive in {alive} of the {seen} hours seen").format(alive=alive, seen=seen)

    def values(self) -> str:
        """A line an hour: day, hour, share alive, mean players, times seen."""
        heading = "\t".join((_("day"), _("hour"), _("alive"), _("players"), _("times seen")))
        lines = [heading]
        for place in range(self.count()):
            day, hour = divmod(place, 24)
            numbers = (self._week.alive[day, hour], self._week.players[day, hour], self._week.seen[day, hour])
            texts = ("" if np.isnan(number) else f"{number:.3g}" for number in numbers)
            lines.append("\t".join((weekday(day), str(hour), *texts)))
        return "\n".join(lines)

    def place_at(self, where: QPointF) -> int:
        """The cell there."""
        day, hour = int((where.y() - TOP) // ROW), int((where.x() - LEFT) // self._pitch())
        return day * 24 + hour if 0 <= day < 7 and 0 <= hour < 24 else -1

    def neighbour(self, place: int, key: Qt.Key) -> int | None:
        """Left and right an hour, up and down a day; at the edges the key does nothing."""
        step = _STEPS.get(key)
        if step is None:
            return None
        return place + step if 0 <= place + step < self.count() else place

    def draw(self, painter: QPainter, place: int) -> None:
        """Draw names, cells and bars."""
        colors, mostly = self._theme.palette, self._week.mostly_alive
        for hour in (0, 6, 12, 18):
            self.label(painter, LEFT + hour * self._pitch(), HEIGHT - 5, str(hour))
        for day in range(7):
            self.label(painter, 4, TOP + day * ROW + 10, weekday(day))
            for hour in range(24):
                self._draw_cell(painter, day, hour, mostly=bool(mostly[day, hour]))
        if place >= 0:
            painter.setPen(QPen(colors.color("text1"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self._cell(*divmod(place, 24)).adjusted(-0.5, -0.5, 0.5, 0.5))

    def _draw_cell(self, painter: QPainter, day: int, hour: int, *, mostly: bool) -> None:
        colors, cell = self._theme.palette, self._cell(day, hour)
        alive = float(self._week.alive[day, hour])
        if np.isnan(alive):
            painter.setPen(colors.color("hairline"))
            painter.drawPoint(cell.center())
            return
        shade = QColor(colors.plot1)
        shade.setAlphaF(_FAINTEST + _RANGE * alive)
        painter.fillRect(cell, shade)
        if mostly:
            painter.setPen(QPen(colors.color("raised"), 1.5))
            middle = cell.center()
            painter.drawLine(QLineF(middle.x() - 2.5, cell.bottom() - 2.5, middle.x() + 2.5, cell.bottom() - 2.5))

    def _pitch(self) -> float:
        return (self.width() - LEFT - 4) / 24

    def _cell(self, day: int, hour: int) -> QRectF:
        return QRectF(LEFT + hour * self._pitch(), TOP + day * ROW, self._pitch() - GAP, ROW - 2)
