"""ioquake3's `servercache.dat`: what its browser knew when it was closed, favourites among it.

The file is the engine's memory as it lay there: three integers (servers, favourites, size of the rest), an array for
4,096 servers and one for 128 favourites (ioquake3 `client.h`, `cl_ui.c`). How long one record is depends on the build:
an address of 32 bytes, or of 40 where `long` has 64 bits, 96 bytes of texts, then nine numbers, later eleven.
"""

import ipaddress
import struct
from collections.abc import Iterator

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normal_host
from browser_app.protocols.coloured_text import plain
from browser_app.storage.foreign.found import ForeignServer, Keeping, Unreadable

GLOBAL, FAVOURITES = 4096, 128
ADDRESS_BYTES = {164: 32, 172: 32, 176: 40, 184: 40}
"""By the length of a record: that of the address in it."""

_HEAD = struct.Struct("<iii")
_ADDRESS = struct.Struct("<i4s16s2s")
_PORT = struct.Struct(">H")
_IPV4, _IPV6 = 4, 5
_NAME_BYTES = 32


def read_ioquake3_cache(data: bytes) -> list[ForeignServer]:
    """The favourites.

    Raises:
        Unreadable: it was not written by an engine of this family.
    """
    if len(data) < _HEAD.size:
        raise Unreadable(_("too short"))
    _version, favourites, size = _HEAD.unpack_from(data)
    record, rest = divmod(size, GLOBAL + FAVOURITES)
    if rest or record not in ADDRESS_BYTES or len(data) != _HEAD.size + size or not 0 <= favourites <= FAVOURITES:
        raise Unreadable(_("of an engine that keeps it in another form"))
    first = _HEAD.size + GLOBAL * record
    return list(_servers(data[first : first + favourites * record], record))


def _servers(data: bytes, record: int) -> Iterator[ForeignServer]:
    for at in range(0, len(data), record):
        kind, ipv4, ipv6, port_bytes = _ADDRESS.unpack_from(data, at)
        (port,) = _PORT.unpack(port_bytes)
        if kind not in (_IPV4, _IPV6) or not port:
            continue
        host = str(ipaddress.ip_address(ipv4 if kind == _IPV4 else ipv6))
        name_at = at + ADDRESS_BYTES[record]
        name = data[name_at : name_at + _NAME_BYTES].split(b"\0", 1)[0].decode("latin-1")
        name = plain(name, "quake3").strip()
        yield ForeignServer(Address(normal_host(host), port), Keeping.FAVOURITE, is_query=True, name=name)
