"""A session bus, and a desktop that shows notifications on it."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from timeouts import LIMIT_S

from browser_app.bridge.alerts.desktop_notifications import DBUS_NAME, DBUS_PATH


@contextmanager
def session_bus() -> Iterator[str]:
    """Start a session bus and yield its address."""
    command = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        try:
            yield daemon.stdout.readline().strip()
        finally:
            daemon.terminate()


def send_action(connection: DBusConnection, ident: int, action: str, receiver: str | None = None) -> None:
    """Send the signals of an activated action, to everybody or one receiver."""
    emitter = DBusAddress(DBUS_PATH, interface=DBUS_NAME)
    for name, signature, body in (("ActionInvoked", "us", (ident, action)), ("NotificationClosed", "uu", (ident, 2))):
        signal = new_signal(emitter, name, signature, body)
        if receiver is not None:
            signal.header.fields[HeaderFields.destination] = receiver
        connection.send(signal)


class FakeNotificationService:
    """Answers the program's calls. Use as a context manager."""

    def __init__(self, bus: str, capabilities: tuple[str, ...], *, refuses: bool = False) -> None:
        self.shown: list[tuple[Any, ...]] = []
        """Arguments of each notification."""
        self._capabilities, self._refuses = list(capabilities), refuses
        self._connection = open_dbus_connection(bus)
        self._connection.send_and_get_reply(message_bus.RequestName(DBUS_NAME), timeout=LIMIT_S)
        self._thread = threading.Thread(target=self._serve)
        self._end = threading.Event()

    def activate_action(self, ident: int, action: str) -> None:
        """Activate an action of a notification, as the user does."""
        send_action(self._connection, ident, action)

    def _serve(self) -> None:
        while not self._end.is_set():
            try:
                call = self._connection.receive(timeout=0.05)
            except TimeoutError:
                continue
            if call.header.message_type is MessageType.method_call:
                self._connection.send(self._answer(call))

    def _answer(self, call: Any) -> Any:
        if len(call.body) == 0:
            return new_method_return(call, "as", (self._capabilities,))
        if self._refuses:
            return new_error(call, "org.example.Error", "s", ("no",))
        self.shown.append(call.body)
        return new_method_return(call, "u", (len(self.shown),))

    def __enter__(self) -> "FakeNotificationService":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._connection.close()
