"""Server lists of QuakeWorld's and Quake II's masters, over UDP and on the web.

Formats as QStat and the engine FTE read them; Quetoo's as its own launcher. No list has an end mark.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError, parse_listed_address
from browser_app.protocols.query_session import PacketError

RECORD_BYTES: Final = 6
"""IPv4 address, and port with its high byte first."""
_HEADER_MARK = b"\xff\xff\xff\xff"
_BROADCAST = b"\xff\xff\xff\xff"
_MARKUP = b"<"
_TEXT = re.compile(rb"[\t\n\r\x20-\x7e]*")
_WORD = re.compile(rb"\S+")


class AddressListFormat(NamedTuple):
    """Request and list header of one kind of master servers over UDP."""

    request: bytes
    header: bytes
    """After the four bytes FF of a connectionless datagram."""


QUAKEWORLD_LIST: Final = AddressListFormat(b"c\n\0", b"d\n")
HEXENWORLD_LIST: Final = AddressListFormat(b"\xffc\0", b"d\n")
"""The first byte marks the datagram as not compressed."""
QUAKE2_LIST: Final = AddressListFormat(b"query\n\0", b"servers")
QUETOO_LIST: Final = AddressListFormat(b"\xff\xff\xff\xffgetservers 2027", b"servers")


def parse_address_list(data: bytes, list_format: AddressListFormat) -> tuple[Address, ...]:
    """Parse one datagram of a list; impossible addresses are left out."""
    body = data.removeprefix(b"\xff") if data.startswith(_HEADER_MARK + b"\xff") else data
    header = _HEADER_MARK + list_format.header
    if not body.startswith(header):
        raise PacketError("not this protocol")
    records = body[len(header) :]
    if list_format.header == QUAKE2_LIST.header:
        records = records[1:]  # a space or a line break
    return tuple(address for address in _parse_records(records) if address is not None)


def _parse_records(records: bytes) -> Iterator[Address | None]:
    for start in range(0, len(records) - RECORD_BYTES + 1, RECORD_BYTES):
        host, port = records[start : start + 4], int.from_bytes(records[start + 4 : start + RECORD_BYTES], "big")
        yield Address(".".join(map(str, host)), port) if port and host != _BROADCAST else None


def parse_web_list(chunks: Iterable[bytes]) -> Iterator[Address | None]:
    """Parse a list of Quake II servers on the web.

    It holds records without a header, or `HOST:PORT` a line.

    Yields:
        Each server's address; None for an entry without one.
    """
    document = b"".join(chunks)
    if document.lstrip().startswith(_MARKUP):
        raise DescribedListError("not a list")
    if _TEXT.fullmatch(document):
        yield from _parse_words(document)
    elif len(document) % RECORD_BYTES:
        raise DescribedListError("not a list")
    else:
        yield from _parse_records(document)


def _parse_words(document: bytes) -> Iterator[Address | None]:
    is_list = False
    for word in _WORD.finditer(document):  # one at a time: the caller may stop reading a large list
        address = parse_listed_address(word[0].decode("ascii", "replace"))
        is_list = is_list or address is not None
        yield address
    if not is_list:
        raise DescribedListError("not a list")
