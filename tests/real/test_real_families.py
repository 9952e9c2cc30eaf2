"""Debian's DDNet, Teeworlds and Luanti servers: queried, pinged and left alone."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from game_servers import info_of, quakestat, query, running
from installed_servers import ddnet, luanti, teeworlds
from teeworlds_player import teeworlds_player
from timeouts import LIMIT_S, wait_until
from twnet_parser.packet import parse6, parse7

from browser_app.catalogue.reply_readers.teeworlds_server_info import read_teeworlds_list
from browser_app.catalogue.server_info import QueryStatus
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.luanti import build_disconnect, build_luanti_ping
from browser_app.protocols.teeworlds import teeworlds06, teeworlds07

pytestmark = pytest.mark.linux

GAMES = resource_folder() / "games"
REPEATED_FOR_S = 2.0
"""A Luanti server repeats its greeting several times within this time, unless it is told not to."""


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Address]]:
    """The servers by protocol."""
    folder = tmp_path_factory.mktemp("families")
    starts = {"teeworlds06": ddnet, "teeworlds07": teeworlds, "luanti": luanti}
    with ExitStack() as ends:
        yield {name: ends.enter_context(running(start(folder / name), folder / name)) for name, start in starts.items()}


def test_ddnet_server_is_read_as_by_quakestat(servers: dict[str, Address]) -> None:
    info = info_of(query("teeworlds06", servers["teeworlds06"]))
    other = quakestat("tees", servers["teeworlds06"])
    assert (info.game, info.name, info.map, info.mode) == ("ddnet", "Rïg", "dm1", "race")
    assert other["name"] == "Rg [0/64]"  # it asks without the extension, and leaves out what is not ASCII
    assert info.map == other["map"]
    assert (info.players, info.spectators, info.max_players) == (other["numplayers"], 0, 64)
    assert (info.password, info.player_list) == (True, ())


class Registrations(BaseHTTPRequestHandler):
    """A master server on the web, which only keeps what servers post to it."""

    received: ClassVar[list[bytes]]

    def do_POST(self) -> None:
        """Keep a server's description of itself."""
        self.received.append(self.rfile.read(int(self.headers["Content-Length"])))
        answer = b'{"status":"success"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class uses
        """Print nothing."""


def test_ddnet_server_is_listed_as_it_answers(tmp_path: Path) -> None:
    """Our reader of the master's list expects what a server posts there."""
    Registrations.received = []
    with HTTPServer(("127.0.0.1", 0), Registrations) as master:
        thread = threading.Thread(target=master.serve_forever, args=(0.05,))
        thread.start()
        start = ddnet(tmp_path)
        settings = ["sv_register tw0.6/ipv4", f"sv_register_url http://127.0.0.1:{master.server_port}/register"]
        command = [*(each for each in start.command if each != "sv_register 0"), *settings, "http_allow_insecure 1"]
        try:
            with running(start._replace(command=command), tmp_path / "home") as address:
                assert wait_until(lambda: any(Registrations.received))
                info = info_of(query("teeworlds06", address))
        finally:
            master.shutdown()
            thread.join()
    posted = json.loads(next(filter(None, Registrations.received)))
    entry = {"addresses": [f"tw-0.6+udp://{address}"], "location": "eu:de", "info": posted}
    (described,) = read_teeworlds_list([json.dumps({"servers": [entry]}).encode()], load_games(GAMES))
    assert described is not None
    assert (described.target.address, described.target.protocol) == (address, "teeworlds06")
    for field in ("game", "name", "map", "mode", "version", "players", "max_players", "spectators", "password"):
        assert getattr(described.info, field) == getattr(info, field), field


def test_ddnet_server_answers_version_07(servers: dict[str, Address]) -> None:
    info = info_of(query("teeworlds07", servers["teeworlds06"]))
    assert (info.game, info.map, info.players) == ("ddnet", "dm1", 0)


def test_ddnet_server_is_read_as_by_twnet_parser(servers: dict[str, Address]) -> None:
    info = info_of(query("teeworlds06", servers["teeworlds06"]))
    (reply,) = exchange(servers["teeworlds06"], teeworlds06.build_info_request_06(0x123456))
    (other,) = parse6(reply).messages
    assert (info.name, info.map, info.version) == (other.name, other.map, other.version)
    assert (info.players, info.max_players, info.password) == (other.num_players, other.max_players, other.flags == 1)


def test_teeworlds_server_is_read_as_by_twnet_parser(servers: dict[str, Address]) -> None:
    info = info_of(query("teeworlds07", servers["teeworlds07"]))
    assert (info.game, info.name, info.map, info.mode) == ("teeworlds", "Rïg", "dm1", "dm")
    assert (info.players, info.bots, info.spectators, info.password) == (0, 0, 0, True)
    own_token = b"ABCD"

    def info_request(token_reply: bytes) -> bytes:
        (message,) = parse7(token_reply).messages
        return teeworlds07.build_info_request_07(message.response_token, own_token, 5)

    *_, reply = exchange(servers["teeworlds07"], teeworlds07.build_token_request(own_token), info_request)
    (other,) = parse7(reply).messages
    assert (info.name, info.map, info.version) == (other.name, other.map, other.version)
    assert (info.players, info.max_players, info.password) == (other.num_players, other.max_players, other.flags == 1)


def test_teeworlds_server_lists_its_player(servers: dict[str, Address]) -> None:
    address = servers["teeworlds07"]
    with teeworlds_player(address, "Rázor", "[Rig]", "secret"):
        info = info_of(query("teeworlds07", address))
    assert (info.players, info.bots, info.spectators) == (1, 0, 0)
    assert [(row.name, row.score, row.bot, row.spectator) for row in info.player_list or ()] == [
        ("Rázor", 0.0, False, False)
    ]
    after = info_of(query("teeworlds07", address))
    assert (after.players, after.player_list) == (0, ())


def exchange(address: Address, first: bytes, *others: Callable[[bytes], bytes]) -> list[bytes]:
    """Send requests, each made from the reply to the one before; return the replies."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sock:
        sock.connect(address)
        sock.settimeout(LIMIT_S)
        sock.send(first)
        replies = [sock.recv(2048)]
        for build_request in others:
            sock.send(build_request(replies[-1]))
            replies.append(sock.recv(2048))
    return replies


def test_luanti_server_is_left_alone_after_its_ping(servers: dict[str, Address]) -> None:
    result = query("luanti", servers["luanti"])
    assert result.status is QueryStatus.OK
    assert result.ping_ms is not None
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sock:
        sock.connect(servers["luanti"])
        sock.settimeout(LIMIT_S)
        sock.send(build_luanti_ping())
        disconnect = build_disconnect(sock.recv(100))
        assert disconnect is not None
        sock.send(disconnect)
        time.sleep(REPEATED_FOR_S)
        sock.setblocking(False)
        with pytest.raises(BlockingIOError):
            sock.recv(100)
