"""Debian's Sauerbraten server: read, and left to itself."""

from collections.abc import Iterator

import pytest
from game_servers import Probe, free_port, info_of, program, quakestat, query, running

from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux

IS_READY = Probe(b"\x01ready", b"\x01ready")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The address for queries, on the port after the game's."""
    binary = program("cube2-server", "cube2-server")
    home = tmp_path_factory.mktemp("cube2") / "home"
    port = free_port()
    options = [f"-q{home}", "-i127.0.0.1", f"-j{port}", "-m", "-nRig \f2Sauer", "-c16"]  # -m: no master
    with running([binary, *options], port + 1, home, IS_READY) as address:
        yield address


def test_server_is_read_as_by_quakestat(server: Address) -> None:
    info = info_of(query("sauerbraten", server))
    other = quakestat("cubes", Address(server.host, server.port - 1))
    assert (info.game, info.name, info.connect.port) == ("sauerbraten", "Rig Sauer", server.port - 1)
    assert (info.players, info.bots, info.spectators, info.player_list) == (0, 0, 0, ())
    assert (info.players, info.max_players) == (other["numplayers"], other["maxplayers"])
    assert (info.mode, info.mode_name, info.map, info.password) == ("ffa", "Free for All", "", False)
    assert other["name"].endswith("Sauer")
