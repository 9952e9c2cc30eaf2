"""Debian's OpenTTD, BZFlag, Armagetron and Mumble servers, as others read them."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from game_servers import Probe, free_port, gamedig, info_of, program, quakestat, query, running
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryStatus
from browser_app.protocols import armagetron, bzflag
from browser_app.protocols.address import Address

pytestmark = pytest.mark.linux

OPENTTD_SETTINGS = """\
[network]
server_game_type = local
use_relay_service = never
server_name = Rïg
max_clients = 12
"""
ARMAGETRON_SETTINGS = """\
SERVER_NAME 0xff0000Rig 0x00ff00Arma
SERVER_PORT {port}
SERVER_IP 127.0.0.1
TALK_TO_MASTER 0
SERVER_OPTIONS Rig rules
"""
MUMBLE_SETTINGS = "host=127.0.0.1\nport={port}\ndatabase=mumble.sqlite\nbonjour=False\nusers=42\nuname={user}\n"
MUMBLE_PING = bytes(4) + b"is-ready"
ARMAGETRON_PING = armagetron.build_request(armagetron.SMALL_REQUEST)
READY = {
    "openttd": Probe(b"\3\0\7", b"13.0", socket.SOCK_STREAM),
    "bzflag": Probe(bzflag.PING_REQUEST, b"BZFS"),
    "armagetron": Probe(ARMAGETRON_PING, b"\0\x32"),
    "mumble": Probe(MUMBLE_PING, b"is-ready"),
}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Address]]:
    """The servers by protocol."""
    folder = tmp_path_factory.mktemp("free_games")
    ports = {name: free_port(READY[name].kind) for name in READY}
    user = "root"  # of the server, so that it can write where it was started; ignored for others
    files = {
        "openttd": {"settings.cfg": OPENTTD_SETTINGS},
        "mumble": {"settings.ini": MUMBLE_SETTINGS.format(port=ports["mumble"], user=user)},
        "armagetron": {"server_info.cfg": ARMAGETRON_SETTINGS.format(port=ports["armagetron"])},
    }
    data = ["--datadir", "/usr/share/games/armagetronad", "--configdir", "/etc/armagetronad-dedicated"]
    commands = {
        "openttd": [program("openttd", "openttd"), "-c", "settings.cfg", "-D", f"127.0.0.1:{ports['openttd']}",
                    "-s", "null", "-m", "null", "-x"],
        "bzflag": [program("bzfs", "bzflag-server"), "-i", "127.0.0.1", "-p", str(ports["bzflag"]), "-c", "-j",
                   "-mp", "2,4,4,0,0,3"],
        "armagetron": [program("armagetronad-dedicated.real", "armagetronad-dedicated"), *data,
                       "--userdatadir", ".", "--vardir", ".", "--userconfigdir", ".", "-d"],
        "mumble": [program("murmurd", "mumble-server"), "-fg", "-ini", str(folder / "mumble" / "settings.ini")],
    }  # fmt: skip
    with ExitStack() as ends:
        yield {
            name: ends.enter_context(running(command, ports[name], folder / name, READY[name], files.get(name, {})))
            for name, command in commands.items()
        }


def test_openttd_server_is_read_as_by_gamedig(servers: dict[str, Address]) -> None:
    result = query("openttd", servers["openttd"])
    assert (result.status, result.ping_estimated) == (QueryStatus.OK, True)  # it is the time of connecting
    info, other = result.info, gamedig("openttd", servers["openttd"])
    assert info is not None
    assert (info.game, info.name, info.mode, info.version) == ("openttd", "Rïg", "temperate", "13.0")
    assert (info.players, info.spectators, info.max_players, info.password) == (0, 0, 12, False)
    assert (info.name, info.players, info.max_players) == (other["name"], other["numplayers"], other["maxplayers"])


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


def test_silent_port_is_no_answer() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(LIMIT_S)
        result = query("armagetron", Address(*sock.getsockname()))
        assert result.status is QueryStatus.NO_ANSWER
        assert {sock.recv(100) for _ in range(result.attempts)} == {ARMAGETRON_PING}
