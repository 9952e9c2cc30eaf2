"""A cache for the parts of a widget that do not depend on the pointer."""

from collections.abc import Callable

from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from browser_app.ui.widgets.theme import Theme


class CachedPaintWidget:
    """A pixmap of a widget's static content on the `surface` colour.

    It is painted again when size, pixel ratio, layout direction, palette, font or the caller's state changes, and after
    `invalidate`.
    """

    def __init__(self, widget: QWidget, theme: Theme, paint: Callable[[QPainter], object]) -> None:
        """Create an empty cache; `paint` draws the content with its origin at 0, 0."""
        self._widget, self._theme, self._paint = widget, theme, paint
        self._pixmap: QPixmap | None = None
        self._cache_key: object = None

    def invalidate(self) -> None:
        """Paint the content again at the next `draw`."""
        self._pixmap = None

    def draw(self, painter: QPainter, *state: object) -> None:
        """Draw the cached content; a changed `state` repaints it."""
        widget = self._widget
        ratio = widget.devicePixelRatioF()
        appearance = widget.size(), ratio, widget.layoutDirection(), self._theme.palette, self._theme.font(), state
        if self._pixmap is None or self._cache_key != appearance:
            self._pixmap, self._cache_key = self._render(ratio), appearance
        painter.drawPixmap(0, 0, self._pixmap)

    def _render(self, ratio: float) -> QPixmap:
        pixmap = QPixmap(self._widget.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._theme.palette.color("surface"))
        painter = QPainter(pixmap)
        painter.setLayoutDirection(self._widget.layoutDirection())
        painter.setFont(self._widget.font())
        self._paint(painter)
        painter.end()
        return pixmap
