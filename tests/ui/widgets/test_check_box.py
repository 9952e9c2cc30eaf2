"""The check box painted in the program's style."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QRegion
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from browser_app.ui.widgets.form_fields import CHECK_BOX_GAP, CHECK_BOX_PX, CheckBox, RadioButton
from browser_app.ui.widgets.palette import PALETTES
from browser_app.ui.widgets.theme import Theme


def columns_of(image: QImage, color: QColor) -> list[int]:
    """Return the columns, in device-independent pixels, in which a colour occurs."""
    ratio = round(image.devicePixelRatio())
    found = {x for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y) == color}
    return sorted({x // ratio for x in found})


def painted(box: CheckBox | RadioButton, ratio: int) -> QImage:
    image = QImage(box.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("#123456"))
    box.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    return image


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("checked", [False, True])
def test_box_is_at_the_edge(qtbot: QtBot, theme: Theme, palette: str, ratio: int, checked: bool) -> None:
    theme.set_theme(palette)
    box = CheckBox(theme, "Notify me")
    qtbot.addWidget(box)
    box.setChecked(checked)
    box.resize(box.sizeHint())
    color = theme.palette.color("accent" if checked else "border")
    around = CHECK_BOX_PX + CHECK_BOX_GAP
    found = [x for x in columns_of(painted(box, ratio), color) if x < around]  # beside it, texts have colours alike
    assert (found[0], found[-1]) == (0, CHECK_BOX_PX - 1)
    box.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    found = [x for x in columns_of(painted(box, ratio), color) if x >= box.width() - around]
    assert (found[0], found[-1]) == (box.width() - CHECK_BOX_PX, box.width() - 1)


@pytest.mark.parametrize("checked", [False, True])
def test_radio_button_is_at_the_edge(qtbot: QtBot, theme: Theme, checked: bool) -> None:
    button = RadioButton(theme, "Notify me")
    qtbot.addWidget(button)
    button.setChecked(checked)
    button.resize(button.sizeHint())
    image = painted(button, 1)
    middle = [image.pixelColor(x, image.height() // 2) for x in range(CHECK_BOX_PX + 1)]
    ground = middle[-1]  # between circle and text
    assert ground not in (middle[0], middle[CHECK_BOX_PX - 1])


@pytest.mark.parametrize("text", ["Notify me", ""])
def test_focus_ring_leaves_box_alone(qtbot: QtBot, theme: Theme, text: str) -> None:
    box = CheckBox(theme, text)
    qtbot.addWidget(box)
    box.show()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    columns = columns_of(painted(box, 1), theme.palette.color("accent"))
    assert columns
    assert bool(text) == (columns[0] > CHECK_BOX_PX)
    assert QRect(QPoint(), box.sizeHint()).contains(QPoint(columns[-1], 1))
