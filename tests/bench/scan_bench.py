"""Scanning: speed, ping error, losses and CPU beside other scanners.

Ready Room's engine against python-a2s, opengsq and QStat.

The ping error is the reported ping less the time for which the demo server delayed that answer, from the kernel's
receive stamp of the request to the send. A query is a request that reached the demo network.
"""

import statistics
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench_child import HERE, ChildError, ask_child
from bench_report import Budget, Cell, Report, Table, quantile
from scan_cases import LATENCY_MS, OwnScanOptions, ScannerSetup, ScanNetwork, all_cases, quick_cases
from scan_result import ScanResult

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess

CHILD_LIMIT_S = 90.0
COLUMNS = (
    "scanner",
    "wall s",
    "servers/s",
    "ping error p50 ms",
    "p95",
    "max",
    "lost",
    "CPU µs/query engine",
    "process",
    "MB",
    "demo late p95 ms",
)


@dataclass
class ScanFigures:
    """Figures of one scan."""

    wall_s: float
    per_s: float
    error_p50_ms: float
    error_p95_ms: float
    error_max_ms: float
    lost: int
    engine_us: float | None
    process_us: float
    memory_mb: float | None
    late_p95_ms: float
    """How much later than its latency the demo network sent these answers."""
    stopped: bool

    def cells(self) -> list[Cell]:
        """Return the cells of a table row."""
        wall = f"> {self.wall_s:.0f}" if self.stopped else self.wall_s
        errors = (self.error_p50_ms, self.error_p95_ms, self.error_max_ms)
        return [wall, self.per_s, *errors, self.lost, self.engine_us, self.process_us, self.memory_mb, self.late_p95_ms]


ScanCase = tuple[ScanNetwork, ScannerSetup, ScanFigures]


def run(quick: bool) -> Report:
    """Run all scanners on all networks."""
    report, cases = Report(), list[ScanCase]()
    for network, setups in quick_cases() if quick else all_cases():
        table = Table(network.title, COLUMNS)
        with DemoProcess(_options(network), _command(network)) as demo:
            for setup in setups:
                figures = _median([_scan(demo, network, setup) for _ in range(setup.rounds)])
                table.rows.append([setup.name, *figures.cells()])
                cases.append((network, setup, figures))
                sys.stderr.write(".")
                sys.stderr.flush()
        report.tables.append(table)
    sys.stderr.write("\n")
    report.tables.append(_ratios(cases))
    report.budgets += _budgets(cases)
    return report


def _options(network: ScanNetwork) -> DemoOptions:
    return DemoOptions(
        servers=network.servers, latency_ms=(LATENCY_MS, LATENCY_MS), loss=network.loss_each_way, dead=network.dead
    )


def _command(network: ScanNetwork) -> tuple[str, ...]:
    return (sys.executable, str(HERE / "a2s_network.py"), f"--challenge={network.challenge}")


def _scan(demo: DemoProcess, network: ScanNetwork, setup: ScannerSetup) -> ScanFigures:
    servers = [url.partition("://")[2] for url in demo.sources.servers]
    before = demo.report()["requests"]
    result = ScanResult(**ask_child(setup.script, {"servers": servers, **setup.request}, CHILD_LIMIT_S))
    report = demo.report()
    return _figures(network, result, report["pings_ms"], report["requests"] - before)


def _figures(
    network: ScanNetwork, result: ScanResult, delays_ms: Mapping[str, list[float]], queries: int
) -> ScanFigures:
    answered = len(result.pings_ms)
    if not answered or not queries:
        raise ChildError("no server answered")
    # The last delay is that of the answer: no scanner queries a server again that has answered.
    errors = [abs(ping - delays_ms[server][-1]) for server, ping in result.pings_ms.items()]
    late = [delays_ms[server][-1] - LATENCY_MS for server in result.pings_ms]
    return ScanFigures(
        result.wall_s,
        answered / result.wall_s,
        quantile(errors, 0.5),
        quantile(errors, 0.95),
        max(errors),
        network.alive - answered,
        None if result.engine_cpu_s is None else result.engine_cpu_s / queries * 1e6,
        result.cpu_s / queries * 1e6,
        result.memory_mb,
        quantile(late, 0.95),
        result.stopped,
    )


