"""Favourites of DarkPlaces games, ioquake3, Quake II's clients and ezQuake.

The menu of a DarkPlaces game may write a server's key (44 characters) instead of its address; such a server is
identified when one answers with that key (Xonotic `serverlist.qc`, `IsServerInList`).
"""

import ipaddress
import re
import struct
from collections.abc import Iterator

from browser_app.catalogue.server_info import is_stable_key
from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normalize_host, parse_address
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    UnreadableListError,
    clean_server_name,
    list_favourites,
)

MAX_CACHED_SERVERS, MAX_CACHED_FAVOURITES = 4096, 128
ADDRESS_BYTES_BY_RECORD = {164: 32, 172: 32, 176: 40, 184: 40}
"""Length of the address in a record, by length of the record."""

_HEADER = struct.Struct("<iii")
"""Version, number of favourites, and bytes of all records that follow."""
_ADDRESS = struct.Struct("<i4s16s2s")
"""Kind of address, IPv4, IPv6 and port (`netadr_t`)."""
_PORT = struct.Struct(">H")
_IPV4, _IPV6 = 4, 5
_NAME_BYTES = 32


def parse_ioquake3_cache(data: bytes) -> list[ImportedServer]:
    """Parse the favourites in ioquake3's server cache.

    Raises:
        UnreadableListError: no engine of this family wrote it.
    """
    if len(data) < _HEADER.size:
        raise UnreadableListError(_("too short"))
    _version, favourites, size = _HEADER.unpack_from(data)
    record_size, remainder = divmod(size, MAX_CACHED_SERVERS + MAX_CACHED_FAVOURITES)
    if (
        remainder
        or record_size not in ADDRESS_BYTES_BY_RECORD
        or len(data) != _HEADER.size + size
        or not 0 <= favourites <= MAX_CACHED_FAVOURITES
    ):
        raise UnreadableListError(_("unknown engine format"))
    first = _HEADER.size + MAX_CACHED_SERVERS * record_size
    return list(_parse_records(data[first : first + favourites * record_size], record_size))


def _parse_records(data: bytes, record_size: int) -> Iterator[ImportedServer]:
    for start in range(0, len(data), record_size):
        kind, ipv4, ipv6, port_bytes = _ADDRESS.unpack_from(data, start)
        (port,) = _PORT.unpack(port_bytes)
        if kind not in (_IPV4, _IPV6) or not port:
            continue
        host = str(ipaddress.ip_address(ipv4 if kind == _IPV4 else ipv6))
        name_start = start + ADDRESS_BYTES_BY_RECORD[record_size]
        name = data[name_start : name_start + _NAME_BYTES].split(b"\0", 1)[0].decode("latin-1")
        address, name = Address(normalize_host(host), port), clean_server_name(name, "quake3")
        yield ImportedServer(address, ServerListKind.FAVOURITE, is_query_address=True, name=name)


DARKPLACES_PORT, QUAKE2_PORT, QUAKEWORLD_PORT = 26000, 27910, 27500

_FAVOURITES_PATTERN = re.compile(
    r'^[ \t]*seta?[ \t]+"?net_slist_favorites"?[ \t]+(?:"((?:[^"\\\n]++|\\.)*+)"|(\S+))', re.MULTILINE
)
_ESCAPE_PATTERN = re.compile(r"\\(.)")
_KEY_LENGTH = 44
_STABLE_KEY_PREFIX = "d0:"
"""Prefix of the stable keys of this engine."""


def parse_darkplaces_favourites(data: bytes) -> tuple[list[ImportedServer], list[str]]:
    """Parse the favourites in `config.cfg`.

    Returns the servers, and stable keys of those given only by key.
    """
    assignments = _FAVOURITES_PATTERN.findall(data.decode("utf-8", "replace"))
    entries = _ESCAPE_PATTERN.sub(r"\1", "".join(assignments[-1])).split()[:MAX_IMPORTED_SERVERS] if assignments else []
    servers, keys = [], []
    for entry in entries:
        if len(entry) == _KEY_LENGTH and ":" not in entry and "." not in entry:
            if is_stable_key(key := _STABLE_KEY_PREFIX + entry):
                keys.append(key)
            continue
        try:
            address = parse_address(entry, DARKPLACES_PORT)
            servers.append(ImportedServer(address, ServerListKind.FAVOURITE, is_query_address=True))
        except ValueError:
            continue
    return servers, keys


_ADDRESS_BOOK_PATTERN = re.compile(r'^[ \t]*seta?[ \t]+"?adr[0-9]{1,2}"?[ \t]+"?([^"\s]+)', re.MULTILINE)


def parse_quake2_address_book(data: bytes) -> list[ImportedServer]:
    """Parse the address book (`adr0` to `adr15`) in a client's settings."""
    addresses = _ADDRESS_BOOK_PATTERN.findall(data.decode("latin-1"))
    return list_favourites(((address, "") for address in addresses), QUAKE2_PORT)


def parse_ezquake_list(data: bytes) -> list[ImportedServer]:
    """Parse a list of ezQuake's browser, one address in each line."""
    words = (line.split(maxsplit=1) for line in data.decode("latin-1").splitlines())
    return list_favourites(((each[0], "") for each in words if each), QUAKEWORLD_PORT)
