"""Queries of Sonic Robo Blast 2, SRB2Kart and Ring Racers.

A server answers one request with two datagrams: its information, which echoes the request's time, and its players. All
begin with a checksum, without which both sides ignore them. Formats as in STJr/SRB2 @ 02b9b66 (`protocol.h`, `d_net.c`
and `server_connection.c` in `src/netcode`), STJr/Kart-Public @ 0f19b13 and KartKrewDev/RingRacers @ 4ee43d6
(`src/d_clisrv.h`). Version 2.1 of Sonic Robo Blast 2, whose replies do not name the game, is not read.
"""

import itertools
import operator
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, ReceiveStatus, SingleReplySession

LAN_PORT: Final = 5029
ASK_INFO, SERVER_INFO, PLAYER_INFO = 12, 13, 14
"""Types of packets."""
NEW_FORMAT: Final = 255
"""In the place where old replies have the version."""
SPECTATOR_TEAM: Final = 255
EMPTY_SLOT: Final = 255
JOINS_DISABLED, SLOTS_FULL = 1, 2
"""Reasons why a server refuses players."""
DEDICATED: Final = 0x40
"""Flag; the lowest two bits are the speed of karts."""
SPEED_BITS: Final = 0x03
TICS_PER_SECOND: Final = 35
APPLICATION_BYTES, MODE_BYTES, SERVER_NAME_BYTES, MAP_NAME_BYTES, MAP_TITLE_BYTES = 16, 24, 32, 8, 33
PLAYER_NAME_BYTES: Final = 22
PLAYER_BYTES: Final = 36
CHECKSUM_BYTES: Final = 4
MAX_DATAGRAM_BYTES: Final = 4096
_HEADER_BYTES = 8
_CHECKSUM_START = 0x1234567
_MAP_CHECKSUM_BYTES = 16
_FILE_CHECKSUM_BYTES = 16


class Srb2Layout(NamedTuple):
    """Layout of the information of one game and packet version."""

    commit_bytes: int = 0
    """Bytes of the program's revision."""
    has_mode_name: bool = True
    """Whether there are a mode's name and a reason to refuse players; otherwise there is the mode's number."""
    has_map_name: bool = True
    bytes_before_files: int = 0
    """Where to download files, and the players' mean power."""


LAYOUTS: Final[Mapping[tuple[str, int], Srb2Layout]] = {
    ("SRB2", 3): Srb2Layout(),
    ("SRB2", 4): Srb2Layout(),
    ("SRB2", 5): Srb2Layout(bytes_before_files=256),
    ("SRB2Kart", 0): Srb2Layout(has_mode_name=False, bytes_before_files=256),
    ("RingRacers", 0): Srb2Layout(commit_bytes=4, has_map_name=False, bytes_before_files=258),
}
"""By application and packet version."""


@dataclass(slots=True)
class Srb2Player:
    """One player, spectator or, in Ring Racers, bot. The name is as sent."""

    name: str
    team: int
    """1 and 2 in team games; `SPECTATOR_TEAM` for spectators."""
    score: int
    seconds: int
    """On the server."""


@dataclass(slots=True)
class Srb2Reply:
    """Reply of one server.

    Texts are as sent, each byte a character: those from 128 to 143 are colours.
    """

    application: str
    """Names the game, such as `SRB2Kart`."""
    version: str
    people: int
    """Players and spectators; bots count only on old servers of Sonic Robo Blast 2."""
    max_players: int
    refusal: int | None
    """0, `JOINS_DISABLED`, `SLOTS_FULL` or another reason; None if not reported."""
    mode: str
    """Name or number."""
    is_modified: bool
    has_cheats: bool
    flags: int
    name: str
    map_name: str
    """Such as `MAP01`; empty if not reported."""
    map_title: str
    is_zone: bool
    """Whether *Zone* follows the title."""
    act: int
    """Number behind the title, 0 for none."""
    level_time_s: float
    files: tuple[str, ...]
    """Names of the first add-ons; the datagram may not hold all."""
    players: tuple[Srb2Player, ...] | None = None
    """None if the second datagram is missing."""


class Srb2Reader(FieldReader):
    """Reads texts of fixed size."""

    __slots__ = ()

    def read_text(self, size: int) -> str:
        """Return the text in the next `size` bytes, filled up with zeros."""
        return self.read_bytes(size).partition(b"\0")[0].decode("latin-1")


def encode_srb2_packet(kind: int, body: bytes) -> bytes:
    """Return a packet of this type that needs no acknowledgement."""
    packet = bytes([0, 0, kind, 0]) + body
    return calculate_checksum(packet).to_bytes(CHECKSUM_BYTES, "little") + packet


def calculate_checksum(packet: bytes) -> int:
    """Return the checksum of what follows it."""
    products: Iterable[int] = map(operator.mul, packet, itertools.count(1))
    return (_CHECKSUM_START + sum(products)) & 0xFFFFFFFF


def build_srb2_request(token: int) -> bytes:
    """Return the request with a token of 32 bits in place of the time.

    Servers ignore our version.
    """
    return encode_srb2_packet(ASK_INFO, b"\0" + token.to_bytes(4, "little"))


