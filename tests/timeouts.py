"""Timeouts of tests, long enough for a busy machine that pauses for seconds."""

import time
from collections.abc import Callable, Mapping
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from browser_app.engine.query.query_timing import QueryTiming

LIMIT_S = 30.0
"""Less than the limit of a whole test, so that the failure names the condition."""
LIMIT_MS = round(LIMIT_S * 1000)


def wait_until(condition: Callable[[], object]) -> bool:
    """Poll a condition without an event loop; return whether it became true in time."""
    deadline_s = time.monotonic() + LIMIT_S
    while not (is_true := bool(condition())) and time.monotonic() < deadline_s:
        time.sleep(0.02)
    return is_true


def with_long_timeouts(bot: QtBot) -> QtBot:
    """Make the bot wait up to `LIMIT_MS` by default."""
    for wait in ("waitSignal", "waitSignals", "waitUntil", "waitExposed"):
        setattr(bot, wait, partial(getattr(bot, wait), timeout=LIMIT_MS))
    return bot


SINGLE_ATTEMPT = QueryTiming(waits_s=(LIMIT_S,), late_reply_wait_s=LIMIT_S, min_follow_up_wait_s=LIMIT_S)
"""One request of each kind per server and a long wait for the reply."""

PROGRAM_TIMEOUTS: Mapping[str, object] = {
    "browser_app.bridge.join_queries.RECHECK_TIMING": SINGLE_ATTEMPT,
    "browser_app.bridge.saved_server_sync.CLOSE_TIMEOUT_S": LIMIT_S,
    "browser_app.bridge.alerts.desktop_notifications.DBUS_TIMEOUT_S": LIMIT_S,
    "browser_app.bridge.single_instance.ANSWER_TIMEOUT_MS": LIMIT_MS,
    "browser_app.bridge.single_instance.REQUEST_TIMEOUT_MS": LIMIT_MS,
    "browser_app.bridge.background_tasks.EXECUTOR_CLOSE_TIMEOUT_S": LIMIT_S,
    "browser_app.engine.slot_monitor.SLOT_CHECK_TIMING": SINGLE_ATTEMPT,
    "browser_app.storage.safe_files.LOCK_TIMEOUT_S": LIMIT_S,
    "browser_app.ui.play.join_controller.ANSWER_TIMEOUT_S": LIMIT_S,
    "browser_app.ui.play.started_games.EARLY_EXIT_S": LIMIT_S,
    "browser_app.ui.servers.server_table.TYPE_AHEAD_PAUSE_MS": LIMIT_MS,
    "browser_app.ui.play.play_now_controller.NOTICE_MS": LIMIT_MS,
    "browser_app.ui.status_bar.MESSAGE_MS": LIMIT_MS,
    "browser_app.ui.status_bar.UNDO_MESSAGE_MS": LIMIT_MS,
}
"""Timeouts of the program that a pause of the machine could exceed."""


def lengthen_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the timeouts of the program to those of a test."""
    for place, limit in PROGRAM_TIMEOUTS.items():
        monkeypatch.setattr(place, limit)


def keep_worker_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start rating workers with normal priority; a busy machine would run them last."""
    from browser_app.bridge.skill import worker_client

    start = worker_client._start_process
    monkeypatch.setattr(
        worker_client,
        "_start_process",
        lambda command: start((*command[:-1], f"import os; os.nice = int; {command[-1]}")),
    )
