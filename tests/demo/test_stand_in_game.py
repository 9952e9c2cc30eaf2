"""The stand-in for a game: how it is started, what it shows, when it ends."""

import os
import shlex
import socket
import subprocess

import pytest
from timeouts import LIMIT_S

from browser_app.demo.stand_in_game import stand_in_programs

ARGUMENTS = ("+connect", "127.0.0.1:27960")


def start(network_url: str, **environment: str) -> subprocess.Popen[str]:
    command = [*shlex.split(stand_in_programs(network_url)["openarena"]), *ARGUMENTS]
    unset = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    system = {name: value for name, value in os.environ.items() if name not in unset}
    return subprocess.Popen(command, env=system | environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.linux
def test_prints_without_display() -> None:
    with start("http://127.0.0.1:9") as process:
        assert process.communicate(timeout=LIMIT_S)[0] == "OpenArena: +connect 127.0.0.1:27960\n"
    assert process.returncode == 0


@pytest.mark.slow
def test_ends_with_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LIMIT_S)
        process = start(f"http://127.0.0.1:{server.getsockname()[1]}", QT_QPA_PLATFORM="offscreen")
        with process:
            server.accept()[0].close()  # the window is open
            assert process.poll() is None
            server.close()
            assert process.wait(LIMIT_S) == 0
