"""How long a test waits for what must come: a busy machine may stand still for seconds, and only what never comes is
late. A passing test does not wait."""

import time
from collections.abc import Callable, Mapping
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from browser_app.engine.timing import Timing

LIMIT_S = 30.0
"""Less than a test may take altogether, so that it is told what was waited for."""
LIMIT_MS = round(LIMIT_S * 1000)


def comes_true(condition: Callable[[], object]) -> bool:
    """Look again and again, for those who have no window to wait with."""
    end_s = time.monotonic() + LIMIT_S
    while not (found := bool(condition())) and time.monotonic() < end_s:
        time.sleep(0.02)
    return found


def patient(bot: QtBot) -> QtBot:
    """Have it wait so long for signals, conditions and windows where a test says nothing else."""
    for wait in ("waitSignal", "waitSignals", "waitUntil", "waitExposed"):
        setattr(bot, wait, partial(getattr(bot, wait), timeout=LIMIT_MS))
    return bot


ONE_QUESTION = Timing(waits_s=(LIMIT_S,), listen_s=LIMIT_S)
"""Whoever is asked is asked once, and waited for."""

GIVES_UP: Mapping[str, object] = {
    "browser_app.bridge.ask_again.TIMING": ONE_QUESTION,
    "browser_app.bridge.known_list.PATIENCE_S": LIMIT_S,
    "browser_app.bridge.notifications.ANSWER_WITHIN_S": LIMIT_S,
    "browser_app.bridge.one_instance.ANSWER_MS": LIMIT_MS,
    "browser_app.bridge.one_instance.LINE_MS": LIMIT_MS,
    "browser_app.bridge.turns.PATIENCE_S": LIMIT_S,
    "browser_app.engine.slot_watch.TIMING": ONE_QUESTION,
    "browser_app.storage.file_lock.PATIENCE_S": LIMIT_S,
    "browser_app.ui.joining.join_control.LIMIT_S": LIMIT_S,
    "browser_app.ui.joining.started_games.BROKE_OFF_S": LIMIT_S,
    "browser_app.ui.name_search.PAUSE_MS": LIMIT_MS,
    "browser_app.ui.play_control.NOTICE_MS": LIMIT_MS,
    "browser_app.ui.status_line.PASSING_MS": LIMIT_MS,
}
"""Where the program gives somebody or something up after seconds, or takes it for past."""


def give_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the program wait as long as a test does: who pauses is this machine, not a server, a desktop or a disk."""
    for place, limit in GIVES_UP.items():
        monkeypatch.setattr(place, limit)
