"""Waiting for a slot: one full server, asked again and again until somebody can get in."""

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass

from browser_app.catalogue.facts import Answer, Facts, Target
from browser_app.engine.pacing import PACES
from browser_app.engine.scanner import Scanner
from browser_app.engine.stop import Stop
from browser_app.engine.timing import Timing
from browser_app.protocols.conversation import Want

EVERY_S = 5.0
"""A server is asked once in so long, whatever becomes of the question."""
SILENT_S = 60.0
"""A server that has not answered for so long is waited for no more."""
TIMING = Timing(waits_s=(2.0,), listen_s=2.0)
"""One request a question: who does not answer is asked again soon anyway."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one question brought."""

    answer: Answer
    silent_s: float
    """Since the last answer, or since the beginning; 0 where this one was answered."""


class WatchEnd(enum.Enum):
    """How the waiting ended."""

    FREE = "a slot is free"
    SILENT = "no answer for long"
    CANCELLED = "cancelled"


class SlotWatch:
    """One wait. `run` blocks; `cancel` may be called from any thread and ends it at once."""

    def __init__(
        self,
        scanner: Scanner,
        target: Target,
        report: Callable[[Look], None],
        *,
        every_s: float = EVERY_S,
        silent_s: float = SILENT_S,
    ) -> None:
        """Nothing is asked yet. `report` is told each look, in the thread of `run`."""
        self._scanner, self._target, self._report = scanner, target, report
        self._every_s, self._silent_s = every_s, silent_s
        self._stop = Stop()

    def cancel(self) -> None:
        """End the wait; nothing is asked any more."""
        self._stop.set()

    def run(self, first_in_s: float = 0.0) -> WatchEnd:
        """Ask, first when `first_in_s` have passed, until a slot is free, the server is gone, or cancelled."""
        heard_s = time.monotonic()
        wait_s = first_in_s
        while not self._stop.wait(max(0.0, wait_s)):
            asked_s = time.monotonic()
            answer = self._ask()
            if answer is None:
                break
            if answer.facts is not None:
                heard_s = time.monotonic()
            silent_s = time.monotonic() - heard_s if answer.facts is None else 0.0
            self._report(Look(answer, silent_s))
            if answer.facts is not None and has_room(answer.facts):
                return WatchEnd.FREE
            if silent_s >= self._silent_s:
                return WatchEnd.SILENT
            wait_s = asked_s + self._every_s - time.monotonic()
        return WatchEnd.CANCELLED

    def _ask(self) -> Answer | None:
        """What the server says now; None when cancelled meanwhile."""
        scan = self._scanner.scan([self._target], pace=PACES["normal"], want=Want.INFO, timing=TIMING, urgent=True)
        scan.seal()
        with self._stop.waking(scan.cancel):
            scan.wait()
        return scan.answers.popleft() if scan.answers and not self._stop.is_set else None


def has_room(facts: Facts) -> bool:
    """Somebody without a reserved slot can join to play; not where the numbers are unknown."""
    if facts.joinable is False or facts.players is None or facts.max_players is None:
        return False
    return facts.players < facts.max_players - (facts.reserved or 0)
