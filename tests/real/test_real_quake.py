"""Debian's QuakeWorld server: queried, pinged, with players and spectators."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from game_servers import info_of, quakestat, query, running
from installed_servers import quakeworld
from quakeworld_files import quakeworld_player

from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    home = tmp_path_factory.mktemp("quakeworld") / "home"
    with running(quakeworld(home), home) as address:
        yield address


def test_empty_server_is_read_as_by_quakestat(server: Address) -> None:
    info, other = info_of(query("quakeworld", server)), quakestat("qws", server)
    assert (info.game, info.name, info.map, info.mode) == ("quakeworld", "Rog brown", "room", "tdm")
    assert (info.map, info.players, info.max_players) == (other["map"], other["numplayers"], other["maxplayers"])
    assert (info.spectators, info.password, info.version) == (0, False, other["rules"]["*version"])
    assert info.rules is not None
    assert info.rules["timelimit"] == other["rules"]["timelimit"] == "10"


def test_spectators_are_no_players(server: Address) -> None:
    with ExitStack() as connections:
        for userinfo in (b"\\name\\R\xe1zor\\team\\red", b"\\name\\Bo\\team\\blue", b"\\name\\Watcher\\spectator\\1"):
            connections.enter_context(quakeworld_player(server, userinfo))
        info, other = info_of(query("quakeworld", server)), quakestat("qws", server)
    assert info.player_list is not None
    assert [(row.name, row.team, row.spectator) for row in info.player_list] == [
        ("Razor", 1, False), ("Bo", 2, False), ("Watcher", None, True),
    ]  # fmt: skip
    assert (info.players, info.spectators, info.bots) == (2, 1, 0)
    assert [row.score for row in info.player_list] == [0.0, 0.0, None]
    assert len(other["players"]) == 3
