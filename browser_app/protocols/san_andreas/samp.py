"""Queries of SA-MP, open.mp and VC:MP servers.

Formats as in open.mp's `LegacyNetwork/Query/query.cpp`. Every request names the server's own IPv4 address and port,
which packet filters of hosting companies check, and every reply echoes them.
"""

import struct
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from typing import Final, NamedTuple

from browser_app.protocols.address import Address
from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import MultiPartSession, PacketError, PartKind, QueryParts, ReceiveStatus


class SampDialect(NamedTuple):
    """Differences between the programs that speak the protocol."""

    request_magic: bytes
    reply_magic: bytes
    version_bytes: int
    """Length of the version at the start of an info reply; 0 if it stands in the rules instead."""
    has_details: bool
    """Servers report scores of their players, and rules."""


SAMP: Final = SampDialect(b"SAMP", b"SAMP", 0, has_details=True)
VCMP: Final = SampDialect(b"VCMP", b"MP04", 12, has_details=False)
INFO, PLAYERS, RULES, PING = b"i", b"c", b"r", b"p"
MAX_REPLY_BYTES: Final = 16 * 1024
MAX_LISTED_PLAYERS: Final = 100
"""Servers with more players do not answer a request for the players."""
_HEADER_BYTES = 10
_PING_TOKEN_BYTES = 4
_MAX_TEXT = 1024


@dataclass(slots=True)
class SampPlayer:
    """One player."""

    name: bytes
    score: int | None


@dataclass(slots=True)
class SampReply:
    """Info reply, and the others once they have arrived.

    Texts are as sent: replies do not name their code page; see `decode_samp_text`. Those of lists are UTF-8.
    """

    password: bool | None
    """None if a list does not report it."""
    players: int
    max_players: int
    name: bytes
    mode: bytes
    language: bytes
    version: bytes = b""
    """Empty if it stands in the rules."""
    player_list: tuple[SampPlayer, ...] | None = None
    rules: dict[bytes, bytes] | None = None


class _SampReader(FieldReader):
    __slots__ = ()

    def read_text(self, length: int) -> bytes:
        if length > _MAX_TEXT:
            raise PacketError("too large")
        return self.read_bytes(length)


def parse_samp_info(body: bytes, version_bytes: int = 0) -> SampReply:
    """Parse the body of an `i` reply, which begins with a version of `version_bytes`."""
    reader = _SampReader(body)
    version = reader.read_bytes(version_bytes).partition(b"\0")[0]
    password, players, max_players = struct.unpack("<?HH", reader.read_bytes(5))
    name, mode, language = [reader.read_text(reader.read_u32()) for _ in range(3)]
    return SampReply(password, players, max_players, name, mode, language, version)


def parse_samp_players(body: bytes, *, have_scores: bool = True) -> tuple[SampPlayer, ...]:
    """Parse the body of a `c` reply."""
    reader = _SampReader(body)
    return tuple(
        [
            SampPlayer(reader.read_text(reader.read_u8()), reader.read_i32() if have_scores else None)
            for _ in range(min(reader.read_u16(), MAX_LISTED_PLAYERS))
        ]
    )


def parse_samp_rules(body: bytes) -> dict[bytes, bytes]:
    """Parse the body of an `r` reply."""
    reader = _SampReader(body)
    rules: dict[bytes, bytes] = {}
    for _ in range(reader.read_u16()):
        key = reader.read_text(reader.read_u8())
        rules.setdefault(key, reader.read_text(reader.read_u8()))
    return rules


def decode_samp_text(raw: bytes, code_page: str = "") -> str:
    """Decode a text, whose code page is that of the operator's system.

    Where `code_page` is empty, it is guessed: UTF-8, else Windows-1251 or Windows-1252. Most letters of a Cyrillic text
    are above ASCII, few of a Western one.
    """
    if code_page:
        return raw.decode(code_page, "replace")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        above_ascii = sum(byte >= 0xC0 for byte in raw)
        letters = sum(byte < 0x80 and chr(byte).isalpha() for byte in raw)
        return raw.decode("cp1251" if above_ascii > letters else "cp1252", "replace")


_PART_KINDS = (PartKind(QueryParts.PLAYERS, PLAYERS, "player_list"), PartKind(QueryParts.RULES, RULES, "rules"))


class SampSession(MultiPartSession[SampReply]):
    """`QuerySession` with a server of any dialect.

    Only the reply to a ping request echoes bytes of ours, so that one settles an ambiguous ping.
    """

    __slots__ = ("_dialect", "_header", "_ping_token", "_reply_header")

    def __init__(self, parts: QueryParts, server: Address, dialect: SampDialect = SAMP) -> None:
        super().__init__(parts, INFO, _PART_KINDS if dialect.has_details else _PART_KINDS[:1])
        self._dialect = dialect
        self._header = dialect.request_magic + _pack_address(server)
        self._reply_header = dialect.reply_magic + self._header[4:]
        self._ping_token = b""

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of the current exchange."""
        self._ping_token = token[:_PING_TOKEN_BYTES]
        return self.build_current_request()

    def build_current_request(self) -> bytes:
        """Return the request of the current exchange."""
        return self._header + self.current_kind

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Handle one datagram."""
        if len(data) > MAX_REPLY_BYTES:
            raise PacketError("too large")
        if not self._kinds:
            raise PacketError("unexpected")
        if not data.startswith(self._reply_header):
            raise PacketError("not this protocol")
        kind, body = data[_HEADER_BYTES : _HEADER_BYTES + 1], data[_HEADER_BYTES + 1 :]
        if kind != self._kinds[0]:
            raise PacketError("unexpected kind")
        if self.reply is None:
            self.reply = parse_samp_info(body, self._dialect.version_bytes)
            if self.reply.players > MAX_LISTED_PLAYERS and PLAYERS in self._kinds:
                self._kinds.remove(PLAYERS)
        elif kind == PLAYERS:
            self.reply.player_list = parse_samp_players(body, have_scores=self._dialect.has_details)
        else:
            self.reply.rules = parse_samp_rules(body)
        return self.advance()

    def build_ping_probe(self) -> bytes | None:
        """Return a ping request with bytes of our choice."""
        return self._header + PING + self._ping_token

    def is_probe_reply(self, data: bytes) -> bool:
        """Return whether `data` echoes the ping request."""
        return data == self._reply_header + PING + self._ping_token


def _pack_address(server: Address) -> bytes:
    """Return address and port as in a request; zeros if it is not IPv4."""
    try:
        host = IPv4Address(server.host).packed
    except AddressValueError:
        host = bytes(4)
    return host + server.port.to_bytes(2, "little")
