"""The tray icon, and a window that goes on there when it is closed."""

from dataclasses import replace
from typing import ClassVar

import pytest
from PySide6.QtWidgets import QSystemTrayIcon
from window_helpers import AppDriver

from browser_app.bridge.alerts import desktop_notifications
from browser_app.bridge.alerts.desktop_notifications import DEFAULT_ACTION, DesktopNotification
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.storage.setting_declarations import TRAY_ICON
from browser_app.ui import tray_icon
from browser_app.ui.play.running_game_bar import LastGame


class FakeTray(QSystemTrayIcon):
    """A tray icon on a desktop whose tray can go."""

    is_there: ClassVar[bool] = True
    shown: ClassVar[list[str]] = []

    @staticmethod
    def isSystemTrayAvailable() -> bool:  # noqa: N802 (Qt's name)
        return FakeTray.is_there

    @staticmethod
    def supportsMessages() -> bool:  # noqa: N802 (Qt's name)
        return True

    def show(self) -> None:
        """Show nothing: no test has a tray."""

    def showMessage(self, title: str, _text: str, *_icon: object) -> None:  # noqa: N802 (Qt's name)
        self.shown.append(title)


@pytest.fixture(autouse=True)
def tray(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (tray_icon, desktop_notifications):
        monkeypatch.setattr(module, "QSystemTrayIcon", FakeTray)
    monkeypatch.setattr(FakeTray, "is_there", True)
    monkeypatch.setattr(FakeTray, "shown", [])
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)


def icons(app: AppDriver) -> list[FakeTray]:
    return app.window.findChildren(FakeTray)


def choose(app: AppDriver, text: str) -> None:
    """Choose an entry of the icon's menu."""
    (action,) = (action for action in app.window.tray_icon.menu.actions() if action.text() == text)
    action.trigger()


def test_closed_window_goes_on_in_the_tray(app: AppDriver) -> None:
    window = app.window
    assert icons(app) == []
    assert not window.tray_icon.keeps_running
    app.program.settings.set(TRAY_ICON, "background")
    (icon,) = icons(app)
    assert icon.contextMenu() is window.tray_icon.menu
    window.close()
    assert not window.isVisible()
    app.refresh()  # the list is still polled
    icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert window.isVisible()

    window.close()
    FakeTray.is_there = False
    window.tray_icon._check_tray()
    assert window.isMinimized()
    assert window.isVisible()
    app.live.refresh()
    window.close()
    assert not app.live.is_running


def test_menu_plays_opens_alerts_and_quits(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    window = app.window
    app.program.settings.set(TRAY_ICON, "background")
    assert [action.text() for action in window.tray_icon.menu.actions() if action.isVisible() and action.text()] == [
        "Open Ready Room",
        "Play Now",
        "Alerts…",
        "Quit",
    ]
    window.close()
    choose(app, "Alerts…")
    assert window.isVisible()
    window.user_lists_controller.alerts_controller.close_dialog()
    window.close()
    played: list[bool] = []
    window.play_now_bar.play_requested.disconnect()
    window.play_now_bar.play_requested.connect(lambda: played.append(window.isVisible()))
    choose(app, "Play Now")
    assert played == [True]
    has_quit: list[bool] = []
    monkeypatch.setattr("browser_app.ui.main_window.QApplication.quit", lambda: has_quit.append(True))
    app.live.refresh()
    choose(app, "Quit")
    assert has_quit == [True]
    assert not app.live.is_running
    assert window.tray_icon._icon is None


def test_last_server_can_be_rejoined(app: AppDriver) -> None:
    window, server = app.window, app.servers()[0]
    app.program.settings.set(TRAY_ICON, "icon")
    assert not window.tray_icon.keeps_running
    bar = window.join_controller.running_game_bar
    bar.show_last_game(LastGame(server, 0.0, None))
    (icon,) = icons(app)
    name = app.catalogue.name[server]
    assert f" · Joined “{name}” at " in icon.toolTip()
    joined: list[int] = []
    bar.rejoin_requested.disconnect()
    bar.rejoin_requested.connect(joined.append)
    choose(app, f"Rejoin “{name}”")
    assert joined == [server]
    info = app.catalogue.server_info(server)
    assert info is not None
    target, info = app.catalogue.targets[server], replace(info, name="<b>x</b>")
    result = QueryResult(target, QueryStatus.OK, info, None, 5.0, False, 1, 1.0)
    app.live.merge_results([result])
    bar.show_last_game(LastGame(server, 0.0, None))
    assert "<b>" in bar.text
    assert "<b>" not in icon.toolTip()
    bar.hide_ended_game()
    assert not window.tray_icon.rejoin_action.isVisible()


def test_notifications_use_the_lasting_icon(app: AppDriver) -> None:
    app.program.settings.set(TRAY_ICON, "icon")
    notifications = app.window.user_lists_controller.alerts_controller._notifications
    notifications.show(DesktopNotification(app.servers()[1], "moth on Copper Lanes", ""))
    app.wait(lambda: FakeTray.shown)
    assert notifications._tray.findChildren(FakeTray) == []
    (icon,) = icons(app)
    with app.bot.waitSignal(notifications.action_activated) as signal:
        icon.messageClicked.emit()
    assert signal.args == [app.servers()[1], DEFAULT_ACTION]
    app.program.settings.set(TRAY_ICON, "off")
    assert app.window.tray_icon._icon is None
