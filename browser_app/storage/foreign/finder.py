"""Looks through the games' own files for servers. Reads files: never on the window's thread."""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from browser_app.games.games import Games
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.storage.favourites import Favourite
from browser_app.storage.foreign.found import ForeignServer, Keeping, Unreadable
from browser_app.storage.foreign.places import STEAM, ForeignFile, foreign_files

MAX_FILE_BYTES = 16 << 20


@dataclass(frozen=True)
class FoundFile:
    """A file that is there."""

    owner: str
    """A game's id, or `STEAM`."""
    path: Path
    servers: tuple[ForeignServer, ...] = ()
    keys: tuple[str, ...] = ()
    """Stable keys of favourites that it names by these only."""
    problem: str = ""
    """Why it could not be read."""


def found_files(files: Iterable[ForeignFile] | None = None) -> list[FoundFile]:
    """Read those of the usual files that are there; one that is reached by two ways is read once."""
    if files is None:
        files = foreign_files(sys.platform, Path.home(), os.environ)
    found: dict[Path, FoundFile] = {}
    for file in files:
        try:
            real = file.path.resolve(strict=True)
            if real not in found:
                found[real] = _read(file)
        except (OSError, RuntimeError) as error:
            if not isinstance(error, FileNotFoundError | NotADirectoryError):
                found[file.path] = FoundFile(
                    file.owner, file.path, problem=getattr(error, "strerror", "") or str(error)
                )
    return list(found.values())


def found_favourites(games: Games, files: Iterable[ForeignFile] | None = None) -> dict[str, list[Favourite]]:
    """The favourites in those files by the game's id; those of unknown games stand under an empty one."""
    favourites: dict[str, dict[Address, Favourite]] = {}
    for file in found_files(files):
        for server in favourites_of(file):
            favourite = as_favourite(games, file.owner, server, 0.0)
            favourites.setdefault(favourite.game or "", {}).setdefault(favourite.address, favourite)
    return {game: list(servers.values()) for game, servers in favourites.items()}


def favourites_of(file: FoundFile) -> Iterator[ForeignServer]:
    """The servers that are there because somebody likes them."""
    return (server for server in file.servers if server.keeping is Keeping.FAVOURITE)


def as_favourite(games: Games, owner: str, server: ForeignServer, added_at: float) -> Favourite:
    """The server as this program keeps it: by its query address, which is worked out where a game told its own."""
    game = games.identify("a2s", appid=server.appid) if owner == STEAM else games.get(owner)
    port = server.address.port + (game.query_port_offset if game is not None and not server.is_query else 0)
    address = Address(server.address.host, port) if port <= 65535 else server.address
    protocol = "a2s" if game is None else game.protocol
    return Favourite(address, server.name, added_at, protocol, None if game is None else game.id)


def _read(file: ForeignFile) -> FoundFile:
    with file.path.open("rb") as opened:
        data = opened.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        return FoundFile(file.owner, file.path, problem=_("larger than {n} MiB").format(n=MAX_FILE_BYTES >> 20))
    try:
        servers, keys = file.read(data)
    except Unreadable as error:
        return FoundFile(file.owner, file.path, problem=str(error))
    return FoundFile(file.owner, file.path, tuple(servers), tuple(keys))
