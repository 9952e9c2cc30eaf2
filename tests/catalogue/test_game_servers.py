"""Choices among servers by their game."""

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.game_servers import (
    busiest_servers,
    count_servers_reporting_skill,
    most_played_games,
    other_game_rows,
)
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.games.game_registry import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address

GAMES = load_games(resource_folder() / "games")


def catalogue_of(*servers: tuple[str, int | None, float | None]) -> Catalogue:
    """Return a catalogue with servers of these games, numbers of players and skills."""
    catalogue, results = Catalogue(GAMES), []
    for number, (game, players, skill) in enumerate(servers):
        address = Address("192.0.2.1", 20_000 + number)
        info = ServerInfo(game, f"Server {number}", "map", address, players, 0, 0, 16, server_skill=skill)
        target = QueryTarget(address, "a2s", game)
        results.append(QueryResult(target, QueryStatus.OK, info, None, 50.0, False, 1, 1_700_000_000.0))
    catalogue.merge(results)
    return catalogue


def test_skill_servers_are_counted() -> None:
    catalogue = catalogue_of(("ns2", 5, 1000.0), ("ns2", 5, None), ("tf2", 5, 1000.0), ("ns2", 0, 0.0))
    assert count_servers_reporting_skill(catalogue, "ns2") == 2
    assert count_servers_reporting_skill(catalogue, "rust") == 0


def test_busiest_come_first() -> None:
    catalogue = catalogue_of(
        ("ns2", 3, None), ("tf2", 9, None), ("ns2", 0, None), ("ns2", 8, None), ("ns2", None, None), ("ns2", 3, None)
    )
    assert busiest_servers(catalogue, "ns2", 10) == [3, 0, 5]
    assert busiest_servers(catalogue, "ns2", 2) == [3, 0]
    assert busiest_servers(catalogue, "rust", 2) == []


def test_free_games_come_first() -> None:
    catalogue = catalogue_of(
        ("ns2", 30, None), ("openarena", 3, None), ("xonotic", 5, None), ("openarena", 4, None), ("", 9, None)
    )
    all_rows, only_ns2 = np.ones(5, np.bool_), catalogue.game.matching_rows("ns2".__eq__)
    played = [(game.profile.id, game.players) for game in most_played_games(catalogue, all_rows, 3)]
    assert played == [("openarena", 7), ("xonotic", 5)]
    assert [game.profile.id for game in most_played_games(catalogue, all_rows, 1)] == ["openarena"]
    assert [game.profile.id for game in most_played_games(catalogue, only_ns2, 3)] == ["ns2"]


def test_no_other_game_by_default() -> None:
    catalogue = catalogue_of(("ns2", 3, None), ("tf2", 9, None))
    assert other_game_rows(catalogue, {"tf2"}).tolist() == [True, False]
    assert other_game_rows(catalogue, set()).tolist() == [True, True]
    assert other_game_rows(catalogue, None).tolist() == [False, False]
