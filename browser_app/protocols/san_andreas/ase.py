"""Queries by the All-Seeing Eye's protocol, as used by Multi Theft Auto.

Replies echo nothing of the request. Every text is preceded by a byte with its length plus one.
"""

import re
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import FixedRequestSession, PacketError

STATUS_REQUEST: Final = b"s"
STATUS_HEADER: Final = b"EYE1"
MAX_REPLY_BYTES: Final = 32 * 1024
MAX_PLAYERS: Final = 1024
LAN_PORT: Final = 34219
"""Port at which all servers of MTA on one machine answer `LAN_REQUEST`."""
LAN_REQUEST: Final = b"MTA-CLIENT 1.6\0"
"""Servers of other versions leave it unanswered; they are found on their usual port alone."""
_LAN_REPLY = re.compile(rb"MTA-SERVER ([0-9]{1,5})\0?")
QUERY_PORT_OFFSET: Final = 123
"""The query port of MTA's servers, counted from the game port."""

NAME, TEAM, SKIN, SCORE, PING, MINUTES = 1, 2, 4, 8, 16, 32
"""Flags of a player: which texts follow, in this order."""


@dataclass(slots=True)
class AsePlayer:
    """One player. Texts are as sent, empty if left out."""

    name: str = ""
    team: str = ""
    score: str = ""
    ping: str = ""
    minutes: str = ""


@dataclass(slots=True)
class AseReply:
    """Status reply. Texts are as sent."""

    game: str
    """The game's short name: `mta`."""
    game_port: int | None
    name: str
    mode: str
    map: str
    version: str
    password: bool | None
    """None if a list does not report it; the same holds for both numbers."""
    players: int | None
    max_players: int | None
    rules: dict[str, str]
    player_list: tuple[AsePlayer, ...]


class _AseReader(FieldReader):
    __slots__ = ()

    def read_text(self) -> str:
        return self.read_bytes(max(0, self.read_u8() - 1)).decode("utf-8", "replace")

    def read_number(self) -> int:
        text = self.read_text()
        if len(text) > 9 or not (text.isascii() and text.isdigit()):
            raise PacketError("invalid number")
        return int(text)


def parse_ase_reply(data: bytes) -> AseReply:
    """Parse a status reply."""
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    if not data.startswith(STATUS_HEADER):
        raise PacketError("not this protocol")
    reader = _AseReader(data, len(STATUS_HEADER))
    game, port = reader.read_text(), reader.read_number()
    name, mode, map_name, version = (reader.read_text() for _number in range(4))
    password = reader.read_text() not in ("", "0")
    players, max_players = reader.read_number(), reader.read_number()
    rules = _read_rules(reader)
    game_port = port if 0 < port < 65536 else None
    return AseReply(
        game,
        game_port,
        name,
        mode,
        map_name,
        version,
        password,
        players,
        max_players,
        rules,
        _read_players(reader),
    )


def _read_rules(reader: _AseReader) -> dict[str, str]:
    rules: dict[str, str] = {}
    while not reader.is_at_end and (key := reader.read_text()):
        rules.setdefault(key, reader.read_text())
    return rules


def _read_players(reader: _AseReader) -> tuple[AsePlayer, ...]:
    players: list[AsePlayer] = []
    while not reader.is_at_end and len(players) < MAX_PLAYERS:
        flags = reader.read_u8()
        texts = {flag: reader.read_text() for flag in (NAME, TEAM, SKIN, SCORE, PING, MINUTES) if flags & flag}
        players.append(AsePlayer(*(texts.get(flag, "") for flag in (NAME, TEAM, SCORE, PING, MINUTES))))
    return tuple(players)


def parse_lan_reply(data: bytes) -> int:
    """Return the query port of a server of MTA on the local network.

    Raises:
        PacketError: the datagram does not reply to `LAN_REQUEST`.
    """
    match = _LAN_REPLY.fullmatch(data)
    game_port = int(match[1]) if match else 0
    if not 1 <= game_port <= 65535 - QUERY_PORT_OFFSET:
        raise PacketError("not this protocol")
    return game_port + QUERY_PORT_OFFSET


class AseSession(FixedRequestSession[AseReply]):
    """`QuerySession` that sends a status request, without a token."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(STATUS_REQUEST, parse_ase_reply)
