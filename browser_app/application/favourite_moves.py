"""Favourites whose servers seem to have moved to another address.

A server reports its stable key itself, and whoever has queried the server can report the same. So a favourite never
moves by itself, and a saved password stays with the address it was saved for.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from browser_app.catalogue.catalogue import Catalogue
from browser_app.protocols.address import Address
from browser_app.storage.user_lists.server_list_store import Favourite, FavouriteStore

MIN_SILENCE_S = 3600.0
"""A server that has answered within this time has not moved; it may be restarting, or under attack."""


@dataclass(frozen=True, slots=True)
class FavouriteMove:
    """An unresponsive favourite, and the only server that reports its stable key now."""

    favourite: Favourite
    server: int
    """Row of the server at the other address."""
    name: str
    address: Address
    protocol: str
    game: str | None


def find_favourite_moves(favourites: Iterable[Favourite], catalogue: Catalogue, now: float) -> Iterator[FavouriteMove]:
    """Yield the favourites that seem to have moved, as of Unix time `now`, s."""
    for favourite in favourites:
        if favourite.stable_key is None or not _is_abandoned(catalogue, favourite.address, now):
            continue
        server = catalogue.row_with_key(favourite.stable_key, favourite.address)
        if server is not None and not catalogue.favourite[server]:
            target, name = catalogue.targets[server], favourite.name or catalogue.name[server]
            yield FavouriteMove(favourite, server, name, target.address, target.protocol, target.game)


def follow_move(favourites: FavouriteStore, move: FavouriteMove) -> None:
    """Give the favourite the other address."""
    moved = replace(move.favourite, address=move.address, protocol=move.protocol, game=move.game)
    favourites.replace(move.favourite.address, moved)


def keep_address(favourites: FavouriteStore, move: FavouriteMove) -> None:
    """Leave the favourite at its address for good.

    Its key is forgotten, so that no server can claim to be it again.
    """
    favourites.replace(move.favourite.address, replace(move.favourite, stable_key=None))


def _is_abandoned(catalogue: Catalogue, address: Address, now: float) -> bool:
    """Return whether a server does not answer and has not for `MIN_SILENCE_S`."""
    row = catalogue.row_of(address)
    return row is not None and catalogue.is_unresponsive(row) and not now - catalogue.last_answer[row] < MIN_SILENCE_S
