"""SuperTuxKart's question on the local network.

Formats as in the game's `STKHost::handleDirectSocketRequest`; numbers have the highest byte first. A reply repeats
nothing of the request. Servers on the Internet answer only players who join.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import DONE, PacketError, ReceiveStatus, SingleReplySession

LAN_PORT: Final = 2757
SERVER_REQUEST: Final = b"\x0astk-server"
MAX_REPLY_BYTES: Final = 1024
_AFTER_NAME_BYTES = 8


@dataclass(slots=True)
class SuperTuxKartReply:
    """What a server, or the list, reports of it.

    Texts are as sent; what the list leaves out is None.
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
    """Parse the reply to the question on the local network.

    Raises:
        PacketError: The data is no such reply.
    """
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    name, position = _read_text(data, 4)
    values = data[position : position + _AFTER_NAME_BYTES]
    if len(values) < _AFTER_NAME_BYTES:
        raise PacketError("truncated reply")
    max_players, players, *_port, difficulty, mode, password, is_started = values
    track, end = _read_text(data, position + _AFTER_NAME_BYTES)
    game_port = int.from_bytes(values[2:4], "big")
    if end != len(data) or not game_port or password > 1 or is_started > 1:
        raise PacketError("not this protocol")
    return SuperTuxKartReply(
        name, players, max_players, mode, difficulty, bool(password), bool(is_started), track, game_port
    )


def _read_text(data: bytes, position: int) -> tuple[str, int]:
    start = position + 1
    if len(data) < start or len(data) < start + data[position]:
        raise PacketError("truncated text")
    end = start + data[position]
    return data[start:end].decode("utf-8", "replace"), end


class SuperTuxKartSession(SingleReplySession[SuperTuxKartReply]):
    """`QuerySession` by the question on the local network, without any token."""

    __slots__ = ()

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - replies do not repeat it
        """Return the datagram of one more attempt."""
        return SERVER_REQUEST

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        self.reply = parse_supertuxkart_reply(data)
        return DONE
