"""Repeated queries of one full server until a slot is free."""

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.server_info import QueryResult, QueryTarget, ServerInfo
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.protocols.query_session import QueryParts
from browser_app.ranking.score_factors import unjoinable_mask

SLOT_CHECK_INTERVAL_S = 5.0
"""Time between the starts of two queries."""
SLOT_SILENCE_LIMIT_S = 60.0
"""The wait ends if the server has not replied for this long."""
SLOT_CHECK_TIMING = QueryTiming(waits_s=(2.0,), late_reply_wait_s=2.0)
"""One request per query: the next query is the retry."""


@dataclass(frozen=True, slots=True)
class SlotCheck:
    """Result of one query."""

    result: QueryResult
    silent_s: float
    """Time since the last reply, or since the start; 0 if this query was answered."""


class SlotMonitorOutcome(enum.Enum):
    """How a wait ended."""

    FREE = "a slot is free"
    SILENT = "no answer for long"
    CANCELLED = "cancelled"


class SlotMonitor:
    """One wait for a slot.

    `run` blocks; `cancel` may be called from any thread and ends it at once.
    """

    def __init__(
        self,
        scanner: Scanner,
        target: QueryTarget,
        report: Callable[[SlotCheck], None],
        *,
        interval_s: float = SLOT_CHECK_INTERVAL_S,
        silence_limit_s: float = SLOT_SILENCE_LIMIT_S,
    ) -> None:
        """Prepare the wait; `report` receives each check, in the thread of `run`."""
        self._scanner, self._target, self._report = scanner, target, report
        self._interval_s, self._silence_limit_s = interval_s, silence_limit_s
        self._cancel_token = CancelToken()

    def cancel(self) -> None:
        """End the wait and stop querying."""
        self._cancel_token.cancel()

    def run(self, first_in_s: float = 0.0) -> SlotMonitorOutcome:
        """Query the server until a slot is free.

        First after `first_in_s`; ends also if it is silent for too long, or cancelled.
        """
        last_reply_s = time.monotonic()
        wait_s = first_in_s
        while not self._cancel_token.wait(max(0.0, wait_s)):
            queried_s = time.monotonic()
            result = self._query_once()
            if result is None:
                break
            if result.info is not None:
                last_reply_s = time.monotonic()
            silent_s = time.monotonic() - last_reply_s if result.info is None else 0.0
            self._report(SlotCheck(result, silent_s))
            if result.info is not None and has_free_slot(result.info):
                return SlotMonitorOutcome.FREE
            if silent_s >= self._silence_limit_s:
                return SlotMonitorOutcome.SILENT
            wait_s = queried_s + self._interval_s - time.monotonic()
        return SlotMonitorOutcome.CANCELLED

    def _query_once(self) -> QueryResult | None:
        """Query the server once; return None if cancelled meanwhile."""
        scan = self._scanner.scan(
            [self._target],
            pace=PACES["normal"],
            parts=QueryParts.INFO,
            timing=SLOT_CHECK_TIMING,
            urgent=True,
            own_ports=True,
        )
        scan.seal()
        with self._cancel_token.calling_on_cancel(scan.cancel):
            scan.wait()
        return scan.results.popleft() if scan.results and not self._cancel_token.is_cancelled else None


def has_free_slot(info: ServerInfo) -> bool:
    """Return whether a usable slot is free, False where the numbers are unknown."""
    if info.players is None or info.usable_slots is None:
        return False
    return not unjoinable_mask(
        np.array(info.players), np.array(info.usable_slots), np.array(info.joinable is not False)
    )
