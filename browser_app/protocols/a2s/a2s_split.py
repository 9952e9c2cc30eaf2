"""Reassembly of split A2S replies (GoldSource and Source, with bzip2)."""

import bz2
import struct
import zlib
from dataclasses import dataclass, field
from enum import Enum

from browser_app.protocols.a2s.a2s import BZIP2_MAGIC, SINGLE_PACKET_HEADER
from browser_app.protocols.query_session import PacketError

MAX_PARTS = 32
MAX_ASSEMBLED_BYTES = 64 * 1024
"""Maximum size of one message before decompression."""
MAX_DECOMPRESSED_BYTES = 128 * 1024
MAX_DECOMPRESSIONS = 8
"""Compressed messages accepted per server: a decompression bomb costs as much CPU time as hundreds of other datagrams.
"""
MAX_OPEN_MESSAGES = 4
"""Incomplete messages kept per server; a new one replaces the oldest."""

_ID = struct.Struct("<4xI")
_SIZE_CRC = struct.Struct("<II")
_COMPRESSED_BIT = 1 << 31
_REPLY_KINDS = b"DEIm"


class _HeaderFormat(Enum):
    """Header layout of a part; the value is its length in bytes."""

    GOLDSOURCE = 9
    SOURCE_2006 = 10
    SOURCE = 12

    def parse_position(self, data: bytes) -> tuple[int, int]:
        """Return the part's number, from 0, and the number of parts."""
        return (data[8] >> 4, data[8] & 15) if self is _HeaderFormat.GOLDSOURCE else (data[9], data[8])


def _detect_header_format(data: bytes) -> _HeaderFormat | None:
    """Return the header format, which only the first part of a message reveals.

    None for other parts. It follows from the position of the message's own header (or of bzip2's magic, two 32-bit
    words later). A few servers omit that header: then a known reply kind must be in its place.
    """
    if data[8] >> 4 == 0 and data.startswith(SINGLE_PACKET_HEADER, 9):
        return _HeaderFormat.GOLDSOURCE
    if data[9] != 0:
        return None
    for header_format in (_HeaderFormat.SOURCE, _HeaderFormat.SOURCE_2006):
        if data.startswith(SINGLE_PACKET_HEADER, header_format.value) or _is_compressed(data, header_format):
            return header_format
    return _HeaderFormat.SOURCE if data[12] in _REPLY_KINDS else None


def _is_compressed(data: bytes, header_format: _HeaderFormat) -> bool:
    compressed_id = _ID.unpack_from(data)[0] & _COMPRESSED_BIT
    return bool(compressed_id) and data.startswith(BZIP2_MAGIC, header_format.value + _SIZE_CRC.size)


def _is_valid_part(number: int, total: int) -> bool:
    return number < total <= MAX_PARTS


@dataclass(slots=True)
class _PartialMessage:
    """Incomplete message.

    Until its first part reveals the format, parts are kept as received.
    """

    header_format: _HeaderFormat | None = None
    is_compressed: bool = False
    total: int = 0
    size: int = 0
    pending_parts: list[bytes] = field(default_factory=list)
    parts: dict[int, bytes] = field(default_factory=dict)

    def add(self, data: bytes) -> None:
        if data in self.pending_parts:
            raise PacketError("duplicate part")
        if self.size + len(data) > MAX_ASSEMBLED_BYTES or len(self.pending_parts) >= MAX_PARTS:
            raise PacketError("too large")
        if self.header_format is None and (header_format := _detect_header_format(data)) is not None:
            self._set_format(header_format, data)
        elif self.header_format is None:
            positions = (_HeaderFormat.GOLDSOURCE.parse_position(data), _HeaderFormat.SOURCE.parse_position(data))
            if not any(number > 0 and _is_valid_part(number, total) for number, total in positions):
                raise PacketError("impossible part")
            self.pending_parts.append(data)
        else:
            self._add_part(self.header_format, data)
        self.size += len(data)

    def _set_format(self, header_format: _HeaderFormat, first: bytes) -> None:
        self._add_part(header_format, first)
        self.header_format = header_format
        self.is_compressed = header_format is not _HeaderFormat.GOLDSOURCE and _is_compressed(first, header_format)
        early, self.pending_parts = self.pending_parts, []
        for data in early:
            try:
                self._add_part(header_format, data)
            except PacketError:
                continue  # it was only possible while the format was unknown

    def _add_part(self, header_format: _HeaderFormat, data: bytes) -> None:
        number, total = header_format.parse_position(data)
        if not _is_valid_part(number, total) or self.total not in (0, total):
            raise PacketError("impossible part")
        if number in self.parts:
            raise PacketError("duplicate part")
        self.total = total
        self.parts[number] = data[header_format.value :]

    @property
    def is_complete(self) -> bool:
        return 0 < self.total == len(self.parts)

    def assemble(self) -> bytes:
        whole = b"".join(self.parts[number] for number in range(self.total))
        return _decompress(whole) if self.is_compressed else whole


class PacketReassembler:
    """Incomplete messages of one server by the id that their parts carry."""

    __slots__ = ("_decompressions", "_open_messages")

    def __init__(self) -> None:
        self._open_messages: dict[int, _PartialMessage] = {}
        self._decompressions = 0

    def add(self, data: bytes) -> bytes | None:
        """Add one part that starts with `SPLIT_PACKET_HEADER`.

        Return the message without its header once complete, else None.

        Raises:
            PacketError: the part is a duplicate, impossible, too large or one too many; or the message is complete but
                cannot be decompressed, or too many were before (it is dropped then).
        """
        if len(data) < 13:
            raise PacketError("truncated part")
        (message_id,) = _ID.unpack_from(data)
        message = self._open_messages.get(message_id)
        if message is None:
            message = _PartialMessage()
        message.add(data)
        if not message.is_complete:
            self._store(message_id, message)
            return None
        self._open_messages.pop(message_id, None)
        self._decompressions += message.is_compressed
        if message.is_compressed and self._decompressions > MAX_DECOMPRESSIONS:
            raise PacketError("too many compressed")
        return message.assemble().removeprefix(SINGLE_PACKET_HEADER)

    def _store(self, message_id: int, message: _PartialMessage) -> None:
        self._open_messages[message_id] = message
        if len(self._open_messages) > MAX_OPEN_MESSAGES:
            del self._open_messages[next(iter(self._open_messages))]


def _decompress(data: bytes) -> bytes:
    """Decompress bzip2 data after its two header words (size, CRC-32).

    Never produces more than the announced size.
    """
    try:
        size, checksum = _SIZE_CRC.unpack_from(data)
        if size > MAX_DECOMPRESSED_BYTES:
            raise PacketError("too large")
        body = bz2.BZ2Decompressor().decompress(data[_SIZE_CRC.size :], size + 1)
    except (OSError, struct.error):
        raise PacketError("bad compression") from None
    if len(body) != size or zlib.crc32(body) != checksum:
        raise PacketError("bad checksum")
    return body
