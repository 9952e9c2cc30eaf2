"""Style sheet of input fields in every palette."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from browser_app.ui.widgets.dialogs import ThemedDialog
from browser_app.ui.widgets.form_fields import SpinBox
from browser_app.ui.widgets.menus import create_menu
from browser_app.ui.widgets.palette import PALETTES
from browser_app.ui.widgets.theme import Theme, field_style_sheet


def contrast(one: QColor, other: QColor) -> float:
    """Return the WCAG contrast of two colours."""

    def luminance(color: QColor) -> float:
        parts = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (color.redF(), color.greenF(), color.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def drawn(widget: QWidget, name: str) -> QImage:
    widget.setStyleSheet(field_style_sheet(PALETTES[name]))
    widget.resize(160, 28)
    return widget.grab().toImage()


@pytest.mark.parametrize("name", PALETTES)
def test_image_files_exist(name: str) -> None:
    pictures = re.findall(r'url\("([^"]+)"\)', field_style_sheet(PALETTES[name]))
    assert len(pictures) == 6
    assert all(Path(picture).is_file() for picture in pictures)


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("kind", [QComboBox, QDoubleSpinBox])
def test_outlines_contrast_with_backgrounds(qapp: QApplication, name: str, kind: type[QWidget]) -> None:
    theme = Theme(qapp, name)
    widget = kind()
    image = drawn(widget, name)
    outline, ground = image.pixelColor(80, 0), theme.palette.color("raised")
    assert contrast(outline, ground) >= 3
    widget.deleteLater()
    theme.deleteLater()


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("checked", [False, True])
def test_focus_of_check_box_is_visible(qtbot: QtBot, qapp: QApplication, name: str, checked: bool) -> None:
    theme = Theme(qapp, name)
    box = QCheckBox("Enabled")
    qtbot.addWidget(box)
    box.setChecked(checked)
    box.show()
    box.clearFocus()
    before = drawn(box, name)
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    after = drawn(box, name)
    changed = (3, 10) if checked else (1, 14)  # inside beside the tick, where the border is thicker
    assert contrast(before.pixelColor(*changed), after.pixelColor(*changed)) >= 3
    assert contrast(after.pixelColor(1, 14), after.pixelColor(3, 10)) >= 3
    theme.deleteLater()


@pytest.mark.parametrize("name", PALETTES)
def test_tick_is_drawn(qapp: QApplication, name: str) -> None:
    theme = Theme(qapp, name)
    box = QCheckBox("Enabled")
    box.setChecked(True)
    image = drawn(box, name)
    colors = {image.pixelColor(x, y).name() for x in range(3, 13) for y in range(9, 20)}
    accent, tick = theme.palette.color("accent"), theme.palette.color("on_accent")
    assert accent.name() in colors
    assert max(contrast(QColor(color), accent) for color in colors) >= contrast(tick, accent) * 0.6
    box.deleteLater()
    theme.deleteLater()


def test_open_dialog_follows_the_theme(qapp: QApplication, qtbot: QtBot) -> None:
    theme, window = Theme(qapp, "dark"), QWidget()
    qtbot.addWidget(window)
    dialog = ThemedDialog(theme, window, "Title")
    for name in ("contrast", "dark", "light"):
        theme.set_theme(name)
        assert dialog.grab().toImage().pixelColor(3, 3) == theme.palette.color("raised")
    dialog.close()


@pytest.mark.parametrize("name", PALETTES)
def test_menu_has_a_frame(qtbot: QtBot, qapp: QApplication, name: str) -> None:
    theme, window = Theme(qapp, name), QWidget()
    qtbot.addWidget(window)
    menu = create_menu(window, (("Join", lambda: None),))
    menu.popup(QPoint(0, 0))
    image = menu.grab().toImage()
    assert contrast(image.pixelColor(0, image.height() // 2), theme.palette.color("window")) >= 3
    menu.close()
    theme.deleteLater()


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_submenu_arrow_contrasts_with_background(
    qtbot: QtBot, qapp: QApplication, name: str, direction: Qt.LayoutDirection
) -> None:
    theme, window = Theme(qapp, name), QWidget()
    qtbot.addWidget(window)
    window.setLayoutDirection(direction)
    menu = create_menu(window, ())
    menu.setLayoutDirection(direction)
    menu.addMenu(create_menu(menu, (("Name", lambda: None),)))
    menu.popup(QPoint(0, 0))
    image, ground = menu.grab().toImage(), theme.palette.color("window")
    line = range(4, image.width() - 4)
    ink = [x for x in line for y in range(4, image.height() - 4) if contrast(image.pixelColor(x, y), ground) >= 4.5]
    assert len(ink) >= 5
    assert (min(ink) > image.width() / 2) is (direction == Qt.LayoutDirection.LeftToRight)
    menu.close()
    theme.deleteLater()


def test_open_menu_follows_the_theme(qtbot: QtBot, qapp: QApplication) -> None:
    theme, window = Theme(qapp, "light"), QWidget()
    qtbot.addWidget(window)
    window.show()
    menu = create_menu(window, (("Join", lambda: None),))
    menu.popup(QPoint(0, 0))
    for name, palette in PALETTES.items():
        theme.set_theme(name)
        qapp.processEvents()
        assert menu.grab().toImage().pixelColor(3, 3) == palette.color("window"), name
    menu.close()
    theme.deleteLater()


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("framed", [True, False])
def test_empty_list_shows_the_focus(qtbot: QtBot, qapp: QApplication, name: str, framed: bool) -> None:
    theme, dialog = Theme(qapp, name), QWidget()
    dialog.setStyleSheet(field_style_sheet(theme.palette))
    qtbot.addWidget(dialog)
    games, other = QListWidget(dialog), QLineEdit(dialog)
    if not framed:
        games.setFrameShape(QListWidget.Shape.NoFrame)
    dialog.show()
    dialog.activateWindow()
    edges = []
    for widget in (other, games):
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        edges.append(games.grab().toImage().pixelColor(0, 20))
    assert edges[1] == theme.palette.color("accent") != edges[0]
    theme.deleteLater()


def test_number_is_not_at_the_frame(qtbot: QtBot) -> None:
    field = SpinBox(1, 64, 10)
    qtbot.addWidget(field)
    assert field.lineEdit().textMargins().left() >= 4


@pytest.mark.parametrize("is_checked", [False, True])
@pytest.mark.parametrize("name", PALETTES)
def test_menu_boxes_contrast_with_background(qtbot: QtBot, qapp: QApplication, name: str, is_checked: bool) -> None:
    theme, window = Theme(qapp, name), QWidget()
    qtbot.addWidget(window)
    menu = create_menu(window, ())
    action = menu.addAction("")
    action.setCheckable(True)
    action.setChecked(is_checked)
    image, ground = menu.grab().toImage(), theme.palette.color("window")
    inside = image.copy(image.rect().adjusted(2, 2, -2, -2))
    pixels = {inside.pixelColor(x, y).rgb() for x in range(inside.width()) for y in range(inside.height())}
    assert theme.palette.color("accent" if is_checked else "border").rgb() in pixels
    assert max(contrast(QColor(pixel), ground) for pixel in pixels) >= 3
    menu.deleteLater()
    theme.deleteLater()
