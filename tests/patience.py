"""How long a test waits for what must come: a busy machine may stand still for seconds, and only what never comes is
late. A passing test does not wait."""

from functools import partial

from pytestqt.qtbot import QtBot

LIMIT_S = 30.0
"""Less than a test may take altogether, so that it is told what was waited for."""
LIMIT_MS = round(LIMIT_S * 1000)


def patient(bot: QtBot) -> QtBot:
    """Have it wait so long for signals, conditions and windows where a test says nothing else."""
    for wait in ("waitSignal", "waitSignals", "waitUntil", "waitExposed"):
        setattr(bot, wait, partial(getattr(bot, wait), timeout=LIMIT_MS))
    return bot
