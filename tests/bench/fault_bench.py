"""Faults: thousands of active servers polled under faults of network and system.

No healthy server may be lost, and no error may occur.

One row per case: loss each way, faults of servers and masters (`browser_app/demo/faults/network_faults.py`), a network
that is interrupted, a wall clock that jumps, a suspended process, a flood of 50,000 forged datagrams a second.
"""

import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import fault_network
from bench_child import HERE, ask_child
from bench_report import Budget, Cell, Report, Table
from datagram_flood import PROMISED_PER_S
from expected_losses import count_requests, count_unexplained, expected_lost, expected_unanswered
from fault_child import LIMIT_S, FaultObservations

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess
from browser_app.demo.faults.network_faults import MasterFault, ServerFault
from browser_app.demo.scenario import ServerSpec
from browser_app.demo.sockets.loopback_sockets import DemoError
from browser_app.protocols.coloured_text import plain_text

SERVERS = 10_000
MEMORY_MB = 350
LATE_MS = 250
"""If the demo network is later than this, the machine was too busy to tell why an answer is missing."""
SERVER_FAULTS = {"servers": {fault.value: 0.002 for fault in ServerFault}}
_UNRESPONSIVE_MASTERS = dict.fromkeys(("xonotic", "openarena", "quake3", "steam", "list"), MasterFault.DEAD.value)
_FALSE_MASTERS = {
    "xonotic": MasterFault.NO_END.value,
    "warfork": MasterFault.GARBAGE.value,
    "openarena": MasterFault.ENDLESS.value,
    "quake3": MasterFault.INCOMPLETE.value,
    "unvanquished": MasterFault.EMPTY.value,
    "steam": MasterFault.INCOMPLETE.value,
    "list": MasterFault.GARBAGE.value,
}
COLUMNS = (
    "case", "polls", "queries", "unanswered", "by chance", "buffer full", "no network", "unexplained", "lost rows",
    "by chance", "errors", "rejected datagrams", "CPU %", "ping error p99 ms", "network late p99 ms", "peak MB",
)  # fmt: skip
"""Unanswered queries: how many the configured losses explain (`expected_losses.py`); how many belong to polls in which
the kernel dropped datagrams because a receive buffer was full; for how many the network was down at the last attempt;
and the rest, which is our fault."""


@dataclass(frozen=True)
class FaultCase:
    """A network, and what goes wrong on it or on the machine."""

    title: str
    loss: float = 0.0
    """Each way."""
    dead: float = 0.0
    faults: dict[str, Any] = field(default_factory=dict)
    system_faults: str = ""
    """One of `fault_child.measure`."""
    polls: int = 3
    """At least; with many losses a server does not answer in several polls in a row."""


CASES = (
    FaultCase("no faults"),
    FaultCase("loss 3 %", 0.03),
    FaultCase("loss 10 %", 0.10, polls=4),
    FaultCase("loss 30 %", 0.30, polls=9),
    FaultCase("duplicates 20 %, reordering 20 %", faults={"duplicates": 0.2, "reorder": 0.2}),
    FaultCase("latency jumps of 250 ms, 10 %", faults={"jumps": 0.1}),
    FaultCase("30 % of servers unresponsive", dead=0.3),
    FaultCase("masters unresponsive", faults={"masters": _UNRESPONSIVE_MASTERS}),
    FaultCase("false masters", faults={"masters": _FALSE_MASTERS}),
    FaultCase("every server fault, 0.2 % each", 0.01, faults=SERVER_FAULTS, polls=4),
    FaultCase("network interrupted", system_faults="down"),
    FaultCase("clock jumps by hours", system_faults="clock"),
    FaultCase("suspended for 3 s", system_faults="suspend"),
    FaultCase("flood of forged datagrams", system_faults="flood", polls=6),
)


