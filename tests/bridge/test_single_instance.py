"""Single instance with real sockets and processes.

Including the stale socket of a killed process.
"""

import json
import os
import select
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S

from browser_app.bridge import single_instance
from browser_app.bridge.single_instance import MAX_REQUEST_BYTES, SingleInstance
from browser_app.diagnostics import internal_errors

URL = "readyroom://join?server=a2s://127.0.0.1:27015"

PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from browser_app.bridge import single_instance
from browser_app.storage import safe_files
single_instance.ANSWER_TIMEOUT_MS, safe_files.LOCK_TIMEOUT_S = 60_000, 60.0
app = QCoreApplication([])
instance = single_instance.SingleInstance(Path(sys.argv[1]), Path(sys.argv[2]))
sent = instance.send_to_running_instance(sys.argv[3:])
print("sent" if sent else "first", flush=True)
if not sent:
    app.exec()
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """Return a function that starts a process.

    It sends its URLs or becomes the first instance.
    """
    started: list[subprocess.Popen[str]] = []

    def start(*urls: str, data: Path = Path("data")) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", PROGRAM, str(folder), str(data), *urls]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def first(folder: Path, qapp: QApplication) -> Iterator[SingleInstance]:
    """The first instance, in this process."""
    instance = SingleInstance(folder, Path("data"))
    assert not instance.send_to_running_instance([])
    yield instance
    instance.close()


def _read_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _socket_path(folder: Path) -> Path:
    return next(path for path in folder.iterdir() if stat.S_ISSOCK(path.stat().st_mode))


def test_second_start_sends_urls(first: SingleInstance, start: Start, qtbot: QtBot) -> None:
    with qtbot.waitSignal(first.open_requested) as opened:
        second = start(URL, "127.0.0.1:27960")
    assert opened.args[0] == [URL, "127.0.0.1:27960"]
    assert _read_line(second) == "sent"
    assert second.wait(LIMIT_S) == 0


@pytest.mark.usefixtures("first")
def test_other_data_folder_is_separate(start: Start) -> None:
    assert _read_line(start(URL, data=Path("other"))) == "first"


def test_sends_only_to_an_open_window(folder: Path, start: Start, qapp: QApplication) -> None:
    instance = SingleInstance(folder, Path("data"))
    assert not instance.send_if_running([URL])
    assert _read_line(start()) == "first"
    assert instance.send_if_running([URL])


@pytest.mark.posix
def test_replaces_stale_socket(folder: Path, start: Start, qtbot: QtBot) -> None:
    killed = start()
    assert _read_line(killed) == "first"
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert _socket_path(folder).exists()
    instance = SingleInstance(folder, Path("data"))
    assert not instance.send_to_running_instance([URL])
    with qtbot.waitSignal(instance.open_requested):
        start(URL)
    instance.close()
    assert not [path for path in folder.iterdir() if stat.S_ISSOCK(path.stat().st_mode)]


@pytest.mark.slow
@pytest.mark.posix
def test_simultaneous_starts_have_one_first(start: Start) -> None:
    started = [start(URL) for _ in range(3)]
    assert sorted(_read_line(each) for each in started) == ["first", "sent", "sent"]


@pytest.mark.posix
@pytest.mark.usefixtures("first")
def test_socket_is_private(folder: Path) -> None:
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IRWXU
    assert stat.S_IMODE(_socket_path(folder).stat().st_mode) & 0o077 == 0


@pytest.mark.posix
@pytest.mark.usefixtures("first")
def test_other_user_cannot_connect(folder: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    line = "import os, socket, sys; os.setuid(65534); socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
    program = [sys.executable, "-c", line, str(_socket_path(folder))]
    received = subprocess.run(program, capture_output=True, text=True, check=False)
    assert "Permission" in received.stderr


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
    received: list[list[str]] = []
    first.open_requested.connect(lambda urls, _token: received.append(urls))
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(_socket_path(folder)))
        stranger.sendall(sent)
        second = start(URL)
        qtbot.waitUntil(lambda: bool(received))
        assert _read_line(second) == "sent"
        stranger.setblocking(False)
        with suppress(ConnectionError, BlockingIOError):
            assert stranger.recv(100) == b""
    assert received == [[URL]]


def has_data(sock: socket.socket) -> bool:
    return bool(select.select([sock], [], [], 0)[0])


@pytest.mark.posix
@pytest.mark.expects_log
def test_internal_error_loses_one_request(
    first: SingleInstance, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[list[str]] = []
    first.open_requested.connect(lambda urls, _token: received.append(urls))
    parse = single_instance._parse_request

    def parse_or_fail(line: bytes) -> tuple[list[str], str] | None:
        if line == b"bad\n":
            raise RuntimeError
        return parse(line)

    monkeypatch.setattr(single_instance, "_parse_request", parse_or_fail)
    for line in (b"bad\n", b"bad\n", json.dumps({"ready-room-open": [URL], "token": ""}).encode() + b"\n"):
        with socket.socket(socket.AF_UNIX) as sender:
            sender.connect(str(_socket_path(folder)))
            sender.sendall(line)
            sender.setblocking(False)
            qtbot.waitUntil(partial(has_data, sender))
    assert received == [[URL]]
    assert internal_errors.counts() == {"RuntimeError while reading another start's request": 2}


@pytest.mark.posix
@pytest.mark.usefixtures("first")
def test_silent_connection_times_out(folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_instance, "REQUEST_TIMEOUT_MS", 20)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(_socket_path(folder)))
        stranger.setblocking(False)

        def gone() -> bool:
            try:
                return stranger.recv(1) == b""
            except BlockingIOError:
                return False

        qtbot.waitUntil(gone)


@pytest.mark.posix
@pytest.mark.parametrize("token", ["a\0b", "\ud800", "a\nb", "\u202e"])
def test_token_that_fits_no_variable_is_left_out(first: SingleInstance, folder: Path, qtbot: QtBot, token: str) -> None:
    received: list[tuple[list[str], str]] = []
    first.open_requested.connect(lambda urls, token: received.append((urls, token)))
    with socket.socket(socket.AF_UNIX) as second:
        second.connect(str(_socket_path(folder)))
        second.sendall(json.dumps({"ready-room-open": [URL], "token": token}).encode() + b"\n")
        qtbot.waitUntil(lambda: bool(received))
    assert received == [([URL], "")]


@pytest.mark.posix
def test_silent_instance_is_replaced(folder: Path, start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_instance, "ANSWER_TIMEOUT_MS", 50)
    folder.mkdir()
    instance = SingleInstance(folder, Path("data"))
    with socket.socket(socket.AF_UNIX) as hung:
        hung.bind(instance._name)
        hung.listen()
        assert not instance.send_to_running_instance([URL])
    with qtbot.waitSignal(instance.open_requested):
        start(URL)
    instance.close()


def test_request_in_pieces_counts_once(first: SingleInstance, folder: Path, qtbot: QtBot) -> None:
    received: list[list[str]] = []
    first.open_requested.connect(lambda urls, _token: received.append(urls))
    line = json.dumps({"ready-room-open": [URL], "token": ""}).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as second:
        second.connect(str(_socket_path(folder)))
        second.sendall(line[:20])
        qtbot.wait(20)
        second.sendall(line[20:] + line)
        qtbot.waitUntil(lambda: bool(received))
        qtbot.wait(20)
    assert received == [[URL]]


def test_unwritable_folder_is_no_error(tmp_path: Path, qapp: QApplication) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    instance = SingleInstance(blocked / "run", Path("data"))
    assert not instance.send_to_running_instance([URL])
    instance.close()
