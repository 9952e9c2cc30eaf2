"""Debian's Sauerbraten server: read, and left to itself."""

from collections.abc import Iterator

import pytest
from game_servers import info_of, quakestat, query, running
from installed_servers import sauerbraten

from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The address for queries, on the port after the game's."""
    home = tmp_path_factory.mktemp("cube2") / "home"
    with running(sauerbraten(home), home) as address:
        yield address


def test_server_is_read_as_by_quakestat(server: Address) -> None:
    info = info_of(query("sauerbraten", server))
    other = quakestat("cubes", Address(server.host, server.port - 1))
    assert (info.game, info.name, info.connect.port) == ("sauerbraten", "Rig Sauer", server.port - 1)
    assert (info.players, info.bots, info.spectators, info.player_list) == (0, 0, 0, ())
    assert (info.players, info.max_players) == (other["numplayers"], other["maxplayers"])
    assert (info.mode, info.mode_name, info.map, info.password) == ("ffa", "Free for All", "", False)
    assert other["name"].endswith("Sauer")
