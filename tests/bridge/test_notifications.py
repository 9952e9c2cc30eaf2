"""Notifications on a real bus: what arrives, what the user chose, and what is told where nobody shows them."""

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import ClassVar

import pytest
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from browser_app.bridge import desktop_notifications
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.desktop_notifications import DEFAULT_ACTION, DesktopNotification, DesktopNotifier

NOTICE = DesktopNotification(7, "moth on Copper Lanes", "12/16 · <b>dance</b>", {"join": "Join"})

needs_bus = pytest.mark.skipif(
    shutil.which("dbus-daemon") is None or find_spec("jeepney") is None, reason="no dbus-daemon, or no jeepney, here"
)


@pytest.fixture
def notifications(qtbot: QtBot) -> Iterator[DesktopNotifier]:
    background = BackgroundTasks()
    notifications = DesktopNotifier(background)
    yield notifications
    notifications.close()
    background.close()


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    from notification_desk import session_bus

    with session_bus() as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


@needs_bus
def test_a_notice_is_shown_and_its_action_comes_back(qtbot: QtBot, bus: str, notifications: DesktopNotifier) -> None:
    from notification_desk import Desk

    with Desk(bus, ("actions", "body-markup")) as desk:
        notifications.show(NOTICE)
        notifications.show(DesktopNotification(8, "Second", ""))
        qtbot.waitUntil(lambda: len(desk.shown) == 2)
        name, replaces, _icon, title, text, actions, hints, _expires = desk.shown[0]
        assert (name, replaces, title) == ("Ready Room", 0, NOTICE.title)
        assert text == "12/16 · &lt;b&gt;dance&lt;/b&gt;"
        assert actions == ["join", "Join"]
        assert hints["desktop-entry"] == ("s", "ready-room")
        qtbot.waitUntil(lambda: len(notifications._shown) == 2)
        with qtbot.waitSignal(notifications.action_activated) as acted:
            desk.press(1, "join")
        assert acted.args == [7, "join"]


@needs_bus
def test_a_desktop_of_few_abilities_gets_plain_text_without_actions(
    qtbot: QtBot, bus: str, notifications: DesktopNotifier
) -> None:
    from notification_desk import Desk

    with Desk(bus, ("body",)) as desk:
        notifications.show(NOTICE)
        qtbot.waitUntil(lambda: len(desk.shown) == 1)
        assert desk.shown[0][4:6] == (NOTICE.text, [])


@needs_bus
def test_a_desktop_that_refuses_a_notice_is_told(qtbot: QtBot, bus: str, notifications: DesktopNotifier) -> None:
    from notification_desk import Desk

    with (
        Desk(bus, (), refuses=True),
        qtbot.waitSignal(notifications.notification_failed) as failed,
    ):
        notifications.show(NOTICE)
    assert failed.args == [NOTICE]


@needs_bus
def test_a_bus_that_goes_is_opened_anew(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, notifications: DesktopNotifier
) -> None:
    from notification_desk import Desk, session_bus

    for _ in range(2):
        with session_bus() as address, Desk(address, ()) as desk:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            notifications.show(NOTICE)
            qtbot.waitUntil(lambda: len(desk.shown) == 1)
        qtbot.waitUntil(lambda: notifications._bus is None)


@needs_bus
def test_a_bus_without_a_desktop_is_told(qtbot: QtBot, bus: str, notifications: DesktopNotifier) -> None:
    with qtbot.waitSignal(notifications.notification_failed):
        notifications.show(NOTICE)


@pytest.mark.parametrize("address", [None, "unix:path=/nowhere", "nonsense"])
def test_without_a_bus_each_notice_is_told(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, notifications: DesktopNotifier, address: str | None
) -> None:
    if address is None:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    else:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    for _ in range(2):
        with qtbot.waitSignal(notifications.notification_failed) as failed:
            notifications.show(NOTICE)
        assert failed.args == [NOTICE]


class Tray(QSystemTrayIcon):
    """One that takes messages, whatever this machine has."""

    shown: ClassVar[list[tuple[str, str]]] = []

    @staticmethod
    def isSystemTrayAvailable() -> bool:  # noqa: N802 (Qt's name)
        return True

    @staticmethod
    def supportsMessages() -> bool:  # noqa: N802 (Qt's name)
        return True

    def showMessage(self, title: str, text: str, *_icon: object) -> None:  # noqa: N802 (Qt's name)
        self.shown.append((title, text))


def test_where_there_is_no_service_the_tray_shows_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, notifications: DesktopNotifier
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setattr(desktop_notifications, "QSystemTrayIcon", Tray)
    monkeypatch.setattr(Tray, "shown", [])
    failed: list[object] = []
    notifications.notification_failed.connect(failed.append)
    assert notifications._tray.findChildren(Tray) == []
    for notice in (DesktopNotification(8, "Second", ""), NOTICE):
        notifications.show(notice)
    qtbot.waitUntil(lambda: len(Tray.shown) == 2)
    assert Tray.shown[1] == (NOTICE.title, NOTICE.text)
    (icon,) = notifications._tray.findChildren(Tray)
    with qtbot.waitSignal(notifications.action_activated) as acted:
        icon.messageClicked.emit()
    assert acted.args == [NOTICE.key, DEFAULT_ACTION]
    assert failed == []
    notifications.close()
    assert not icon.isVisible()
