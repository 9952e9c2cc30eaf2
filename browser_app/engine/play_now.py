"""Play Now: choose, ask the best again, take the best that still fits; if none does, look again."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from browser_app.catalogue.facts import Answer, Target
from browser_app.engine.pacing import Pace
from browser_app.engine.scanner import Scanner
from browser_app.engine.standing import Directory, Standing
from browser_app.engine.stop import Stop
from browser_app.engine.timing import Timing
from browser_app.language import later
from browser_app.protocols.conversation import Want
from browser_app.ranking.choose import Choice, choose
from browser_app.ranking.wording import Sentence

VERIFIED_AT_ONCE = 3
EVERY_S, LONGEST_S = 5.0, 160.0
"""Least time from the first attempt to the second; it doubles with each, up to the second number, since masters do not
want to be asked all the time."""
VERIFY_TIMING = Timing(waits_s=(0.6, 0.9, 1.2))
"""The servers answered a moment ago: one that does not within 2.7 s is gone."""
DOUBT = later("doubt")
"""Why a server is not eligible whose word is still hard to believe after it was asked again."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A server that is about to be asked again. `score` may be NaN."""

    server: int
    """Its row in the catalogue."""
    target: Target
    score: float


@dataclass(frozen=True, slots=True)
class Verified:
    """A server that was asked again."""

    server: int
    target: Target
    score_before: float
    score_now: float
    """NaN where it is not ranked any more."""
    eligible: bool
    """It may be chosen."""
    why: str | None
    """The rule that it fails; also told of an eligible one that is in the backup class."""


@dataclass(frozen=True, slots=True)
class Verifying:
    """Step: these servers are asked again, best first."""

    attempt: int
    servers: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """Step: what they said, in the same order."""

    attempt: int
    servers: tuple[Verified, ...]


@dataclass(frozen=True, slots=True)
class NothingFits:
    """Step: no server is eligible at all; `rejected` says what excluded how many."""

    attempt: int
    rejected: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ChoosingAgain:
    """Step: the list is asked for anew, for this attempt."""

    attempt: int


Step: TypeAlias = Verifying | Checked | NothingFits | ChoosingAgain


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended. The last attempt's numbers."""

    chosen: Verified | None
    reason: tuple[Sentence, ...]
    """Why that one, most important first; `ranking.reason.reason_text` joins it. Empty where none was chosen."""
    verified: tuple[Verified, ...]
    rejected: Mapping[str, int]
    """Each rule of eligibility → how many of all known servers it was the first to exclude."""
    attempts: int
    cancelled: bool = False


class PlayNow:
    """One run. `run` blocks; `cancel` may be called from any thread and ends it soon."""

    def __init__(
        self,
        scanner: Scanner,
        directory: Directory,
        *,
        pace: Pace,
        report: Callable[[Step], None] = lambda _: None,
        most_attempts: int | None = None,
        every_s: float = EVERY_S,
    ) -> None:
        """Nothing happens yet.

        Args:
            scanner: asks the servers.
            directory: the known servers.
            pace: how fast packets may leave.
            report: told each step, in the thread of `run`.
            most_attempts: 1 goes round once; None goes on until cancelled.
            every_s: least time from the first attempt to the second.
        """
        self._scanner = scanner
        self._directory = directory
        self._pace = pace
        self._report = report
        self._most_attempts = most_attempts
        self._every_s = every_s
        self._stop = Stop()
        self._asked: set[int] = set()

    def cancel(self) -> None:
        """End the run; nothing is chosen any more."""
        self._stop.set()

    def run(self) -> Outcome:
        """Choose a server from what is known, verify it, and go on until one fits."""
        attempt = 1
        while True:
            next_s = time.monotonic() + min(self._every_s * 2 ** min(attempt - 1, 16), LONGEST_S)
            outcome = self._attempt(attempt)
            if self._stop.is_set:
                return replace(outcome, chosen=None, reason=(), cancelled=True)
            if outcome.chosen is not None or attempt == self._most_attempts:
                return outcome
            attempt += 1
            self._report(ChoosingAgain(attempt))
            if not self._stop.wait(max(0.0, next_s - time.monotonic())):
                self._directory.refresh(self._stop)

    def _attempt(self, attempt: int) -> Outcome:
        before = self._directory.standing()
        choice = self._choose(before)
        best = (choice.order if len(choice.order) else choice.backup)[:VERIFIED_AT_ONCE].tolist()
        if not best:
            self._report(NothingFits(attempt, choice.rejected))
            return Outcome(None, (), (), choice.rejected, attempt)
        scores = before.candidates.score[best].tolist()
        candidates = [Candidate(row, before.targets[row], was) for row, was in zip(best, scores, strict=True)]
        self._report(Verifying(attempt, tuple(candidates)))
        self._directory.take(self._ask([each.target for each in candidates]))
        self._asked.update(best)
        outcome = self._judge(candidates, attempt)
        self._report(Checked(attempt, outcome.verified))
        return outcome

    def _choose(self, standing: Standing) -> Choice:
        """A mark of doubt counts only once the server was asked again."""
        candidates = standing.candidates
        asked = np.zeros(len(standing.targets), np.bool_)
        asked[list(self._asked)] = True
        return choose(replace(candidates, doubted=candidates.doubted & asked))

    def _ask(self, targets: Sequence[Target]) -> list[Answer]:
        """What these servers say now; all answers, unless cancelled."""
        scan = self._scanner.scan(targets, pace=self._pace, want=Want.INFO, timing=VERIFY_TIMING, urgent=True)
        scan.seal()
        with self._stop.waking(scan.cancel):
            scan.wait()
        return list(scan.answers)

    def _judge(self, candidates: Sequence[Candidate], attempt: int) -> Outcome:
        """Which of the servers that were asked again is the best that still fits."""
        now = self._directory.standing()
        choice = self._choose(now)
        usable = choice.order if len(choice.order) else choice.backup
        rank = {row: place for place, row in enumerate(usable.tolist())}
        backup = set(choice.backup.tolist())
        verified = tuple(
            Verified(
                server=each.server,
                target=each.target,
                score_before=each.score,
                score_now=float(now.candidates.score[each.server]),
                eligible=each.server in rank,
                why=choice.why_not(each.server) or (DOUBT if each.server in backup else None),
            )
            for each in candidates
        )
        fitting = [each for each in verified if each.eligible]
        chosen = min(fitting, key=lambda each: rank[each.server], default=None)
        reason = now.reason(chosen.server) if chosen is not None else ()
        return Outcome(chosen, reason, verified, choice.rejected, attempt)
