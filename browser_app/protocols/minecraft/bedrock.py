"""Minecraft Bedrock queries: RakNet's unconnected ping and its reply.

The reply echoes the eight bytes of the request's time. Its text describes the server in fields separated by semicolons;
some servers leave out the last of them.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import PacketError, TokenSession

UNCONNECTED_PING: Final = b"\x01"
UNCONNECTED_PONG: Final = b"\x1c"
OFFLINE_MESSAGE_ID: Final = bytes.fromhex("00ffff00fefefefefdfdfdfd12345678")
EDITIONS: Final = frozenset({"MCPE", "MCEE"})
"""Bedrock and Education Edition."""
LAN_PORT: Final = 19132
"""On the local network, a server on another port answers here, too."""
MAX_REPLY_BYTES: Final = 2048
_CLIENT_ID = b"\0" * 8
_TEXT_START = 35
"""After the kind, the time, the server's id, the message id and the length of the text."""


@dataclass(slots=True)
class BedrockReply:
    """Reply to a ping. Texts are as sent."""

    edition: str
    name: str
    version: str
    players: int
    max_players: int
    server_id: str
    """Random number of this run of the server; empty if not sent."""
    level_name: str
    """Second line in the game's list; empty if not sent."""
    mode: str
    """Game mode in words (`Survival`); empty if not sent."""
    game_port: int | None
    """Port for IPv4 as the server knows it; another one may be forwarded to it. None if not sent or 0."""


def build_unconnected_ping(token: bytes) -> bytes:
    """Return a ping with a token of eight bytes in place of the time."""
    return UNCONNECTED_PING + token + OFFLINE_MESSAGE_ID + _CLIENT_ID


def parse_bedrock_reply(data: bytes) -> tuple[bytes, BedrockReply]:
    """Parse a pong; return the eight bytes of its time, and its content."""
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    if not data.startswith(UNCONNECTED_PONG) or data[17:33] != OFFLINE_MESSAGE_ID:
        raise PacketError("not this protocol")
    length = int.from_bytes(data[33:_TEXT_START], "big")
    text = data[_TEXT_START : _TEXT_START + length]
    if len(data) < _TEXT_START or len(text) < length:
        raise PacketError("truncated text")
    fields = text.decode("utf-8", "replace").split(";")
    if len(fields) < 6 or fields[0] not in EDITIONS:
        raise PacketError("not this protocol")
    fields += [""] * (11 - len(fields))
    edition, name, _protocol, version, players, max_players, server_id, level_name, mode, _mode_number, port = fields[
        :11
    ]
    return data[1:9], BedrockReply(
        edition,
        name,
        version,
        _parse_count(players),
        _parse_count(max_players),
        server_id,
        level_name,
        mode,
        int(port) if _is_number(port) and 0 < int(port) < 65536 else None,
    )


def _is_number(text: str) -> bool:
    return len(text) < 10 and text.isascii() and text.isdigit()


def _parse_count(text: str) -> int:
    if not _is_number(text):
        raise PacketError("invalid number")
    return int(text)


class BedrockSession(TokenSession[BedrockReply, bytes]):
    """`QuerySession` that sends an unconnected ping."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(bytes, build_unconnected_ping, parse_bedrock_reply)
