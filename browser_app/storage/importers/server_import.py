"""Import of servers from other programs into the user's lists."""

from collections.abc import Iterable
from dataclasses import dataclass

from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.storage.importers.imported_server import ServerListKind
from browser_app.storage.importers.server_list_files import ServerListContent, convert_to_favourite
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind, Favourite
from browser_app.storage.user_lists.visit_history_store import ServerVisit
from browser_app.storage.user_storage import UserStorage


@dataclass(frozen=True, slots=True)
class ServerImportResult:
    """Numbers of new entries."""

    favourites: int = 0
    played: int = 0
    blocked: int = 0


def import_servers(
    storage: UserStorage, games: GameRegistry, files: Iterable[ServerListContent], now: float
) -> ServerImportResult:
    """Add the servers of these files to the user's lists at Unix time `now` (s).

    Call it from the thread that owns the lists.
    """
    key_count = visit_count = 0
    last_played = dict(storage.visit_history.last_played())
    known_keys = {favourite.stable_key for favourite in storage.favourites}
    blocked_values = {block.value for block in storage.blocked if block.kind is BlockKind.ADDRESS}
    favourites, blocked = dict[Address, Favourite](), dict[str, BlockEntry]()
    for file in files:
        for server in file.servers:
            favourite = convert_to_favourite(games, file.source, server, now)
            address, block_value = favourite.address, str(favourite.address)
            if server.list_kind is ServerListKind.FAVOURITE and address not in storage.favourites:
                favourites.setdefault(address, favourite)
            elif server.list_kind is ServerListKind.PLAYED and _is_new_visit(
                server.played_at, last_played.get(address), now
            ):
                last_played[address] = joined_at = min(now, server.played_at or now)
                storage.visit_history.add_visit(
                    ServerVisit(
                        joined_at, address, favourite.name, "", favourite.protocol, favourite.game, left_at=joined_at
                    )
                )
                visit_count += 1
            elif server.list_kind is ServerListKind.BLOCKED and block_value not in blocked_values:
                blocked.setdefault(block_value, BlockEntry(BlockKind.ADDRESS, block_value, now))
        key_count += storage.favourite_keys.add(key for key in file.keys if key not in known_keys)
    storage.favourites.add_all(favourites.values())
    storage.blocked.add_all(blocked.values())
    return ServerImportResult(len(favourites) + key_count, visit_count, len(blocked))


def _is_new_visit(played_at: float | None, last_known: float | None, now: float) -> bool:
    """Return True if the visit is later than the `last_known` one.

    A time in the future only proves that there was one.
    """
    return bool(played_at) and (last_known is None or last_known < (played_at or 0.0) <= now)
