"""Manual refreshes and their rate limits."""

import pytest
from PySide6.QtCore import Qt
from window_rig import OpenRoom, Room

from browser_app.ui.servers import refresh_controller


def news(room: Room) -> str:
    return room.window.status_bar._message_label.text()


def test_early_refresh_is_delayed(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 60.0)
    room = open_room()
    first = room.live.poll
    room.table.setFocus()
    room.press(Qt.Key.Key_F5)
    assert not room.live.is_running
    assert news(room).startswith("Just refreshed")
    assert int(news(room).split()[-2]) in range(30, 61)
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 0.0)
    room.window.refresh_controller._delayed_refresh.setInterval(0)
    room.wait(lambda: room.live.poll is not first)
    room.scanned()
    assert not room.window.refresh_controller._delayed_refresh.isActive()


def test_escape_cancels_delayed_refresh(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 60.0)
    room = open_room()
    room.table.setFocus()
    room.press(Qt.Key.Key_F5)
    room.press(Qt.Key.Key_Escape)
    assert news(room) == "Refresh cancelled"
    assert not room.window.refresh_controller._delayed_refresh.isActive()


def test_running_refresh_is_reported(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 0.0)
    room = open_room()
    room.table.setFocus()
    room.window.refresh_controller.refresh()
    assert room.live.is_running
    room.press(Qt.Key.Key_F5)
    assert news(room) == "The list is already being refreshed"
    room.scanned()


def test_server_query_limit(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refresh_controller.MIN_SERVER_INTERVAL_S == 2.0
    asked: list[int] = []
    monkeypatch.setattr(refresh_controller, "MIN_SERVER_INTERVAL_S", 60.0)
    monkeypatch.setattr(room.live, "query", asked.append)
    one, other = room.servers()[:2]
    name = room.catalogue.name[one]
    room.window.refresh_controller.query_server(one)
    assert news(room) == f"Refreshing {name}"
    room.window.refresh_controller.query_server(one)
    assert name in news(room)
    assert "60 s ago" in news(room)
    room.window.refresh_controller.query_server(other)
    assert asked == [one, other]
    monkeypatch.setattr(refresh_controller, "MIN_SERVER_INTERVAL_S", 0.0)
    room.window.refresh_controller.query_server(other)
    assert asked == [one, other, other]


def test_temporary_message_ends(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    status = room.window.status_bar
    status.show_message("This stays")
    status._message_timer.setInterval(0)
    status.show_temporary_message("This goes")
    assert news(room) == "This goes"
    room.wait(lambda: news(room) == "This stays")
