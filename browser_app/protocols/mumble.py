"""Mumble's ping: how many people are on a voice server.

Formats as in the server's `Server::handlePing`. The reply echoes eight bytes of the request. Everything else, such as
the server's name, is only sent to connected clients.
"""

import struct
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import PacketError, TokenSession

PING_REQUEST: Final = bytes(4)
REPLY: Final = struct.Struct(">BBBB8sIII")
"""A zero, three numbers of the version, echoed bytes, users, maximum users, bits per second for each user."""
_MAX_USERS = 100_000


@dataclass(slots=True)
class MumbleReply:
    """What a server reports of itself."""

    version: str
    users: int
    max_users: int
    bandwidth: int
    """Bits per second that each user may send."""


def build_mumble_ping(token: bytes) -> bytes:
    """Return a ping with a token of eight bytes."""
    return PING_REQUEST + token


def parse_mumble_reply(data: bytes) -> tuple[bytes, MumbleReply]:
    """Parse a reply; return the bytes that it echoes, and its content."""
    if len(data) != REPLY.size or data[0]:
        raise PacketError("not this protocol")
    _kind, major, minor, patch, token, users, max_users, bandwidth = REPLY.unpack(data)
    if max(users, max_users) > _MAX_USERS:
        raise PacketError("invalid number")
    return token, MumbleReply(f"{major}.{minor}.{patch}", users, max_users, bandwidth)


class MumbleSession(TokenSession[MumbleReply, bytes]):
    """`QuerySession` that sends a ping."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(bytes, build_mumble_ping, parse_mumble_reply)
