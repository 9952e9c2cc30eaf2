"""Zandronum's launcher query.

Format as in Zandronum's `sv_serverregistry.cpp`. A server answers one query per client IP address in ten seconds,
and sends a refusal to others.
"""

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final

from browser_app.protocols.doom.doom_reader import DoomReader
from browser_app.protocols.doom.zandronum_huffman import UNCOMPRESSED, decompress
from browser_app.protocols.query_session import PacketError, TokenSession

REQUEST_ID: Final = 199
ACCEPTED: Final = 5660023
IGNORED: Final = 5660024
BANNED: Final = 5660025
NO_TEAM: Final = 255
LAN_PORT: Final = 15101
"""Servers broadcast a reply with the token 0 to it once a second."""


class Fields(IntFlag):
    """Fields of a reply, in their order."""

    NAME = 1 << 0
    WEBSITE = 1 << 1
    EMAIL = 1 << 2
    MAP = 1 << 3
    MAX_CLIENTS = 1 << 4
    MAX_PLAYERS = 1 << 5
    WADS = 1 << 6
    MODE = 1 << 7
    GAME_NAME = 1 << 8
    IWAD = 1 << 9
    PASSWORD = 1 << 10
    JOIN_PASSWORD = 1 << 11
    SKILL = 1 << 12
    BOT_SKILL = 1 << 13
    OLD_FLAGS = 1 << 14
    LIMITS = 1 << 16
    TEAM_DAMAGE = 1 << 17
    OLD_SCORES = 1 << 18
    PLAYER_COUNT = 1 << 19
    PLAYERS = 1 << 20
    TEAM_COUNT = 1 << 21
    TEAM_NAMES = 1 << 22
    TEAM_COLOURS = 1 << 23
    TEAM_SCORES = 1 << 24
    TESTING = 1 << 25
    CHECKSUM = 1 << 26
    FLAGS = 1 << 27
    SECURITY = 1 << 28
    OPTIONAL_WADS = 1 << 29
    PATCHES = 1 << 30
    EXTENDED = 1 << 31


class ExtendedFields(IntFlag):
    """Fields after the others."""

    CHECKSUMS = 1 << 0
    COUNTRY = 1 << 1
    MODE_NAME = 1 << 2
    SHORT_MODE_NAME = 1 << 3
    VOICE_CHAT = 1 << 4


REQUESTED: Final = (
    Fields.NAME | Fields.WEBSITE | Fields.MAP | Fields.MAX_CLIENTS | Fields.MAX_PLAYERS | Fields.WADS | Fields.MODE
    | Fields.GAME_NAME | Fields.IWAD | Fields.PASSWORD | Fields.JOIN_PASSWORD | Fields.SKILL | Fields.LIMITS
    | Fields.PLAYER_COUNT | Fields.PLAYERS | Fields.TEAM_COUNT | Fields.OPTIONAL_WADS | Fields.PATCHES | Fields.EXTENDED
)  # fmt: skip
EXTENDED_REQUESTED: Final = ExtendedFields.COUNTRY | ExtendedFields.MODE_NAME
_COUNTED_FIELDS: Final = (
    (Fields.PLAYERS, Fields.PLAYER_COUNT),
    (Fields.TEAM_NAMES | Fields.TEAM_COLOURS | Fields.TEAM_SCORES, Fields.TEAM_COUNT),
)
"""Fields with a list of values, and the field with the length of that list."""
_COUNTRY_BYTES = 3
_ALL_FIELDS = sum(Fields)
_ALL_EXTENDED_FIELDS = sum(ExtendedFields)


@dataclass(slots=True)
class ZandronumPlayer:
    """One player, bot or spectator."""

    name: str
    """With colour codes."""
    score: int
    ping: int
    is_spectator: bool
    is_bot: bool
    team: int | None
    """None in modes without teams, and for players without one."""
    minutes: int


