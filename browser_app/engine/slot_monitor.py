"""Repeated queries of one full server until a slot is free."""

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass

from browser_app.catalogue.server_info import QueryResult, QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.protocols.query_session import QueryParts

SLOT_CHECK_INTERVAL_S = 5.0
"""A server is asked once in so long, whatever becomes of the question."""
SLOT_SILENCE_LIMIT_S = 60.0
"""A server that has not answered for so long is waited for no more."""
SLOT_CHECK_TIMING = QueryTiming(waits_s=(2.0,), late_reply_wait_s=2.0)
"""One request a question: who does not answer is asked again soon anyway."""


@dataclass(frozen=True, slots=True)
class SlotCheck:
    """What one question brought."""

    result: QueryResult
    silent_s: float
    """Since the last answer, or since the beginning; 0 where this one was answered."""


class SlotWatchOutcome(enum.Enum):
    """How the waiting ended."""

    FREE = "a slot is free"
    SILENT = "no answer for long"
    CANCELLED = "cancelled"


class SlotMonitor:
    """One wait. `run` blocks; `cancel` may be called from any thread and ends it at once."""

    def __init__(
        self,
        scanner: Scanner,
        target: QueryTarget,
        report: Callable[[SlotCheck], None],
        *,
        interval_s: float = SLOT_CHECK_INTERVAL_S,
        silence_limit_s: float = SLOT_SILENCE_LIMIT_S,
    ) -> None:
        """Nothing is asked yet. `report` is told each look, in the thread of `run`."""
        self._scanner, self._target, self._report = scanner, target, report
        self._interval_s, self._silence_limit_s = interval_s, silence_limit_s
        self._cancel_token = CancelToken()

    def cancel(self) -> None:
        """End the wait; nothing is asked any more."""
        self._cancel_token.cancel()

    def run(self, first_in_s: float = 0.0) -> SlotWatchOutcome:
        """Ask, first when `first_delay_s` have passed, until a slot is free, the server is gone, or cancelled."""
        heard_s = time.monotonic()
        wait_s = first_in_s
        while not self._cancel_token.wait(max(0.0, wait_s)):
            asked_s = time.monotonic()
            answer = self._query_once()
            if answer is None:
                break
            if answer.info is not None:
                heard_s = time.monotonic()
            silent_s = time.monotonic() - heard_s if answer.info is None else 0.0
            self._report(SlotCheck(answer, silent_s))
            if answer.info is not None and answer.info.is_full is False:
                return SlotWatchOutcome.FREE
            if silent_s >= self._silence_limit_s:
                return SlotWatchOutcome.SILENT
            wait_s = asked_s + self._interval_s - time.monotonic()
        return SlotWatchOutcome.CANCELLED

    def _query_once(self) -> QueryResult | None:
        """What the server says now; None when cancelled meanwhile."""
        scan = self._scanner.scan(
            [self._target], pace=PACES["normal"], parts=QueryParts.INFO, timing=SLOT_CHECK_TIMING, urgent=True
        )
        scan.seal()
        with self._cancel_token.calling_on_cancel(scan.cancel):
            scan.wait()
        return scan.results.popleft() if scan.results and not self._cancel_token.is_cancelled else None