def _median(rounds: list[ScanFigures]) -> ScanFigures:
    """Return the median of each figure; of losses the worst."""

    def median(name: str) -> Any:
        values = [getattr(each, name) for each in rounds]
        return None if None in values else statistics.median(values)

    names = ScanFigures.__dataclass_fields__
    worst = {"lost": max(each.lost for each in rounds), "stopped": any(each.stopped for each in rounds)}
    return ScanFigures(**{name: median(name) for name in names if name not in worst} | worst)


def _ratios(cases: list[ScanCase]) -> Table:
    """Return the table of peers against us at both paces, on the first network."""
    first = cases[0][0]
    here = {setup.name: figures for network, setup, figures in cases if network == first}
    table = Table(
        f"Times Ready Room's figure ({first.title})",
        ("peer", "wall / fast", "wall / unlimited", "ping error p95 / fast", "/ unlimited", "process CPU / unlimited"),
    )
    fast, unlimited = here["Ready Room, fast"], here["Ready Room, unlimited"]
    for name, peer in here.items():
        if not name.startswith("Ready Room"):
            walls = (peer.wall_s / fast.wall_s, peer.wall_s / unlimited.wall_s)
            errors = (peer.error_p95_ms / fast.error_p95_ms, peer.error_p95_ms / unlimited.error_p95_ms)
            table.rows.append((name, *walls, *errors, peer.process_us / unlimited.process_us))
    return table


BARE_PER_S = 8_000


def _budgets(cases: list[ScanCase]) -> list[Budget]:
    small, large, dead = ScanNetwork(2000), ScanNetwork(10_000), ScanNetwork(2000, dead=0.3)
    mine = [(network, OwnScanOptions(**each.request), figures) for network, each, figures in cases if each.ours]

    def of(network: ScanNetwork, pace: str, load: str = "") -> ScanFigures:
        return next(figures for n, o, figures in mine if (n, o.pace, o.load) == (network, pace, load))

    def worst_error(load: str) -> float:
        return max(figures.error_p95_ms for _, o, figures in mine if o.load == load)

    def most_lost(loss: float) -> int:
        return max(figures.lost for n, _, figures in mine if n.servers == small.servers and n.loss == loss)

    engine_us, memory_mb = of(small, "unlimited").engine_us, of(large, "unlimited").memory_mb
    bare_us = next(
        figures.process_us for n, each, figures in cases if n == small and each.name.endswith(f"{BARE_PER_S:,}/s")
    )
    assert engine_us is not None
    assert memory_mb is not None
    return [
        Budget("ping error p95, every pace and network", worst_error(""), 0.5, "ms"),
        Budget("ping error p95, busy thread beside", worst_error("thread"), 0.5, "ms"),
        Budget("ping error p95, window beside", worst_error("window"), 0.5, "ms"),
        Budget("2,000 servers, unlimited", of(small, "unlimited").wall_s, 1, "s"),
        Budget("2,000 servers, 30 % dead, fast", of(dead, "fast").wall_s, 4, "s"),
        # Three attempts lose 0.03³ of the servers: one of 2,000 in every 18th scan.
        Budget("lost of 2,000 at 3 % loss", most_lost(0.03), 1, "servers"),
        Budget("lost of 2,000 without loss", most_lost(0), 0, "servers"),
        # The bare loop sends, sleeps and receives the same packets and reads none: what the system itself costs here.
        Budget("engine CPU a query over a bare loop's, unlimited", engine_us - bare_us, 15, "µs"),
        Budget("memory of 10,000 servers", memory_mb, 200, "MB"),
    ]
