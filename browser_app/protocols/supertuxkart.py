"""SuperTuxKart's server query on the local network.

Formats as in the game's `STKHost::handleDirectSocketRequest`; integers have the highest byte first. Replies
echo nothing of the request. Servers on the Internet answer only players who join.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import FixedRequestSession, PacketError

LAN_PORT: Final = 2757
SERVER_REQUEST: Final = b"\x0astk-server"
MAX_REPLY_BYTES: Final = 1024
_HEADER_BYTES = 4


@dataclass(slots=True)
class SuperTuxKartReply:
    """A server's reply, or its entry in the list of Internet servers.

    Texts are as sent; values that the list lacks are None.
    """

    name: str
    players: int
    max_players: int
    mode: int | None
    difficulty: int | None
    password: bool | None
    is_started: bool | None
    """A race is going on."""
    track: str
    """Empty in the lobby."""
    game_port: int
    names: tuple[str, ...] | None = None
    """Names of the players, only in lists."""


def parse_supertuxkart_reply(data: bytes) -> SuperTuxKartReply:
    """Parse the reply to `SERVER_REQUEST`."""
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    reader = FieldReader(data, _HEADER_BYTES)
    name, max_players, players = _read_text(reader), reader.read_u8(), reader.read_u8()
    game_port = int.from_bytes(reader.read_bytes(2), "big")
    difficulty, mode, password, is_started = reader.read_bytes(4)
    track = _read_text(reader)
    if not reader.is_at_end or not game_port or password > 1 or is_started > 1:
        raise PacketError("not this protocol")
    return SuperTuxKartReply(
        name, players, max_players, mode, difficulty, bool(password), bool(is_started), track, game_port
    )


def _read_text(reader: FieldReader) -> str:
    return reader.read_bytes(reader.read_u8()).decode("utf-8", "replace")


class SuperTuxKartSession(FixedRequestSession[SuperTuxKartReply]):
    """`QuerySession` that sends `SERVER_REQUEST`, without a token."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(SERVER_REQUEST, parse_supertuxkart_reply)
