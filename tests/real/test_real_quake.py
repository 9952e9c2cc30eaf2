"""Debian's QuakeWorld server: queried, pinged, with players and spectators."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from game_servers import Probe, free_port, info_of, program, quakestat, query, running
from quakeworld_world import quakeworld_player, write_world

from browser_app.protocols.address import Address
from browser_app.protocols.quake.quakeworld import STATUS_REQUEST

pytestmark = pytest.mark.linux

IS_READY = Probe(STATUS_REQUEST, b"\\map\\room")
SETTINGS = (
    'hostname "R\xefg \xe2\xf2\xef\xf7\xee"', "maxclients 8", "maxspectators 4", "deathmatch 1", "teamplay 2",
    "timelimit 10",
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    mvdsv, port = program("mvdsv", "mvdsv"), free_port()
    folder = tmp_path_factory.mktemp("quakeworld")
    write_world(folder / "data", SETTINGS)
    command = [mvdsv, "-basedir", str(folder / "data"), "-ip", "127.0.0.1", "-port", str(port), "-game", "qw"]
    with running([*command, "+exec", "server.cfg", "+map", "room"], port, folder / "home", IS_READY) as address:
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