@dataclass(frozen=True)
class FaultCaseResult:
    """What was observed in one case."""

    case: FaultCase
    observed: FaultObservations
    request_counts: list[int]
    """Requests in a row that each queried server needs."""
    late_ms: float
    """p99 of how much later than its latency the demo network sent."""

    @property
    def by_chance(self) -> float:
        """Unanswered queries that the losses explain."""
        return expected_unanswered(self.case.loss, self.request_counts, self.observed.polls)

    @property
    def unexplained(self) -> int:
        """Unanswered queries that nothing else explains."""
        observed = self.observed
        return count_unexplained(
            observed.unanswered - observed.lost_in_buffer - observed.without_network, self.by_chance
        )

    def row(self) -> Sequence[Cell]:
        """Return the row of the table."""
        case, observed = self.case, self.observed
        causes = (self.by_chance, observed.lost_in_buffer, observed.without_network, self.unexplained)
        rows = (len(observed.lost), expected_lost(case.loss, self.request_counts, observed.polls), len(observed.errors))
        return (
            case.title,
            observed.polls,
            observed.queried,
            observed.unanswered,
            *causes,
            *rows,
            sum(observed.dropped.values()),
            100 * observed.processor_s / observed.polling_s,
            observed.ping_error_ms,
            self.late_ms,
            observed.peak_mb,
        )

    def summary(self) -> str:
        """Return a line with the counts, and one for each thing that went wrong."""
        observed = self.observed
        by = f"{self.by_chance:.1f} by chance, {observed.lost_in_buffer} buffer full"
        by += f", {observed.without_network} no network, {self.unexplained} unexplained"
        silence = f"{observed.queried:,} queries, {observed.unanswered} unanswered ({by})"
        flood = f", {observed.flooded_per_s:,.0f} forged datagrams/s" if observed.flooded else ""
        ends = f"{len(observed.lost)} rows lost, {len(observed.errors)} errors{flood}, {observed.peak_mb:.0f} MB"
        troubles = [*observed.lost[:5], *observed.errors[:5], *(observed.unresponsive if self.unexplained else [])]
        return "".join(f"{self.case.title}: {each}\n" for each in (f"{silence}, {ends}", *troubles))

    def flood_table(self) -> Table:
        """Return what became of the datagrams of a flood."""
        observed = self.observed
        table = Table(f"{self.case.title}: {observed.polling_s:.0f} s of polls", ("datagrams", "/s"))
        counts = {"forged and sent": observed.flooded, "buffer full": observed.overflowed, "read": observed.received}
        rejected = {f"rejected: {reason}": count for reason, count in sorted(observed.dropped.items())}
        table.rows += [(name, count / observed.polling_s) for name, count in (counts | rejected).items()]
        return table


def run_for(seconds: float, servers: int, cases: Sequence[FaultCase], say: Callable[[str], object]) -> Report:
    """Run each case for some seconds and report it at once.

    A case that raises an error is left out of the table.
    """
    results = []
    for case in cases:
        try:
            result = _run_case(case, servers, seconds)
        except Exception as error:  # noqa: BLE001 (the other cases have run for hours)
            say(f"{case.title}: {type(error).__name__}: {error}\n")
            continue
        results.append(result)
        say(result.summary())
    table = Table(f"{servers:,} servers, {seconds:.0f} s of each case", COLUMNS)
    table.rows += [result.row() for result in results]
    floods = [result.flood_table() for result in results if result.observed.flooded]
    return Report([table, *floods], _budgets(cases, results))


def _budgets(cases: Sequence[FaultCase], results: Sequence[FaultCaseResult]) -> list[Budget]:
    observations = [result.observed for result in results]
    late_ms = max((result.late_ms for result in results), default=0.0)
    floods = [result.observed.flooded_per_s for result in results if result.case.system_faults == "flood"]
    return [
        Budget("cases that ended", len(observations), len(cases), "", is_minimum=True),
        Budget("rows of healthy servers lost or wrong", sum(len(observed.lost) for observed in observations), 0, ""),
        Budget("answers lost without a reason", sum(result.unexplained for result in results), 0, ""),
        Budget("errors", sum(len(observed.errors) for observed in observations), 0, ""),
        *(Budget("forged datagrams while polls ran", rate, PROMISED_PER_S, "/s", is_minimum=True) for rate in floods),
        Budget("lateness of the network itself, p99", late_ms, LATE_MS, "ms"),
        Budget("memory, the most", max((observed.peak_mb for observed in observations), default=0.0), MEMORY_MB, "MB"),
    ]


def _run_case(case: FaultCase, servers: int, seconds: float) -> FaultCaseResult:
    options = DemoOptions(servers=servers, latency_ms=fault_network.LATENCY_MS, loss=case.loss, dead=case.dead)
    faults = json.dumps(case.faults)
    parts = fault_network.network_of(options, faults).specs
    command = (sys.executable, str(HERE / "fault_network.py"), faults)
    with DemoProcess(options, command) as demo:
        here = {url.partition("://")[2]: part for url, part in zip(demo.sources.servers, parts, strict=True)}
        healthy = {
            address: part for address, part in here.items() if part.is_alive and part.fault in (None, ServerFault.FLOOD)
        }
        queried = {address: part for address, part in healthy.items() if part.fault is None}
        request = {
            "masters": demo.sources.masters,
            "servers": demo.sources.servers,
            "key": demo.sources.steam_key,
            "healthy": {address: (_name(part), part.latency_ms) for address, part in healthy.items()},
            "queried": list(queried),
            "system_faults": case.system_faults,
            "polls": case.polls,
            "seconds": seconds,
        }
        observed = FaultObservations(**ask_child("fault_child.py", request, seconds + case.polls * LIMIT_S + 60))
        late_ms = _lateness_ms(demo)
    return FaultCaseResult(case, observed, [count_requests(part) for part in queried.values()], late_ms)


def _lateness_ms(demo: DemoProcess) -> float:
    """Return infinity where the network is too busy to report it."""
    try:
        return float(demo.report()["lateness_ms"]["p99"])
    except DemoError:
        return math.inf


def _name(part: ServerSpec) -> str:
    """Return the name as the list shows it."""
    return plain_text(part.server.name, part.server.game.colours)
