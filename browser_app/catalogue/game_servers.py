"""Choices among the servers of one game."""

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryStatus


def count_servers_reporting_skill(catalogue: Catalogue, game: str) -> int:
    """Return how many listed servers of a game report their skill, so that the user's own matters there."""
    answered = (catalogue.status == QueryStatus.OK) & ~catalogue.blocked & ~np.isnan(catalogue.server_skill)
    return int(np.count_nonzero(answered & catalogue.game.matching_rows(game.__eq__)))


def fullest_servers(catalogue: Catalogue, game: str, most: int) -> list[int]:
    """Return the rows of at most `most` servers of a game with players, those with most players first."""
    players = np.where(catalogue.game.matching_rows(game.__eq__), np.nan_to_num(catalogue.players), 0.0)
    order = np.argsort(-players, kind="stable")[:most]
    return [row for row in order.tolist() if players[row] > 0]
