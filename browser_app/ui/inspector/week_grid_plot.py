"""A plot of the hours of a week in which a server is usually active."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from browser_app.catalogue.sample_series import WeekProfile
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import decimal_text
from browser_app.ui.widgets.plots.painted_plot import PaintedPlot
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import hour_range_text, weekday_name

WEEK_GRID_LEFT, WEEK_GRID_TOP, WEEK_ROW_HEIGHT, WEEK_CELL_GAP = 32, 4, 14, 1.1
WEEK_GRID_HEIGHT = WEEK_GRID_TOP + 7 * WEEK_ROW_HEIGHT + 18
_MIN_OPACITY, _OPACITY_RANGE = 0.05, 0.9
_KEY_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -24, Qt.Key.Key_Down: 24}


def _empty_week() -> WeekProfile:
    unknown = np.full((7, 24), np.nan)
    return WeekProfile(unknown, unknown, np.zeros((7, 24)))


class WeekGridPlot(PaintedPlot):
    """A plot of a `WeekProfile`; its points are the 168 hours from Monday on."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name, WEEK_GRID_HEIGHT)
        self._week = _empty_week()

    def show_week(self, week: WeekProfile) -> None:
        """Show another week."""
        self._week = week
        self.refresh_points()

    def point_count(self) -> int:
        """Return the number of hours in a week."""
        return 168

    def point_text(self, place: int) -> str:
        """Return `Thu 19:00–20:00: active 5 of 6 times, average 9.3`."""
        day, hour = divmod(place, 24)
        seen = int(self._week.hour_count[day, hour])
        when = _("{day} {time}").format(day=weekday_name(day), time=hour_range_text(hour, hour + 1))
        if not seen:
            return _("{when}: no data yet").format(when=when)
        text = ngettext(
            "{when}: active {alive} of {n} time, average {mean}",
            "{when}: active {alive} of {n} times, average {mean}",
            seen,
        )
        alive, mean = round(float(self._week.active_share[day, hour]) * seen), float(self._week.players[day, hour])
        return text.format(when=when, alive=alive, n=seen, mean=decimal_text(round(mean, 1)))

    def summary_text(self) -> str:
        """Return in how many recorded hours the server is usually active."""
        seen, alive = int((self._week.hour_count > 0).sum()), int(self._week.mostly_active.sum())
        return _("Usually active in {alive} of {seen} recorded hours").format(alive=alive, seen=seen)

    def values_text(self) -> str:
        """Return a line per hour: day, hour, active share, average players, observations."""
        heading = "\t".join((_("day"), _("hour"), _("active"), _("players"), _("observations")))
        lines = [heading]
        for place in range(self.point_count()):
            day, hour = divmod(place, 24)
            columns = (self._week.active_share, self._week.players, self._week.hour_count)
            texts = ("" if np.isnan(column[day, hour]) else f"{column[day, hour]:.3g}" for column in columns)
            lines.append("\t".join((weekday_name(day), str(hour), *texts)))
        return "\n".join(lines)

    def point_at_position(self, where: QPointF) -> int:
        """Return the hour of the cell at a position."""
        day = int((where.y() - WEEK_GRID_TOP) // WEEK_ROW_HEIGHT)
        hour = int((where.x() - WEEK_GRID_LEFT) // self._cell_width())
        return day * 24 + hour if 0 <= day < 7 and 0 <= hour < 24 else -1

    def neighbour_point(self, place: int, key: Qt.Key) -> int | None:
        """Move by an hour with left and right, by a day with up and down.

        Does not leave the week.
        """
        step = _KEY_STEPS.get(key)
        if step is None:
            return None
        return place + step if 0 <= place + step < self.point_count() else place

    def draw(self, painter: QPainter, place: int) -> None:
        """Draw labels, cells and bars."""
        colors, mostly = self._theme.palette, self._week.mostly_active
        for hour in (0, 6, 12, 18):
            self.draw_label(painter, WEEK_GRID_LEFT + hour * self._cell_width(), WEEK_GRID_HEIGHT - 5, str(hour))
        for day in range(7):
            self.draw_label(painter, 4, WEEK_GRID_TOP + day * WEEK_ROW_HEIGHT + 10, weekday_name(day))
            for hour in range(24):
                self._draw_cell(painter, day, hour, mostly=bool(mostly[day, hour]))
        if place >= 0:
            painter.setPen(QPen(colors.color("text1"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self._cell_rect(*divmod(place, 24)).adjusted(-0.5, -0.5, 0.5, 0.5))

    def _draw_cell(self, painter: QPainter, day: int, hour: int, *, mostly: bool) -> None:
        colors, cell = self._theme.palette, self._cell_rect(day, hour)
        alive = float(self._week.active_share[day, hour])
        if np.isnan(alive):
            painter.setPen(colors.color("hairline"))
            painter.drawPoint(cell.center())
            return
        shade = QColor(colors.plot1)
        shade.setAlphaF(_MIN_OPACITY + _OPACITY_RANGE * alive)
        painter.fillRect(cell, shade)
        if mostly:
            painter.setPen(QPen(colors.color("raised"), 1.5))
            middle = cell.center()
            painter.drawLine(QLineF(middle.x() - 2.5, cell.bottom() - 2.5, middle.x() + 2.5, cell.bottom() - 2.5))

    def _cell_width(self) -> float:
        return (self.width() - WEEK_GRID_LEFT - 4) / 24

    def _cell_rect(self, day: int, hour: int) -> QRectF:
        return QRectF(
            WEEK_GRID_LEFT + hour * self._cell_width(),
            WEEK_GRID_TOP + day * WEEK_ROW_HEIGHT,
            self._cell_width() - WEEK_CELL_GAP,
            WEEK_ROW_HEIGHT - 2,
        )
