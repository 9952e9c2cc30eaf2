"""Monitors of the system: sleep, and the time zone that may differ afterwards."""

import sys
import time
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from browser_app.bridge.system_monitors import MIN_SLEEP_S, SLEEP_CHECK_MS, SleepMonitor


@pytest.fixture
def time_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Restores the zone at the end."""
    yield monkeypatch
    monkeypatch.undo()
    if sys.platform != "win32":
        time.tzset()


@pytest.mark.posix
def test_sleep_and_new_time_zone_are_noticed(qtbot: QtBot, time_zone: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    monitor = SleepMonitor(lambda: now_s)
    sleeps: list[float] = []
    monitor.sleep_ended.connect(sleeps.append)
    for zone, hour, slept_s in (("JST-9", 9, 0.0), ("EST5", 19, MIN_SLEEP_S), ("JST-9", 9, -3600.0)):
        time_zone.setenv("TZ", zone)
        now_s += SLEEP_CHECK_MS / 1000 + slept_s
        monitor.check()
        assert time.localtime(0).tm_hour == hour
    assert sleeps == [MIN_SLEEP_S]
    monitor.close()
