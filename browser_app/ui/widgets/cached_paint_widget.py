"""A cache of a widget's painted parts that do not follow the pointer."""

from collections.abc import Callable

from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from browser_app.ui.widgets.theme import Theme


class CachedPaintWidget:
    """All of a widget that does not follow the pointer, on the ground that it stands on.

    Kept true: another size, screen, direction, palette or font has it painted anew, and so has `forget`.
    """

    def __init__(self, widget: QWidget, theme: Theme, paint: Callable[[QPainter], object]) -> None:
        """`paint` draws the widget from 0, 0 on."""
        self._widget, self._theme, self._paint = widget, theme, paint
        self._pixmap: QPixmap | None = None
        self._cache_key: object = None

    def invalidate(self) -> None:
        """What is to be drawn is something else."""
        self._pixmap = None

    def draw(self, painter: QPainter, *state: object) -> None:
        """Draw it where it was painted; another `state` of the widget has it painted anew, too."""
        widget = self._widget
        ratio = widget.devicePixelRatioF()
        look = widget.size(), ratio, widget.layoutDirection(), self._theme.palette, self._theme.font(), state
        if self._pixmap is None or self._cache_key != look:
            self._pixmap, self._cache_key = self._render(ratio), look
        painter.drawPixmap(0, 0, self._pixmap)

    def _render(self, ratio: float) -> QPixmap:
        picture = QPixmap(self._widget.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._theme.palette.color("surface"))
        painter = QPainter(picture)
        painter.setLayoutDirection(self._widget.layoutDirection())
        painter.setFont(self._widget.font())
        self._paint(painter)
        painter.end()
        return picture
