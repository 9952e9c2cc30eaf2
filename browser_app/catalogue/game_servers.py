"""Choices among servers by their game."""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.server_info import QueryStatus
from browser_app.games.game_profile import GameProfile


def count_servers_reporting_skill(catalogue: Catalogue, game: str) -> int:
    """Return how many listed servers of a game report their skill.

    The user's own matters on these.
    """
    answered = (catalogue.status == QueryStatus.OK) & ~catalogue.blocked & ~np.isnan(catalogue.server_skill)
    return int(np.count_nonzero(answered & catalogue.game.matching_rows(game.__eq__)))


def busiest_servers(catalogue: Catalogue, game: str, limit: int) -> list[int]:
    """Return the rows of at most `limit` servers of a game with players.

    Those with most players come first.
    """
    players = np.where(catalogue.game.matching_rows(game.__eq__), np.nan_to_num(catalogue.players), 0.0)
    order = np.argsort(-players, kind="stable")[:limit]
    return [row for row in order.tolist() if players[row] > 0]


class PlayedGame(NamedTuple):
    """A game and the number of people who play it now, on servers that answered."""

    profile: GameProfile
    players: int


def most_played_games(catalogue: Catalogue, rows: Bools, limit: int) -> Sequence[PlayedGame]:
    """Return the free games with most players in these rows, most first.

    If nobody plays a free game, games that cost something are returned.
    """
    counts = np.where(rows & (catalogue.status == QueryStatus.OK), np.nan_to_num(catalogue.players), 0.0)
    sums = np.bincount(catalogue.game.ids, counts, len(catalogue.game.pool))
    known = [
        PlayedGame(catalogue.games[game], int(players))
        for game, players in zip(catalogue.game.pool, sums.tolist(), strict=True)
        if game in catalogue.games and players > 0
    ]
    offered = [each for each in known if each.profile.launch.free] or known
    return sorted(offered, key=lambda each: (-each.players, each.profile.name))[:limit]


def other_game_rows(catalogue: Catalogue, games: Container[str] | None) -> Bools:
    """Return the rows of all games but these; no rows for None."""
    if games is None:
        return np.zeros(len(catalogue), np.bool_)
    return ~catalogue.game.matching_rows(games.__contains__)


def other_version_rows(catalogue: Catalogue, versions: Mapping[str, str]) -> Bools:
    """Return the rows with another version than `versions` has for their game.

    Compared without case.
    """
    differs = np.zeros(len(catalogue), np.bool_)
    for game, version in versions.items():
        folded = version.casefold()
        differs |= catalogue.game.matching_rows(game.__eq__) & catalogue.version.matching_rows(folded.__ne__)
    return differs
