"""Hostile master servers: their cost to window, memory and honest masters.

Their lists are made to be expensive to parse.

Each case is a new window with three honest masters of a demo network, and beside them one hostile master of each form,
or 40. Times, memory and packets are those of its first refresh; frames are those of the second, since the first has the
window's start in it.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bench_child import HERE, ask_child, child_environment
from bench_report import Budget, Cell, Report, Table, quantile
from hostile_masters import DEAD_FORM, DRIP_FORM, FLOOD_FORM, FORMS, RESPONSES, STEAM_FORM, masters_of
from hostile_result import ObservedRefresh

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess

MANY_COUNT = 40
LIMIT_MS = 100_000
"""Limit of the whole poll, in ms; a poll that has not ended by then is reported as such."""
DEAD_LIMIT_MS = 30_000
SERVERS = 900
_HONEST = ("steam-web", "json", "dpmaster")
"""One master of each kind."""
_MANY_FORMS = ("keys", "numbers", "zones", "trailers", "all")
_QUICK_FORMS = ("zones", "names", FLOOD_FORM)
_QUICK_MANY_FORMS = ("keys", "numbers", "trailers", "all")
"""Those that take most of the window's time."""
COLUMNS = (
    "hostile masters", "honest servers", "first s", "last s", "masters done s", "poll s", "packets", "processor s",
    "gap p99 ms", "gap max ms", "own gap p99", "own gap max", "peak MB",
)  # fmt: skip
"""An own gap is the time between two frames, less what other programs took of the processors."""


@dataclass(frozen=True)
class HostileCase:
    """Hostile masters of one form."""

    form: str
    count: int

    @property
    def title(self) -> str:
        """Title of its row."""
        return f"{self.count} × {self.form}" if self.count else "none"

    @property
    def is_polled_to_end(self) -> bool:
        """Return whether the poll is to end soon.

        Querying tens of thousands of dead servers takes minutes at any polite pace.
        """
        return self.form != DEAD_FORM


@dataclass(frozen=True)
class HostileCaseResult:
    """What was observed of a refresh."""

    case: HostileCase
    refresh: ObservedRefresh
    later: ObservedRefresh
    """The second refresh, or the only one."""
    honest: frozenset[str]

    @property
    def honest_s(self) -> list[float]:
        """Seconds until each honest server was in the list; NaN if it never was."""
        return [self.refresh.answered.get(server, float("nan")) for server in self.honest]

    def row(self) -> list[Cell]:
        """Return the row of the table."""
        found = self.refresh
        times = sorted(each for each in self.honest_s if each == each)
        ends = (times[0], times[-1]) if times else (None, None)
        gaps = [
            each
            for values in (self.later.gaps_ms, self.later.own_gaps_ms)
            for each in (quantile(values, 0.99), max(values, default=0.0))
        ]
        figures = (found.masters_s, found.poll_s, found.sent, found.processor_s)
        return [self.case.title, len(times), *ends, *figures, *gaps, found.peak_mb]


def run(quick: bool) -> Report:
    """Measure without hostile masters, with one of each form, and with 40.

    `quick`: only the most expensive forms.
    """
    single = _QUICK_FORMS if quick else (*FORMS, *RESPONSES, STEAM_FORM, FLOOD_FORM, DRIP_FORM)
    many = _QUICK_MANY_FORMS if quick else (*_MANY_FORMS, DEAD_FORM)
    cases = [
        HostileCase("none", 0),
        *(HostileCase(form, 1) for form in (*single, DEAD_FORM)),
        *(HostileCase(form, MANY_COUNT) for form in many),
    ]
    with DemoProcess(DemoOptions(servers=SERVERS)) as network, _serve_hostile_masters() as ports:
        urls = network.sources.masters
        honest_urls = [next(url for url in urls if url.startswith(kind)) for kind in _HONEST]
        results: list[HostileCaseResult] = []
        for case in cases:
            hostile = masters_of(case.form, case.count, ports)
            masters = [*honest_urls, *hostile]
            request = {"masters": masters, "key": network.sources.steam_key, "again": case.is_polled_to_end}
            request["limit_ms"] = LIMIT_MS if case.is_polled_to_end else DEAD_LIMIT_MS
            refreshes = [ObservedRefresh(**each) for each in ask_child("hostile_child.py", request, 3 * LIMIT_MS / 1e3)]
            honest = results[0].honest if results else frozenset(refreshes[0].answered)
            results.append(HostileCaseResult(case, refreshes[0], refreshes[-1], honest))
            sys.stderr.write(f"{results[-1].row()}\n")
    table = Table(f"One refresh: {len(honest_urls)} honest masters, and hostile ones", COLUMNS)
    table.rows += [result.row() for result in results]
    return Report([table], _budgets(results[0], results[1:]))


@contextmanager
def _serve_hostile_masters() -> Iterator[dict[str, int]]:
    command = [sys.executable, str(HERE / "hostile_masters.py")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=child_environment()) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())


def _budgets(alone: HostileCaseResult, others: list[HostileCaseResult]) -> list[Budget]:
    pairs = [(before, after) for each in others for before, after in zip(alone.honest_s, each.honest_s, strict=True)]
    missing = sum(after != after for _before, after in pairs)
    later_s = max(after - before for before, after in pairs if after == after)
    one_bad_ms = [_own_gap_beyond(alone, each) for each in others if each.case.count == 1]
    p99 = [quantile(each.later.gaps_ms, 0.99) for each in others]
    lists = [each.refresh for each in others if each.case.is_polled_to_end]
    return [
        Budget("honest servers missing", missing, 0, ""),
        Budget("honest servers later than alone, at most", later_s, 2, "s"),
        Budget("whole poll, the longest", max(_with_limit(each.poll_s) for each in lists), 25, "s"),
        Budget("memory, the most", max(each.refresh.peak_mb for each in others), 250, "MB"),
        Budget("frame gap p99, the longest", max(p99), 25, "ms"),
        Budget("one hostile master, the longest own gap beyond that of none", max(one_bad_ms), 50, "ms"),
    ]


def _own_gap_beyond(alone: HostileCaseResult, other: HostileCaseResult) -> float:
    """Return how much longer the longest own gap of `other` is, ms.

    Refreshes of the same number are compared: in the first one the window starts.
    """
    baseline = alone.later if other.case.is_polled_to_end else alone.refresh
    return max(other.later.own_gaps_ms) - max(baseline.own_gaps_ms)


def _with_limit(seconds: float) -> float:
    return seconds if seconds == seconds else LIMIT_MS / 1e3
