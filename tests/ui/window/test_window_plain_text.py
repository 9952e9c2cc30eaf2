"""Server texts are shown as plain text everywhere."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot
from window_helpers import COLUMN_INDEX, AppDriver, open_apps, small_network

from browser_app.ui.play.play_now_popover import VerificationStep
from browser_app.ui.widgets.basic_widgets import ElidedLabel
from browser_app.ui.widgets.value_text import plain_tool_tip

MARKUP = "<b>x</b><img src=file:///etc/passwd>"
CONTROLS = "a\u202egnp.exe\u2066 b\x07\x1b[31mc\u200f &Join"
"""Direction override, isolate, bell, terminal colour, combining mark, and a menu mnemonic."""


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication) -> Iterator[AppDriver]:
    """A program with two servers whose texts contain markup."""
    with small_network(servers=4, games=("openarena",)) as network:
        for server, text in zip(network.servers, (MARKUP, CONTROLS, f"{MARKUP} &amp; {CONTROLS}"), strict=False):
            server.state.name = server.state.map = text
            server.state.has_password = False
            for person in server.state.players:
                person.name = person.unique_name = text
        with open_apps(qtbot, qapp, network) as open_app:
            yield open_app()


def is_harmless(tip: str) -> bool:
    """Return whether a text is safe to show.

    No markup, or markup that escapes all of a server's text.
    """
    return not GuiQt.mightBeRichText(tip) or ("<b>" not in tip and "<img" not in tip)


def the_server(app: AppDriver, text: str) -> int:
    return next(server for server in app.servers() if app.catalogue.name[server] == text)


def test_control_characters_are_removed(app: AppDriver) -> None:
    texts = [*app.names(), *(row.texts["map"] for row in app.model.rows(0, 3))]
    assert any("gnp.exe" in text for text in texts)
    for text in texts:
        assert not set(text) & set("\u202e\u2066\u200f\x07\x1b"), text


def test_cells_and_tooltips(app: AppDriver) -> None:
    for row in range(app.model.rowCount()):
        for column in range(app.model.columnCount()):
            tip = app.model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
            assert is_harmless(tip), tip
    place = app.model.row_of(the_server(app, MARKUP))
    assert place is not None
    assert app.model.index(place, COLUMN_INDEX["name"]).data() == MARKUP
    assert "&lt;img" in app.model.index(place, COLUMN_INDEX["name"]).data(Qt.ItemDataRole.ToolTipRole)


def test_labels_and_tooltips(app: AppDriver) -> None:
    app.table.select_server(the_server(app, MARKUP))
    app.settle()
    app.window.grab()
    labels = app.window.findChildren(QLabel)
    assert any(label.text() == MARKUP for label in labels)
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    for widget in app.window.findChildren(QWidget):
        assert is_harmless(widget.toolTip()), widget.toolTip()


def test_tooltip_of_elided_name(app: AppDriver) -> None:
    app.table.select_server(the_server(app, MARKUP))
    label = next(label for label in app.window.findChildren(ElidedLabel) if label.text() == MARKUP)
    label.setFixedWidth(40)
    label.grab()
    assert label.toolTip() == plain_tool_tip(MARKUP)
    assert is_harmless(label.toolTip())


def test_play_now(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.program.backend.server_launcher, "check_launch", lambda _: None)
    app.window.join_controller.join(the_server(app, MARKUP))
    assert app.play_now_bar.shown_texts()[0] == f"Joining “{MARKUP}”"
    app.window.grab()
    assert is_harmless(app.play_now_bar._name_label.toolTip())
    app.press(Qt.Key.Key_Escape)
    strip = app.window.join_controller.prompts.notification_bar
    strip.show_message(MARKUP, MARKUP)
    strip.setFixedWidth(160)
    strip.grab()
    tips = [label.toolTip() for label in strip.findChildren(ElidedLabel) if label.toolTip()]
    assert tips
    assert all(map(is_harmless, tips))
    app.window.play_now_popover.show_steps(QPoint(148, 56), [VerificationStep("chosen", MARKUP, "0.5 → 0.6", MARKUP)])
    assert not app.window.play_now_popover.grab().isNull()


def test_menus_do_not_contain_server_names(app: AppDriver) -> None:
    for row in range(app.model.rowCount()):
        where = app.cell(row, "name")
        viewport = app.table.viewport()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, viewport.mapToGlobal(where))
        QApplication.sendEvent(viewport, event)
        menu = app.menu()
        words = " ".join(action.text() for action in menu.actions())
        assert "Join" in words
        assert app.model.rows(row, row)[0].name not in words
        assert "<" not in words
        menu.close()
