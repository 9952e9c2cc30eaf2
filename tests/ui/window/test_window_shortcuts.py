"""Keyboard shortcuts of the window: names typed in the list, areas, menus."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog
from window_helpers import AppDriver, buttons_by_text

from browser_app.ui.settings.keyboard_shortcuts import SHORTCUT_ACTIONS, shortcut_text
from browser_app.ui.widgets.dialogs import NameDialog
from browser_app.ui.widgets.notification_bar import NotificationBar

CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def test_no_letter_alone_is_a_command() -> None:
    keys = [action.key for action in SHORTCUT_ACTIONS]
    assert not [key for key in keys if len(key) == 1]
    assert len(set(keys)) == len(keys)


def test_every_action_has_a_handler(app: AppDriver) -> None:
    assert app.window.shortcuts.registered_actions() == list(SHORTCUT_ACTIONS)


@pytest.mark.parametrize("letter", "abfinpw")
def test_first_letter_goes_to_a_name(app: AppDriver, letter: str) -> None:
    app.table.setFocus()
    inspector = app.window.servers_view.inspector.isVisible()
    app.write(letter)
    assert app.window.focusWidget() is app.table
    names = [name.casefold() for name in app.names()]
    found = [row for row, name in enumerate(names) if re.search(rf"\b{letter}", name)]
    assert app.table.currentIndex().row() in (found or [0])
    assert app.play_now_bar.button.state.name == "READY"
    assert not app.catalogue.favourite.any()
    assert app.window.servers_view.inspector.isVisible() is inspector
    assert not [bar for bar in app.window.findChildren(NotificationBar) if bar.isVisible()]
    assert not [dialog for dialog in app.window.findChildren(QDialog) if dialog.isVisible()]


def test_f6_goes_through_all_areas(app: AppDriver) -> None:
    view = app.window.servers_view
    app.table.setFocus()
    visited = []
    for _step in range(5):
        app.press(Qt.Key.Key_F6)
        visited.append(app.window.focusWidget())
    assert visited[:3] == [view.inspector.tabs, app.window.status_bar.masters_button, app.play_now_bar.button]
    assert view.sidebar.isAncestorOf(visited[4])
    app.press(Qt.Key.Key_F6)
    assert app.window.focusWidget() is app.table
    app.press(Qt.Key.Key_F6, SHIFT)
    assert view.sidebar.isAncestorOf(app.window.focusWidget())


def test_alt_numbers_show_inspector_pages(app: AppDriver) -> None:
    for key, page in ((Qt.Key.Key_2, "players"), (Qt.Key.Key_5, "notes"), (Qt.Key.Key_1, "score")):
        app.press(key, ALT)
        assert app.window.servers_view.inspector.current_page == page


def test_menu_key_shows_the_keys_of_its_actions(app: AppDriver) -> None:
    app.table.setFocus()
    app.press(Qt.Key.Key_F10, SHIFT)
    menu = app.menu()
    keys = {action.text(): action.shortcut() for action in menu.actions()}
    assert keys["Join"] == QKeySequence("Enter")  # the word on most keyboards
    assert keys["Wait for a slot"] == QKeySequence("Ctrl+Enter")
    assert keys["Block…"] == QKeySequence("Ctrl+B")
    assert {"Write a note", "Set an alert"} <= keys.keys()
    full = app.catalogue.is_unjoinable(app.table.selected_server())
    assert next(action for action in menu.actions() if action.text() == "Wait for a slot").isEnabled() is full
    menu.close()
    QApplication.processEvents()


def test_ctrl_d_toggles_favourite_from_the_inspector(app: AppDriver) -> None:
    app.window.servers_view.inspector.tabs.setFocus()
    app.press(Qt.Key.Key_D, CONTROL)
    assert app.catalogue.favourite[app.table.selected_server()]


def test_collapsing_the_inspector_keeps_the_focus_near(app: AppDriver) -> None:
    view = app.window.servers_view
    view.inspector.tabs.setFocus()
    app.press(Qt.Key.Key_I, CONTROL)
    assert app.window.focusWidget() is view.inspector_handle
    app.press(Qt.Key.Key_Return)
    assert app.window.focusWidget() is view.inspector.tabs


def test_closing_the_first_steps_focuses_the_list(app: AppDriver) -> None:
    panel = app.window.servers_view.first_run.panel
    app.window.servers_view.first_run.open()
    panel.close_button.setFocus()
    app.press(Qt.Key.Key_Return)
    assert panel.isHidden()
    assert app.window.focusWidget() is app.table


def test_next_first_step_leaves_the_list_alone(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = app.window.servers_view.first_run.panel
    app.window.servers_view.first_run.open()
    games_step = panel._current
    games_step.next_button.setFocus()
    arrivals: list[QFocusEvent] = []
    monkeypatch.setattr(app.table, "focusInEvent", arrivals.append)
    app.press(Qt.Key.Key_Space)
    assert panel._current is not games_step
    assert panel._current.isAncestorOf(app.window.focusWidget())
    assert arrivals == []


def test_closed_message_returns_the_focus(app: AppDriver) -> None:
    bar = app.window.help_controller.notification_bar
    app.table.setFocus()
    bar.show_message("Something went wrong.", "It goes on.")
    bar.show_buttons(("Close", bar.hide_message))
    buttons_by_text(bar)["Close"].setFocus()
    app.press(Qt.Key.Key_Return)
    assert app.window.focusWidget() is app.table


def test_return_is_called_enter() -> None:
    assert [shortcut_text(name) for name in ("join", "wait", "refresh")] == ["Enter", "Ctrl+Enter", "F5"]


def test_filter_is_written_left_and_saved_by_keys(app: AppDriver) -> None:
    app.filter("players>=0")
    app.press(Qt.Key.Key_Return)
    assert app.window.focusWidget() is app.table
    assert app.table.selected_server() >= 0
    app.press(Qt.Key.Key_S, CONTROL)
    app.wait(lambda: isinstance(QApplication.activeModalWidget(), NameDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NameDialog)
    app.bot.keyClicks(dialog.field, "Anybody")
    app.bot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert app.program.storage.saved_filters["Anybody"] == "players>=0"
