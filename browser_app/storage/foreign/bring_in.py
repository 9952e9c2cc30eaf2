"""Takes servers of other programs into the user's lists: what is there already stays as it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from browser_app.games.games import Games
from browser_app.storage.blocked import BlockKind
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
    counts = dict.fromkeys(Keeping, 0)
    played = dict(session.history.last_played())
    known_keys = {favourite.stable_key for favourite in session.favourites}
    blocked = {block.value for block in session.blocked if block.kind is BlockKind.ADDRESS}
    for file in found:
        for server in file.servers:
            kept = as_favourite(games, file.owner, server, now)
            if server.keeping is Keeping.FAVOURITE and kept.address not in session.favourites:
                session.favourites.add(kept)
            elif server.keeping is Keeping.PLAYED and (server.played_at or 0.0) > played.get(kept.address, 0.0):
                played[kept.address] = joined_at = min(now, server.played_at or now)
                session.history.record_join(
                    Join(joined_at, kept.address, kept.name, "", kept.protocol, kept.game, left_at=joined_at)
                )
            elif server.keeping is Keeping.BLOCKED and str(kept.address) not in blocked:
                blocked.add(str(kept.address))
                session.blocked.add(BlockKind.ADDRESS, str(kept.address), now)
            else:
                continue
            counts[server.keeping] += 1
        counts[Keeping.FAVOURITE] += session.favourite_keys.add(key for key in file.keys if key not in known_keys)
    return BroughtIn(counts[Keeping.FAVOURITE], counts[Keeping.PLAYED], counts[Keeping.BLOCKED])
