"""A desktop's tray on a session bus, as StatusNotifierItem describes it."""

import threading
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, message_bus, new_error, new_method_call
from jeepney import new_method_return as reply_to
from jeepney.io.blocking import open_dbus_connection
from timeouts import LIMIT_S

_WATCHER = "org.kde.StatusNotifierWatcher"
_PROPERTIES = {"IsStatusNotifierHostRegistered": ("b", True), "ProtocolVersion": ("i", 0)}


class FakeTrayHost:
    """Takes the icons that programs register. Use as a context manager."""

    def __init__(self, bus: str) -> None:
        self.items: list[str] = []
        """Bus names of the icons."""
        self._serving, self._asking = open_dbus_connection(bus), open_dbus_connection(bus)
        self._serving.send_and_get_reply(message_bus.RequestName(_WATCHER), timeout=LIMIT_S)
        self._thread = threading.Thread(target=self._serve)
        self._end = threading.Event()

    def menu(self) -> dict[str, int]:
        """Return the entries of the first icon's menu: text → number."""
        _revision, (_root, _values, entries) = self._call("GetLayout", "iias", (0, -1, []))
        return {values["label"][1]: number for _type, (number, values, _below) in entries if "label" in values}

    def choose(self, text: str) -> None:
        """Choose an entry of the first icon's menu."""
        self._call("Event", "isvu", (self.menu()[text], "clicked", ("i", 0), 0))

    def _call(self, method: str, signature: str, body: tuple[Any, ...]) -> Any:
        address = DBusAddress("/MenuBar", self.items[0], "com.canonical.dbusmenu")
        answer = self._asking.send_and_get_reply(new_method_call(address, method, signature, body), timeout=LIMIT_S)
        return answer.body

    def _serve(self) -> None:
        while not self._end.is_set():
            try:
                call = self._serving.receive(timeout=0.05)
            except TimeoutError:
                continue
            if call.header.message_type is MessageType.method_call:
                self._serving.send(self._answer(call))

    def _answer(self, call: Message) -> Message:
        match call.header.fields[HeaderFields.member]:
            case "RegisterStatusNotifierItem":
                self.items.append(call.header.fields[HeaderFields.sender])
                return reply_to(call)
            case "Get":
                return reply_to(call, "v", (_PROPERTIES[call.body[1]],))
            case "GetAll":
                return reply_to(call, "a{sv}", (_PROPERTIES,))
            case _:
                return new_error(call, "org.freedesktop.DBus.Error.UnknownMethod")

    def __enter__(self) -> "FakeTrayHost":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._serving.close()
        self._asking.close()
