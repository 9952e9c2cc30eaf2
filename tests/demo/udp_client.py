"""UDP client for tests, with kernel receive stamps and no protocol of its own."""

import select
import socket
import struct
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import NamedTuple, Self

from timeouts import LIMIT_S

from browser_app.demo.demo_server import DemoServer
from browser_app.demo.games.quake3_games import QUAKE3_GAMES
from browser_app.demo.games.source_games import A2S_GAMES
from browser_app.protocols.address import Address

_TIMESTAMPNS = 35
ONE_REPLY_GAMES = tuple(game.id for game in (*A2S_GAMES, *QUAKE3_GAMES))
"""Games whose servers send one datagram in reply to `first_request`."""
INFO = b"\xff\xff\xff\xffTSource Engine Query\0"


class ReceivedDatagram(NamedTuple):
    """A datagram, its sender, and when the kernel received it (Unix time, ns)."""

    data: bytes
    sender: Address
    received_ns: int


class UdpClient:
    """One socket that sends datagrams and receives those of all servers."""

    def __init__(self) -> None:
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.sock.setsockopt(socket.SOL_SOCKET, _TIMESTAMPNS, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.sock.close()

    def send(self, data: bytes, to: Address) -> int:
        """Send a datagram; return the Unix time just before, ns."""
        now_ns = time.time_ns()
        self.sock.sendto(data, to)
        return now_ns

    def receive(self, count: int, within_s: float = LIMIT_S) -> list[ReceivedDatagram]:
        """Return up to `count` datagrams, those that arrive in time."""
        received: list[ReceivedDatagram] = []
        end = time.monotonic() + within_s
        while len(received) < count and (left := end - time.monotonic()) > 0:
            if select.select([self.sock], [], [], left)[0]:
                data, ancillary, _, sender = self.sock.recvmsg(65535, 64)
                seconds, nanoseconds = struct.unpack("@qq", ancillary[0][2])
                received.append(ReceivedDatagram(data, Address(*sender), seconds * 1_000_000_000 + nanoseconds))
        return received

    def request(self, data: bytes, to: Address, count: int = 1, within_s: float = LIMIT_S) -> list[ReceivedDatagram]:
        """Send a request and return up to `count` datagrams."""
        self.send(data, to)
        return self.receive(count, within_s)

    def receives_nothing(self) -> bool:
        """Return whether nothing arrives for 0.1 s."""
        return not self.receive(1, 0.1)

    def measure_pings(
        self,
        servers: Iterable[DemoServer],
        request: Callable[[DemoServer], bytes],
        gap_s: float = 0.0005,
        reply_count: Callable[[], int] | None = None,
    ) -> dict[Address, float]:
        """Query each server once, in turn; return the pings, ms.

        All reply, or as many as `reply_count` returns after the last request.
        """
        sent: dict[Address, int] = {}
        received: list[ReceivedDatagram] = []
        for server in servers:
            sent[server.address] = self.send(request(server), server.address)
            received += self.receive(1_000_000, gap_s)
        received += self.receive((reply_count() if reply_count else len(sent)) - len(received))
        return {each.sender: (each.received_ns - sent[each.sender]) / 1e6 for each in reversed(received)}


def first_request(server: DemoServer) -> bytes:
    """Return a first request to a server of `ONE_REPLY_GAMES`."""
    return INFO if server.state.game.protocol == "a2s" else b"\xff\xff\xff\xffgetstatus T0K3N234"
