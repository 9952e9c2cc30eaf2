"""Notifications on a real session bus, at a tray icon, and without either."""

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import ClassVar

import pytest
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from browser_app.bridge.alerts import desktop_notifications
from browser_app.bridge.alerts.desktop_notifications import DEFAULT_ACTION, DesktopNotification, DesktopNotifier
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.diagnostics import internal_errors

NOTIFICATION = DesktopNotification(7, "moth on Copper Lanes", "12/16 · <b>dance</b>", {"join": "Join"})

needs_bus = pytest.mark.skipif(
    shutil.which("dbus-daemon") is None or find_spec("jeepney") is None, reason="no dbus-daemon, or no jeepney, here"
)


@pytest.fixture
def notifier(qtbot: QtBot) -> Iterator[DesktopNotifier]:
    background = BackgroundTasks()
    notifier = DesktopNotifier(background)
    yield notifier
    notifier.close()
    background.close()


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    from fake_notification_service import session_bus

    with session_bus() as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


@needs_bus
def test_shows_and_reports_action(qtbot: QtBot, bus: str, notifier: DesktopNotifier) -> None:
    from fake_notification_service import FakeNotificationService

    with FakeNotificationService(bus, ("actions", "body-markup")) as service:
        notifier.show(NOTIFICATION)
        notifier.show(DesktopNotification(8, "Second", ""))
        qtbot.waitUntil(lambda: len(service.shown) == 2)
        name, replaces, _icon, title, text, actions, hints, _expires = service.shown[0]
        assert (name, replaces, title) == ("Ready Room", 0, NOTIFICATION.title)
        assert text == "12/16 · &lt;b&gt;dance&lt;/b&gt;"
        assert actions == ["join", "Join"]
        assert hints["desktop-entry"] == ("s", "ready-room")
        qtbot.waitUntil(lambda: len(notifier._shown) == 2)
        with qtbot.waitSignal(notifier.action_activated) as signal:
            service.activate_action(1, "join")
        assert signal.args == [7, "join"]


@needs_bus
def test_signals_of_other_programs_are_ignored(qtbot: QtBot, bus: str, notifier: DesktopNotifier) -> None:
    from fake_notification_service import FakeNotificationService, send_action
    from jeepney.io.blocking import open_dbus_connection

    activated: list[str] = []
    notifier.action_activated.connect(lambda _key, action: activated.append(action))
    with FakeNotificationService(bus, ("actions",)) as service, open_dbus_connection(bus) as stranger:
        notifier.show(NOTIFICATION)
        qtbot.waitUntil(lambda: len(notifier._shown) == 1)
        assert notifier._bus is not None
        for receiver in (None, notifier._bus.connection.unique_name):
            send_action(stranger, 1, "forged", receiver)
        service.activate_action(1, "join")
        qtbot.waitUntil(lambda: not notifier._shown)
    assert activated == ["join"]


@needs_bus
def test_plain_text_without_markup_capability(qtbot: QtBot, bus: str, notifier: DesktopNotifier) -> None:
    from fake_notification_service import FakeNotificationService

    with FakeNotificationService(bus, ("body",)) as service:
        notifier.show(NOTIFICATION)
        qtbot.waitUntil(lambda: len(service.shown) == 1)
        assert service.shown[0][4:6] == (NOTIFICATION.text, [])


@needs_bus
def test_refused_notification_fails(qtbot: QtBot, bus: str, notifier: DesktopNotifier) -> None:
    from fake_notification_service import FakeNotificationService

    with (
        FakeNotificationService(bus, (), refuses=True),
        qtbot.waitSignal(notifier.notification_failed) as failed,
    ):
        notifier.show(NOTIFICATION)
    assert failed.args == [NOTIFICATION]


@needs_bus
def test_reopens_closed_bus(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, notifier: DesktopNotifier) -> None:
    from fake_notification_service import FakeNotificationService, session_bus

    for _ in range(2):
        with session_bus() as address, FakeNotificationService(address, ()) as service:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            notifier.show(NOTIFICATION)
            qtbot.waitUntil(lambda: len(service.shown) == 1)
        qtbot.waitUntil(lambda: notifier._bus is None)


@needs_bus
@pytest.mark.expects_log
def test_internal_error_loses_one_message(
    qtbot: QtBot, bus: str, notifier: DesktopNotifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fake_notification_service import FakeNotificationService

    handle = notifier._handle_signal

    def fail_at_bad(sender: str, name: str, body: tuple[object, ...]) -> None:
        if body[1] == "bad":
            raise RuntimeError
        handle(sender, name, body)

    monkeypatch.setattr(notifier, "_handle_signal", fail_at_bad)
    with FakeNotificationService(bus, ("actions",)) as service:
        for _ in range(3):
            notifier.show(NOTIFICATION)
        qtbot.waitUntil(lambda: len(notifier._shown) == 3)
        with qtbot.waitSignal(notifier.action_activated):
            for ident, action in enumerate(("bad", "bad", "join"), 1):
                service.activate_action(ident, action)
    assert internal_errors.counts() == {"RuntimeError while handling a message of the notification service": 2}


@needs_bus
def test_bus_without_service_fails(qtbot: QtBot, bus: str, notifier: DesktopNotifier) -> None:
    with qtbot.waitSignal(notifier.notification_failed):
        notifier.show(NOTIFICATION)


@pytest.mark.parametrize("address", [None, "unix:path=/nowhere", "nonsense"])
def test_fails_without_bus(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, notifier: DesktopNotifier, address: str | None
) -> None:
    if address is None:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    else:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    for _ in range(2):
        with qtbot.waitSignal(notifier.notification_failed) as failed:
            notifier.show(NOTIFICATION)
        assert failed.args == [NOTIFICATION]


class FakeTray(QSystemTrayIcon):
    """A tray icon that accepts messages on every machine."""

    shown: ClassVar[list[tuple[str, str]]] = []

    @staticmethod
    def isSystemTrayAvailable() -> bool:  # noqa: N802 (Qt's name)
        return True

    @staticmethod
    def supportsMessages() -> bool:  # noqa: N802 (Qt's name)
        return True

    def showMessage(self, title: str, text: str, *_icon: object) -> None:  # noqa: N802 (Qt's name)
        self.shown.append((title, text))


def test_tray_replaces_missing_service(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, notifier: DesktopNotifier
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setattr(desktop_notifications, "QSystemTrayIcon", FakeTray)
    monkeypatch.setattr(FakeTray, "shown", [])
    failed: list[object] = []
    notifier.notification_failed.connect(failed.append)
    assert notifier._tray.findChildren(FakeTray) == []
    for notification in (DesktopNotification(8, "Second", ""), NOTIFICATION):
        notifier.show(notification)
    qtbot.waitUntil(lambda: len(FakeTray.shown) == 2)
    assert FakeTray.shown[1] == (NOTIFICATION.title, NOTIFICATION.text)
    (icon,) = notifier._tray.findChildren(FakeTray)
    with qtbot.waitSignal(notifier.action_activated) as signal:
        icon.messageClicked.emit()
    assert signal.args == [NOTIFICATION.key, DEFAULT_ACTION]
    assert failed == []
    notifier.close()
    assert not icon.isVisible()
