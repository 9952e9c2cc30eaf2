"""Debian's Warzone 2100, which announces a game at a lobby of ours."""

import json
import socket
from pathlib import Path

import pytest
from free_ports import free_port
from game_servers import Probe, ServerStart, program, server_process
from timeouts import LIMIT_S
from warzone_lobby import warzone_lobby

from browser_app.engine.masters.query_sources import parse_sources
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux

CONFIG = """\
[General]
masterserver_name = {lobby.host}
masterserver_port = {lobby.port}
upnp = 0
publicipv4lookupservice_url =
publicipv6lookupservice_url =
"""
GAME = {
    "challenge": {
        "name": "Rïg Warzone", "map": "Sk-Rush", "maxPlayers": 4, "scavengers": 0, "alliances": 2, "powerLevel": 1,
        "bases": 1, "openSpectatorSlots": 2, "spectatorHost": True,
    },
}  # fmt: skip
WRONG_VERSION = Probe(bytes(8), b"\0\0\0", socket.SOCK_STREAM)
"""Every host refuses players of version 0."""


def warzone_host(lobby: Address) -> ServerStart:
    """Warzone 2100 without a window, hosting a game as a spectator."""
    port = free_port()
    options = ["--configdir=.", "--headless", "--nosound", "--autohost=rig.json", f"--gameport={port}"]
    files = {"config": CONFIG.format(lobby=lobby), "autohost/rig.json": json.dumps(GAME, ensure_ascii=False)}
    return ServerStart([program("warzone2100", "warzone2100"), *options], port, WRONG_VERSION, files)


def test_announced_game_is_read(tmp_path: Path) -> None:
    games = load_games(resource_folder() / "games")
    with warzone_lobby() as lobby:
        start = warzone_host(lobby.address)
        with server_process(start, tmp_path / "home"), Scanner(games) as scanner:
            assert lobby.was_announced.wait(LIMIT_S)
            sources = parse_sources(games, masters=[f"warzone2100+tcp://{lobby.address}"])
            poll = start_poll(scanner, sources, pace=PACES["unlimited"])
            assert poll.wait(LIMIT_S)
    assert [(state.ok, state.servers, state.error) for state in poll.master_states] == [(True, 1, None)]
    (server,) = poll.descriptions
    assert (server.target.protocol, server.target.address) == ("listed", Address("127.0.0.1", start.port))
    info = server.info
    assert (info.game, info.name, info.map, info.password) == ("warzone2100", "Rïg Warzone", "Sk-Rush", False)
    assert (info.max_players, info.spectators) == (4, 1)  # the host watches
    assert info.players is not None
    assert info.players <= 1
    assert (info.version or "")[0] == "4"