def split_srb2_packet(data: bytes) -> tuple[int, bytes]:
    """Return the type and content of a packet; raise PacketError for others."""
    if len(data) > MAX_DATAGRAM_BYTES:
        raise PacketError("too large")
    if len(data) < _HEADER_BYTES:
        raise PacketError("truncated")
    if int.from_bytes(data[:CHECKSUM_BYTES], "little") != calculate_checksum(data[CHECKSUM_BYTES:]):
        raise PacketError("not this protocol")
    return data[6], data[_HEADER_BYTES:]


def parse_server_info(body: bytes) -> tuple[int, Srb2Reply]:
    """Return the token that the first datagram echoes, and its content.

    The players arrive in the second one.
    """
    reader = Srb2Reader(body)
    is_new, packet_version = reader.read_u8() == NEW_FORMAT, reader.read_u8()
    application = reader.read_text(APPLICATION_BYTES)
    layout = LAYOUTS.get((application, packet_version)) if is_new else None
    if layout is None:
        raise PacketError("unknown version")
    version = _version_text(reader.read_u8(), reader.read_u8())
    reader.read_bytes(layout.commit_bytes)
    people, max_players = reader.read_u8(), reader.read_u8()
    refusal = reader.read_u8() if layout.has_mode_name else None
    mode = reader.read_text(MODE_BYTES) if layout.has_mode_name else str(reader.read_u8())
    is_modified, has_cheats, flags, file_count = reader.read_bytes(4)
    token, level_tics = reader.read_u32(), reader.read_u32()
    name = reader.read_text(SERVER_NAME_BYTES)
    map_name = reader.read_text(MAP_NAME_BYTES) if layout.has_map_name else ""
    map_title = reader.read_text(MAP_TITLE_BYTES)
    reader.read_bytes(_MAP_CHECKSUM_BYTES)
    act, is_zone = reader.read_u8(), bool(reader.read_u8())
    reader.read_bytes(layout.bytes_before_files)
    files = tuple([_parse_file(reader) for _ in range(file_count)])
    return token, Srb2Reply(
        application, version, people, max_players, refusal, mode, bool(is_modified), bool(has_cheats), flags, name,
        map_name, map_title, is_zone, act, level_tics / TICS_PER_SECOND, files,
    )  # fmt: skip


def _version_text(version: int, subversion: int) -> str:
    """Return a version as the game writes it: 202 and 15 are 2.2.15, 1 and 3 are 1.3."""
    return f"{version // 100}.{version % 100}.{subversion}" if version >= 100 else f"{version}.{subversion}"


def _parse_file(reader: Srb2Reader) -> str:
    reader.read_bytes(5)  # whether the server sends it, and its size
    name = reader.read_string().decode("latin-1")
    reader.read_bytes(_FILE_CHECKSUM_BYTES)
    return name


def parse_player_info(body: bytes) -> tuple[Srb2Player, ...]:
    """Parse the content of the second datagram, which has one entry for each slot."""
    if not body or len(body) % PLAYER_BYTES:
        raise PacketError("not this protocol")
    players = [_parse_player(Srb2Reader(body, start)) for start in range(0, len(body), PLAYER_BYTES)]
    return tuple([player for player in players if player is not None])


def _parse_player(reader: Srb2Reader) -> Srb2Player | None:
    if reader.read_u8() == EMPTY_SLOT:
        return None
    name = reader.read_text(PLAYER_NAME_BYTES)
    reader.read_bytes(4)  # an address, which servers leave out
    team, _skin, _state = reader.read_bytes(3)
    return Srb2Player(name, team, reader.read_u32(), reader.read_u16())


class Srb2Session(SingleReplySession[Srb2Reply]):
    """`QuerySession` whose reply is two datagrams; the first echoes the token."""

    __slots__ = ("_info", "_players", "_tokens")

    def __init__(self) -> None:
        super().__init__()
        self._tokens: list[int] = []
        self._info: Srb2Reply | None = None
        self._players: tuple[Srb2Player, ...] | None = None

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of one more attempt."""
        self._tokens.append(zlib.crc32(token))
        return build_srb2_request(self._tokens[-1])

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        kind, body = split_srb2_packet(data)
        if kind == SERVER_INFO:
            self._receive_info(body)
        elif kind == PLAYER_INFO:
            self._players = parse_player_info(body)
        else:
            raise PacketError("not this protocol")
        if self._info is None or self._players is None:
            return PARTIAL
        self._info.players = self._players
        self.reply = self._info
        return DONE

    def _receive_info(self, body: bytes) -> None:
        token, info = parse_server_info(body)
        if token not in self._tokens:
            raise PacketError("wrong token")
        if self._info is not None:
            raise PacketError("unexpected")
        self.answered_attempt = self._tokens.index(token)
        self._info = info

    def skip_current_part(self) -> bool:
        """Give up on missing players; return whether there is a reply."""
        self.reply = self.reply or self._info
        return self.reply is not None
