"""Desktop notifications by D-Bus or by the tray icon.

The bus is opened in a background thread. Messages are sent in the GUI thread: each writes a few hundred bytes to a
local socket.
"""

import html
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.diagnostics import internal_errors

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.blocking import DBusConnection

_log = logging.getLogger(__name__)


DEFAULT_ACTION = "default"
"""The action of a click on the notification itself."""


@dataclass(frozen=True)
class DesktopNotification:
    """A notification.

    `key` identifies it in signals; `actions` are button labels by name.
    """

    key: int
    title: str
    text: str
    actions: Mapping[str, str] = field(default_factory=dict)


class TrayNotifier(QObject):
    """Shows notifications at a tray icon.

    Unless `use_icon` has set one, an icon of its own exists from the first notification until `close`.

    Signals:
        action_activated: the key of a notification and `DEFAULT_ACTION`. A tray reports clicks on the newest
            notification only, and has no buttons.
    """

    action_activated = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        self._icon: QSystemTrayIcon | None = None
        self._shared_icon: QSystemTrayIcon | None = None
        self._newest_key = 0

    def use_icon(self, icon: QSystemTrayIcon | None) -> None:
        """Show notifications at this icon; None: at an icon of its own."""
        self._shared_icon = icon
        if icon is not None:
            self.close()
            icon.messageClicked.connect(self._on_clicked)

    def show(self, notification: DesktopNotification) -> bool:
        """Show it; return False where there is no tray that can."""
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return False
        self._newest_key = notification.key
        icon = self._shared_icon or self._own_icon()
        icon.showMessage(notification.title, notification.text, icon.icon())
        return True

    def _own_icon(self) -> QSystemTrayIcon:
        if self._icon is None:
            self._icon = QSystemTrayIcon(QApplication.windowIcon(), self)
            self._icon.setToolTip(QApplication.applicationDisplayName())
            self._icon.messageClicked.connect(self._on_clicked)
            self._icon.activated.connect(self._on_clicked)
            self._icon.show()
        return self._icon

    def close(self) -> None:
        """Remove the own icon."""
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _on_clicked(self) -> None:
        self.action_activated.emit(self._newest_key, DEFAULT_ACTION)


DBUS_NAME, DBUS_PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
DBUS_TIMEOUT_S = 3.0
_DEFAULT_DURATION = -1
"""The desktop decides how long it is shown."""


@dataclass
class _NotificationBus:
    """An open bus whose desktop shows notifications."""

    connection: "DBusConnection"
    capabilities: frozenset[str]


