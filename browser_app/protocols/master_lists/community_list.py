"""Community server lists in JSON."""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normalize_host, parse_address
from browser_app.protocols.json_parser import JSONParseError
from browser_app.protocols.master_lists.json_list_reader import JsonListReader, split_chunks
from browser_app.protocols.server_url import is_queryable_address, split_server_url, validate_protocol

_PATH = ("servers",)


class ServerListError(ValueError):
    """Invalid server list.

    `str()` names the entry, `line` is counted from 1 (None if unknown).
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


class ListedServer(NamedTuple):
    """One entry; `game` is the id of a game profile if the list has one."""

    protocol: str
    address: Address
    game: str | None
    name: str = ""
    """Written for people who read the file; ignored by the parser."""


def encode_server_list(servers: Iterable[ListedServer]) -> bytes:
    """Return the document, with one server a line."""
    lines = (json.dumps(_encode_entry(server), ensure_ascii=False) for server in servers)
    return ('{"servers": [\n' + ",\n".join(lines) + "\n]}\n").encode()


def _encode_entry(server: ListedServer) -> dict[str, str]:
    values = {"address": str(server.address), "protocol": server.protocol, "game": server.game, "name": server.name}
    return {key: value for key, value in values.items() if value}


def parse_server_list(body: bytes | str) -> tuple[ListedServer, ...]:
    """Parse a list of URLs or of objects.

    Entries with impossible addresses are skipped.

    Raises:
        ServerListError: anything else is wrong; the text names the entry.
    """
    document = JsonListReader(split_chunks(body if isinstance(body, bytes) else body.encode()), _PATH)
    listed = []
    for index, entry in enumerate(_list_entries(document)):
        try:
            listed.append(_parse_list_entry(entry))
        except ValueError as error:
            raise ServerListError(f"servers[{index}]: {error}", document.line) from None
    return tuple(server for server in listed if server is not None)


class ServerListReader:
    """Reads a list while it arrives; skips entries that `parse_server_list` rejects.

    These may be meant for a newer version of this program.

    Attributes:
        unknown_entries: number of entries not understood so far.
    """

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._document = JsonListReader(chunks, _PATH)
        self.unknown_entries = 0

    def __iter__(self) -> Iterator[ListedServer | None]:
        """Yield the server of each entry; None if it is invalid or not understood.

        Raises:
            ServerListError: the document is not a server list.
        """
        for entry in _list_entries(self._document):
            try:
                yield _parse_list_entry(entry)
            except ValueError:
                self.unknown_entries += 1
                yield None


def _list_entries(document: JsonListReader) -> Iterator[object]:
    try:
        yield from document
    except JSONParseError as error:
        raise ServerListError(_("not JSON: {why}").format(why=error.reason), error.line) from None
    if not document.has_list:
        raise ServerListError(_("servers: missing list"), document.line)


def _parse_list_entry(entry: object) -> ListedServer | None:
    protocol, address_text, host_name, game = _parse_fields(entry)
    try:
        address = parse_address(address_text)
        address = Address(normalize_host(host_name), address.port) if host_name else address
    except ValueError:
        return None
    return ListedServer(protocol, address, game) if is_queryable_address(address) else None


def _parse_fields(entry: object) -> tuple[str, str, str | None, str | None]:
    """Return protocol, address, host name and game of an entry, a URL or an object."""
    if isinstance(entry, str):
        return *split_server_url(entry), None, None
    if not isinstance(entry, dict):
        raise ValueError("neither a URL nor an object")
    address, game, host_name = entry.get("address"), entry.get("game"), entry.get("host_name")
    if not isinstance(address, str):
        raise ValueError("address: missing or not text")
    if game is not None and not isinstance(game, str):
        raise ValueError("game: not text")
    if host_name is not None and not isinstance(host_name, str):
        raise ValueError("host_name: not text")
    return validate_protocol(entry.get("protocol")), address, host_name, game
