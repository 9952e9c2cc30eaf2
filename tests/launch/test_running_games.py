"""Running games, found in a folder like `/proc` and among real processes."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from browser_app.games import load_games
from browser_app.games.game_profile import LaunchMethods
from browser_app.launch import running_games
from browser_app.launch.process_sockets import Connection
from browser_app.launch.running_games import FoundProcess, can_find_games, find_running_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address

GAMES = load_games(resource_folder() / "games")

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc")


class FakeProc:
    """A folder with processes, each started after the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._last = folder, 4_000_000
        (folder / "self").mkdir()

    def add(self, *arguments: str, state: str = "S") -> Path:
        """Add a process, and return its folder."""
        self._last += 1
        folder = self.folder / str(self._last)
        (folder / "fd").mkdir(parents=True)
        (folder / "net").mkdir()
        (folder / "cmdline").write_bytes(b"".join(each.encode() + b"\0" for each in arguments))
        fields = " ".join(["1"] * 18 + [str(self._last)])
        (folder / "stat").write_text(f"{self._last} (a) game) {state} {fields} 0 0\n")
        return folder

    def found(self) -> list[tuple[str, str]]:
        """Return the id and the server of each game."""
        games = find_running_games(GAMES.values(), self.folder)
        return [(each.game.id if each.game is not None else "", str(each.server or "")) for each in games]


@pytest.fixture
def proc(tmp_path: Path) -> FakeProc:
    folder = tmp_path / "proc"
    folder.mkdir()
    return FakeProc(folder)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("/usr/games/openarena", "+set", "a", "b", "+connect", "192.0.2.7:27961"), ("openarena", "192.0.2.7:27961")),
        (("/opt/oa/openarena.x86_64", "+connect", "192.0.2.7"), ("openarena", "192.0.2.7:27960")),
        (
            ("/bin/sh", "/opt/xonotic/xonotic-linux-sdl.sh", "+connect", "[2001:db8::1]:26000"),
            ("xonotic", "[2001:db8::1]:26000"),
        ),
        (("luanti", "--address", "play.example.org", "--port", "30001", "--go"), ("luanti", "play.example.org:30001")),
        (
            ("/x/reaper", "SteamLaunch", "AppId=4920", "--", "ns2.sh", "+connect", "192.0.2.9:27015"),
            ("ns2", "192.0.2.9:27015"),
        ),
        ((r"Z:\games\unknown.exe", "+connect", "192.0.2.9:27015"), ("", "192.0.2.9:27015")),
        (("openarena", "+connect", "no host!"), ("openarena", "")),
    ],
)
def test_command_line_reveals_the_server(proc: FakeProc, arguments: Sequence[str], found: tuple[str, str]) -> None:
    proc.add(*arguments)
    assert proc.found() == [found]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("openssl", "s_client", "-connect", "192.0.2.9:443"),
        ("vim", "/usr/games/openarena"),
        ("bash", "-c", "openarena +connect 192.0.2.9:27960"),
        ("editor", "+connect"),
    ],
)
def test_other_programs_are_no_games(proc: FakeProc, arguments: Sequence[str]) -> None:
    proc.add(*arguments)
    assert proc.found() == []


def test_wrappers_count_once(proc: FakeProc) -> None:
    reaper = proc.add("reaper", "SteamLaunch", "AppId=4920", "--", "ns2.sh", "+connect", "192.0.2.9:27015")
    proc.add("wine64", r"Z:\NS2.exe", "+connect", "192.0.2.9:27015")
    proc.add("reaper", "SteamLaunch", "AppId=4920", "--", "ns2-helper")
    (game,) = find_running_games(GAMES.values(), proc.folder)
    assert str(game.pid) == reaper.name
    process = FoundProcess(game, proc.folder)
    assert process.poll() is None
    stat = reaper / "stat"
    running = stat.read_text()
    stat.write_text(running.replace(") S ", ") Z "))
    assert process.poll() == 0
    stat.write_text(running.replace(f" {reaper.name} 0", " 17 0"))  # another process with the same number
    assert process.poll() == 0
    shutil.rmtree(reaper)
    assert process.poll() == 0


def test_unreadable_processes_are_left_out(proc: FakeProc) -> None:
    shutil.rmtree(proc.add("openarena") / "fd")
    (proc.add("openarena", "+connect", "192.0.2.1:1") / "stat").write_text("nonsense")
    (proc.folder / "999").write_text("")
    assert proc.found() == [("openarena", "")]
    shutil.rmtree(proc.folder)
    assert proc.found() == []


def test_flatpak_shows_no_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_find_games()
    monkeypatch.setattr(running_games, "_FLATPAK_INFO", tmp_path)
    assert not can_find_games()


@pytest.mark.skipif(sys.byteorder != "little", reason="written as little-endian machines have it")
def test_own_connections_are_found(proc: FakeProc) -> None:
    folder = proc.add("openarena")
    (folder / "fd" / "3").symlink_to("socket:[11]")
    (folder / "fd" / "4").symlink_to("/dev/null")
    (folder / "fd" / "5").symlink_to("socket:[14]")
    head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    line = "   0: 0100007F:0016 {} {} 00000000:00000000 00:00000000 00000000     0        0 {} 2 0 0\n"
    lines = [
        line.format("070200C0:6D38", "01", 11),
        line.format("080200C0:6D38", "01", 12),  # of another process
        line.format("00000000:0000", "07", 11),  # connected to nobody
        line.format("nonsense", "01", 11),
    ]
    (folder / "net" / "udp").write_text(head + "".join(lines) + "cut")
    six = line.format("B80D0120000000000000000001000000:69B2", "01", 14)
    (folder / "net" / "tcp6").write_text(head + six)
    (game,) = find_running_games(GAMES.values(), proc.folder)
    expected = {
        Connection(Address("192.0.2.7", 27960), is_stream=False),
        Connection(Address("2001:db8::1", 27058), is_stream=True),
    }
    assert game.connections == expected


def test_real_process_is_found_with_its_connection(tmp_path: Path) -> None:
    program = tmp_path / f"game-of-test-{os.getpid()}"  # no other game of this machine has the name
    game = replace(GAMES["openarena"], launch=LaunchMethods(commands=(program.name,)))
    code = "from socket import *;import sys;s=socket(type=SOCK_DGRAM);s.connect(('127.0.0.1',int(sys.argv[1])))"
    code += ";print(flush=True);input()"
    with closing(socket.socket(type=socket.SOCK_DGRAM)) as server:
        server.bind(("127.0.0.1", 0))
        address = Address(*server.getsockname())
        with subprocess.Popen(
            [str(program), "-c", code, str(address.port)],
            executable=sys.executable,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdout.readline()
            (found,) = (each for each in find_running_games([game]) if each.game is game)
            assert found.pid == child.pid
            assert found.connections == {Connection(address, is_stream=False)}
            process = FoundProcess(found)
            assert process.poll() is None
            child.stdin.write(b"\n")
            child.stdin.flush()
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            assert process.poll() == 0  # though nobody has waited for it
