"""Cache of painted table rows."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

PaintRow = Callable[[QPainter], object]


class RowPixmapCache:
    """Pixmaps of painted rows.

    A key must contain everything a row is painted from; `begin_paint` takes what all rows have in common and clears the
    cache when that changes. It holds at most twice as many rows as are visible.
    """

    def __init__(self) -> None:
        self._appearance: Hashable = None
        self._max_pixmaps = 0
        self._pixmaps: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def begin_paint(self, appearance: Hashable, visible_rows: int) -> None:
        """Start painting rows with a common appearance."""
        if appearance != self._appearance:
            self._appearance = appearance
            self._pixmaps.clear()
        self._max_pixmaps = 2 * visible_rows

    def draw_row(
        self, painter: QPainter, position: QPoint, size: QSize, background: QColor, key: Hashable, paint: PaintRow
    ) -> None:
        """Draw a row of `size` at `position`, from the cache if it is there.

        If not, `paint` draws it at 0, 0 on `background` first.
        """
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._pixmaps[key] = self._paint_pixmap(painter, size, background, paint)
            while len(self._pixmaps) > self._max_pixmaps:
                self._pixmaps.popitem(last=False)
        else:
            self._pixmaps.move_to_end(key)
        painter.drawPixmap(position, pixmap)

    def _paint_pixmap(self, painter: QPainter, size: QSize, background: QColor, paint: PaintRow) -> QPixmap:
        ratio = painter.device().devicePixelRatioF()
        pixmap = QPixmap(size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(background)
        inner = QPainter(pixmap)
        inner.setLayoutDirection(painter.layoutDirection())
        paint(inner)
        inner.end()
        return pixmap
