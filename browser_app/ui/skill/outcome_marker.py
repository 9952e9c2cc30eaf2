"""The marker for a round's outcome: won, lost or drawn."""

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen, QPolygonF, Qt
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ui.widgets.theme import Theme

WON, LOST, DRAWN = 1.0, 0.0, 0.5


def outcome_text(outcome: float) -> str:
    """Return `won`, `lost`, `drawn`, or `unknown` for NaN."""
    return {WON: _("won"), LOST: _("lost"), DRAWN: _("drawn")}.get(outcome, _("unknown"))


def outcome_counts_text(won: int, lost: int, drawn: int) -> str:
    """Return `11 won, 9 lost`, with the drawn rounds if there are any."""
    words = _("{won} won, {lost} lost, {drawn} drawn") if drawn else _("{won} won, {lost} lost")
    return words.format(won=integer_text(won), lost=integer_text(lost), drawn=integer_text(drawn))


def draw_outcome_marker(
    painter: QPainter,
    theme: Theme,
    outcome: float,
    centre: QPointF,
    radius: float = 4.0,
    background_role: str = "surface",
) -> None:
    """Draw the marker at a point; nothing for an unknown outcome.

    `background_role`: palette role behind it.
    """
    colors = theme.palette
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    if outcome == WON:
        painter.setBrush(QBrush(colors.color("win")))
        painter.drawEllipse(centre, radius, radius)
    elif outcome == LOST:
        painter.setPen(QPen(colors.color("loss"), 1.5))
        painter.setBrush(QBrush(colors.color(background_role)))
        x, y = centre.x(), centre.y()
        top = y - radius * 0.8
        corners = [QPointF(x - radius, top), QPointF(x + radius, top), QPointF(x, y + radius)]
        painter.drawPolygon(QPolygonF(corners))
    elif outcome == DRAWN:
        side = radius * 1.6
        painter.fillRect(QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side), colors.color("draw"))
    painter.restore()


class OutcomeMarker(QWidget):
    """Widget with one marker, for legends and rows."""

    def __init__(self, theme: Theme, outcome: float) -> None:
        super().__init__()
        self._theme, self._outcome = theme, outcome
        self.setFixedSize(QSize(12, 12))
        self.setAccessibleName(outcome_text(outcome))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the marker."""
        draw_outcome_marker(QPainter(self), self._theme, self._outcome, QPointF(6, 6), 3.5)
