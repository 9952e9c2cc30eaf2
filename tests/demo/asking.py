"""A plain asker for tests: one socket, kernel stamps, no protocol of its own."""

import select
import socket
import struct
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import NamedTuple, Self

from timeouts import LIMIT_S

from browser_app.demo.demo_server import DemoServer
from browser_app.demo.games.arena_games import QUAKE_GAMES
from browser_app.demo.games.source_games import A2S_GAMES
from browser_app.protocols.address import Address

_TIMESTAMPNS = 35
ONE_REPLY_GAMES = tuple(game.id for game in (*A2S_GAMES, *QUAKE_GAMES))
"""Games whose servers send one datagram for each request of `request_for`."""
INFO = b"\xff\xff\xff\xffTSource Engine Query\0"


class Heard(NamedTuple):
    """A datagram, its sender, and when the kernel had it (Unix time, ns)."""

    data: bytes
    sender: Address
    at_ns: int


class Asker:
    """Sends what it is told and collects everything that comes."""

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
        """Send; the Unix time in ns just before."""
        now_ns = time.time_ns()
        self.sock.sendto(data, to)
        return now_ns

    def hear(self, count: int, within_s: float = LIMIT_S) -> list[Heard]:
        """Up to `count` datagrams, those that come in time."""
        heard: list[Heard] = []
        end = time.monotonic() + within_s
        while len(heard) < count and (left := end - time.monotonic()) > 0:
            if select.select([self.sock], [], [], left)[0]:
                data, ancillary, _, sender = self.sock.recvmsg(65535, 64)
                seconds, nanoseconds = struct.unpack("@qq", ancillary[0][2])
                heard.append(Heard(data, Address(*sender), seconds * 1_000_000_000 + nanoseconds))
        return heard

    def ask(self, data: bytes, to: Address, count: int = 1, within_s: float = LIMIT_S) -> list[Heard]:
        """Send one request and hear up to `count` answers."""
        self.send(data, to)
        return self.hear(count, within_s)

    def hears_nothing(self) -> bool:
        """Nothing more comes, for a tenth of a second."""
        return not self.hear(1, 0.1)

    def ask_all(
        self,
        servers: Iterable[DemoServer],
        request: Callable[[DemoServer], bytes],
        gap_s: float = 0.0005,
        answering: Callable[[], int] | None = None,
    ) -> dict[Address, float]:
        """Ask each server once, in turn; the pings, ms.

        All answer, or as many as `answering` says at the end.
        """
        sent: dict[Address, int] = {}
        heard: list[Heard] = []
        for server in servers:
            sent[server.address] = self.send(request(server), server.address)
            heard += self.hear(1_000_000, gap_s)
        heard += self.hear((answering() if answering else len(sent)) - len(heard))
        return {each.sender: (each.at_ns - sent[each.sender]) / 1e6 for each in reversed(heard)}


def request_for(server: DemoServer) -> bytes:
    """A first request to a server of `ONE_REPLY_GAMES`."""
    return INFO if server.state.game.protocol == "a2s" else b"\xff\xff\xff\xffgetstatus T0K3N234"
