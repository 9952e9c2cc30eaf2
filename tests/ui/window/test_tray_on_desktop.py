"""A window in the tray of a desktop, over a session bus and an X display."""

import os
import shutil
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S

from browser_app.exit_status import ExitStatus
from browser_app.paths import user_paths
from browser_app.storage.setting_declarations import SCAN_AT_START, TRAY_ICON
from browser_app.storage.settings_store import Settings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("dbus-daemon") is None or find_spec("jeepney") is None, reason="no dbus-daemon, or no jeepney"
    ),
]
CHILD = Path(__file__).with_name("tray_window.py")


def test_closed_window_comes_back_and_quits(qtbot: QtBot, x_display: str) -> None:
    from fake_notification_service import session_bus
    from fake_tray_host import FakeTrayHost

    settings = Settings(user_paths().settings)
    settings.set(TRAY_ICON, "background")
    settings.set(SCAN_AT_START, False)
    with session_bus() as bus, FakeTrayHost(bus) as tray:
        environment = os.environ | {"DISPLAY": x_display, "QT_QPA_PLATFORM": "xcb", "DBUS_SESSION_BUS_ADDRESS": bus}
        with subprocess.Popen(
            [sys.executable, str(CHILD), "--server=quake3://127.0.0.1:9"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            killer = threading.Timer(3 * LIMIT_S, child.kill)  # reading its lines would wait forever
            killer.start()
            try:
                assert child.stdout.readline() == "shown\n"
                qtbot.waitUntil(lambda: bool(tray.items))
                assert {"Open Ready Room", "Play Now", "Quit"} <= tray.menu().keys()
                child.stdin.write("close\n")
                child.stdin.flush()
                assert child.stdout.readline() == "hidden\n"
                tray.choose("Open Ready Room")
                assert child.stdout.readline() == "shown\n"
                tray.choose("Quit")
                assert child.wait(LIMIT_S) == ExitStatus.SUCCESS
            finally:
                killer.cancel()
                killer.join()
                child.kill()
