"""Multi Theft Auto's list of servers.

Binary, big-endian, with what each server reports of itself. Format as read by `CRemoteMasterServer::ParseListVer2` of
its client. Flags mark the fields that the records have.
"""

import struct
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.master_lists.described_list import DescribedListError, ListedReply
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.san_andreas.ase import MAX_PLAYERS, QUERY_PORT_OFFSET, AsePlayer, AseReply
from browser_app.protocols.server_url import is_queryable_address

HEADER: Final = struct.Struct(">HHIII")
"""Zero, version, flags, number of the list, number of records."""
VERSION: Final = 2
RECORD_HEADER: Final = struct.Struct(">H4sH")
"""Length of the record including itself, IPv4 address with its bytes reversed, game port."""

PLAYERS, MAX_PLAYERS_FLAG, GAME, NAME, MODE, MAP, VERSION_TEXT, PASSWORD, SERIALS, PLAYER_NAMES = (
    1 << bit for bit in range(2, 12)
)
"""Flags of the fields that are read, in the order in which a record has them; further ones are skipped."""


class _TruncatedError(Exception):
    """The document ends too early."""


class _ByteStream:
    """Bytes of a document while it arrives."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._data, self._position = b"", 0

    def read(self, size: int) -> bytes:
        while len(self._data) - self._position < size:
            chunk = next(self._chunks, None)
            if chunk is None:
                raise _TruncatedError
            self._data, self._position = self._data[self._position :] + chunk, 0
        start, self._position = self._position, self._position + size
        return self._data[start : self._position]


class _RecordReader(FieldReader):
    """Reads those fields of a record that the flags of its list name."""

    __slots__ = ("_flags",)

    def __init__(self, record: bytes, flags: int) -> None:
        super().__init__(record, RECORD_HEADER.size)
        self._flags = flags

    def read_number(self, flag: int, size: int) -> int | None:
        return int.from_bytes(self.read_bytes(size), "big") if self._flags & flag else None

    def read_text(self, flag: int) -> str:
        return self.read_bytes(self.read_u8()).decode("utf-8", "replace") if self._flags & flag else ""


def parse_mta_list(chunks: Iterable[bytes]) -> Iterator[ListedReply[AseReply] | None]:
    """Parse the document while it arrives.

    Yields:
        Each server; None for a record without one.

    Raises:
        DescribedListError: the document is not such a list, or ends before its last record.
    """
    document = _ByteStream(chunks)
    try:
        zero, version, flags, _number, count = HEADER.unpack(document.read(HEADER.size))
        if zero or version != VERSION:
            raise DescribedListError("not a list of Multi Theft Auto servers")
        for _record in range(count):
            length = document.read(2)
            size = int.from_bytes(length, "big")
            if size < RECORD_HEADER.size:
                raise DescribedListError("a record is too short")
            yield _parse_record(length + document.read(size - len(length)), flags)
    except _TruncatedError:
        raise DescribedListError("the list is cut off") from None


def _parse_record(record: bytes, flags: int) -> ListedReply[AseReply] | None:
    _length, reversed_host, port = RECORD_HEADER.unpack_from(record)
    address = Address(str(IPv4Address(reversed_host[::-1])), port)
    if not 0 < port < 65536 - QUERY_PORT_OFFSET or not is_queryable_address(address):
        return None
    try:
        return ListedReply(address, _read_fields(_RecordReader(record, flags), port))
    except PacketError:
        return None


def _read_fields(fields: _RecordReader, port: int) -> AseReply:
    players, max_players = fields.read_number(PLAYERS, 2), fields.read_number(MAX_PLAYERS_FLAG, 2)
    game, name, mode, map_name, version = map(fields.read_text, (GAME, NAME, MODE, MAP, VERSION_TEXT))
    password = fields.read_number(PASSWORD, 1)
    fields.read_number(SERIALS, 1)
    name_count = min(fields.read_number(PLAYER_NAMES, 2) or 0, MAX_PLAYERS)
    player_list = tuple([AsePlayer(fields.read_text(PLAYER_NAMES)) for _player in range(name_count)])
    needs_password = None if password is None else bool(password)
    return AseReply(game, port, name, mode, map_name, version, needs_password, players, max_players, {}, player_list)
