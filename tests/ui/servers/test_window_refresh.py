"""Manual refreshes and their rate limits."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp

from browser_app.ui import status_bar
from browser_app.ui.servers import refresh_controller
from browser_app.ui.status_bar import StatusBar
from browser_app.ui.widgets.theme import Theme


def status_message(app: AppDriver) -> str:
    return app.window.status_bar._message_label.text()


def test_early_refresh_is_delayed(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 60.0)
    app = open_app()
    first = app.live.poll
    app.table.setFocus()
    app.press(Qt.Key.Key_F5)
    assert not app.live.is_running
    assert status_message(app).startswith("Just refreshed")
    assert int(status_message(app).split()[-2]) in range(30, 61)
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 0.0)
    app.window.refresh_controller._delayed_refresh.setInterval(0)
    app.wait(lambda: app.live.poll is not first)
    app.scanned()
    assert not app.window.refresh_controller._delayed_refresh.isActive()


def test_escape_cancels_delayed_refresh(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 60.0)
    app = open_app()
    app.table.setFocus()
    app.press(Qt.Key.Key_F5)
    app.press(Qt.Key.Key_Escape)
    assert status_message(app) == "Refresh cancelled"
    assert not app.window.refresh_controller._delayed_refresh.isActive()


def test_running_refresh_is_reported(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh_controller, "MIN_REFRESH_INTERVAL_S", 0.0)
    app = open_app()
    app.table.setFocus()
    app.window.refresh_controller.refresh()
    assert app.live.is_running
    app.press(Qt.Key.Key_F5)
    assert status_message(app) == "The list is already being refreshed"
    app.scanned()


def test_server_query_limit(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refresh_controller.MIN_SERVER_INTERVAL_S == 2.0
    asked: list[int] = []
    monkeypatch.setattr(refresh_controller, "MIN_SERVER_INTERVAL_S", 60.0)
    monkeypatch.setattr(app.live, "query", asked.append)
    one, other = app.servers()[:2]
    name = app.catalogue.name[one]
    app.window.refresh_controller.query_server(one)
    assert status_message(app) == f"Refreshing “{name}”"
    app.window.refresh_controller.query_server(one)
    assert name in status_message(app)
    assert "60 s ago" in status_message(app)
    app.window.refresh_controller.query_server(other)
    assert asked == [one, other]
    monkeypatch.setattr(refresh_controller, "MIN_SERVER_INTERVAL_S", 0.0)
    app.window.refresh_controller.query_server(other)
    assert asked == [one, other, other]


def test_temporary_message_ends(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    status = app.window.status_bar
    status.show_message("This stays")
    monkeypatch.setattr(status_bar, "MESSAGE_MS", 0)
    status.show_temporary_message("This goes")
    assert status_message(app) == "This goes"
    app.wait(lambda: status_message(app) == "This stays")


def test_message_repeats_no_sorting_state(theme: Theme, qtbot: QtBot) -> None:
    bar = StatusBar(theme)
    qtbot.addWidget(bar)
    bar.show_temporary_message("Refresh paused")
    assert bar.shown_texts().count("Refresh paused") == 1
    bar.show_sorting_state("Refresh paused")
    assert bar.shown_texts().count("Refresh paused") == 1
    bar.show_sorting_state(None)
    assert "Refresh paused" in bar.shown_texts()
