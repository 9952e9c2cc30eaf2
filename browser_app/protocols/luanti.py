"""Luanti's ping: a server greets whoever sends it an empty packet.

Servers have no other query. The greeting assigns a peer id; the server sends it some 200 times within half a minute
unless the peer disconnects. The game's own list pings servers in the same way (`serverUp` in `luanti-org/serverlist`).
Names and players of servers are only in that list.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import FixedRequestSession, PacketError

PROTOCOL_ID: Final = b"\x4f\x45\x74\x03"
_NEW_PEER = b"\0\0"
_CHANNEL = b"\0"
_ORIGINAL = b"\x01"
_DISCONNECT = b"\x00\x03"
"""Control packet."""
_SERVER_PEER = b"\0\x01"
_RELIABLE = b"\x03"
_SET_PEER_ID = b"\x00\x01"
"""Control packet, after the sequence number of a reliable one."""
_GREETING_BYTES = 14


@dataclass(slots=True)
class LuantiGreeting:
    """A server's greeting, which only shows that it is up."""

    peer_id: bytes


def build_luanti_ping() -> bytes:
    """Return a packet without content from a peer that the server does not know."""
    return PROTOCOL_ID + _NEW_PEER + _CHANNEL + _ORIGINAL


def parse_luanti_greeting(data: bytes) -> LuantiGreeting:
    """Parse a greeting."""
    header = PROTOCOL_ID + _SERVER_PEER + _CHANNEL + _RELIABLE
    if len(data) != _GREETING_BYTES or not data.startswith(header) or data[10:12] != _SET_PEER_ID:
        raise PacketError("not this protocol")
    return LuantiGreeting(data[12:14])


def build_disconnect(data: bytes) -> bytes | None:
    """Return the packet that disconnects a greeted peer; None without a greeting."""
    try:
        peer_id = parse_luanti_greeting(data).peer_id
    except PacketError:
        return None
    return PROTOCOL_ID + peer_id + _CHANNEL + _DISCONNECT


class LuantiSession(FixedRequestSession[LuantiGreeting]):
    """`QuerySession` that sends a ping; a greeting echoes nothing of it."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(build_luanti_ping(), parse_luanti_greeting)
