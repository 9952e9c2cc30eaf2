"""Lists of Teeworlds 0.7 masters, which require a token as game servers do.

Formats as in Teeworlds' `mastersrv.h` and `network.cpp`. A list comes in several datagrams without an end mark.
"""

from collections.abc import Iterator
from ipaddress import IPv6Address
from typing import Final

from browser_app.protocols.address import Address, unmap_ip
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.teeworlds.teeworlds07 import (
    CONNECTIONLESS_HEADER,
    CONTROL_HEADER,
    NO_TOKEN,
    TOKEN_MESSAGE,
    build_token_request,
)

LIST_REQUEST: Final = b"\xff\xff\xff\xffreq2"
LIST_REPLY: Final = b"\xff\xff\xff\xfflis2"
RECORD_BYTES: Final = 18
"""IPv6 address, or IPv4 mapped into one, and port."""
_TOKEN_BYTES = 4
_HEADER_BYTES = len(CONNECTIONLESS_HEADER) + 2 * _TOKEN_BYTES


class TeeworldsMasterExchange:
    """Requests to one master, and its replies."""

    __slots__ = ("_master_token", "_own_token")

    def __init__(self, own_token: bytes) -> None:
        """Start with a random token of four bytes, which every reply echoes."""
        self._own_token = own_token
        self._master_token = b""

    def build_request(self) -> bytes:
        """Return the request for the master's token, or for the list once that is known."""
        if not self._master_token:
            return build_token_request(self._own_token)
        return CONNECTIONLESS_HEADER + self._master_token + self._own_token + LIST_REQUEST

    def receive(self, data: bytes) -> tuple[Address, ...] | None:
        """Parse one datagram; return a part of the list, or None for the master's token.

        Raises:
            PacketError: it is neither, or was not requested, or has a wrong token.
        """
        if data.startswith(CONTROL_HEADER):
            self._receive_token(data)
            return None
        if not data.startswith(CONNECTIONLESS_HEADER) or data[_HEADER_BYTES:][: len(LIST_REPLY)] != LIST_REPLY:
            raise PacketError("not this protocol")
        if not self._master_token or data[1:_HEADER_BYTES] != self._own_token + self._master_token:
            raise PacketError("wrong token")
        return tuple(_parse_records(data, _HEADER_BYTES + len(LIST_REPLY)))

    def _receive_token(self, data: bytes) -> None:
        own, message, master_token = data[3:7], data[7:8], data[8:12]
        if self._master_token:
            raise PacketError("duplicate")
        if own != self._own_token:
            raise PacketError("wrong token")
        if message != TOKEN_MESSAGE or len(master_token) < _TOKEN_BYTES or master_token == NO_TOKEN:
            raise PacketError("not this protocol")
        self._master_token = master_token


def _parse_records(data: bytes, position: int) -> Iterator[Address]:
    """Yield the addresses of whole records with a port."""
    for start in range(position, len(data) - RECORD_BYTES + 1, RECORD_BYTES):
        host, port = IPv6Address(data[start : start + 16]), int.from_bytes(data[start + 16 : start + 18], "big")
        if port:
            yield Address(str(unmap_ip(host)), port)
