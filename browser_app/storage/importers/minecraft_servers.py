"""Servers of Minecraft's multiplayer menu: `servers.dat`, uncompressed NBT."""

import struct
from typing import Final

from browser_app.language import gettext as _
from browser_app.protocols.address import parse_address
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    UnreadableListError,
    clean_server_name,
)

MINECRAFT_PORT: Final = 25565
_END, _STRING, _LIST, _COMPOUND = 0, 8, 9, 10
_NUMBERS: Final = {1: ">b", 2: ">h", 3: ">i", 4: ">q", 5: ">f", 6: ">d"}
_ARRAY_ITEM_BYTES: Final = {7: 1, 11: 4, 12: 8}
"""Length of an item, by the type of an array."""
_MAX_DEPTH = 16
_MAX_VALUES = 100_000


def parse_minecraft_servers(data: bytes) -> list[ImportedServer]:
    """Parse the servers that the menu shows.

    Raises:
        UnreadableListError: it is no such file.
    """
    document = _TagReader(data).read_document()
    entries = document.get("servers")
    if not isinstance(entries, list):
        raise UnreadableListError(_("neither a list nor an object"))
    servers = []
    for entry in entries:
        if not isinstance(entry, dict) or entry.get("hidden"):
            continue
        address_text = entry.get("ip")
        try:
            address = parse_address(address_text, MINECRAFT_PORT) if isinstance(address_text, str) else None
        except ValueError:
            continue
        if address is not None:
            name = clean_server_name(entry.get("name"), "minecraft")
            servers.append(ImportedServer(address, ServerListKind.FAVOURITE, name=name))
    return servers[:MAX_IMPORTED_SERVERS]


class _TagReader:
    """Reads values one after the other; arrays are skipped."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0
        self._value_count = 0

    def read_document(self) -> dict[str, object]:
        if self._read_number(">b") != _COMPOUND:
            raise UnreadableListError(_("unknown engine format"))
        self._read_text()
        return self._read_compound(0)

    def _read_bytes(self, size: int) -> bytes:
        start, self._position = self._position, self._position + size
        if size < 0 or len(self._data) < self._position:
            raise UnreadableListError(_("unexpected end of file"))
        return self._data[start : self._position]

    def _read_number(self, number_format: str) -> int:
        (value,) = struct.unpack(number_format, self._read_bytes(struct.calcsize(number_format)))
        return int(value) if isinstance(value, int) else 0

    def _read_text(self) -> str:
        return self._read_bytes(self._read_number(">H")).decode("utf-8", "replace")

    def _read_value(self, kind: int, depth: int) -> object:
        self._value_count += 1
        if depth > _MAX_DEPTH or self._value_count > _MAX_VALUES:
            raise UnreadableListError(_("unknown engine format"))
        if kind in _NUMBERS:
            return self._read_number(_NUMBERS[kind])
        if kind in _ARRAY_ITEM_BYTES:
            self._read_bytes(self._read_number(">i") * _ARRAY_ITEM_BYTES[kind])
            return None
        if kind == _STRING:
            return self._read_text()
        if kind == _LIST:
            item_kind, count = self._read_number(">b"), self._read_number(">i")
            return [self._read_value(item_kind, depth + 1) for _item in range(count)]
        if kind == _COMPOUND:
            return self._read_compound(depth + 1)
        raise UnreadableListError(_("unknown engine format"))

    def _read_compound(self, depth: int) -> dict[str, object]:
        values: dict[str, object] = {}
        while (kind := self._read_number(">b")) != _END:
            name = self._read_text()
            values[name] = self._read_value(kind, depth)
        return values
