"""The window in a right-to-left language.

Its translation has the code's texts in Hebrew letters.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from devtools.translations import DOMAIN
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp

from browser_app import language
from browser_app.paths import resource_folder
from browser_app.ui.inspector.factor_row import FactorBar
from browser_app.ui.inspector.inspector_pages import INSPECTOR_PAGES
from browser_app.ui.skill.skill_pages import SKILL_PAGES
from browser_app.ui.widgets.basic_widgets import Label, draw_elided_text
from browser_app.ui.widgets.text_direction import is_right_to_left, left_to_right
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_shortcuts import SKILL_VIEW
from browser_app.window_app import window_program
from browser_app.window_app.qt_application import install_language

HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_KEPT = re.compile(r"(\{[^{}]*\})")


def in_hebrew_letters(text: str) -> str:
    """Return a text with Hebrew letters for Latin ones, except in placeholders."""
    letters = {code: HEBREW[(code | 32) % len(HEBREW)] for code in (*range(65, 91), *range(97, 123))}
    parts = _KEPT.split(text)
    return "".join(part if place % 2 else part.translate(letters) for place, part in enumerate(parts))


@pytest.fixture(scope="module")
def hebrew_letters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of languages with one in Hebrew letters."""
    folder = tmp_path_factory.mktemp("languages")
    with (resource_folder() / "languages" / "de" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        catalogue = read_po(file)
    for message in catalogue:
        if isinstance(message.id, str):
            message.string = in_hebrew_letters(message.id) if message.id else message.string
        else:
            message.string = tuple(in_hebrew_letters(form) for form in message.id)
    path = folder / "he" / "LC_MESSAGES" / f"{DOMAIN}.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)
    return folder


@pytest.fixture
def right_to_left(qapp: QApplication, hebrew_letters: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install_language(qapp, hebrew_letters, "he")
    # The program would install the user's language.
    monkeypatch.setattr(window_program, "install_language", lambda *_: None)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    language.set_language(resource_folder() / "languages", language.ENGLISH)


@pytest.fixture
def hebrew_app(right_to_left: None, open_app: OpenApp) -> AppDriver:
    return open_app()


def left_of(widget: QWidget) -> int:
    return widget.mapTo(widget.window(), QPoint(0, 0)).x()


def right_of(widget: QWidget) -> int:
    return left_of(widget) + widget.width()


def ink(image: QImage, background: QColor) -> tuple[int, int]:
    """Return the first and last column with another colour."""
    columns = [x for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y) != background]
    return min(columns), max(columns)


def ink_height(image: QImage) -> int:
    """Return how many lines have another colour than white."""
    white = QColor(Qt.GlobalColor.white)
    return sum(any(image.pixelColor(x, y) != white for x in range(image.width())) for y in range(image.height()))


def test_window_is_mirrored(hebrew_app: AppDriver) -> None:
    window, view = hebrew_app.window, hebrew_app.window.servers_view
    assert right_of(window.play_now_bar.button) == window.width() - 12
    chips = [chip for chip in view.chip_bar.focus_order() if chip.isVisible()]
    places = [left_of(chip) for chip in chips]
    assert places == sorted(places, reverse=True)
    assert right_of(chips[0]) == window.width() - 12
    assert left_of(view.inspector) < left_of(view.table) < left_of(view.sidebar)
    assert is_right_to_left(chips[0].accessibleName())


def test_every_page_is_painted(hebrew_app: AppDriver) -> None:
    window = hebrew_app.window
    for page in INSPECTOR_PAGES:
        window.servers_view.inspector.show_page(page.key)
        assert not window.grab().isNull()
    window.view_switch.setCurrentIndex(SKILL_VIEW)
    for skill_page in SKILL_PAGES:
        window.skill_controller.view.show_page(skill_page.key)
        assert not window.grab().isNull()


def test_popover_is_beside_the_button(hebrew_app: AppDriver) -> None:
    window, popover = hebrew_app.window, hebrew_app.window.play_now_popover
    popover.show_exclusions(window.play_now_controller._popover_position(), [], None)
    assert right_of(popover) == left_of(window.play_now_bar.button)
    popover.hide()


def test_bars_start_at_the_right(qtbot: QtBot, theme: Theme, right_to_left: None) -> None:
    bar = FactorBar(theme)
    qtbot.addWidget(bar)
    bar.show_value(0.5, "accent")
    filled = theme.palette.color("accent")
    image, middle = bar.grab().toImage(), bar.height() // 2
    assert [image.pixelColor(x, middle) == filled for x in (5, bar.width() - 5)] == [False, True]


def test_addresses_are_at_the_right(qtbot: QtBot, theme: Theme, right_to_left: None) -> None:
    label = Label(theme, "127.0.0.1:27960 · IT")
    qtbot.addWidget(label)
    label.resize(400, 20)
    image = label.grab().toImage()
    first, last = ink(image, image.pixelColor(0, 0))
    assert first > 200
    assert last > 390


class _CutNameWidget(QWidget):
    """Paints a Latin name that is too long, black on white."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._font = theme.font(13)
        self.resize(90, 20)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        draw_elided_text(painter, self, self.rect(), "Natural Selection 2", self._font, QColor(Qt.GlobalColor.black))


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight])
def test_cut_name_ends_with_dots(
    qtbot: QtBot, theme: Theme, right_to_left: None, direction: Qt.LayoutDirection
) -> None:
    name = _CutNameWidget(theme)
    qtbot.addWidget(name)
    name.setLayoutDirection(direction)
    image = name.grab().toImage()
    first, last = ink(image, QColor(Qt.GlobalColor.white))
    assert ink_height(image.copy(first, 0, 6, 20)) > 3 * ink_height(image.copy(last - 5, 0, 6, 20))


def test_direction_of_texts(right_to_left: None) -> None:
    assert [is_right_to_left(text) for text in ("שרת 1", "12 שרת", "Server", "1 → 2", "מ")] == [
        True, True, False, False, True
    ]  # fmt: skip
    assert "127.0.0.1/71" in left_to_right("127.0.0.1/71") != "127.0.0.1/71"
