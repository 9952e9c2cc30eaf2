"""How many people play each game now."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryStatus
from browser_app.games.game_profile import GameProfile


class PlayedGame(NamedTuple):
    """A game and the number of people who play it now, on all servers that answered."""

    profile: GameProfile
    players: int


def most_played_games(catalogue: Catalogue, limit: int) -> Sequence[PlayedGame]:
    """Return the free games with most players, most first; if nobody plays a free game, the others."""
    counts = np.where(catalogue.status == QueryStatus.OK, np.nan_to_num(catalogue.players), 0.0)
    sums = np.bincount(catalogue.game.ids, counts, len(catalogue.game.pool))
    known = [
        PlayedGame(catalogue.games[game], int(players))
        for game, players in zip(catalogue.game.pool, sums.tolist(), strict=True)
        if game in catalogue.games and players > 0
    ]
    offered = [each for each in known if each.profile.launch.free] or known
    return sorted(offered, key=lambda each: (-each.players, each.profile.name))[:limit]
