"""Fields of the settings and tabs: the mouse wheel, and switches."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QListWidget,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from browser_app.storage.setting_declarations import GAME_PROGRAMS, PLAYED_GAMES, SETTINGS
from browser_app.storage.setting_types import Setting, SettingKind
from browser_app.ui.settings.setting_editors import EditorNames, create_editor
from browser_app.ui.widgets.form_fields import leave_wheel_to_page
from browser_app.ui.widgets.tab_widgets import SegmentedSwitch
from browser_app.ui.widgets.theme import Theme

GAMES = {f"game{number}": f"Game {number}" for number in range(40)}
SETTINGS_WITH_FIELDS = [each for each in SETTINGS if each.kind not in (SettingKind.SWITCH, SettingKind.TEXT)]
FIELD_KINDS = (QComboBox, QAbstractSpinBox, QAbstractScrollArea)


def uses_wheel(widget: QWidget) -> bool:
    """Turn the wheel down over a widget.

    Return whether it keeps the wheel from the page.
    """
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    place = QPointF(target.rect().center())
    no_button, no_key = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    turned, phase = QPoint(0, -120), Qt.ScrollPhase.NoScrollPhase
    where = target.mapToGlobal(place)
    event = QWheelEvent(place, where, QPoint(), turned, no_button, no_key, phase, False)
    QApplication.sendEvent(target, event)
    return event.isAccepted()


@pytest.mark.parametrize("setting", SETTINGS_WITH_FIELDS, ids=lambda setting: setting.key)
def test_wheel_leaves_setting_alone(qtbot: QtBot, setting: Setting[object]) -> None:
    applied: list[object] = []
    editor = create_editor(setting, EditorNames(GAMES), applied.append)
    qtbot.addWidget(editor.widget)
    editor.show_value(setting.default)
    editor.widget.show()
    assert isinstance(editor.widget, FIELD_KINDS)
    assert not uses_wheel(editor.widget)
    assert editor.widget.focusPolicy() == Qt.FocusPolicy.StrongFocus
    if isinstance(editor.widget, QComboBox | QAbstractSpinBox):
        editor.widget.setFocus()
        assert not uses_wheel(editor.widget)
    assert applied == []


def test_empty_cells_are_spoken(qtbot: QtBot) -> None:
    editor = create_editor(GAME_PROGRAMS, EditorNames(GAMES), lambda _value: None)
    qtbot.addWidget(editor.widget)
    editor.show_value({"game0": "wine game.exe"})
    assert isinstance(editor.widget, QTableWidget)
    cells = editor.widget.model()
    spoken = [cells.index(row, 1).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)]
    assert spoken == [None, "not set"]
    assert cells.index(1, 1).data() == ""


@pytest.mark.parametrize("setting", [PLAYED_GAMES, GAME_PROGRAMS], ids=lambda setting: setting.key)
def test_games_are_filled_in_at_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, setting: Setting[object]) -> None:
    changes: list[object] = []
    for view in (QListWidget, QTableWidget):
        monkeypatch.setattr(view, "dataChanged", lambda *changed: changes.append(changed))
    qtbot.addWidget(create_editor(setting, EditorNames(GAMES), lambda _value: None).widget)
    assert changes == []


def test_focused_list_scrolls(qtbot: QtBot) -> None:
    games = leave_wheel_to_page(QListWidget())
    qtbot.addWidget(games)
    games.addItems(list(GAMES))
    games.setFixedHeight(120)
    games.show()
    assert not uses_wheel(games)
    games.setFocus()
    assert uses_wheel(games)
    assert games.verticalScrollBar().value() > 0


def test_wheel_switches_no_tab(qtbot: QtBot, theme: Theme) -> None:
    switch = SegmentedSwitch(theme, ("Join", "Notify me"), "When a slot is free")
    qtbot.addWidget(switch)
    switch.show()
    assert not uses_wheel(switch)
    assert switch.currentIndex() == 0


def test_switch_names_its_state(qtbot: QtBot) -> None:
    setting = next(each for each in SETTINGS if each.kind is SettingKind.SWITCH)
    editor = create_editor(setting, EditorNames(GAMES), lambda _value: None)
    qtbot.addWidget(editor.widget)
    assert isinstance(editor.widget, QCheckBox)
    texts = []
    for value in (True, False):
        editor.show_value(value)
        texts.append(editor.widget.text())
        editor.widget.click()
        texts.append(editor.widget.text())
    assert texts == ["On", "Off", "Off", "On"]
