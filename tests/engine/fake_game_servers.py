"""Fake game servers for tests of the scanner.

Real UDP sockets on loopback, in one thread, with scripted behaviour.
"""

import heapq
import itertools
import math
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import NamedTuple, Self

from a2s_samples import PLAIN_INFO
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryResult, QueryTarget
from browser_app.engine.query.query_timing import PACES, Pace, QueryTiming
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.scanner import Scanner
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.a2s.a2s_server import encode_challenge, encode_info
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3_server import encode_status_response, parse_quake3_request
from browser_app.protocols.query_session import QueryParts

_TIMESTAMPNS = 35
UNLIMITED = PACES["unlimited"]
QUICK = QueryTiming(
    waits_s=(0.1, 0.1, 1.0),
    late_reply_wait_s=0.3,
    min_follow_up_wait_s=0.2,
    max_probe_wait_s=0.6,
    send_failure_wait_s=0.1,
)
"""For servers that never answer or lose requests."""

INFO = encode_info(PLAIN_INFO)
CHALLENGE = encode_challenge(b"\x01\x02\x03\x04")


class ReceivedRequest(NamedTuple):
    """A received request."""

    at_ns: int
    """Kernel receive timestamp, Unix time."""
    data: bytes
    peer: tuple[str, int]


Reply = tuple[float, bytes]
"""Delay in seconds after the request's arrival, and the datagram."""
Behaviour = Callable[[int, bytes], Iterable[Reply]]
"""Returns the replies to the n-th request, from 0."""


def patient_timing(lost: int = 0, *, leg_wait_s: float = LIMIT_S) -> QueryTiming:
    """Return timing for servers that answer.

    Even on a busy machine, only the first `lost` requests are repeated.
    """
    waits_s = (*[0.2] * lost, *[LIMIT_S] * (3 - lost))
    return QueryTiming(waits_s, adapt_after=1_000_000, min_follow_up_wait_s=leg_wait_s, send_failure_wait_s=0.1)


@dataclass
class FakeServer:
    """One server."""

    sock: socket.socket
    behaviour: Behaviour
    protocol: str
    address: Address
    requests: list[ReceivedRequest] = field(default_factory=list)
    delays_ms: list[float] = field(default_factory=list)
    """Time from a request's arrival in the kernel until right before each reply is sent."""

    @property
    def target(self) -> QueryTarget:
        return QueryTarget(self.address, self.protocol, None)

    def error_ms(self, result: QueryResult, nth: int = 0) -> float:
        """Return the ping less the actual delay of the `nth` reply; infinite without one."""
        return math.inf if result.ping_ms is None else abs(result.ping_ms - self.delays_ms[nth])


class FakeServerThread:
    """Thread that serves all fake servers of a test."""

    def __init__(self) -> None:
        self._servers: dict[int, FakeServer] = {}
        self._due: list[tuple[float, int, FakeServer, ReceivedRequest, bytes]] = []
        self._order = itertools.count()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="fake servers")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping = True
        self._thread.join()
        for server in self._servers.values():
            server.sock.close()

    def add(self, behaviour: Behaviour, *, host: str = "127.0.0.1", protocol: str = "a2s", port: int = 0) -> FakeServer:
        """Open another server."""
        sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        sock.setsockopt(socket.SOL_SOCKET, _TIMESTAMPNS, 1)
        sock.bind((host, port))
        sock.setblocking(False)
        server = FakeServer(sock, behaviour, protocol, Address(host, sock.getsockname()[1]))
        self._servers[sock.fileno()] = server
        return server

    def _run(self) -> None:
        while not self._stopping:
            self._receive_all(min(0.005, self._send_due()))
        while self._receive_all(0.0):  # requests received before the end count
            pass

    def _receive_all(self, wait_s: float) -> bool:
        """Receive at most one request per server; return whether there was any."""
        socks = [server.sock for server in list(self._servers.values())]
        ready = select.select(socks, [], [], max(0.0, wait_s))[0]
        for sock in ready:
            self._receive(self._servers[sock.fileno()])
        return bool(ready)

    def _receive(self, server: FakeServer) -> None:
        data, ancillary, _, peer = server.sock.recvmsg(65535, 64)
        seconds, nanoseconds = struct.unpack("@ll", ancillary[0][2])
        asked = ReceivedRequest(seconds * 1_000_000_000 + nanoseconds, data, peer)
        server.requests.append(asked)
        waited_s = (time.time_ns() - asked.at_ns) / 1e9
        for delay_s, reply in server.behaviour(len(server.requests) - 1, data):
            due_s = time.monotonic() + delay_s - waited_s
            heapq.heappush(self._due, (due_s, next(self._order), server, asked, reply))

    def _send_due(self) -> float:
        while self._due:
            wait_s = self._due[0][0] - time.monotonic()
            if wait_s > 0:
                return wait_s
            _, _, server, asked, reply = heapq.heappop(self._due)
            server.delays_ms.append((time.time_ns() - asked.at_ns) / 1e6)
            server.sock.sendto(reply, asked.peer)
        return 1.0


def after(delay_s: float, *replies: bytes) -> Behaviour:
    """Answer every request with these replies."""
    return lambda _nth, _data: [(delay_s, reply) for reply in replies]


def silent(_nth: int, _data: bytes) -> Iterable[Reply]:
    """Never answer."""
    return ()


def from_attempt(first: int, then: Behaviour) -> Behaviour:
    """Lose the requests before the `first`-th (from 0)."""
    return lambda nth, data: then(nth, data) if nth >= first else ()


def challenging(delay_s: float) -> Behaviour:
    """Require a challenge for the info."""
    return lambda _nth, data: [(delay_s, INFO if data.endswith(b"\x01\x02\x03\x04") else CHALLENGE)]


def status(delay_s: float, *, echo: bool = True) -> Behaviour:
    """Answer as a server of the Quake III family."""
    info = {"sv_hostname": "Q", "hostname": "Q", "mapname": "q3dm17", "sv_maxclients": "8", "clients": "0", "bots": "0"}

    def result(_nth: int, data: bytes) -> Iterable[Reply]:
        challenge = parse_quake3_request(data).challenge if echo else ""
        return [(delay_s, encode_status_response(info, (), challenge=challenge))]

    return result


def open_scanner() -> Scanner:
    """Return a scanner without game profiles."""
    return Scanner(GameRegistry(()))


def scan_all(
    scanner: Scanner,
    servers: Sequence[FakeServer],
    *,
    pace: Pace = UNLIMITED,
    parts: QueryParts = QueryParts.INFO,
    timing: QueryTiming | None = None,
) -> tuple[Scan, dict[Address, QueryResult]]:
    """Run one scan and return its results; without `timing` it is patient."""
    scan = scanner.scan(
        [server.target for server in servers], pace=pace, parts=parts, timing=timing or patient_timing()
    )
    scan.seal()
    assert scan.wait(LIMIT_S)
    return scan, {result.target.address: result for result in scan.results}
