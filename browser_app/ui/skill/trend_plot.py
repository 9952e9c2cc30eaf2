"""The last rounds: how each moved the rating, and how it ended."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.language import gettext as _
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record import Floats, Ints
from browser_app.ui.plots.moments import clock_time, date_text
from browser_app.ui.plots.plot import Plot
from browser_app.ui.skill.numbers import change_words, decimals_of, points_words
from browser_app.ui.skill.round_marks import draw_round_mark, outcome_words
from browser_app.ui.skill.still_picture import StillPicture
from browser_app.ui.theme import Theme

ROUNDS, HEIGHT = 20, 138
_EDGE = 10


def last_rated(history: OwnHistory, most: int = ROUNDS) -> Ints:
    """Places of the last rounds that moved the rating, the oldest first."""
    rated = np.flatnonzero(~np.isnan(history.probability) & ~np.isnan(history.outcome))
    return np.asarray(rated[-most:], np.int32)


class TrendPlot(Plot):
    """The sum of the changes, round by round: it also holds where each mode has a rating of its own.

    Time runs from left to right in every language.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, _("Last {n} rounds").format(n=ROUNDS), HEIGHT)
        self._history: OwnHistory | None = None
        self._places: Ints = np.empty(0, np.int32)
        self._sums: Floats = np.empty(0)
        self._still = StillPicture(self, theme, self._draw_still)

    def show_history(self, history: OwnHistory) -> None:
        """Show the end of it."""
        self._history, self._places = history, last_rated(history)
        self._sums = np.cumsum(history.after[self._places] - history.before[self._places])
        self._still.forget()
        self.changed()

    def count(self) -> int:
        """How many rounds."""
        return len(self._places)

    def words(self, place: int) -> str:
        """A round as text."""
        history = self._history
        if history is None:
            return ""
        row = int(self._places[place])
        decimals = decimals_of(history.system)
        started, where = float(history.started[row]), int(history.map[row])
        parts = [f"{date_text(started)} {clock_time(started)}", history.maps[where] if where >= 0 else ""]
        change = change_words(float(history.after[row] - history.before[row]), decimals + 1)
        return _("{round}: {outcome}, {change} to {rating}").format(
            round=", ".join(filter(None, parts)),
            outcome=outcome_words(float(history.outcome[row])),
            change=change,
            rating=points_words(float(history.after[row]), decimals),
        )

    def values(self) -> str:
        """All rounds as lines of values parted by tabs."""
        history, lines = self._history, ["id\toutcome\tbefore\tafter"]
        if history is not None:
            for row in self._places.tolist():
                numbers = (history.outcome[row], history.before[row], history.after[row])
                lines.append("\t".join((history.ids[row], *(f"{each:g}" for each in numbers))))
        return "\n".join(lines)

    def place_at(self, where: QPointF) -> int:
        """The round nearest to a spot; -1 for none."""
        if not self.count():
            return -1
        return min(range(self.count()), key=lambda place: abs(self._x(place) - where.x()))

    def _point(self, place: int) -> QPointF:
        return QPointF(self._x(place), self._y(place))

    def _x(self, place: int) -> float:
        room = self.width() - 2 * _EDGE
        return _EDGE + room * (place / (ROUNDS - 1))

    def _y(self, place: int) -> float:
        low, high = float(min(self._sums.min(), 0.0)), float(max(self._sums.max(), 0.0))
        share = (float(self._sums[place]) - low) / (high - low or 1.0)
        return self.height() - _EDGE - share * (self.height() - 2 * _EDGE)

    def draw(self, painter: QPainter, place: int) -> None:
        """Line and signs; a ring round the one pointed at."""
        self._still.draw(painter)
        if place >= 0:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.palette.color("text1"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self._point(place), 7, 7)

    def _draw_still(self, painter: QPainter) -> None:
        if self._history is None or not self.count():
            return
        colors = self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        points = [self._point(each) for each in range(self.count())]
        painter.setPen(QPen(colors.color("plot1"), 1.5))
        painter.drawPolyline(QPolygonF(points))
        for each, point in enumerate(points):
            draw_round_mark(painter, self._theme, float(self._history.outcome[self._places[each]]), point, 3.5)
