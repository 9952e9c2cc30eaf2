"""Unreal Engine 2's query protocol, as of Unreal Tournament 2004.

There are three kinds of requests, for info, rules and players; long replies come in several datagrams without numbers
or an end mark. Replies echo nothing of the request.
"""

import re
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import (
    PARTIAL,
    MultiPartSession,
    PacketError,
    PartKind,
    QueryParts,
    ReceiveStatus,
)

REQUEST_HEADER: Final = b"\x79\0\0\0"
INFO, RULES, PLAYERS = b"\0", b"\1", b"\2"
MAX_REPLY_BYTES: Final = 16 << 10
MAX_PLAYERS: Final = 255
MAX_RULES: Final = 500
_MAX_COUNT = 100_000
_REPLY_HEADER = re.compile(rb"[\x78-\x80]\0\0\0")
"""The first byte is the version: 0x80 of Unreal Tournament 2004, lower ones of older games."""
_HEADER_BYTES = 5
_WIDE = 0x80
"""Bit of a text's length that marks two bytes per character."""
_COLOUR = re.compile("\x1b.{0,3}", re.DOTALL)
"""An escape character, then a byte each for red, green and blue."""


@dataclass(slots=True)
class Unreal2Player:
    """One player or bot."""

    name: str
    ping_ms: int
    score: int


@dataclass(slots=True)
class Unreal2Reply:
    """Reply of one server. Texts are without colours."""

    game_port: int | None
    name: str
    map: str
    game_type: str
    """Class of the mode: `xDeathMatch`."""
    players: int
    max_players: int
    rules: dict[str, str] | None = None
    """None if not requested. Values of a repeated key, such as `Mutator`, are joined by commas."""
    player_list: tuple[Unreal2Player, ...] | None = None


class _Unreal2Reader(FieldReader):
    """Reads a datagram after its header."""

    __slots__ = ()

    def __init__(self, data: bytes) -> None:
        super().__init__(data, _HEADER_BYTES)

    def read_text(self) -> str:
        """Read a text after its length, or up to a zero.

        Some games do not count colours in the length.
        """
        length = self.read_u8()
        if length == 0:
            return ""
        if length & _WIDE:
            text = self.read_bytes(2 * (length & ~_WIDE)).decode("utf-16-le", "replace")
        else:
            text = self.read_string().decode("cp1252", "replace")
        return _COLOUR.sub("", text.rstrip("\0"))


def parse_unreal2_info(data: bytes) -> Unreal2Reply:
    """Parse an info datagram."""
    reader = _Unreal2Reader(data)
    reader.read_i32()  # the server's id, 0
    reader.read_text()  # its IP address, empty
    port = reader.read_i32()
    reader.read_i32()  # the query port, 0
    name, map_name, game_type = reader.read_text(), reader.read_text(), reader.read_text()
    players, max_players = reader.read_i32(), reader.read_i32()
    if not (0 <= players <= _MAX_COUNT and 0 <= max_players <= _MAX_COUNT):
        raise PacketError("invalid number")
    return Unreal2Reply(port if 0 < port < 65536 else None, name, map_name, game_type, players, max_players)


def parse_unreal2_rules(data: bytes) -> dict[str, str]:
    """Parse a datagram of rules.

    Raises:
        PacketError: it is cut off, or has too many of them.
    """
    reader, values, count = _Unreal2Reader(data), dict[str, list[str]](), 0
    while not reader.is_at_end:
        values.setdefault(reader.read_text(), []).append(reader.read_text())
        count += 1
        if count > MAX_RULES:
            raise PacketError("too many")
    return {key: ", ".join(each) for key, each in values.items()}


def parse_unreal2_players(data: bytes) -> tuple[Unreal2Player, ...]:
    """Parse a datagram of players.

    Raises:
        PacketError: it is cut off, or has too many of them.
    """
    reader, players = _Unreal2Reader(data), list[Unreal2Player]()
    while not reader.is_at_end:
        reader.read_i32()  # the player's id
        name, ping, score = reader.read_text(), reader.read_i32(), reader.read_i32()
        reader.read_i32()  # an id of statistics
        players.append(Unreal2Player(name, ping, score))
        if len(players) > MAX_PLAYERS:
            raise PacketError("too many")
    return tuple(players)


_PART_KINDS = (PartKind(QueryParts.PLAYERS, PLAYERS, "player_list"), PartKind(QueryParts.RULES, RULES, "rules"))


class Unreal2Session(MultiPartSession[Unreal2Reply]):
    """`QuerySession` for info, then players and rules.

    Of the rules only the first datagram is read, as nothing marks the last one.
    """

    __slots__ = ("_received",)

    def __init__(self, parts: QueryParts) -> None:
        super().__init__(parts, INFO, _PART_KINDS)
        self._received: set[bytes] = set()
        """Datagrams of players, which the network may duplicate."""

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - replies do not echo it
        """Return the datagram of the current exchange; it is answered from the start."""
        if self.reply is not None and self.current_kind == PLAYERS:
            self.reply.player_list = None
        self._received.clear()
        return self.build_current_request()

    def build_current_request(self) -> bytes:
        """Return the request of the current exchange."""
        return REQUEST_HEADER + self.current_kind

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle one datagram."""
        if len(data) > MAX_REPLY_BYTES:
            raise PacketError("too large")
        if not self._kinds:
            raise PacketError("unexpected")
        if not _REPLY_HEADER.match(data) or len(data) < _HEADER_BYTES:
            raise PacketError("not this protocol")
        kind = self._kinds[0]
        if data[_HEADER_BYTES - 1 : _HEADER_BYTES] != kind:
            raise PacketError("unexpected kind")
        if self.reply is None:
            self.reply = parse_unreal2_info(data)
        elif kind == RULES:
            self.reply.rules = parse_unreal2_rules(data)
        elif not self._add_players(self.reply, data):
            return PARTIAL
        return self.advance()

    def _add_players(self, reply: Unreal2Reply, data: bytes) -> bool:
        """Add the players of a datagram; return whether the list is complete."""
        if data in self._received:
            return False
        more = parse_unreal2_players(data)
        if more:
            self._received.add(data)
        players = (reply.player_list or ()) + more
        if len(players) > MAX_PLAYERS:
            raise PacketError("too many")
        reply.player_list = players
        return len(players) >= reply.players
