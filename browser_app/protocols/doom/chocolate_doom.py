"""Chocolate Doom's query of a server.

Format as in its `net_server.c`. Replies echo nothing of the request.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.doom.doom_reader import DoomReader
from browser_app.protocols.query_session import FixedRequestSession, PacketError

QUERY: Final = b"\x00\x0d"
REPLY_HEADER: Final = b"\x00\x0e"
IN_GAME: Final = 2
"""State of a server whose game has begun; nobody can join it."""


@dataclass(slots=True)
class ChocolateDoomReply:
    """A server's reply."""

    version: str
    state: int
    players: int
    max_players: int
    name: str


def parse_chocolate_doom_reply(data: bytes) -> ChocolateDoomReply:
    """Parse a reply."""
    if not data.startswith(REPLY_HEADER):
        raise PacketError("not this protocol")
    reader = DoomReader(data, len(REPLY_HEADER))
    version, state, players, max_players = reader.read_text(), reader.read_u8(), reader.read_u8(), reader.read_u8()
    reader.read_bytes(2)  # game and edition, chosen by the first player
    return ChocolateDoomReply(version, state, players, max_players, reader.read_text())


class ChocolateDoomSession(FixedRequestSession[ChocolateDoomReply]):
    """`QuerySession` that sends one request."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(QUERY, parse_chocolate_doom_reply)