@dataclass(slots=True)
class ZandronumReply:
    """A server's reply; a field that it left out keeps its default."""

    version: str
    name: str = ""
    website: str = ""
    map: str = ""
    max_clients: int | None = None
    max_players: int | None = None
    wads: tuple[str, ...] = ()
    """Without the main one (IWAD)."""
    mode: int | None = None
    is_instagib: bool = False
    is_buckshot: bool = False
    game_name: str = ""
    iwad: str = ""
    """The main WAD."""
    password: bool | None = None
    join_password: bool | None = None
    skill: int | None = None
    limits: dict[str, int] = field(default_factory=dict)
    """Limits that are set, by the names of their console variables, and the minutes left."""
    player_count: int | None = None
    """With bots and spectators."""
    players: tuple[ZandronumPlayer, ...] | None = None
    has_teams: bool = False
    team_count: int = 0
    optional_wads: frozenset[int] = frozenset()
    """Indices into `wads`."""
    patches: tuple[str, ...] = ()
    """DeHackEd patches."""
    country: str = ""
    mode_name: str = ""


@dataclass(slots=True)
class ZandronumRefusal:
    """Reply of a server that refuses our queries, for some seconds or for good."""

    is_banned: bool


def build_zandronum_request(token: int) -> bytes:
    """Return the request with a token of 32 bits; servers accept it uncompressed."""
    return UNCOMPRESSED + struct.pack("<4I", REQUEST_ID, REQUESTED, token, EXTENDED_REQUESTED)


def parse_zandronum_reply(data: bytes) -> tuple[int, ZandronumReply | ZandronumRefusal]:
    """Parse a datagram; return the token it echoes and the reply."""
    reader = DoomReader(decompress(data))
    kind = reader.read_u32()
    if kind in (IGNORED, BANNED):
        return reader.read_u32(), ZandronumRefusal(kind == BANNED)
    if kind != ACCEPTED:
        raise PacketError("not this protocol")
    return reader.read_u32(), _parse_fields(reader)


def parse_lan_announcement(data: bytes) -> None:
    """Check that a datagram announces a server on the local network.

    Raises:
        PacketError: it is not.
    """
    token, reply = parse_zandronum_reply(data)
    if token or not isinstance(reply, ZandronumReply):
        raise PacketError("not this protocol")


def _parse_fields(reader: DoomReader) -> ZandronumReply:
    """Read the fields that the reply's flags announce.

    Raises:
        PacketError: a field is of unknown length or lacks its count, or the datagram is cut off.
    """
    reply = ZandronumReply(reader.read_text())
    fields = reader.read_u32()
    if fields & ~_ALL_FIELDS:
        raise PacketError("unknown field")
    if any(fields & counted and not fields & count for counted, count in _COUNTED_FIELDS):
        raise PacketError("missing count")
    reply.has_teams = bool(fields & Fields.TEAM_COUNT)  # servers leave it out of modes without teams
    for each, parse in _FIELD_PARSERS.items():
        if fields & each:
            parse(reply, reader)
    return reply


def _parse_mode(reply: ZandronumReply, reader: DoomReader) -> None:
    reply.mode, reply.is_instagib, reply.is_buckshot = reader.read_u8(), bool(reader.read_u8()), bool(reader.read_u8())


def _parse_limits(reply: ZandronumReply, reader: DoomReader) -> None:
    limits = {"fraglimit": reader.read_u16(), "timelimit": reader.read_u16()}
    if limits["timelimit"]:
        limits["minutes left"] = reader.read_u16()
    limits |= {name: reader.read_u16() for name in ("duellimit", "pointlimit", "winlimit")}
    reply.limits = {name: limit for name, limit in limits.items() if limit or name == "minutes left"}


def _parse_players(reply: ZandronumReply, reader: DoomReader) -> None:
    reply.players = tuple([_parse_player(reader, reply.has_teams) for _ in range(reply.player_count or 0)])


def _parse_player(reader: DoomReader, has_teams: bool) -> ZandronumPlayer:
    name, score, ping = reader.read_text(), reader.read_i16(), reader.read_u16()
    is_spectator, is_bot = bool(reader.read_u8()), bool(reader.read_u8())
    team = reader.read_u8() if has_teams else NO_TEAM
    return ZandronumPlayer(name, score, ping, is_spectator, is_bot, None if team == NO_TEAM else team, reader.read_u8())


