"""A rating run as it stood at some rounds of its record: a question about a later one need not begin at the first."""

from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Record
from browser_app.rating.system import RatingRun, RatingSystem

EVERY = 8192
"""Rounds from one to the next: a fifth of a second."""


class Waypoints:
    """Those of one system on its way over one record, in memory."""

    def __init__(self, system: RatingSystem, record: Record) -> None:
        self._system, self._record = system, record
        self._stood: dict[int, RatingRun] = {}

    def pass_by(self, run: RatingRun, k: int) -> None:
        """A run over the record has learnt from all rounds before k: it is remembered there, if k is a waypoint."""
        if k and k % EVERY == 0 and k not in self._stood:
            self._stood[k] = run.seated(self._record)

    def run_before(self, k: int, progress: Progress = untold) -> RatingRun:
        """A run that has learnt from all rounds before k, for the caller to take on."""
        at = max((each for each in self._stood if each <= k), default=0)
        run = self._stood[at].seated(self._record) if at else self._system.start(self._record)
        while at < k:
            progress(at, k)
            last = min(k, at - at % EVERY + EVERY)
            run.learn(at, last)
            self.pass_by(run, last)
            at = last
        return run
