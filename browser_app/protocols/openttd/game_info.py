"""OpenTTD's game information, as servers and the game coordinator send it.

Formats as in the game's `network_game_info.cpp` and `packet.cpp`: a packet is its length, its type and its content;
integers have the lowest byte first.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, ReceiveStatus, SingleReplySession

GAME_INFO_REQUEST, GAME_INFO_REPLY = 7, 6
"""Types of packets between server and client."""
MAX_INFO_VERSION: Final = 7
MAX_TEXT_BYTES: Final = 255
_HEADER_BYTES = 3
LAN_PORT: Final = 3979
LAN_REQUEST: Final = b"\x03\0\0"
"""Datagram to which servers on the local network reply; packet of type 0."""
_LAN_REPLY = 1
"""Type of the reply's packet."""
_MD5_BYTES = 16
_WITH_NAMES, _LOOKUP_NUMBERS = 1, 2
"""Forms of a NewGRF: identifier, checksum and name, or a lookup number in place of these."""


@dataclass(slots=True)
class OpenTTDReply:
    """Game information. Texts are as sent."""

    name: str
    revision: str
    password: bool
    clients: int
    """Including spectators."""
    max_clients: int
    spectators: int
    companies: int | None
    """None if the version does not report it; the same holds for all fields that may be None."""
    max_companies: int | None
    width: int
    height: int
    landscape: int
    dedicated: bool
    newgrfs: int | None
    """Number of NewGRFs that a client needs."""


class OpenTTDReader(FieldReader):
    """Reads the content of a packet."""

    __slots__ = ()

    def read_text(self) -> str:
        """Read a zero-terminated text."""
        raw = self.read_string()
        if len(raw) > MAX_TEXT_BYTES:
            raise PacketError("too large")
        return raw.decode("utf-8", "replace")


def parse_lan_reply(data: bytes) -> None:
    """Check that a datagram replies to `LAN_REQUEST`.

    Older versions describe themselves in it.
    """
    if len(data) < _HEADER_BYTES or int.from_bytes(data[:2], "little") != len(data) or data[2] != _LAN_REPLY:
        raise PacketError("not this protocol")


def encode_openttd_packet(kind: int, body: bytes = b"") -> bytes:
    """Return a packet with its length and type."""
    return (_HEADER_BYTES + len(body)).to_bytes(2, "little") + bytes([kind]) + body


def split_openttd_packet(data: bytes | bytearray, start: int = 0) -> tuple[int, bytes, int] | None:
    """Return the type and content of the packet at `start`, and where it ends.

    None if more bytes are needed.
    """
    if len(data) < start + _HEADER_BYTES:
        return None
    length = int.from_bytes(data[start : start + 2], "little")
    if length < _HEADER_BYTES:
        raise PacketError("not this protocol")
    end = start + length
    return None if len(data) < end else (data[start + 2], bytes(data[start + _HEADER_BYTES : end]), end)


def read_game_info(reader: OpenTTDReader) -> OpenTTDReply:
    """Read game information of any version.

    Raises:
        PacketError: it is truncated, or of a version that is not known.
    """
    version = reader.read_u8()
    if not 1 <= version <= MAX_INFO_VERSION:
        raise PacketError("unknown version")
    if version >= 7:
        reader.read_bytes(8)  # ticks since the game began
    newgrf_form = reader.read_u8() if version >= 6 else 0
    if version >= 5:
        reader.read_bytes(4)  # version of the game's script
        reader.read_text()
    newgrfs = _skip_newgrfs(reader, newgrf_form) if version >= 4 else None
    if version >= 3:
        reader.read_bytes(8)  # date of the game, and of its start
    max_companies, companies, _spectators = (reader.read_u8() if version >= 2 else None for _ in range(3))
    name, revision = reader.read_text(), reader.read_text()
    if version < 6:
        reader.read_bytes(1)  # language
    password, max_clients, clients, spectators = reader.read_u8() != 0, *(reader.read_u8() for _ in range(3))
    if version < 3:
        reader.read_bytes(4)  # the two dates
    if version < 6:
        reader.read_text()  # name of the map
    width, height, landscape = reader.read_u16(), reader.read_u16(), reader.read_u8()
    return OpenTTDReply(
        name,
        revision,
        password,
        clients,
        max_clients,
        spectators,
        companies,
        max_companies,
        width,
        height,
        landscape,
        reader.read_u8() != 0,
        newgrfs,
    )


def _skip_newgrfs(reader: OpenTTDReader, form: int) -> int:
    """Skip the NewGRFs; return their number."""
    count = reader.read_u8()
    for _number in range(count):
        reader.read_bytes(4)  # identifier, or number of the lookup
        if form != _LOOKUP_NUMBERS:
            reader.read_bytes(_MD5_BYTES)
        if form == _WITH_NAMES:
            reader.read_text()
    return count


class OpenTTDSession(SingleReplySession[OpenTTDReply]):
    """`QuerySession` that requests game information. Its ping is the TCP connect time."""

    __slots__ = ("_received",)

    def __init__(self) -> None:
        super().__init__()
        self._received = bytearray()

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - replies do not echo it
        """Return the request."""
        return encode_openttd_packet(GAME_INFO_REQUEST)

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        self._received += data
        if self._received[2:_HEADER_BYTES] not in (b"", bytes([GAME_INFO_REPLY])):
            raise PacketError("not this protocol")
        packet = split_openttd_packet(self._received)
        if packet is None:
            return PARTIAL
        _kind, body, _end = packet
        self.reply = read_game_info(OpenTTDReader(body))
        return DONE
