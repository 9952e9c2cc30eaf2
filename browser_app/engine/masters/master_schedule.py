"""Schedule of automatic master polls: when each master may be polled again."""

from collections.abc import Iterable

from browser_app.engine.masters.master_poll import MasterState

MAX_PERIOD_DOUBLINGS = 4
"""Each failure in a row doubles a master's period, at most this often: from 10 minutes to 2 h 40 min."""


class MasterSchedule:
    """Times at which masters were polled.

    Times are of any monotonic clock. Not thread-safe.
    """

    def __init__(self) -> None:
        self._polled_s: dict[str, float] = {}
        self._failures: dict[str, int] = {}

    def record(self, states: Iterable[MasterState], failed_urls: Iterable[str], now_s: float) -> None:
        """Record the outcome of a poll, whoever started it.

        A master that neither failed nor delivered a list was cancelled: it counts as polled and keeps its backoff.
        """
        failed = set(failed_urls)
        for state in states:
            self._polled_s[state.url] = now_s
            if state.url in failed:
                self._failures[state.url] = self._failures.get(state.url, 0) + 1
            elif state.ok:
                self._failures[state.url] = 0

    def due_urls(self, urls: Iterable[str], period_s: float, now_s: float) -> list[str]:
        """Return those of these masters that may be polled now."""
        return [url for url in urls if now_s >= self._polled_s.get(url, -1e9) + period_s * self._compute_backoff(url)]

    def _compute_backoff(self, url: str) -> int:
        return 1 << min(self._failures.get(url, 0), MAX_PERIOD_DOUBLINGS)
