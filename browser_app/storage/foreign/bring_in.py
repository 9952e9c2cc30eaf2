"""Takes servers of other programs into the user's lists: what is there already stays as it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from browser_app.games.games import Games
from browser_app.protocols.address import Address
from browser_app.storage.blocked import Block, BlockKind
from browser_app.storage.favourites import Favourite
from browser_app.storage.foreign.finder import FoundFile, as_favourite
from browser_app.storage.foreign.found import Keeping
from browser_app.storage.history import Join
from browser_app.storage.session import Session


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """How many were new."""

    favourites: int = 0
    played: int = 0
    blocked: int = 0


def bring_in(session: Session, games: Games, found: Iterable[FoundFile], now: float) -> BroughtIn:
    """Add the servers of these files at Unix time `now`. Only for the thread that owns the lists."""
    by_key = visits = 0
    played = dict(session.history.last_played())
    known_keys = {favourite.stable_key for favourite in session.favourites}
    known_blocked = {block.value for block in session.blocked if block.kind is BlockKind.ADDRESS}
    favourites, blocked = dict[Address, Favourite](), dict[str, Block]()
    for file in found:
        for server in file.servers:
            kept = as_favourite(games, file.owner, server, now)
            address, place = kept.address, str(kept.address)
            if server.keeping is Keeping.FAVOURITE and address not in session.favourites:
                favourites.setdefault(address, kept)
            elif server.keeping is Keeping.PLAYED and _is_new(server.played_at, played.get(address), now):
                played[address] = joined_at = min(now, server.played_at or now)
                session.history.record_join(
                    Join(joined_at, address, kept.name, "", kept.protocol, kept.game, left_at=joined_at)
                )
                visits += 1
            elif server.keeping is Keeping.BLOCKED and place not in known_blocked:
                blocked.setdefault(place, Block(BlockKind.ADDRESS, place, now))
        by_key += session.favourite_keys.add(key for key in file.keys if key not in known_keys)
    session.favourites.put(favourites.values())
    session.blocked.put(blocked.values())
    return BroughtIn(len(favourites) + by_key, visits, len(blocked))


def _is_new(played_at: float | None, last: float | None, now: float) -> bool:
    """It is a later visit than the `last` one known. A time that is still to come says only that there was one."""
    return bool(played_at) and (last is None or last < (played_at or 0.0) <= now)
