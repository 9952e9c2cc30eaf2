"""Locations of other programs' server lists, and their content."""

import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from browser_app.games.game_registry import GameRegistry
from browser_app.input_files import read_regular_file
from browser_app.protocols.address import Address
from browser_app.storage.importers.imported_server import ImportedServer, ServerListKind, UnreadableListError
from browser_app.storage.importers.ns2_server_lists import parse_ns2_list
from browser_app.storage.importers.quake_favourites import parse_darkplaces_favourites, parse_ioquake3_cache
from browser_app.storage.importers.steam_server_browser import parse_steam_server_browser
from browser_app.storage.lists.server_list_store import Favourite

_log = logging.getLogger(__name__)

ServerListParser = Callable[[bytes], tuple[list[ImportedServer], list[str]]]
"""Parses a file into its servers and the stable keys of favourites given only by key; raises UnreadableListError."""

STEAM_SOURCE = "steam"

_DARKPLACES = {"xonotic": ("xonotic", "org.xonotic.Xonotic"), "nexuiz": ("nexuiz", "")}
"""By game: the engine's folder name (DarkPlaces `fs.c`), and the Flatpak with its own folder."""
_IOQUAKE3 = {
    "quake3": (".q3a", "Quake3"),
    "openarena": (".openarena", "OpenArena"),
    "tremulous": (".tremulous", "Tremulous"),
}
"""By game: its folder on Linux, and on Windows and macOS (`fs_homepath` of each engine)."""
_NS2_LISTS = {
    "FavoriteServers": ServerListKind.FAVOURITE,
    "BlockedServers": ServerListKind.BLOCKED,
    "HistoryServers": ServerListKind.PLAYED,
}
_NS2 = "Natural Selection 2"
_NS2_PROTON = Path("steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming") / _NS2
_STEAM_LISTS = ("userdata/*/7/remote/serverbrowser_hist.vdf", "config/serverbrowser_hist.vdf")


@dataclass(frozen=True)
class ServerListFile:
    """A file that may exist."""

    source: str
    """Game id, or `STEAM_SOURCE`."""
    path: Path
    parse: ServerListParser


def possible_list_files(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[ServerListFile]:
    """Yield all places to look at.

    `platform` is a value of `sys.platform`, `home` the user's home folder.
    """
    steam_roots = tuple(_steam_roots(platform, home, environment))
    for game, (folder, flatpak) in _DARKPLACES.items():
        for root in _darkplaces_roots(platform, home, folder, flatpak):
            yield ServerListFile(game, root / "data/config.cfg", parse_darkplaces_favourites)
    for game, (unix, other) in _IOQUAKE3.items():
        for root in _ioquake3_roots(platform, home, environment, unix, other):
            yield ServerListFile(game, root / "servercache.dat", partial(_parse_without_keys, parse_ioquake3_cache))
    for ns2 in _ns2_folders(platform, home, environment, steam_roots):
        for name, keeping in _NS2_LISTS.items():
            read = partial(_parse_without_keys, partial(parse_ns2_list, list_kind=keeping))
            yield ServerListFile("ns2", ns2 / f"{name}.json", read)
    for root in steam_roots:
        for pattern in _STEAM_LISTS:
            for path in sorted(root.glob(pattern)):
                yield ServerListFile(STEAM_SOURCE, path, partial(_parse_without_keys, parse_steam_server_browser))


def _parse_without_keys(
    read: Callable[[bytes], list[ImportedServer]], data: bytes
) -> tuple[list[ImportedServer], list[str]]:
    return read(data), []


def _darkplaces_roots(platform: str, home: Path, folder: str, flatpak: str) -> Iterator[Path]:
    if platform == "win32":
        yield home / "Saved Games" / folder
        yield home / "Documents/My Games" / folder
        return
    yield home / f".{folder}"
    if platform == "darwin":
        yield home / "Library/Application Support" / folder
    elif flatpak:
        yield home / ".var/app" / flatpak / f".{folder}"


def _ioquake3_roots(platform: str, home: Path, environment: Mapping[str, str], unix: str, other: str) -> Iterator[Path]:
    if platform == "win32":
        yield _roaming_folder(home, environment) / other
    elif platform == "darwin":
        yield home / "Library/Application Support" / other
    else:
        yield home / unix


def _ns2_folders(
    platform: str, home: Path, environment: Mapping[str, str], steam_roots: tuple[Path, ...]
) -> Iterator[Path]:
    if platform == "win32":
        yield _roaming_folder(home, environment) / _NS2
        return
    yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / _NS2
    for root in steam_roots:
        yield root / _NS2_PROTON


def _steam_roots(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if platform == "win32":
        yield Path(environment.get("PROGRAMFILES(X86)") or "C:/Program Files (x86)") / "Steam"
    elif platform == "darwin":
        yield home / "Library/Application Support/Steam"
    else:
        flatpak = home / ".var/app/com.valvesoftware.Steam"
        yield from (home / ".local/share/Steam", home / ".steam/steam", flatpak / ".local/share/Steam")
        yield from (flatpak / "data/Steam", home / "snap/steam/common/.local/share/Steam")


def _roaming_folder(home: Path, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("APPDATA") or home / "AppData/Roaming")


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
    """Read those of the usual files that exist.

    Each is read once even if two paths lead to it.
    """
    if files is None:
        files = possible_list_files(sys.platform, Path.home(), os.environ)
    found: dict[Path, ServerListContent] = {}
    for file in files:
        try:
            real = file.path.resolve(strict=True)
            if real not in found:
                found[real] = _read_list_file(file)
        except (OSError, RuntimeError) as error:
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                problem = getattr(error, "strerror", "") or str(error)
                found[file.path] = ServerListContent(file.source, file.path, problem=problem)
    for content in found.values():
        _log.info("%s: %d servers %s", content.path, len(content.servers) + len(content.keys), content.problem)
    return list(found.values())


def favourites_of(file: ServerListContent) -> Iterator[ImportedServer]:
    """Return the servers that are in the file as favourites."""
    return (server for server in file.servers if server.list_kind is ServerListKind.FAVOURITE)


def favourite_from_import(games: GameRegistry, source: str, server: ImportedServer, added_at: float) -> Favourite:
    """Convert an imported server to a favourite.

    Its query address is derived from the game's port where the list has the address that the game connects to.
    """
    game = games.identify(appid=server.appid) if source == STEAM_SOURCE else games.get(source)
    port = server.address.port + (game.query_port_offset if game is not None and not server.is_query_address else 0)
    address = Address(server.address.host, port) if port <= 65535 else server.address
    protocol = "a2s" if game is None else game.protocol
    return Favourite(address, server.name, added_at, protocol, None if game is None else game.id)


def _read_list_file(file: ServerListFile) -> ServerListContent:
    try:
        servers, keys = file.parse(read_regular_file(file.path, MAX_LIST_FILE_BYTES))
    except UnreadableListError as error:
        return ServerListContent(file.source, file.path, problem=str(error))
    return ServerListContent(file.source, file.path, tuple(servers), tuple(keys))
