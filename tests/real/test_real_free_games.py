"""Debian's servers of OpenTTD, BZFlag, Armagetron, SuperTuxKart and Mumble."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from game_servers import gamedig, info_of, quakestat, query, running
from installed_servers import armagetron_server, bzflag_server, mumble, openttd, supertuxkart_server
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryStatus
from browser_app.protocols import armagetron
from browser_app.protocols.address import Address
from browser_app.protocols.openttd import game_info

pytestmark = pytest.mark.linux

ARMAGETRON_PING = armagetron.build_armagetron_request(armagetron.SMALL_REQUEST)


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Address]]:
    """The servers by protocol."""
    folder = tmp_path_factory.mktemp("free_games")
    starts = {"openttd": openttd, "bzflag": bzflag_server, "armagetron": armagetron_server, "mumble": mumble}
    with ExitStack() as ends:
        yield {name: ends.enter_context(running(start(folder / name), folder / name)) for name, start in starts.items()}


def test_openttd_server_is_read_as_by_gamedig(servers: dict[str, Address]) -> None:
    result = query("openttd", servers["openttd"])
    assert (result.status, result.ping_estimated) == (QueryStatus.OK, True)  # it is the time of connecting
    info, other = result.info, gamedig("openttd", servers["openttd"])
    assert info is not None
    assert (info.game, info.name, info.mode, info.version) == ("openttd", "Rïg", "temperate", "13.0")
    assert (info.players, info.spectators, info.max_players, info.password) == (0, 0, 12, False)
    assert (info.name, info.players, info.max_players) == (other["name"], other["numplayers"], other["maxplayers"])


def test_openttd_server_answers_lan_request(servers: dict[str, Address]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(servers["openttd"])
        sock.settimeout(LIMIT_S)
        sock.send(game_info.LAN_REQUEST)
        game_info.parse_lan_reply(sock.recv(2048))


def test_bzflag_server_is_read(servers: dict[str, Address]) -> None:
    info = info_of(query("bzflag", servers["bzflag"]))
    assert (info.game, info.mode, info.mode_name) == ("bzflag", "ctf", "Capture the Flag")
    assert (info.players, info.spectators, info.max_players, info.tags) == (0, 0, 10, ("jumping",))


def test_armagetron_server_answers_second_request(servers: dict[str, Address]) -> None:
    began_s = time.monotonic()
    info = info_of(query("armagetron", servers["armagetron"]))
    assert time.monotonic() - began_s >= armagetron.MIN_INTERVAL_S
    assert (info.game, info.name, info.version) == ("armagetron", "Rig Arma", "0.2.9.1_alpha20230222")
    assert (info.players, info.max_players, info.player_list) == (0, 16, ())
    assert (info.rules or {})["options"] == "Rig rules"


def test_mumble_server_is_read_as_by_quakestat(servers: dict[str, Address]) -> None:
    info, other = info_of(query("mumble", servers["mumble"])), quakestat("mumble", servers["mumble"])
    assert (info.game, info.version, info.name) == ("mumble", "1.3.4", "")
    assert (info.players, info.max_players) == (other["numplayers"], other["maxplayers"]) == (0, 42)


def test_supertuxkart_server_is_read(tmp_path: Path) -> None:
    with running(supertuxkart_server(tmp_path / "home"), tmp_path / "home") as address:
        info = info_of(query("stk", address))
    assert (info.game, info.name, info.mode, info.map) == ("supertuxkart", "Rig Karts", "race", "")
    assert (info.players, info.max_players, info.password) == (0, 7, False)
    assert info.connect.port != address.port


def test_silent_port_is_no_answer() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(LIMIT_S)
        result = query("armagetron", Address(*sock.getsockname()))
        assert result.status is QueryStatus.NO_ANSWER
        assert {sock.recv(100) for _ in range(result.attempts)} == {ARMAGETRON_PING}
