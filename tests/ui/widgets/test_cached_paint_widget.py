"""Cache of a widget's static content."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from browser_app.ui.widgets.cached_paint_widget import CachedPaintWidget
from browser_app.ui.widgets.palette import DARK, LIGHT
from browser_app.ui.widgets.theme import Theme

INK = QColor("#112233")


class CountingWidget(QWidget):
    """Draws a corner and counts how often."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.resize(40, 10)
        self.painted = 0
        self.still = CachedPaintWidget(self, theme, self._paint)

    def _paint(self, painter: QPainter) -> None:
        self.painted += 1
        painter.fillRect(0, 0, 7, 4, INK)

    def shown(self, *state: object) -> QImage:
        image = QImage(self.size(), QImage.Format.Format_RGB32)
        painter = QPainter(image)
        self.still.draw(painter, *state)
        painter.end()
        return image


def test_paints_once(theme: Theme, qtbot: QtBot) -> None:
    widget = CountingWidget(theme)
    qtbot.addWidget(widget)
    first, second = widget.shown(), widget.shown()
    assert first == second
    assert [first.pixelColor(*at) for at in ((6, 3), (7, 4))] == [INK, LIGHT.color("surface")]
    assert widget.painted == 1


def test_repaints_when_state_changes(theme: Theme, qtbot: QtBot) -> None:
    widget = CountingWidget(theme)
    qtbot.addWidget(widget)
    widget.shown()
    widget.resize(QSize(41, 10))
    assert widget.shown().width() == 41
    theme.set_theme("dark")
    assert widget.shown().pixelColor(30, 8) == DARK.color("surface")
    widget.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    widget.shown()
    widget.shown("hovered")
    widget.shown("hovered")
    widget.still.invalidate()
    widget.shown("hovered")
    assert widget.painted == 6
