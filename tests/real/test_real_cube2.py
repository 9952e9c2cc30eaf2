"""Sauerbraten's and Red Eclipse's servers of Debian: read, and left to themselves."""

from collections.abc import Iterator

import pytest
from game_servers import info_of, quakestat, query, running
from installed_servers import red_eclipse, sauerbraten

from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux


@pytest.fixture(scope="module")
def sauerbraten_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The address for queries, on the port after the game's."""
    home = tmp_path_factory.mktemp("cube2") / "home"
    with running(sauerbraten(home), home) as address:
        yield address


@pytest.fixture(scope="module")
def red_eclipse_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The address for queries, on the port after the game's."""
    home = tmp_path_factory.mktemp("redeclipse") / "home"
    with running(red_eclipse(home), home) as address:
        yield address


def test_sauerbraten_server_is_read_as_by_quakestat(sauerbraten_server: Address) -> None:
    server = sauerbraten_server
    info = info_of(query("cube2", server))
    other = quakestat("cubes", Address(server.host, server.port - 1))
    assert (info.game, info.name, info.connect.port) == ("sauerbraten", "Rig Sauer", server.port - 1)
    assert (info.players, info.bots, info.spectators, info.player_list) == (0, 0, 0, ())
    assert (info.players, info.max_players) == (other["numplayers"], other["maxplayers"])
    assert (info.mode, info.mode_name, info.map, info.password) == ("ffa", "Free for All", "", False)
    assert other["name"].endswith("Sauer")


def test_red_eclipse_server_is_read(red_eclipse_server: Address) -> None:
    result = query("redeclipse", red_eclipse_server)
    info = info_of(result)
    assert (info.game, info.name, info.version) == ("redeclipse", "Rig Eclipse", "1.6.0")
    assert info.connect.port == red_eclipse_server.port - 1
    assert (info.map, info.mode, info.mode_name) == ("castle", "ctf", "Capture the Flag")
    assert (info.players, info.player_list, info.password, info.joinable) == (0, (), False, None)
    assert (info.max_players, dict(info.rules or {})["maxslots"]) == (None, "16")  # 12 to play, 4 to watch
    assert result.ping_ms is not None
    assert 0 < result.ping_ms < 1000
