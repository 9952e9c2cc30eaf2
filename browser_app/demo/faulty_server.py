"""Demo servers that reply incorrectly, one way per fault."""

import bz2
import functools
import random
import socket
import struct
import time
from collections.abc import Sequence
from typing import Final

from browser_app.demo.demo_event_loop import DemoEventLoop
from browser_app.demo.demo_server import DemoServer, NetworkStatistics, PeerAddress, ServerResponder
from browser_app.demo.loopback_sockets import open_udp_socket
from browser_app.demo.network_faults import ServerFault
from browser_app.demo.population import DemoServerState
from browser_app.demo.simulated_link import SimulatedLink
from browser_app.protocols.a2s.a2s import CHALLENGE_REPLY, SINGLE_PACKET_HEADER, SPLIT_PACKET_HEADER
from browser_app.protocols.address import Address

FLOOD_PER_REQUEST: Final = 200
"""Unrequested datagrams sent for one request."""
MAX_FLOOD: Final = 4000
_FLOOD_STEP_NS = 200_000
_TOO_LARGE_BYTES = 60_000
_ENDLESS_PARTS = 64
_BOMB_BYTES = 64 << 20
_CHALLENGE_HEADER = SINGLE_PACKET_HEADER + CHALLENGE_REPLY


class FaultyServer(DemoServer):
    """A server with one fault."""

    def __init__(
        self,
        sock: socket.socket,
        state: DemoServerState,
        responder: ServerResponder | None,
        link: SimulatedLink,
        loop: DemoEventLoop,
        statistics: NetworkStatistics,
        fault: ServerFault,
    ) -> None:
        super().__init__(sock, state, responder, link, loop, statistics)
        self.fault = fault
        self._rng = random.Random(state.number)  # noqa: S311 (simulation, not cryptography)
        self._remaining_flood = MAX_FLOOD
        self._other_sock = open_udp_socket(Address(self.address.host, 0)) if fault is ServerFault.WRONG_PORT else None
        if fault is ServerFault.BZIP2_BOMB:
            _compressed_zeros()  # takes a second, which must not pass while serving

    def close(self) -> None:
        """Close the sockets."""
        super().close()
        if self._other_sock is not None:
            self._other_sock.close()

    def send_reply(self, request: bytes, datagrams: Sequence[bytes], peer: PeerAddress, received_ns: int) -> None:
        """Send something else than the correct reply."""
        if self.fault is ServerFault.FLOOD and datagrams:
            self._send_flood(datagrams[0], peer)
        super().send_reply(request, self._corrupt(request, datagrams), peer, received_ns)

    def sending_socket(self) -> socket.socket:
        """Return the socket that sends replies."""
        return self._other_sock or self.sock

    def _corrupt(self, request: bytes, datagrams: Sequence[bytes]) -> Sequence[bytes]:
        """Return what is sent instead of a reply; not every fault changes it here."""
        rng = self._rng
        match self.fault:
            case ServerFault.WRONG_TOKEN if b" " in request:
                token = request.rsplit(b" ", 1)[-1].strip()
                other = bytes(rng.choice(b"abcdefghijkmnpqrstuvwxyz") for _ in token)
                return [datagram.replace(token, other) for datagram in datagrams]
            case ServerFault.GARBAGE:
                return [rng.randbytes(rng.randrange(200))]
            case ServerFault.MALFORMED:  # a correct beginning followed by bytes that fit no field
                return [datagram[:6] + b"\xff" * rng.randrange(1, 40) for datagram in datagrams]
            case ServerFault.TRUNCATED:
                return [datagram[: len(datagram) // 2] for datagram in datagrams]
            case ServerFault.TOO_LARGE:
                return [datagram.ljust(_TOO_LARGE_BYTES, b"x") for datagram in datagrams]
            case ServerFault.ENDLESS_CHALLENGES:
                return [_CHALLENGE_HEADER + rng.randbytes(4)]
            case ServerFault.SILENT_AFTER_CHALLENGE:
                return [datagram for datagram in datagrams if datagram.startswith(_CHALLENGE_HEADER)]
            case ServerFault.ENDLESS_SPLITS:
                part = SINGLE_PACKET_HEADER + b"I" + b"x" * 1000
                headers = (struct.pack("<IBBH", rng.getrandbits(31), 32, 0, 1248) for _ in range(_ENDLESS_PARTS))
                return [SPLIT_PACKET_HEADER + header + part for header in headers]
            case ServerFault.BZIP2_BOMB:
                header = struct.pack("<IBBHII", rng.getrandbits(31) | 1 << 31, 1, 0, 1248, _BOMB_BYTES, 0)
                return [SPLIT_PACKET_HEADER + header + _compressed_zeros()]
            case _:
                return datagrams

    def _send_flood(self, datagram: bytes, peer: PeerAddress) -> None:
        count = min(FLOOD_PER_REQUEST, self._remaining_flood)
        self._remaining_flood -= count
        now_ns = time.time_ns()
        for number in range(count):
            self._loop.call_at(now_ns + number * _FLOOD_STEP_NS, self.send_datagram, datagram, peer)


@functools.cache
def _compressed_zeros() -> bytes:
    compressor = bz2.BZ2Compressor()
    return compressor.compress(bytes(_BOMB_BYTES)) + compressor.flush()
