"""One Play Now run: choose, verify and retry until a server fits."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from browser_app.catalogue.server_info import QueryResult, QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.catalogue_snapshot import CatalogueSnapshot, ServerDirectory
from browser_app.engine.query.query_timing import Pace, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.protocols.query_session import QueryParts
from browser_app.ranking.play_now_choice import ExclusionReason, PlayNowChoice, choose_servers
from browser_app.ranking.score_text import TranslatableText

VERIFY_COUNT = 3
RETRY_INTERVAL_S, MAX_RETRY_INTERVAL_S = 5.0, 160.0
"""Minimum time from the first attempt to the second; it doubles with each attempt up to the maximum, because masters
limit how often they may be polled.
"""
VERIFY_TIMING = QueryTiming(waits_s=(0.6, 0.9, 1.2))
"""The servers replied a moment ago: one that does not within 2.7 s is gone."""


@dataclass(frozen=True, slots=True)
class PlayCandidate:
    """A server that is about to be verified; `score` may be NaN."""

    row: int
    """Its row in the catalogue."""
    target: QueryTarget
    score: float


@dataclass(frozen=True, slots=True)
class VerifiedServer:
    """A server after verification."""

    row: int
    target: QueryTarget
    score_before: float
    score_now: float
    """NaN if it is no longer ranked."""
    is_eligible: bool
    """Whether it may be chosen."""
    exclusion_reason: ExclusionReason | None
    """The rule that it violates; also set for an eligible server in the fallback class."""


@dataclass(frozen=True, slots=True)
class VerificationStarted:
    """Step: these servers are queried again, best first."""

    attempt: int
    candidates: tuple[PlayCandidate, ...]


@dataclass(frozen=True, slots=True)
class VerificationFinished:
    """Step: their results, in the same order, and the one that is chosen, if any."""

    attempt: int
    servers: tuple[VerifiedServer, ...]
    chosen: VerifiedServer | None


@dataclass(frozen=True, slots=True)
class NoEligibleServer:
    """Step: no server is eligible.

    `excluded_counts` counts the servers that each rule excluded.
    """

    attempt: int
    excluded_counts: Mapping[ExclusionReason, int]


@dataclass(frozen=True, slots=True)
class RetryStarted:
    """Step: the list is polled again for this attempt."""

    attempt: int


PlayNowStep: TypeAlias = VerificationStarted | VerificationFinished | NoEligibleServer | RetryStarted


@dataclass(frozen=True, slots=True)
class PlayNowOutcome:
    """Result of a run; counts are of the last attempt."""

    chosen: VerifiedServer | None
    reason: tuple[TranslatableText, ...]
    """Why this server, most important reason first; empty if none was chosen."""
    verified: tuple[VerifiedServer, ...]
    excluded_counts: Mapping[ExclusionReason, int]
    """Eligibility rule → number of known servers that it was the first to exclude."""
    attempts: int


class PlayNowRun:
    """One run. `run` blocks; `cancel` may be called from any thread and ends it soon."""

    def __init__(
        self,
        scanner: Scanner,
        directory: ServerDirectory,
        *,
        pace: Pace,
        report: Callable[[PlayNowStep], None] = lambda _: None,
        max_attempts: int | None = None,
        verify_count: int = VERIFY_COUNT,
        retry_interval_s: float = RETRY_INTERVAL_S,
    ) -> None:
        """Prepare the run without starting it.

        Args:
            scanner: queries the servers.
            directory: known servers.
            pace: send rate.
            report: receives each step, in the thread of `run`.
            max_attempts: 1 for a single attempt; None to retry until cancelled.
            verify_count: servers that are queried again in one attempt.
            retry_interval_s: minimum time from the first attempt to the second.
        """
        self._scanner = scanner
        self._directory = directory
        self._pace = pace
        self._report = report
        self._max_attempts, self._verify_count = max_attempts, verify_count
        self._retry_interval_s = retry_interval_s
        self._cancel_token = CancelToken()
        self._verified_rows: set[int] = set()

    def cancel(self) -> None:
        """Cancel the run; no server is chosen afterwards."""
        self._cancel_token.cancel()

    def run(self) -> PlayNowOutcome:
        """Choose a known server, verify it, and retry until one fits."""
        attempt = 1
        while True:
            next_s = time.monotonic() + min(self._retry_interval_s * 2 ** min(attempt - 1, 16), MAX_RETRY_INTERVAL_S)
            outcome = self._run_attempt(attempt)
            if self._cancel_token.is_cancelled:
                return replace(outcome, chosen=None, reason=())
            if outcome.chosen is not None or attempt == self._max_attempts:
                return outcome
            attempt += 1
            self._report(RetryStarted(attempt))
            if not self._cancel_token.wait(max(0.0, next_s - time.monotonic())):
                self._directory.refresh(self._cancel_token)

    def _run_attempt(self, attempt: int) -> PlayNowOutcome:
        before = self._directory.snapshot()
        choice = self._choose(before)
        best = (choice.ranked if len(choice.ranked) else choice.fallback)[: self._verify_count].tolist()
        if not best:
            self._report(NoEligibleServer(attempt, choice.excluded_counts))
            return PlayNowOutcome(None, (), (), choice.excluded_counts, attempt)
        scores = before.candidates.score[best].tolist()
        candidates = [PlayCandidate(row, before.targets[row], was) for row, was in zip(best, scores, strict=True)]
        self._report(VerificationStarted(attempt, tuple(candidates)))
        self._directory.merge_results(self._query_targets([each.target for each in candidates]))
        self._verified_rows.update(best)
        outcome = self._evaluate(candidates, attempt)
        self._report(VerificationFinished(attempt, outcome.verified, outcome.chosen))
        return outcome

    def _choose(self, snapshot: CatalogueSnapshot) -> PlayNowChoice:
        """Rank the candidates; suspicion counts only after a server was verified."""
        candidates = snapshot.candidates
        verified = np.zeros(len(snapshot.targets), np.bool_)
        verified[list(self._verified_rows)] = True
        return choose_servers(replace(candidates, is_suspicious=candidates.is_suspicious & verified))

    def _query_targets(self, targets: Sequence[QueryTarget]) -> list[QueryResult]:
        """Query servers and return all results, fewer if cancelled."""
        scan = self._scanner.scan(
            targets, pace=self._pace, parts=QueryParts.INFO, timing=VERIFY_TIMING, urgent=True, own_ports=True
        )
        scan.seal()
        with self._cancel_token.calling_on_cancel(scan.cancel):
            scan.wait()
        return list(scan.results)

    def _evaluate(self, candidates: Sequence[PlayCandidate], attempt: int) -> PlayNowOutcome:
        """Choose the best verified server that still fits."""
        now = self._directory.snapshot()
        choice = self._choose(now)
        usable = choice.ranked if len(choice.ranked) else choice.fallback
        rank_by_row = {row: rank for rank, row in enumerate(usable.tolist())}
        backup = set(choice.fallback.tolist())
        verified = tuple(
            VerifiedServer(
                row=each.row,
                target=each.target,
                score_before=each.score,
                score_now=float(now.candidates.score[each.row]),
                is_eligible=each.row in rank_by_row,
                exclusion_reason=choice.exclusion_reason(each.row)
                or (ExclusionReason.SUSPICIOUS if each.row in backup else None),
            )
            for each in candidates
        )
        fitting = [each for each in verified if each.is_eligible]
        chosen = min(fitting, key=lambda each: rank_by_row[each.row], default=None)
        reason = now.explain_choice(chosen.row) if chosen is not None else ()
        return PlayNowOutcome(chosen, reason, verified, choice.excluded_counts, attempt)
