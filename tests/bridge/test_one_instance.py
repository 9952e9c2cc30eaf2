"""A second start hands over what it was to open: real sockets, real processes, a socket left by one that was killed."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from patience import LIMIT_S
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.bridge import single_instance
from browser_app.bridge.single_instance import MAX_REQUEST_BYTES, SingleInstance

URL = "readyroom://join?server=a2s://127.0.0.1:27015"

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from browser_app.bridge import one_instance
from browser_app.storage import file_lock
one_instance.ANSWER_MS, file_lock.PATIENCE_S = 60_000, 60.0
app = QCoreApplication([])
one = one_instance.OneInstance(Path(sys.argv[1]), Path(sys.argv[2]))
handed = one.hand_over(sys.argv[3:])
print("handed" if handed else "first", flush=True)
if not handed:
    app.exec()
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """Starts a program of its own that hands its URLs over, or waits for others where it is the first."""
    begun: list[subprocess.Popen[str]] = []

    def start(*urls: str, data: Path = Path("data")) -> "subprocess.Popen[str]":
        line = [sys.executable, "-c", SECOND, str(folder), str(data), *urls]
        begun.append(subprocess.Popen(line, stdout=subprocess.PIPE, text=True))
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.communicate()


@pytest.fixture
def first(folder: Path, qapp: QApplication) -> Iterator[SingleInstance]:
    """The program that was there first, in this process."""
    one = SingleInstance(folder, Path("data"))
    assert not one.send_to_running_instance([])
    assert one.is_listening
    yield one
    one.close()


def _said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _socket_of(folder: Path) -> Path:
    return next(path for path in folder.iterdir() if stat.S_ISSOCK(path.stat().st_mode))


def test_a_second_start_hands_its_urls_over(first: SingleInstance, start: Start, qtbot: QtBot) -> None:
    with qtbot.waitSignal(first.open_requested) as opened:
        second = start(URL, "127.0.0.1:27960")
    assert opened.args[0] == [URL, "127.0.0.1:27960"]
    assert _said(second) == "handed"
    assert second.wait(LIMIT_S) == 0


def test_another_home_is_another_program(first: SingleInstance, start: Start) -> None:
    assert first.is_listening
    assert _said(start(URL, data=Path("other"))) == "first"


@pytest.mark.posix
def test_the_socket_of_a_killed_program_is_in_nobodys_way(folder: Path, start: Start, qapp: QApplication) -> None:
    killed = start()
    assert _said(killed) == "first"
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert _socket_of(folder).exists()
    one = SingleInstance(folder, Path("data"))
    assert not one.send_to_running_instance([URL])
    assert one.is_listening
    one.close()
    assert not [path for path in folder.iterdir() if stat.S_ISSOCK(path.stat().st_mode)]


@pytest.mark.posix
def test_of_several_that_start_at_once_one_is_the_first(start: Start) -> None:
    begun = [start(URL) for _ in range(3)]
    assert sorted(_said(each) for each in begun) == ["first", "handed", "handed"]


@pytest.mark.posix
def test_nobody_else_may_connect(first: SingleInstance, folder: Path) -> None:
    assert first.is_listening
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IRWXU
    assert stat.S_IMODE(_socket_of(folder).stat().st_mode) & 0o077 == 0


@pytest.mark.posix
def test_another_user_cannot_connect(first: SingleInstance, folder: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    assert first.is_listening
    line = "import os, socket, sys; os.setuid(65534); socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
    program = [sys.executable, "-c", line, str(_socket_of(folder))]
    told = subprocess.run(program, capture_output=True, text=True, check=False)
    assert "Permission" in told.stderr


@pytest.mark.posix
@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"[" * 5000 + b"\n",
        b'{"ready-room-open": "x", "token": ""}\n',
        b'{"ready-room-open": [1], "token": ""}\n',
        b'{"ready-room-open": []}\n',
        b"\xff\x00\n",
        b"x" * (MAX_REQUEST_BYTES * 2),
    ],
)
def test_garbage_is_ignored(first: SingleInstance, folder: Path, start: Start, qtbot: QtBot, sent: bytes) -> None:
    told: list[list[str]] = []
    first.open_requested.connect(lambda urls, _token: told.append(urls))
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(_socket_of(folder)))
        stranger.sendall(sent)
        second = start(URL)
        qtbot.waitUntil(lambda: bool(told))
        assert _said(second) == "handed"
        stranger.setblocking(False)
        with suppress(ConnectionError, BlockingIOError):
            assert stranger.recv(100) == b""
    assert told == [[URL]]


@pytest.mark.posix
def test_who_says_nothing_is_let_go(
    first: SingleInstance, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_instance, "REQUEST_TIMEOUT_MS", 20)
    assert first.is_listening
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(_socket_of(folder)))
        stranger.setblocking(False)

        def gone() -> bool:
            try:
                return stranger.recv(1) == b""
            except BlockingIOError:
                return False

        qtbot.waitUntil(gone)


def test_a_line_that_comes_in_pieces_counts_once(first: SingleInstance, folder: Path, qtbot: QtBot) -> None:
    told: list[list[str]] = []
    first.open_requested.connect(lambda urls, _token: told.append(urls))
    line = json.dumps({"ready-room-open": [URL], "token": ""}).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as second:
        second.connect(str(_socket_of(folder)))
        second.sendall(line[:20])
        qtbot.wait(20)
        second.sendall(line[20:] + line)
        qtbot.waitUntil(lambda: bool(told))
        qtbot.wait(20)
    assert told == [[URL]]


def test_where_nothing_can_be_written_the_program_runs_all_the_same(tmp_path: Path, qapp: QApplication) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    one = SingleInstance(blocked / "run", Path("data"))
    assert not one.send_to_running_instance([URL])
    assert not one.is_listening
    one.close()
