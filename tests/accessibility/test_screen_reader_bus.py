"""The window on a real accessibility bus, read with the library that Orca uses."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from browser_app.demo.demo_network import DemoNetwork

READER = Path(__file__).with_name("window_reader.py")
SYSTEM_PYTHON = "/usr/bin/python3"
LIMIT_S = 400.0
_HAS_ATSPI = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"


def can_read_windows() -> bool:
    """Return whether the bus and its library for the system's Python are installed."""
    if shutil.which("dbus-run-session") is None or not Path(SYSTEM_PYTHON).exists():
        return False
    return subprocess.run([SYSTEM_PYTHON, "-c", _HAS_ATSPI], capture_output=True, check=False).returncode == 0


@pytest.mark.linux
@pytest.mark.skipif(not can_read_windows(), reason="no AT-SPI here (at-spi2-core, gir1.2-atspi-2.0, python3-gi, dbus)")
def test_window_over_at_spi(x_display: str, tmp_path: Path) -> None:
    run_folder = tmp_path / "run"
    run_folder.mkdir(mode=0o700)
    environment = os.environ | {
        "DISPLAY": x_display,
        "QT_QPA_PLATFORM": "xcb",
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "XDG_RUNTIME_DIR": str(run_folder),
    }
    with DemoNetwork(servers=12, simulate_players=False, games=("openarena", "quake3")) as network:
        window = (sys.executable, "-m", "browser_app", *(f"--server={url}" for url in network.sources.servers))
        command = ["dbus-run-session", "--", SYSTEM_PYTHON, str(READER), *window]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert ended.returncode == 0, ended.stderr
    seen = json.loads(ended.stdout.splitlines()[-1])  # the bus prints a line of its own
    assert (seen["window"], seen["name"]) == ("frame", "Ready Room")
    assert re.match(r".+, (OpenArena|Quake III Arena), \d+ of \d+ players, .*milliseconds, score \d\.\d\d", seen["row"])
    assert "List refreshed: 12 servers." in seen["announced"]
    assert seen["unnamed"] == []
