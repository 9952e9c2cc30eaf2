"""Replies of demo servers with a fault."""

import bz2
import functools
import random
import struct
from collections.abc import Sequence

from browser_app.demo.demo_server import ServerRequest, ServerResponder
from browser_app.demo.faults.network_faults import TOKEN_PLACES, ServerFault
from browser_app.protocols.a2s.a2s import CHALLENGE_REPLY, SINGLE_PACKET_HEADER, SPLIT_PACKET_HEADER
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

_CORRECT_BYTES = 6
"""Number of correct bytes at the start of a malformed reply."""
_TOO_LARGE_BYTES = 60_000
_ENDLESS_PARTS = 64
_BOMB_BYTES = 64 << 20
_CHALLENGE_HEADER = SINGLE_PACKET_HEADER + CHALLENGE_REPLY


class FaultyResponder:
    """Wrapper of a correct responder that corrupts its replies."""

    def __init__(self, responder: ServerResponder, protocol: str, fault: ServerFault, seed: int) -> None:
        self._responder = responder
        self._protocol = protocol
        self._fault = fault
        self._rng = random.Random(seed)  # noqa: S311 (simulation, not cryptography)
        if fault is ServerFault.BZIP2_BOMB:
            _compressed_zeros()  # takes a second, which must not pass while serving

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if self._fault is ServerFault.WRONG_TOKEN:
            request = request._replace(data=_with_other_token(request.data, TOKEN_PLACES[self._protocol]))
        datagrams = self._responder.respond(request)
        return self._corrupt(datagrams) if datagrams else ()

    def _corrupt(self, datagrams: Sequence[bytes]) -> Sequence[bytes]:
        """Return what is sent instead of a reply; not every fault changes it here."""
        rng = self._rng
        match self._fault:
            case ServerFault.GARBAGE:
                return [rng.randbytes(rng.randrange(1, 200))]
            case ServerFault.MALFORMED:
                return [datagram[:_CORRECT_BYTES] + self._invalid_bytes(datagram) for datagram in datagrams]
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

    def _invalid_bytes(self, datagram: bytes) -> bytes:
        """Return bytes that fit no field: in a stream as many as are announced."""
        is_stream = QUERY_PROTOCOLS[self._protocol].is_stream
        return b"\xff" * (len(datagram) - _CORRECT_BYTES if is_stream else self._rng.randrange(1, 40))


def _with_other_token(request: bytes, place: slice) -> bytes:
    start, stop, _step = place.indices(len(request))
    return request[:start] + bytes(byte ^ 1 for byte in request[place]) + request[stop:]


@functools.cache
def _compressed_zeros() -> bytes:
    compressor = bz2.BZ2Compressor()
    return compressor.compress(bytes(_BOMB_BYTES)) + compressor.flush()
