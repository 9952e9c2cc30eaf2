"""Desktop notifications over D-Bus (freedesktop.org's Notifications 1.2); where there is no such service, by the tray;
where there is no tray either it is said so.

The bus is opened beside the window. What is sent to it afterwards is a few hundred bytes into a local socket.
"""

import html
import os
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Signal

from browser_app.bridge.background import Background
from browser_app.bridge.notice import Notice
from browser_app.bridge.tray_notices import TrayNotices

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.blocking import DBusConnection

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
ANSWER_WITHIN_S = 3.0
_DESKTOP_DECIDES = -1
"""How long it is shown."""


@dataclass
class _Desk:
    """An open bus whose desktop shows notifications."""

    connection: "DBusConnection"
    abilities: frozenset[str]


class Notifications(QObject):
    """Shows notices; one after the other, in order.

    Signals:
        acted: the key of a notice, and the name of the action that the user chose; "default" for the notice itself.
        failed: a notice that neither the desktop nor a tray shows.
    """

    acted = Signal(int, str)
    failed = Signal(object)

    def __init__(self, background: Background) -> None:
        super().__init__()
        self._background = background
        self._tray = TrayNotices()
        self._tray.acted.connect(self.acted)
        self._desk: _Desk | None = None
        self._opening = False
        self._closed = False
        self._reader: QSocketNotifier | None = None
        self._waiting: list[Notice] = []
        self._sent: dict[int, Notice] = {}
        """By serial: those whose id the desktop has not told yet."""
        self._shown: dict[int, Notice] = {}
        """By the desktop's id."""

    def show(self, notice: Notice) -> None:
        """Have it shown, or `failed` told."""
        self._waiting.append(notice)
        if self._desk is not None:
            self._send_all()
        elif not self._opening:
            self._opening = True
            self._background.run(_open_desk, self._opened)

    def close(self) -> None:
        """What is shown stays; nothing is told any more."""
        self._closed = True
        self._drop()
        self._tray.close()

    def _opened(self, desk: _Desk | None) -> None:
        self._opening, self._desk = False, desk
        if desk is None:
            self._show_all_otherwise()
        elif self._closed:
            self._drop()
        else:
            self._reader = QSocketNotifier(desk.connection.sock.fileno(), QSocketNotifier.Type.Read, self)
            self._reader.activated.connect(self._read)
            self._send_all()

    def _send_all(self) -> None:
        desk = self._desk
        while desk is not None and self._waiting:
            serial = next(desk.connection.outgoing_serial)
            self._sent[serial] = self._waiting[0]
            try:
                desk.connection.send(_message(self._waiting.pop(0), desk.abilities), serial)
            except OSError:
                self._drop()
                return

    def _read(self) -> None:
        desk = self._desk
        if desk is None:
            return
        try:
            while True:
                self._take(desk.connection.receive(timeout=0))
        except TimeoutError:
            return
        except OSError:  # the bus has gone
            self._drop()

    def _take(self, message: "Message") -> None:
        from jeepney import HeaderFields, MessageType

        fields = message.header.fields
        kind, reply_to = message.header.message_type, fields.get(HeaderFields.reply_serial)
        if kind is MessageType.signal and fields.get(HeaderFields.interface) == NAME:
            self._take_signal(str(fields.get(HeaderFields.member)), message.body)
        elif reply_to in self._sent:
            notice = self._sent.pop(reply_to)
            if kind is MessageType.error:
                self._show_otherwise(notice)
            else:
                self._shown[message.body[0]] = notice

    def _take_signal(self, member: str, body: tuple[object, ...]) -> None:
        match member, body:
            case "ActionInvoked", (int(ident), str(action)) if ident in self._shown:
                self.acted.emit(self._shown[ident].key, action)
            case "NotificationClosed", (int(ident), *_):
                self._shown.pop(ident, None)

    def _drop(self) -> None:
        """The bus is of no more use; the next notice opens it anew."""
        if self._reader is not None:
            self._reader.setEnabled(False)
            self._reader.deleteLater()
            self._reader = None
        if self._desk is not None:
            self._desk.connection.close()
            self._desk = None
        self._waiting = [*self._sent.values(), *self._waiting]
        self._sent.clear()
        self._shown.clear()
        self._show_all_otherwise()

    def _show_all_otherwise(self) -> None:
        waiting, self._waiting = self._waiting, []
        for notice in waiting if not self._closed else ():
            self._show_otherwise(notice)

    def _show_otherwise(self, notice: Notice) -> None:
        if not self._tray.show(notice):
            self.failed.emit(notice)


def _open_desk() -> _Desk | None:
    """In whatever thread: the session's bus, if somebody shows notifications there."""
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS") or find_spec("jeepney") is None:
        return None
    from jeepney import DBusAddress, MatchRule, MessageType, message_bus, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    try:
        connection = open_dbus_connection("SESSION")
    except Exception:  # noqa: BLE001 (addresses come from outside; whatever is wrong with one, there is no bus)
        return None
    with suppress(OSError):
        asked = new_method_call(DBusAddress(PATH, NAME, NAME), "GetCapabilities")
        reply = connection.send_and_get_reply(asked, timeout=ANSWER_WITHIN_S)
        rule = MatchRule(type="signal", interface=NAME, path=PATH)
        if reply.header.message_type is MessageType.method_return:
            connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=ANSWER_WITHIN_S)
            return _Desk(connection, frozenset(reply.body[0]))
    connection.close()
    return None


def _message(notice: Notice, abilities: frozenset[str]) -> "Message":
    from jeepney import DBusAddress, new_method_call

    text = html.escape(notice.text, quote=False) if "body-markup" in abilities else notice.text
    actions = [word for action in notice.actions.items() for word in action] if "actions" in abilities else []
    hints = {"desktop-entry": ("s", "ready-room")}
    body = ("Ready Room", 0, "ready-room", notice.title, text, actions, hints, _DESKTOP_DECIDES)
    return new_method_call(DBusAddress(PATH, NAME, NAME), "Notify", "susssasa{sv}i", body)
