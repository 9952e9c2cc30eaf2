"""Content of other programs' server lists."""

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from browser_app.file_errors import file_error_text
from browser_app.games.game_registry import GameRegistry
from browser_app.input_files import read_regular_file
from browser_app.protocols.address import Address
from browser_app.storage.importers.imported_server import ImportedServer, ServerListKind, UnreadableListError
from browser_app.storage.importers.list_file_places import STEAM_SOURCE, ServerListFile, list_possible_files
from browser_app.storage.user_lists.server_list_store import Favourite

_log = logging.getLogger(__name__)

MAX_LIST_FILE_BYTES = 16 << 20


@dataclass(frozen=True)
class ServerListContent:
    """Content of an existing file."""

    source: str
    """Game id, or `STEAM_SOURCE`."""
    path: Path
    servers: tuple[ImportedServer, ...] = ()
    keys: tuple[str, ...] = ()
    """Stable keys of favourites given only by key."""
    problem: str = ""
    """Why it could not be read."""


def find_server_lists(files: Iterable[ServerListFile] | None = None) -> list[ServerListContent]:
    """Read the files that exist, by default all that other programs may write.

    Each is read once even if two paths lead to it.
    """
    if files is None:
        files = list_possible_files(sys.platform, Path.home(), os.environ)
    content_by_path: dict[Path, ServerListContent] = {}
    for file in files:
        try:
            real_path = file.path.resolve(strict=True)
            if real_path not in content_by_path:
                content_by_path[real_path] = _read_list_file(file)
        except (OSError, RuntimeError) as error:
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                problem = file_error_text(error) if isinstance(error, OSError) else str(error)
                content_by_path[file.path] = ServerListContent(file.source, file.path, problem=problem)
    for content in content_by_path.values():
        _log.info("%s: %d servers %s", content.path, len(content.servers) + len(content.keys), content.problem)
    return list(content_by_path.values())


def select_favourites(file: ServerListContent) -> Iterator[ImportedServer]:
    """Return the servers that are in the file as favourites."""
    return (server for server in file.servers if server.list_kind is ServerListKind.FAVOURITE)


def convert_to_favourite(games: GameRegistry, source: str, server: ImportedServer, added_at: float) -> Favourite:
    """Convert an imported server to a favourite.

    Its query address is derived from the game's port where the list has the address that the game connects to.
    """
    game = games.identify(appid=server.appid) if source == STEAM_SOURCE else games.get(server.game or source)
    port = server.address.port + (game.query_port_offset if game is not None and not server.is_query_address else 0)
    address = Address(server.address.host, port) if port <= 65535 else server.address
    protocol = server.protocol or ("a2s" if game is None else game.protocol)
    return Favourite(address, server.name, added_at, protocol, None if game is None else game.id)


def _read_list_file(file: ServerListFile) -> ServerListContent:
    try:
        servers, keys = file.parse(read_regular_file(file.path, MAX_LIST_FILE_BYTES))
    except UnreadableListError as error:
        return ServerListContent(file.source, file.path, problem=str(error))
    return ServerListContent(file.source, file.path, tuple(servers), tuple(keys))
