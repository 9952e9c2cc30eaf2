"""Server texts are shown as plain text everywhere."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot
from window_rig import PLACE, Room, open_rooms, small_network

from browser_app.ui.play.play_now_popover import VerifyStep
from browser_app.ui.widgets.basic_widgets import ElidedLabel
from browser_app.ui.widgets.value_text import plain_tool_tip

MARKUP = "<b>x</b><img src=file:///etc/passwd>"
CONTROLS = "a\u202egnp.exe\u2066 b\x07\x1b[31mc\u200f &Join"
"""Direction override, isolate, bell, terminal colour, combining mark, and a menu mnemonic."""


@pytest.fixture
def room(qtbot: QtBot, qapp: QApplication) -> Iterator[Room]:
    """A program with two servers whose texts contain markup."""
    with small_network(servers=4, games=("openarena",)) as network:
        for server, text in zip(network.servers, (MARKUP, CONTROLS, f"{MARKUP} &amp; {CONTROLS}"), strict=False):
            server.state.name = server.state.map = text
            server.state.has_password = False
            for person in server.state.players:
                person.name = person.unique_name = text
        with open_rooms(qtbot, qapp, network) as open_room:
            yield open_room()


def is_harmless(tip: str) -> bool:
    """Return whether a text is no markup, or markup that escapes all of a server's text."""
    return not GuiQt.mightBeRichText(tip) or ("<b>" not in tip and "<img" not in tip)


def the_server(room: Room, text: str) -> int:
    return next(server for server in room.servers() if room.catalogue.name[server] == text)


def test_control_characters_are_removed(room: Room) -> None:
    texts = [*room.names(), *(row.map for row in room.model.rows(0, 3))]
    assert any("gnp.exe" in text for text in texts)
    for text in texts:
        assert not set(text) & set("\u202e\u2066\u200f\x07\x1b"), text


def test_cells_and_tooltips(room: Room) -> None:
    for row in range(room.model.rowCount()):
        for column in range(room.model.columnCount()):
            tip = room.model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
            assert is_harmless(tip), tip
    place = room.model.row_of(the_server(room, MARKUP))
    assert place is not None
    assert room.model.index(place, PLACE["name"]).data() == MARKUP
    assert "&lt;img" in room.model.index(place, PLACE["name"]).data(Qt.ItemDataRole.ToolTipRole)


def test_labels_and_tooltips(room: Room) -> None:
    room.table.select_server(the_server(room, MARKUP))
    room.settle()
    room.window.grab()
    labels = room.window.findChildren(QLabel)
    assert any(label.text() == MARKUP for label in labels)
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    for widget in room.window.findChildren(QWidget):
        assert is_harmless(widget.toolTip()), widget.toolTip()


def test_tooltip_of_elided_name(room: Room) -> None:
    room.table.select_server(the_server(room, MARKUP))
    label = next(label for label in room.window.findChildren(ElidedLabel) if label.text() == MARKUP)
    label.setFixedWidth(40)
    label.grab()
    assert label.toolTip() == plain_tool_tip(MARKUP)
    assert is_harmless(label.toolTip())


def test_play_now(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room.program.backend.server_launcher, "check_launch", lambda _: None)
    room.window.join_controller.join(the_server(room, MARKUP))
    assert room.play_bar.shown_texts()[0] == f"Joining {MARKUP}"
    room.window.grab()
    assert is_harmless(room.play_bar._name_label.toolTip())
    room.press(Qt.Key.Key_Escape)
    strip = room.window.join_controller.prompts.notification_bar
    strip.show_message(MARKUP, MARKUP)
    strip.setFixedWidth(160)
    strip.grab()
    tips = [label.toolTip() for label in strip.findChildren(ElidedLabel) if label.toolTip()]
    assert tips
    assert all(map(is_harmless, tips))
    room.window.play_now_popover.show_steps(QPoint(148, 56), [VerifyStep("good", MARKUP, "0.5 → 0.6", MARKUP)])
    assert not room.window.play_now_popover.grab().isNull()


def test_menus(room: Room) -> None:
    for row in range(room.model.rowCount()):
        where = room.cell(row, "name")
        viewport = room.table.viewport()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, viewport.mapToGlobal(where))
        QApplication.sendEvent(viewport, event)
        menu = room.menu()
        words = " ".join(action.text() for action in menu.actions())
        assert "Join" in words
        assert room.model.rows(row, row)[0].name not in words
        assert "<" not in words
        menu.close()
