"""The time by which old data is deleted, for clocks that are wrong for a while.

A machine with an empty battery starts in 1970, a mistyped year or a dual boot sets the clock ahead. What the user
collected over years must survive that, so the clock is believed step by step.
"""

import json
import sqlite3
from typing import NamedTuple

MAX_STEP_S = 86_400.0
"""How far the trusted time follows the clock at each call; calls come at starts and once an hour."""
MAX_AHEAD_S = 366 * 86_400.0
"""Data from later than this after `TrustedTime.latest` was stored while the clock was wrong."""
_UI_STATE_KEY = "trusted time"


class TrustedTime(NamedTuple):
    """Bounds of the current time (Unix time, s)."""

    earliest: float
    """Data is as old as it is at this time: not after the clock, and at most a step after the last call."""
    latest: float
    """Neither before the clock nor before the last call."""


def advance_trusted_time(connection: sqlite3.Connection, now: float) -> TrustedTime:
    """Move the stored time one step towards `now`; return the bounds.

    Call it in a transaction.
    """
    row = connection.execute("SELECT value FROM ui_state WHERE key = ?", (_UI_STATE_KEY,)).fetchone()
    last = _parse_time(row[0], now) if row is not None else now
    stored = min(max(now, last - MAX_STEP_S), last + MAX_STEP_S)
    connection.execute("INSERT OR REPLACE INTO ui_state VALUES (?, ?)", (_UI_STATE_KEY, json.dumps(stored)))
    return TrustedTime(min(now, stored), max(now, stored))


def _parse_time(text: object, now: float) -> float:
    """Return a stored time; `now` for what another program wrote there."""
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return now
    return float(value) if isinstance(value, int | float) and abs(value) < 1e12 else now
