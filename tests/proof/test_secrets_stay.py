"""The Steam key is in no process list, output or file, whatever fails."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from browser_app.demo.demo_network import DemoNetwork

KEY = secrets.token_hex(16).upper()
"""A new one, since a test here puts it on a command line and another looks at those of all processes."""
LIMIT_S = 100


def program(home: Path, *words: str, key: str = KEY) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "READY_ROOM_HOME": str(home), "READY_ROOM_STEAM_KEY": key, "READY_ROOM_TIMINGS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "browser_app", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def command_lines() -> bytes:
    """Of all processes."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes())
        except OSError:  # it has ended
            continue
    return b"\n".join(found)


def kept(home: Path) -> bytes:
    """All that is in the home folder, names of files too."""
    files = [path for path in home.rglob("*") if path.is_file()]
    return b"\n".join([*(str(path).encode() for path in files), *(path.read_bytes() for path in files)])


@pytest.mark.linux
def test_keys_stay_secret(home: Path) -> None:
    with DemoNetwork(20, (1.0, 5.0), simulate_players=False) as network:
        masters = [f"--master={url}" for url in network.sources.masters if url.startswith("steam-web")]
        assert masters
        for key in (network.sources.steam_key, KEY):
            seen = b""
            with program(home, "list", "--format=json", "--pace=fast", *masters, key=key) as running:
                while running.poll() is None:
                    seen += command_lines()
                    try:
                        running.wait(0.05)
                    except subprocess.TimeoutExpired:
                        continue
                out, err = running.communicate(timeout=LIMIT_S)
            assert b"browser_app" in seen
            assert key.encode() not in seen + out + err + kept(home)
            assert b"steam-web" in out


@pytest.mark.linux
def test_url_errors_hide_key(home: Path) -> None:
    with program(home, "list", "--format=json", f"--master=steam-web+http://127.0.0.1:9/?appid=4920&key={KEY}") as run:
        out, err = run.communicate(timeout=LIMIT_S)
    assert KEY.encode() not in out + err + kept(home)
