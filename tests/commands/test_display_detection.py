"""Detection of a display before Qt, which would abort without one."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from program_runner import run_process

from browser_app.commands.display_detection import missing_display_text

pytestmark = pytest.mark.linux


@pytest.fixture
def x_number() -> Iterator[int]:
    """Yield the number of an X display on an abstract socket of its own."""
    number = 9000 + os.getpid() % 1000
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0/tmp/.X11-unix/X{number}")
        server.listen()
        yield number


def test_socket_is_display(x_number: int) -> None:
    for name in (f":{x_number}", f":{x_number}.0", f"unix:{x_number}"):
        assert missing_display_text({"DISPLAY": name}) is None


def test_remote_x_server_is_tried() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        name = f"127.0.0.1:{server.getsockname()[1] - 6000}"
        assert missing_display_text({"DISPLAY": name}) == f"no display answers at {name}"
        server.listen()
        assert missing_display_text({"DISPLAY": name}) is None


def test_wayland_socket_is_display(tmp_path: Path) -> None:
    environ = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert missing_display_text(environ) == "no display answers at wayland-7"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        assert missing_display_text(environ) is None
        assert missing_display_text({"WAYLAND_DISPLAY": str(tmp_path / "wayland-7")}) is None


def test_other_names_are_for_qt() -> None:
    assert missing_display_text({"QT_QPA_PLATFORM": "offscreen"}) is None
    assert missing_display_text({"DISPLAY": "tcp/somewhere:0"}) is None


def test_missing_display_is_named() -> None:
    assert "DISPLAY" in str(missing_display_text({}))
    assert missing_display_text({"DISPLAY": ":9999"}) == "no display answers at :9999"
    both = {"DISPLAY": ":9999", "WAYLAND_DISPLAY": "/nowhere/wayland-0"}
    assert missing_display_text(both) == "no display answers at /nowhere/wayland-0 or :9999"


def test_unreachable_display_prints_list() -> None:
    result = run_process("--demo=3", env={"QT_QPA_PLATFORM": None, "WAYLAND_DISPLAY": None, "DISPLAY": ":9999"})
    assert result.status == 0
    assert "no display answers at :9999" in result.err
    assert len(result.out.splitlines()) == 4
