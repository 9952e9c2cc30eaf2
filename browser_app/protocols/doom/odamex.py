"""Odamex's server query.

Format as in Odamex's `sv_sqp.cpp`, protocol 7.
"""

import struct
import zlib
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.doom.doom_reader import DoomReader
from browser_app.protocols.query_session import PacketError, TokenSession

PROTOCOL: Final = 7
INFO_REQUEST: Final = 0xAD011002
INFO_REPLY: Final = 0xAD032003
VERSION_REPLIES: Final = (0xAD032001, 0xAD032002)
"""The second one is sent to clients that the server considers too old."""
NEWEST_VERSION: Final = 0xFFFFFFFF
"""Our version: servers send nothing but their own version to older clients."""
COOPERATIVE, DEATHMATCH, TEAM_DEATHMATCH, CAPTURE_THE_FLAG = range(4)
TEAM_GAMES: Final = (TEAM_DEATHMATCH, CAPTURE_THE_FLAG)
BOOLEAN, BYTE, WORD, INTEGER, FLOAT, TEXT = range(1, 7)
"""Types of console variables."""


@dataclass(slots=True)
class OdamexPlayer:
    """One player or spectator."""

    name: str
    team: int | None
    """None in games without teams."""
    ping: int
    minutes: int
    is_spectator: bool
    frags: int


@dataclass(slots=True)
class OdamexReply:
    """Info reply."""

    version: str
    """Such as `10.6.0`."""
    build: str
    variables: dict[str, str]
    """Console variables; Boolean ones that are off are not sent."""
    has_join_password: bool
    map: str
    minutes_left: int | None
    patches: tuple[str, ...]
    wads: tuple[str, ...]
    """That of the engine first, then the main one (IWAD)."""
    players: tuple[OdamexPlayer, ...]

    @property
    def game_type(self) -> int:
        """Value of `sv_gametype`, such as `DEATHMATCH`."""
        text = self.variables.get("sv_gametype", "0")
        return int(text) if len(text) < 10 and text.isascii() and text.isdigit() else COOPERATIVE


@dataclass(slots=True)
class OdamexVersion:
    """A reply with the server's version alone: it considers us too old."""

    version: str


def build_odamex_request(token: int) -> bytes:
    """Return the info request with a token of 32 bits."""
    return struct.pack("<4I", INFO_REQUEST, NEWEST_VERSION, PROTOCOL, token)


def parse_odamex_reply(data: bytes) -> tuple[int, OdamexReply | OdamexVersion]:
    """Parse a datagram; return the token it echoes and the reply."""
    reader = DoomReader(data)
    tag, number = reader.read_u32(), reader.read_u32()
    version = f"{number >> 8}.{(number & 0xFF) // 10}.{(number & 0xFF) % 10}"
    _protocol, token = reader.read_u32(), reader.read_u32()
    if tag in VERSION_REPLIES:
        return token, OdamexVersion(version)
    if tag != INFO_REPLY:
        raise PacketError("not this protocol")
    reader.read_i32()  # the protocol that the server would rather speak
    return token, _parse_info(version, reader)


def _parse_info(version: str, reader: DoomReader) -> OdamexReply:
    build = reader.read_text()
    variables = dict([_parse_variable(reader) for _ in range(reader.read_u8())])
    has_password, map_name = bool(_parse_hash(reader)), reader.read_text()
    minutes_left = reader.read_u16() if _parse_number(variables.get("sv_timelimit", "")) > 0 else None
    reply = OdamexReply(version, build, variables, has_password, map_name, minutes_left, (), (), ())
    has_teams = reply.game_type in TEAM_GAMES
    if has_teams:
        for _ in range(reader.read_u8()):
            reader.read_text(), reader.read_u32(), reader.read_i16()
    reply.patches = reader.read_texts(reader.read_u8())
    reply.wads = tuple([_parse_wad(reader) for _ in range(reader.read_u8())])
    reply.players = tuple([_parse_player(reader, has_teams) for _ in range(reader.read_u8())])
    return reply


def _parse_variable(reader: DoomReader) -> tuple[str, str]:
    name, kind = reader.read_text(), reader.read_u8()
    if kind == BOOLEAN:
        return name, "1"
    if kind in (FLOAT, TEXT):
        return name, reader.read_text()
    read_number = {BYTE: reader.read_u8, WORD: reader.read_i16, INTEGER: reader.read_i32}.get(kind)
    if read_number is None:
        raise PacketError("unknown type")
    return name, str(read_number())


def _parse_number(text: str) -> float:
    """Return the number in a text as the server reads it: 0 if there is none."""
    try:
        return float(text)
    except ValueError:
        return 0.0


def _parse_hash(reader: DoomReader) -> bytes:
    """Return an MD5 after its length; empty if there is none."""
    return reader.read_bytes(reader.read_u8())


def _parse_wad(reader: DoomReader) -> str:
    name = reader.read_text()
    _parse_hash(reader)
    return name


def _parse_player(reader: DoomReader, has_teams: bool) -> OdamexPlayer:
    name = reader.read_text()
    reader.read_bytes(4)  # colour
    team = reader.read_u8() if has_teams else None
    ping, minutes, is_spectator = reader.read_u16(), reader.read_u16(), bool(reader.read_u8())
    frags, _kills, _deaths = (reader.read_i16() for _ in range(3))
    return OdamexPlayer(name, team, ping, minutes, is_spectator, frags)


class OdamexSession(TokenSession[OdamexReply | OdamexVersion, int]):
    """`QuerySession` that sends one request, whose token every reply echoes."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(zlib.crc32, build_odamex_request, parse_odamex_reply)
