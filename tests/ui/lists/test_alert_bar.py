"""Alerts in the window, where no desktop shows them."""

import pytest
from PySide6.QtCore import Qt
from window_helpers import AppDriver, OpenApp

from browser_app.ui.lists.alert_bar import MAX_ALERTS, AlertBar
from browser_app.ui.widgets.basic_widgets import Button


@pytest.fixture
def app(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> AppDriver:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    return open_app()


def alert_bar(app: AppDriver) -> AlertBar:
    return app.window.user_lists_controller.alerts_controller.alert_bar


def notify(app: AppDriver, server: int, title: str) -> None:
    bar = alert_bar(app).notification_bar
    app.window.user_lists_controller.alerts_controller._notify(server, title)
    app.wait(lambda: bar.isVisible() and bar.shown_texts()[0] == title)


def find_button(app: AppDriver, text: str) -> Button:
    buttons = alert_bar(app).notification_bar.findChildren(Button)
    return next(each for each in buttons if each.isVisible() and each.text() == text)


def test_alert_stays_until_closed_newest_first(app: AppDriver) -> None:
    bar = alert_bar(app).notification_bar
    app.table.setFocus()
    one, two = app.servers()[:2]
    notify(app, one, "First")
    notify(app, two, "Second")
    notify(app, one, "First")  # again
    assert alert_bar(app).rows_in_use == [two, one]
    assert set(app.catalogue.rows.in_use()) >= {one, two}
    find_button(app, "Close").setFocus()
    app.press(Qt.Key.Key_Space)
    assert bar.shown_texts()[0] == "Second"
    app.press(Qt.Key.Key_Space)  # the focus is on the next alert's button
    assert bar.isHidden()
    assert app.table.hasFocus()


def test_alert_shows_and_joins_its_server(app: AppDriver) -> None:
    joined: list[int] = []
    app.window.servers_view.join_requested.disconnect()
    app.window.servers_view.join_requested.connect(joined.append)
    server = app.servers()[3]
    notify(app, server, "First")
    find_button(app, "Show").click()
    assert app.table.selected_server() == server
    notify(app, server, "First")
    find_button(app, "Join").click()
    assert joined == [server]
    assert alert_bar(app).notification_bar.isHidden()


def test_old_alerts_are_dropped(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browser_app.ui.lists.alerts_controller.NOTIFICATIONS_SPAN_S", 0.0)
    for number in range(MAX_ALERTS + 2):
        notify(app, app.servers()[0], f"Alert {number}")
    assert len(alert_bar(app).rows_in_use) == MAX_ALERTS


def test_free_slot_has_its_own_bar(app: AppDriver) -> None:
    app.window.user_lists_controller.alerts_controller.notify_slot_free(app.servers()[0])
    app.wait(lambda: any(text.startswith("A slot is free on") for text in app.window.status_bar.shown_texts()))
    assert alert_bar(app).notification_bar.isHidden()
