"""Cache of painted rows."""

from collections.abc import Callable, Hashable

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from browser_app.ui.servers.row_pixmap_cache import RowPixmapCache

SIZE = QSize(40, 10)
GROUND = QColor("#fafafa")


class CountingRowPainter:
    """Draws rows and counts which were painted."""

    def __init__(self, ratio: float = 1.0) -> None:
        self.image = QImage(SIZE * ratio * 2, QImage.Format.Format_RGB32)
        self.image.setDevicePixelRatio(ratio)
        self.pictures = RowPixmapCache()
        self.painted: list[Hashable] = []

    def draw(self, *keys: Hashable, look: Hashable = "light", in_sight: int = 3) -> None:
        painter = QPainter(self.image)
        self.pictures.begin_paint(look, in_sight)
        for key in keys:
            self.pictures.draw_row(painter, QPoint(5, 3), SIZE, GROUND, key, self._paint(key))
        painter.end()

    def _paint(self, key: Hashable) -> Callable[[QPainter], None]:
        def paint(painter: QPainter) -> None:
            self.painted.append(key)
            painter.fillRect(0, 0, 7, 4, QColor("#112233"))

        return paint


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_draws_cached_row_at_position(ratio: float, qtbot: QtBot) -> None:
    canvas = CountingRowPainter(ratio)
    for _ in range(2):
        canvas.draw("a")
        at = [canvas.image.pixelColor(int(x * ratio), int(y * ratio)).name() for x, y in ((5, 3), (11, 6), (12, 7))]
        assert at == ["#112233", "#112233", GROUND.name()]
    assert canvas.painted == ["a"]


def test_state_or_appearance_repaints(qtbot: QtBot) -> None:
    canvas = CountingRowPainter()
    canvas.draw("a", "b", ("a", "hovered"))
    canvas.draw("a", "b", ("a", "hovered"))
    assert canvas.painted == ["a", "b", ("a", "hovered")]
    canvas.draw("a", look="dark")
    assert canvas.painted[3:] == ["a"]


def test_oldest_rows_are_dropped(qtbot: QtBot) -> None:
    canvas = CountingRowPainter()
    canvas.draw("a", "b", in_sight=1)
    canvas.draw("a", "c", in_sight=1)
    canvas.draw("a", in_sight=1)
    assert canvas.painted == ["a", "b", "c"]
    canvas.draw("b", in_sight=1)
    assert canvas.painted == ["a", "b", "c", "b"]
