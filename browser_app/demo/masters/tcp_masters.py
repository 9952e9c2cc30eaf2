"""Demo master servers over TCP: they send a list and close the connection."""

import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from browser_app.demo.demo_server import DemoServer
from browser_app.demo.faults.network_faults import FORBIDDEN_ADDRESSES, MasterFault
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.cube2_responder import encode_cube_entry
from browser_app.demo.responders.free_game_responders import COORDINATOR_END, encode_coordinator_entry
from browser_app.demo.responders.listed_responder import encode_lobby_entry, encode_lobby_list
from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.stream_connection import StreamConnection, StreamListener
from browser_app.protocols.address import Address
from browser_app.protocols.cube2.cube_list import LIST_REQUEST
from browser_app.protocols.master_lists.warzone_list import LOBBY_REQUEST
from browser_app.protocols.openttd.coordinator import LISTING_REQUEST

_MAX_CONNECTIONS = 16


class TcpList(NamedTuple):
    """Format of one game's list."""

    request: bytes
    encode_entry: Callable[[DemoServerState, Address, float], bytes]
    """Returns the entry of a server at a game address and a time (s since the network's start)."""
    encode_list: Callable[[Sequence[bytes]], bytes]
    """Returns the list with these entries."""


_CUBE_LIST: Final = TcpList(LIST_REQUEST, encode_cube_entry, lambda entries: b"".join(entries) + b"\0")
TCP_LISTS: Final[Mapping[str, TcpList]] = {
    "sauerbraten": _CUBE_LIST,
    "redeclipse": _CUBE_LIST,
    "tesseract": _CUBE_LIST,
    "openttd": TcpList(LISTING_REQUEST, encode_coordinator_entry, lambda entries: b"".join(entries) + COORDINATOR_END),
    "warzone2100": TcpList(LOBBY_REQUEST, encode_lobby_entry, encode_lobby_list),
}
"""Lists by game ID, which is also the first part of the scheme of the master URLs."""


class DemoTcpMaster:
    """A master server of one game with one fault or none."""

    def __init__(
        self,
        sock: socket.socket,
        game_id: str,
        servers: Sequence[DemoServer],
        loop: DemoEventLoop,
        now_s: Callable[[], float],
        fault: MasterFault | None,
        slow_s: float,
    ) -> None:
        """Serve a listening socket; `now_s` returns seconds since the network's start."""
        self.sock = sock
        self.url = f"{game_id}+tcp://{Address(*sock.getsockname())}"
        self._format = TCP_LISTS[game_id]
        self._servers = servers
        self._loop = loop
        self._now_s = now_s
        self._fault = fault
        self._delay_ns = round(slow_s * 1e9) if fault is MasterFault.SLOW else 0
        self._listener = StreamListener(sock, loop, self._on_received, _MAX_CONNECTIONS)

    def on_readable(self) -> None:
        """Accept the next client."""
        self._listener.accept()

    def close(self) -> None:
        """Close all sockets; the loop must have ended."""
        self._listener.close()

    def _on_received(self, connection: StreamConnection, received_ns: int) -> None:  # noqa: ARG002 (nothing is timed)
        if self._fault is not MasterFault.DEAD and connection.received == self._format.request:
            connection.received = b""
            self._loop.call_at(time.time_ns() + self._delay_ns, self._send, connection)

    def _send(self, connection: StreamConnection) -> None:
        connection.send(self._encode_list(), close=True)

    def _encode_list(self) -> bytes:
        if self._fault is MasterFault.GARBAGE:
            return b"\xff" + os.urandom(40).replace(b"\n", b"")
        servers = () if self._fault is MasterFault.EMPTY else self._servers
        addresses = [(server.state, server.game_address) for server in servers]
        if self._fault is MasterFault.PRIVATE:
            addresses += [(self._servers[0].state, address) for address in FORBIDDEN_ADDRESSES]
        now_s = self._now_s()
        body = self._format.encode_list(
            [self._format.encode_entry(state, address, now_s) for state, address in addresses]
        )
        return body[: len(body) // 2] if self._fault is MasterFault.INCOMPLETE else body
