"""Servers that answer wrongly, each in its own way (`Lie`)."""

import bz2
import functools
import random
import socket
import struct
import time
from collections.abc import Callable, Sequence
from typing import Final

from browser_app.demo.faults import Lie
from browser_app.demo.line import Line
from browser_app.demo.loop import Loop
from browser_app.demo.population import Population
from browser_app.demo.server import Answers, DemoServer, Peer
from browser_app.demo.sockets import open_udp
from browser_app.demo.tally import Tally
from browser_app.protocols.a2s_wire import CHALLENGE, SINGLE, SPLIT
from browser_app.protocols.address import Address

FLOOD: Final = 200
"""Unasked datagrams for a request."""
FLOOD_IN_ALL: Final = 4000
_FLOOD_STEP_NS = 200_000
_TOO_LARGE = 60_000
_ENDLESS_PARTS = 64
_BOMB_BYTES = 64 << 20

_Wrong = Callable[[bytes, Sequence[bytes], random.Random], Sequence[bytes]]
"""From the request and the honest answer to the one that is sent."""


class LyingServer(DemoServer):
    """A server with a fault."""

    __slots__ = ("_flood_left", "_other_sock", "_rng", "lie")

    def __init__(
        self,
        sock: socket.socket,
        population: Population,
        answers: Answers | None,
        line: Line,
        loop: Loop,
        tally: Tally,
        lie: Lie,
    ) -> None:
        super().__init__(sock, population, answers, line, loop, tally)
        self.lie = lie
        self._rng = random.Random(population.number)  # noqa: S311 (a stage, no secret)
        self._flood_left = FLOOD_IN_ALL
        self._other_sock = open_udp(Address(self.address.host, 0)) if lie is Lie.WRONG_PORT else None
        if lie is Lie.BZIP2_BOMB:
            _compressed_zeros()  # now: it takes a second, in which nobody would be answered

    def close(self) -> None:
        """Close its sockets."""
        super().close()
        if self._other_sock is not None:
            self._other_sock.close()

    def respond(self, request: bytes, datagrams: Sequence[bytes], peer: Peer, received_ns: int) -> None:
        """Have something else sent than was asked for."""
        if self.lie is Lie.FLOOD and datagrams:
            self._flood(datagrams[0], peer)
        wrong = _WRONG.get(self.lie)
        super().respond(request, wrong(request, datagrams, self._rng) if wrong else datagrams, peer, received_ns)

    def outlet(self) -> socket.socket:
        """The socket that answers leave by."""
        return self._other_sock or self.sock

    def _flood(self, datagram: bytes, peer: Peer) -> None:
        count = min(FLOOD, self._flood_left)
        self._flood_left -= count
        now_ns = time.time_ns()
        for number in range(count):
            self._loop.at(now_ns + number * _FLOOD_STEP_NS, self.send_one, datagram, peer)


def _wrong_token(request: bytes, datagrams: Sequence[bytes], rng: random.Random) -> Sequence[bytes]:
    token = request.rsplit(b" ", 1)[-1].strip()
    other = bytes(rng.choice(b"abcdefghijkmnpqrstuvwxyz") for _ in token)
    return [datagram.replace(token, other) for datagram in datagrams] if b" " in request else datagrams


def _garbage(_request: bytes, _datagrams: Sequence[bytes], rng: random.Random) -> Sequence[bytes]:
    return [rng.randbytes(rng.randrange(200))]


def _malformed(_request: bytes, datagrams: Sequence[bytes], rng: random.Random) -> Sequence[bytes]:
    """The right beginning, then bytes that no field can be made of."""
    return [datagram[:6] + b"\xff" * rng.randrange(1, 40) for datagram in datagrams]


def _truncated(_request: bytes, datagrams: Sequence[bytes], _rng: random.Random) -> Sequence[bytes]:
    return [datagram[: len(datagram) // 2] for datagram in datagrams]


def _too_large(_request: bytes, datagrams: Sequence[bytes], _rng: random.Random) -> Sequence[bytes]:
    return [datagram.ljust(_TOO_LARGE, b"x") for datagram in datagrams]


def _endless_challenges(_request: bytes, _datagrams: Sequence[bytes], rng: random.Random) -> Sequence[bytes]:
    return [SINGLE + CHALLENGE + rng.randbytes(4)]


def _only_challenge(_request: bytes, datagrams: Sequence[bytes], _rng: random.Random) -> Sequence[bytes]:
    return [datagram for datagram in datagrams if datagram.startswith(SINGLE + CHALLENGE)]


def _endless_splits(_request: bytes, _datagrams: Sequence[bytes], rng: random.Random) -> Sequence[bytes]:
    part = SINGLE + b"I" + b"x" * 1000
    return [SPLIT + struct.pack("<IBBH", rng.getrandbits(31), 32, 0, 1248) + part for _ in range(_ENDLESS_PARTS)]


def _bomb(_request: bytes, _datagrams: Sequence[bytes], rng: random.Random) -> Sequence[bytes]:
    header = struct.pack("<IBBHII", rng.getrandbits(31) | 1 << 31, 1, 0, 1248, _BOMB_BYTES, 0)
    return [SPLIT + header + _compressed_zeros()]


@functools.cache
def _compressed_zeros() -> bytes:
    compressor = bz2.BZ2Compressor()
    return compressor.compress(bytes(_BOMB_BYTES)) + compressor.flush()


_WRONG: Final[dict[Lie, _Wrong]] = {
    Lie.WRONG_TOKEN: _wrong_token,
    Lie.GARBAGE: _garbage,
    Lie.MALFORMED: _malformed,
    Lie.TRUNCATED: _truncated,
    Lie.TOO_LARGE: _too_large,
    Lie.ENDLESS_CHALLENGES: _endless_challenges,
    Lie.SILENT_AFTER_CHALLENGE: _only_challenge,
    Lie.ENDLESS_SPLITS: _endless_splits,
    Lie.BZIP2_BOMB: _bomb,
}
"""The other lies are told elsewhere: by another socket, ahead of time, or by what the answer says."""