class DesktopNotifier(QObject):
    """Shows notifications in order, by D-Bus if possible, else at a tray icon.

    Signals:
        action_activated: the key of a notification and the name of the activated action; `DEFAULT_ACTION` for the
            notification itself.
        notification_failed: a notification that neither the desktop nor a tray shows.
    """

    action_activated = Signal(int, str)
    notification_failed = Signal(object)

    def __init__(self, background: BackgroundTasks) -> None:
        super().__init__()
        self._background = background
        self._tray = TrayNotifier()
        self._tray.action_activated.connect(self.action_activated)
        self._bus: _NotificationBus | None = None
        self._is_opening = False
        self._is_closed = False
        self._socket_notifier: QSocketNotifier | None = None
        self._queued: list[DesktopNotification] = []
        self._unconfirmed: dict[int, DesktopNotification] = {}
        """By serial: sent, but without an id from the desktop yet."""
        self._shown: dict[tuple[str, int], DesktopNotification] = {}
        """By the bus name of the service that shows it, as any program on the bus can send signals, and its id."""

    def show(self, notification: DesktopNotification) -> None:
        """Show it, or emit `notification_failed`."""
        self._queued.append(notification)
        if self._bus is not None:
            self._send_all()
        elif not self._is_opening:
            self._is_opening = True
            self._background.run(_open_notification_bus, self._on_bus_opened)

    def use_tray_icon(self, icon: QSystemTrayIcon | None) -> None:
        """Show what the bus cannot show at this icon; None for one of the notifier's own."""
        self._tray.use_icon(icon)

    def close(self) -> None:
        """Emit nothing any more; visible notifications stay."""
        self._is_closed = True
        self._close_bus()
        self._tray.close()

    def _on_bus_opened(self, bus: _NotificationBus | None) -> None:
        self._is_opening, self._bus = False, bus
        if bus is None:
            self._show_all_in_tray()
        elif self._is_closed:
            self._close_bus()
        else:
            self._socket_notifier = QSocketNotifier(bus.connection.sock.fileno(), QSocketNotifier.Type.Read, self)
            self._socket_notifier.activated.connect(self._read_messages)
            self._send_all()

    def _send_all(self) -> None:
        bus = self._bus
        while bus is not None and self._queued:
            serial = next(bus.connection.outgoing_serial)
            self._unconfirmed[serial] = self._queued[0]
            try:
                bus.connection.send(_notify_message(self._queued.pop(0), bus.capabilities), serial)
            except OSError as error:
                _log.info("The notification service is lost: %s", error)
                self._close_bus()
                return

    def _read_messages(self) -> None:
        bus = self._bus
        if bus is None:
            return
        try:
            while True:
                self._try_message(bus.connection.receive(timeout=0))
        except TimeoutError:
            return
        except OSError as error:
            _log.info("The notification service has closed the connection: %s", error)
            self._close_bus()
        except Exception:  # noqa: BLE001 (bytes that are not D-Bus; what follows them cannot be read either)
            internal_errors.report("receiving from the notification service", DBUS_NAME)
            self._close_bus()

    def _try_message(self, message: "Message") -> None:
        try:
            self._handle_message(message)
        except Exception:  # noqa: BLE001 (our own bug with one message must not lose the next)
            internal_errors.report("handling a message of the notification service", DBUS_NAME)

    def _handle_message(self, message: "Message") -> None:
        from jeepney import HeaderFields, MessageType

        fields = message.header.fields
        kind, reply_to = message.header.message_type, fields.get(HeaderFields.reply_serial)
        sender = str(fields.get(HeaderFields.sender))
        if kind is MessageType.signal and fields.get(HeaderFields.interface) == DBUS_NAME:
            self._handle_signal(sender, str(fields.get(HeaderFields.member)), message.body)
        elif reply_to in self._unconfirmed:
            notification = self._unconfirmed.pop(reply_to)
            if kind is MessageType.error:
                self._show_in_tray(notification)
            else:
                self._shown[sender, message.body[0]] = notification

    def _handle_signal(self, sender: str, member: str, body: tuple[object, ...]) -> None:
        match member, body:
            case "ActivationToken", (int(ident), str(token)) if (sender, ident) in self._shown:
                os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt passes it to the compositor
            case "ActionInvoked", (int(ident), str(action)) if (sender, ident) in self._shown:
                self.action_activated.emit(self._shown[sender, ident].key, action)
            case "NotificationClosed", (int(ident), *_):
                self._shown.pop((sender, ident), None)

    def _close_bus(self) -> None:
        """Close an unusable bus; the next notification opens a new one."""
        if self._socket_notifier is not None:
            self._socket_notifier.setEnabled(False)
            self._socket_notifier.deleteLater()
            self._socket_notifier = None
        if self._bus is not None:
            self._bus.connection.close()
            self._bus = None
        self._queued = [*self._unconfirmed.values(), *self._queued]
        self._unconfirmed.clear()
        self._shown.clear()
        self._show_all_in_tray()

    def _show_all_in_tray(self) -> None:
        queued, self._queued = self._queued, []
        for notification in queued if not self._is_closed else ():
            self._show_in_tray(notification)

    def _show_in_tray(self, notification: DesktopNotification) -> None:
        if not self._tray.show(notification):
            _log.info("Neither a notification service nor a tray")
            self.notification_failed.emit(notification)


def _open_notification_bus() -> _NotificationBus | None:
    """Open the session bus if a desktop shows notifications there; in any thread."""
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS") or find_spec("jeepney") is None:
        return None
    from jeepney import DBusAddress, MatchRule, MessageType, message_bus, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    try:
        connection = open_dbus_connection("SESSION")
    except Exception as error:  # noqa: BLE001 (the address is set by the environment; with a bad one there is no bus)
        _log.info("No session bus: %s", error)
        return None
    try:
        request = new_method_call(DBusAddress(DBUS_PATH, DBUS_NAME, DBUS_NAME), "GetCapabilities")
        reply = connection.send_and_get_reply(request, timeout=DBUS_TIMEOUT_S)
        rule = MatchRule(type="signal", sender=DBUS_NAME, interface=DBUS_NAME, path=DBUS_PATH)
        if reply.header.message_type is MessageType.method_return:
            connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=DBUS_TIMEOUT_S)
            return _NotificationBus(connection, frozenset(reply.body[0]))
        _log.info("The session bus has no notification service")
    except OSError as error:
        _log.info("The notification service does not answer: %s", error)
    except Exception:  # noqa: BLE001 (bytes that are not D-Bus; then there is no notification service)
        internal_errors.report("opening the notification service", DBUS_NAME)
    connection.close()
    return None


def _notify_message(notification: DesktopNotification, capabilities: frozenset[str]) -> "Message":
    from jeepney import DBusAddress, new_method_call

    text = html.escape(notification.text, quote=False) if "body-markup" in capabilities else notification.text
    actions = [part for action in notification.actions.items() for part in action] if "actions" in capabilities else []
    hints = {"desktop-entry": ("s", "ready-room")}
    body = ("Ready Room", 0, "ready-room", notification.title, text, actions, hints, _DEFAULT_DURATION)
    return new_method_call(DBusAddress(DBUS_PATH, DBUS_NAME, DBUS_NAME), "Notify", "susssasa{sv}i", body)
