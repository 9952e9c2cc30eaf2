"""One demo game server: a socket, what it answers, and a line in between."""

import socket
import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from browser_app.demo.line import Line
from browser_app.demo.loop import Loop
from browser_app.demo.population import Population
from browser_app.demo.sockets import receive
from browser_app.demo.tally import Tally
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Refused

Peer = tuple[str, int]
_KEPT_PINGS = 16


class Answers(Protocol):
    """A query protocol as a server speaks it."""

    def answer(self, request: bytes, peer: Peer, received_ns: int) -> Sequence[bytes]:
        """The datagrams to send for a request; none where the server would keep silent.

        Raises:
            Refused: this is no request of the protocol.
        """


class DemoServer:
    """A server on stage. A dead one has no `answers`: it takes every request and says nothing."""

    __slots__ = ("_loop", "_tally", "address", "answers", "held_ns", "line", "population", "requests", "sock")

    def __init__(
        self, sock: socket.socket, population: Population, answers: Answers | None, line: Line, loop: Loop, tally: Tally
    ) -> None:
        self.sock = sock
        self.address = Address(*sock.getsockname())
        self.population = population
        self.answers = answers
        self.line = line
        self.requests = 0
        """Datagrams that reached it, those that the line lost not counted."""
        self.held_ns: deque[int] | None = None
        """The newest times from a request's arrival in the kernel to the send of its answer; None before the first."""
        self._loop = loop
        self._tally = tally

    @property
    def url(self) -> str:
        """Its server URL."""
        return f"{self.population.sheet.protocol}://{self.address}"

    @property
    def alive(self) -> bool:
        """Whether it answers at all."""
        return self.answers is not None

    def close(self) -> None:
        """Close its socket."""
        self.sock.close()

    def readable(self) -> None:
        """Take the next request."""
        try:
            request, peer, received_ns = receive(self.sock)
        except OSError:  # nothing there after all, or the system reports an earlier send's failure
            return
        self._tally.requests += 1
        if self.line.drops():
            self._tally.lost_requests += 1
            return
        self.requests += 1
        if self.answers is None:
            return
        try:
            datagrams = self.answers.answer(request, peer, received_ns)
        except Refused:
            self._tally.refused += 1
            return
        self.respond(request, datagrams, peer, received_ns)

    def respond(self, request: bytes, datagrams: Sequence[bytes], peer: Peer, received_ns: int) -> None:  # noqa: ARG002
        """Have `datagrams` sent when the line's latency has passed. Only liars look at the request."""
        if datagrams:
            due_ns = received_ns + self.line.wait_ns()
            self._loop.at(due_ns, self.send, datagrams, peer, received_ns, due_ns)

    def send(self, datagrams: Sequence[bytes], peer: Peer, received_ns: int, due_ns: int) -> None:
        """Send an answer, and note when: before it leaves, so that whoever has it can find its true ping."""
        now_ns = time.time_ns()
        self._tally.lateness_ns.append(now_ns - due_ns)
        kept = [datagram for datagram in datagrams if not self.line.drops()]
        self._tally.lost_replies += len(datagrams) - len(kept)
        if kept:
            if self.held_ns is None:
                self.held_ns = deque(maxlen=_KEPT_PINGS)
            self.held_ns.append(now_ns - received_ns)
        for datagram in kept:
            self.send_one(datagram, peer)

    def send_one(self, datagram: bytes, peer: Peer) -> None:
        """Put one datagram on the line, twice where it doubles."""
        sock = self.outlet()
        try:
            for _ in range(1 + self.line.doubles()):
                self._tally.replies += 1
                sock.sendto(datagram, peer)
        except OSError:
            self._tally.replies -= 1
            self._tally.unsent += 1

    def outlet(self) -> socket.socket:
        """The socket that answers leave by."""
        return self.sock
