"""Favourites of SA-MP (`USERDATA.DAT`) and MTA (`coreconfig.xml`), no passwords."""

import re
import struct
from typing import Final

from browser_app.language import gettext as _
from browser_app.protocols.address import parse_address
from browser_app.protocols.san_andreas.samp import decode_samp_text
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    UnreadableListError,
    clean_server_name,
)

_SAMP_HEADER: Final = struct.Struct("<4sII")
_SAMP_MAGIC, _SAMP_VERSION = b"SAMP", 1
_NUMBER: Final = struct.Struct("<I")
_MTA_SERVER = re.compile(r"<favourite_server\s([^<>]{0,500})/?>")
_ATTRIBUTE = re.compile(r'\b(host|port)="([^"]{0,253})"')


def parse_samp_favourites(data: bytes) -> list[ImportedServer]:
    """Parse the favourites of SA-MP's own browser.

    Raises:
        UnreadableListError: it is no such file.
    """
    if len(data) < _SAMP_HEADER.size:
        raise UnreadableListError(_("too short"))
    magic, version, count = _SAMP_HEADER.unpack_from(data)
    if magic != _SAMP_MAGIC or version != _SAMP_VERSION:
        raise UnreadableListError(_("unknown engine format"))
    servers, position = [], _SAMP_HEADER.size
    for _server in range(min(count, MAX_IMPORTED_SERVERS)):
        host, position = _read_text(data, position)
        port, position = _read_number(data, position)
        encoded_name, position = _read_text(data, position)
        for _password in range(2):
            _text, position = _read_text(data, position)
        try:
            address = parse_address(f"{host.decode('latin-1')}:{port}")
        except ValueError:
            continue
        name = clean_server_name(decode_samp_text(encoded_name), "braces")
        servers.append(ImportedServer(address, ServerListKind.FAVOURITE, name=name))
    return servers


def _read_number(data: bytes, position: int) -> tuple[int, int]:
    if len(data) < position + _NUMBER.size:
        raise UnreadableListError(_("unexpected end of file"))
    (number,) = _NUMBER.unpack_from(data, position)
    return number, position + _NUMBER.size


def _read_text(data: bytes, position: int) -> tuple[bytes, int]:
    length, start = _read_number(data, position)
    if len(data) < start + length:
        raise UnreadableListError(_("unexpected end of file"))
    return data[start : start + length], start + length


def parse_mta_favourites(data: bytes) -> list[ImportedServer]:
    """Parse the favourites in Multi Theft Auto's settings, without invalid addresses."""
    _before, _start, rest = data.decode("utf-8", "replace").partition("<favourite_servers>")
    favourites, end, _after = rest.partition("</favourite_servers>")
    servers = []
    for attributes in _MTA_SERVER.findall(favourites) if end else ():
        values = dict(_ATTRIBUTE.findall(attributes))
        try:
            address = parse_address(f"{values.get('host', '')}:{values.get('port', '')}")
        except ValueError:
            continue
        servers.append(ImportedServer(address, ServerListKind.FAVOURITE))
    return servers[:MAX_IMPORTED_SERVERS]
