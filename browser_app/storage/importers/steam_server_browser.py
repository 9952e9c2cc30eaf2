"""Favourites and history of Steam's server browser (`serverbrowser_hist.vdf`).

`Filters` contains `Favorites` and `VisitHistory`, each with numbered blocks of `name`, `address` (the query address),
`LastPlayed` (Unix time, 0 for never) and `appid`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from browser_app.language import gettext as _
from browser_app.protocols.address import parse_address
from browser_app.storage.importers.imported_server import (
    MAX_IMPORTED_SERVERS,
    ImportedServer,
    ServerListKind,
    UnreadableListError,
    clean_server_name,
)

MAX_VDF_DEPTH = 32
MAX_VDF_VALUES = 200_000

VdfBlock: TypeAlias = Mapping[str, "VdfBlock | str"]
"""Keys are in lower case because Valve's own readers ignore case; the last of equal keys counts."""

_VDF_TOKEN = re.compile(
    r"""\s+ | //[^\n]*
      | "(?P<quoted>(?:[^"\\]++|\\.)*+)"
      | (?P<brace>[{}])
      | \[[^\]\n]*\]
      | (?P<bare>[^\s{}"\[]+)""",
    re.VERBOSE | re.DOTALL,
)
_VDF_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_CHARACTERS = {"n": "\n", "t": "\t"}


def parse_vdf(data: bytes) -> VdfBlock:
    """Parse a VDF file.

    Raises:
        UnreadableListError: it is not VDF, or too large; with the line.
    """
    text = data.decode("utf-8-sig", "replace")
    root: dict[str, VdfBlock | str] = {}
    blocks, key, values = [root], None, 0
    for line, kind, word in _tokenize(text):
        if kind == "brace" and word == "}":
            if key is not None or len(blocks) == 1:
                raise UnreadableListError(_("line {line}: unexpected closing brace").format(line=line))
            blocks.pop()
        elif key is None:
            if kind == "brace":
                raise UnreadableListError(_("line {line}: block without a name").format(line=line))
            key = word.lower()
        else:
            values += 1
            if values > MAX_VDF_VALUES or len(blocks) > MAX_VDF_DEPTH:
                raise UnreadableListError(_("line {line}: too many values or levels").format(line=line))
            inner_block: dict[str, VdfBlock | str] = {}
            blocks[-1][key] = inner_block if kind == "brace" else word
            if kind == "brace":
                blocks.append(inner_block)
            key = None
    if key is not None or len(blocks) > 1:
        raise UnreadableListError(_("unexpected end of file"))
    return root


def find_block(block: VdfBlock, *path: str) -> VdfBlock:
    """Return the block at a path of keys, empty if there is none."""
    for key in path:
        inner = block.get(key.lower())
        if not isinstance(inner, Mapping):
            return {}
        block = inner
    return block


def _tokenize(text: str) -> Iterator[tuple[int, str, str]]:
    position, line = 0, 1
    while position < len(text):
        match = _VDF_TOKEN.match(text, position)
        if match is None:
            raise UnreadableListError(_("line {line}: unreadable").format(line=line))
        if match.lastgroup:
            word = match[match.lastgroup]
            if match.lastgroup == "quoted":
                word = _VDF_ESCAPE.sub(lambda escape: _ESCAPED_CHARACTERS.get(escape[1], escape[1]), word)
            yield line, match.lastgroup, word
        line += text.count("\n", position, match.end())
        position = match.end()


_LIST_KINDS = (("favorites", ServerListKind.FAVOURITE), ("history", ServerListKind.PLAYED))


def parse_steam_server_browser(data: bytes) -> list[ImportedServer]:
    """Parse both lists, without entries whose address is invalid.

    Raises:
        UnreadableListError: the file is not VDF.
    """
    filters = find_block(parse_vdf(data), "filters")
    return [
        server for name, list_kind in _LIST_KINDS for server in _parse_servers(find_block(filters, name), list_kind)
    ][:MAX_IMPORTED_SERVERS]


def _parse_servers(servers: VdfBlock, list_kind: ServerListKind) -> Iterator[ImportedServer]:
    for entry in servers.values():
        if isinstance(entry, str):
            continue
        try:
            address = parse_address(_read_text(entry, "address"))
        except ValueError:
            continue
        played_at = _read_positive_number(entry, "lastplayed")
        yield ImportedServer(
            address,
            list_kind,
            is_query_address=True,
            name=clean_server_name(entry.get("name")),
            appid=_read_positive_number(entry, "appid"),
            played_at=None if played_at is None else float(played_at),
        )


def _read_text(entry: VdfBlock, key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _read_positive_number(entry: VdfBlock, key: str) -> int | None:
    """Return a number above 0; None for 0 (unknown or never) and invalid text."""
    text = _read_text(entry, key)
    return int(text) or None if text.isascii() and text.isdigit() and len(text) <= 11 else None
