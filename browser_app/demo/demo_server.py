"""One demo game server, and the network's statistics."""

import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from browser_app.demo.faults.network_faults import ServerFault
from browser_app.demo.population import DemoServerState
from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.loopback_sockets import receive_datagram
from browser_app.demo.sockets.simulated_link import SimulatedLink
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import PacketError

_MAX_LATENESS_SAMPLES = 200_000
_COUNTER_NAMES: Final = ("requests", "replies", "lost_requests", "lost_replies", "guarded", "refused", "unsent")
_QUANTILES: Final = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


@dataclass(slots=True)
class NetworkStatistics:
    """Counts of the whole network, without requests to master servers."""

    requests: int = 0
    """Datagrams received by servers, including dead ones."""
    replies: int = 0
    """Datagrams sent by servers."""
    lost_requests: int = 0
    lost_replies: int = 0
    guarded: int = 0
    """Requests dropped by a DarkPlaces flood guard."""
    refused: int = 0
    """Requests that no server of that protocol understands."""
    unsent: int = 0
    """Replies that the system could not send."""
    lateness_ns: deque[int] = field(default_factory=lambda: deque(maxlen=_MAX_LATENESS_SAMPLES))
    """For the latest replies: send time minus the time when the server's latency had passed."""

    def as_json(self) -> dict[str, Any]:
        """Return the counts, and quantiles of the lateness in ms (null if no reply yet)."""
        late = sorted(self.lateness_ns)
        lateness = {
            name: late[min(len(late) - 1, int(len(late) * share))] / 1e6 if late else None
            for name, share in _QUANTILES.items()
        }
        return {name: getattr(self, name) for name in _COUNTER_NAMES} | {"lateness_ms": lateness}


PeerAddress = tuple[str, int]
_MAX_HOLD_TIMES = 16
_REPEAT_NS = 141_000_000
_MAX_REPETITIONS = 209
"""How a Luanti 5.6.1 server repeats its greeting: 210 datagrams in 29.6 s."""


class ServerRequest(NamedTuple):
    """One request, in a datagram of its own or in a stream."""

    data: bytes
    peer: PeerAddress
    received_ns: int
    """When it arrived in the kernel (Unix time)."""


class ServerResponder(Protocol):
    """A query protocol from the server's side."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the datagrams to send for a request; none are sent if it is empty.

        Raises:
            PacketError: not a request of this protocol.
        """


@runtime_checkable
class RepeatingResponder(ServerResponder, Protocol):
    """Replies that are sent again until the client ends the session that they opened."""

    def is_repeated(self, reply: Sequence[bytes]) -> bool:
        """Return whether the session that a reply opened is still open."""


class ServerParts(NamedTuple):
    """Arguments of `DemoServer`."""

    sock: socket.socket
    """Bound; the server closes it."""
    state: DemoServerState
    responder: ServerResponder | None
    """None for a dead server."""
    link: SimulatedLink
    loop: DemoEventLoop
    statistics: NetworkStatistics
    """Those of the whole network."""
    fault: ServerFault | None


class DemoServer:
    """One simulated server over UDP.

    A dead one has no `responder`: it reads every request and never answers.
    """

    def __init__(self, parts: ServerParts) -> None:
        self.sock = parts.sock
        self.address = Address(*parts.sock.getsockname())
        self.state = parts.state
        self.responder = parts.responder
        self.link = parts.link
        self.fault = parts.fault
        self.request_count = 0
        """Datagrams received, without those lost on the simulated link; over TCP, segments."""
        self.hold_times_ns: deque[int] | None = None
        """Latest times from a request's arrival in the kernel to the send of its reply; None before the first."""
        self._loop = parts.loop
        self._statistics = parts.statistics

    @property
    def url(self) -> str:
        """The server URL."""
        return f"{self.state.game.protocol}://{self.address}"

    @property
    def game_address(self) -> Address:
        """The address that the game connects to."""
        return Address(self.address.host, self.address.port - self.state.game.profile.query_port_offset)

    @property
    def is_alive(self) -> bool:
        """Whether the server answers."""
        return self.responder is not None

    def close(self) -> None:
        """Close the socket; the loop must have ended."""
        self.sock.close()

    def on_readable(self) -> None:
        """Read and answer the next request."""
        try:
            request = ServerRequest(*receive_datagram(self.sock))
        except OSError:  # nothing to read after all, or the system reports the failure of an earlier send
            return
        self._statistics.requests += 1
        if self.link.drop_next():
            self._statistics.lost_requests += 1
            return
        self.request_count += 1
        if datagrams := self.respond(request):
            self.send_reply(datagrams, request.peer, request.received_ns)
            if isinstance(self.responder, RepeatingResponder):
                self._schedule_repetition(datagrams, request.peer, request.received_ns + self.link.latency_ns)

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request; empty if there is none."""
        try:
            return () if self.responder is None else self.responder.respond(request)
        except PacketError:
            self._statistics.refused += 1
            return ()

    def send_reply(self, datagrams: Sequence[bytes], peer: PeerAddress, received_ns: int) -> None:
        """Schedule `datagrams` for after the link's latency."""
        due_ns = received_ns + self.link.next_delay_ns()
        self._loop.call_at(due_ns, self.send_datagrams, datagrams, peer, received_ns, due_ns)

    def send_datagrams(self, datagrams: Sequence[bytes], peer: PeerAddress, received_ns: int, due_ns: int) -> None:
        """Send a reply; its time is recorded first, so that pings can be compared at once."""
        now_ns = time.time_ns()
        delivered = [datagram for datagram in datagrams if not self.link.drop_next()]
        self._statistics.lost_replies += len(datagrams) - len(delivered)
        self.record_reply(now_ns - due_ns, now_ns - received_ns if delivered else None)
        for datagram in delivered:
            self.send_datagram(datagram, peer)

    def record_reply(self, lateness_ns: int, hold_ns: int | None) -> None:
        """Record how late a reply was and, unless it was lost, for how long it was held."""
        self._statistics.lateness_ns.append(lateness_ns)
        if hold_ns is not None:
            if self.hold_times_ns is None:
                self.hold_times_ns = deque(maxlen=_MAX_HOLD_TIMES)
            self.hold_times_ns.append(hold_ns)

    def send_datagram(self, datagram: bytes, peer: PeerAddress) -> None:
        """Send one datagram, twice where the link duplicates it."""
        sock = self.sending_socket()
        try:
            for _ in range(1 + self.link.duplicate_next()):
                self._statistics.replies += 1
                sock.sendto(datagram, peer)
        except OSError:
            self._statistics.replies -= 1
            self._statistics.unsent += 1

    def _schedule_repetition(
        self, datagrams: Sequence[bytes], peer: PeerAddress, sent_ns: int, left: int = _MAX_REPETITIONS
    ) -> None:
        due_ns = sent_ns + _REPEAT_NS
        self._loop.call_at(due_ns, self._repeat, datagrams, peer, due_ns, left)

    def _repeat(self, datagrams: Sequence[bytes], peer: PeerAddress, due_ns: int, left: int) -> None:
        """Send a reply again unless the client has ended its session."""
        if not isinstance(self.responder, RepeatingResponder) or not self.responder.is_repeated(datagrams):
            return
        for datagram in datagrams:
            if self.link.drop_next():
                self._statistics.lost_replies += 1
            else:
                self.send_datagram(datagram, peer)
        if left > 1:
            self._schedule_repetition(datagrams, peer, due_ns, left - 1)

    def sending_socket(self) -> socket.socket:
        """Return the socket that sends replies."""
        return self.sock