def _parse_extended(reply: ZandronumReply, reader: DoomReader) -> None:
    fields = reader.read_u32()
    if fields & ~_ALL_EXTENDED_FIELDS:
        raise PacketError("unknown field")
    if fields & ExtendedFields.CHECKSUMS:
        reader.read_texts(reader.read_u8())
    if fields & ExtendedFields.COUNTRY:
        reply.country = reader.read_bytes(_COUNTRY_BYTES).decode("ascii", "replace")
    if fields & ExtendedFields.MODE_NAME:
        reply.mode_name = reader.read_text()


_FieldParser = Callable[[ZandronumReply, DoomReader], object]


def _create_setter(name: str, read: Callable[[DoomReader], object]) -> _FieldParser:
    return lambda reply, reader: setattr(reply, name, read(reader))


_FIELD_PARSERS: Mapping[Fields, _FieldParser] = {
    Fields.NAME: _create_setter("name", DoomReader.read_text),
    Fields.WEBSITE: _create_setter("website", DoomReader.read_text),
    Fields.EMAIL: lambda _reply, reader: reader.read_text(),
    Fields.MAP: _create_setter("map", DoomReader.read_text),
    Fields.MAX_CLIENTS: _create_setter("max_clients", DoomReader.read_u8),
    Fields.MAX_PLAYERS: _create_setter("max_players", DoomReader.read_u8),
    Fields.WADS: _create_setter("wads", lambda reader: reader.read_texts(reader.read_u8())),
    Fields.MODE: _parse_mode,
    Fields.GAME_NAME: _create_setter("game_name", DoomReader.read_text),
    Fields.IWAD: _create_setter("iwad", DoomReader.read_text),
    Fields.PASSWORD: _create_setter("password", lambda reader: bool(reader.read_u8())),
    Fields.JOIN_PASSWORD: _create_setter("join_password", lambda reader: bool(reader.read_u8())),
    Fields.SKILL: _create_setter("skill", DoomReader.read_u8),
    Fields.BOT_SKILL: lambda _reply, reader: reader.read_u8(),
    Fields.OLD_FLAGS: lambda _reply, reader: reader.read_bytes(3 * 4),
    Fields.LIMITS: _parse_limits,
    Fields.TEAM_DAMAGE: lambda _reply, reader: reader.read_bytes(4),
    Fields.OLD_SCORES: lambda _reply, reader: reader.read_bytes(2 * 2),
    Fields.PLAYER_COUNT: _create_setter("player_count", DoomReader.read_u8),
    Fields.PLAYERS: _parse_players,
    Fields.TEAM_COUNT: _create_setter("team_count", DoomReader.read_u8),
    Fields.TEAM_NAMES: lambda reply, reader: reader.read_texts(reply.team_count),
    Fields.TEAM_COLOURS: lambda reply, reader: reader.read_bytes(4 * reply.team_count),
    Fields.TEAM_SCORES: lambda reply, reader: reader.read_bytes(2 * reply.team_count),
    Fields.TESTING: lambda _reply, reader: (reader.read_u8(), reader.read_text()),
    Fields.CHECKSUM: lambda _reply, reader: reader.read_text(),
    Fields.FLAGS: lambda _reply, reader: reader.read_bytes(4 * reader.read_u8()),
    Fields.SECURITY: lambda _reply, reader: reader.read_u8(),
    Fields.OPTIONAL_WADS: _create_setter(
        "optional_wads", lambda reader: frozenset(reader.read_bytes(reader.read_u8()))
    ),
    Fields.PATCHES: _create_setter("patches", lambda reader: reader.read_texts(reader.read_u8())),
    Fields.EXTENDED: _parse_extended,
}
"""In the order of `Fields`."""


class ZandronumSession(TokenSession[ZandronumReply | ZandronumRefusal, int]):
    """`QuerySession` that sends one request, whose token every reply echoes."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(zlib.crc32, build_zandronum_request, parse_zandronum_reply)
