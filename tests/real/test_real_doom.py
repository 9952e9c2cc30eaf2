"""Debian's Chocolate Doom server."""

from pathlib import Path

import pytest
from game_servers import Probe, free_port, info_of, program, query, running

from browser_app.protocols.doom.chocolate_doom import QUERY

pytestmark = pytest.mark.linux


def test_chocolate_doom_server_is_read(tmp_path: Path) -> None:
    server, port = program("chocolate-server", "chocolate-doom"), free_port()
    command = [server, "-port", str(port), "-privateserver", "-servername", "Rig"]
    with running(command, port, tmp_path / "home", Probe(QUERY, b"Rig")) as address:
        info = info_of(query("chocolatedoom", address))
    assert (info.game, info.name, info.players, info.max_players) == ("chocolatedoom", "Rig", 0, 8)
    assert info.joinable is None
    assert (info.version or "").startswith("Chocolate Doom 3.")
