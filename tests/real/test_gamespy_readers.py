"""Other programs read demo servers of GameSpy's protocols as ours does."""

from collections.abc import Iterator

import pytest
from game_servers import gamedig, info_of, quakestat, query

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.demo.games.gamespy_games import GAMESPY_GAMES

pytestmark = pytest.mark.linux

KINDS = {
    "ut": "protocol-gamespy1",
    "bfvietnam": "protocol-gamespy2",
    "bf2": "protocol-gamespy3",
    "ut2004": "protocol-unreal2",
}


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, DemoServer]]:
    """One server of each game with as many players as its first one."""
    games = tuple(game.id for game in GAMESPY_GAMES)
    with DemoNetwork(40, games=games, simulate_players=False, latency_ms=(1.0, 2.0)) as network:
        busiest = sorted(network.servers, key=lambda server: len(server.state.players))
        yield {server.state.game.id: server for server in busiest}


@pytest.mark.parametrize("game", KINDS)
def test_as_by_gamedig(game: str, servers: dict[str, DemoServer]) -> None:
    server = servers[game]
    info, other = info_of(query(server.state.game.protocol, server.address)), gamedig(KINDS[game], server.address)
    assert (info.name, info.map) == (other["name"], other["map"])
    assert (info.players, info.max_players) == (other["numplayers"], other["maxplayers"])
    assert info.password == other["password"] or game == "ut2004"  # it takes "True" there for no
    names = [player.name for player in info.player_list or ()]
    assert len(names) == len(server.state.players) > 1
    others = [player["name"] for player in other["players"]]
    if game == "ut":  # it takes UTF-8 for Latin-1
        names = [name.encode().decode("latin-1") for name in names]
    assert sorted(names) == sorted(others)


def test_unreal_tournament_as_by_quakestat(servers: dict[str, DemoServer]) -> None:
    server = servers["ut"]
    info, other = info_of(query("gamespy1", server.address)), quakestat("gps", server.address)
    assert (info.name, info.map) == (other["name"], other["map"])
    assert (info.players, info.max_players) == (other["numplayers"], other["maxplayers"])
    scores = [(player["name"], player["score"]) for player in other["players"]]  # it drops letters beyond ASCII
    ours = [("".join(filter(str.isascii, each.name)), each.score) for each in info.player_list or ()]
    assert sorted(ours) == sorted(scores)
