"""Debian's Chocolate Doom server."""

from pathlib import Path

import pytest
from game_servers import info_of, query, running
from installed_servers import chocolate_doom

pytestmark = pytest.mark.linux


def test_chocolate_doom_server_is_read(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with running(chocolate_doom(home), home) as address:
        info = info_of(query("chocolate-doom", address))
    assert (info.game, info.name, info.players, info.max_players) == ("chocolatedoom", "Rig", 0, 8)
    assert info.joinable is None
    assert (info.version or "").startswith("Chocolate Doom 3.")
