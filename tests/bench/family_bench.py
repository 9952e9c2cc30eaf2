"""Ping error and packets per server of each protocol, behind a true 40 ms.

They are those of one scan of a demo network. The error is the ping less the time for which the server really held its
reply; of several replies to one query, the one nearest to the ping. Packets are those that reached the server, Luanti's
disconnect packet included; of TCP only segments with data. Where the ping is the time of connecting, it is not
compared: the kernel accepts a connection on loopback at once, whatever delay the server simulates.
"""

import statistics
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from bench_child import HERE, ask_child
from bench_report import Budget, Report, Table, quantile
from scan_result import ScanResult

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess
from browser_app.protocols.query_protocols import LISTED, OPENTTD, QUERY_PROTOCOLS, SPACE_STATION

LATENCY_MS = 40.0
SERVERS, QUICK_SERVERS = 2000, 400
CHILD_LIMIT_S = 90.0
MAX_ERROR_MS = 0.5
CONNECTION_PINGS = frozenset({OPENTTD, SPACE_STATION})
"""Protocols whose ping is the time of connecting."""
COLUMNS = (
    "protocol",
    "servers",
    "without ping",
    "ping p50 ms",
    "error p50 ms",
    "p95",
    "max",
    "packets per server",
    "demo late p95 ms",
)


def run(quick: bool) -> Report:
    """One scan of all families."""
    servers = QUICK_SERVERS if quick else SERVERS
    options = DemoOptions(servers=servers, latency_ms=(LATENCY_MS, LATENCY_MS))
    with DemoProcess(options, (sys.executable, str(HERE / "family_network.py"))) as demo:
        urls = demo.sources.servers
        result = ScanResult(**ask_child("scan_own.py", {"servers": urls, "pace": "fast", "load": ""}, CHILD_LIMIT_S))
        report = demo.report()
    table = Table(f"{servers:,} servers of every protocol at a true {LATENCY_MS:g} ms, fast pace", COLUMNS)
    table.rows += [_row(protocol, urls, result.pings_ms, report) for protocol in QUERY_PROTOCOLS if protocol != LISTED]
    return Report([table], _budgets(table))


def _row(protocol: str, urls: Sequence[str], pings_ms: Mapping[str, float], report: Mapping[str, Any]) -> list[Any]:
    servers = [url.partition("://")[2] for url in urls if url.startswith(f"{protocol}://")]
    answered = [server for server in servers if server in pings_ms]
    held_ms: Mapping[str, Sequence[float]] = report["pings_ms"]
    compared = [] if protocol in CONNECTION_PINGS else answered
    errors = [min(abs(pings_ms[server] - held) for held in held_ms[server]) for server in compared]
    late = [held - LATENCY_MS for server in answered for held in held_ms[server]]
    return [
        protocol,
        len(servers),
        len(servers) - len(answered),
        quantile([pings_ms[server] for server in answered], 0.5),
        quantile(errors, 0.5) if errors else None,
        quantile(errors, 0.95) if errors else None,
        max(errors, default=None),
        statistics.fmean(report["requests_to"].get(server, 0) for server in servers),
        quantile(late, 0.95),
    ]


def _budgets(table: Table) -> list[Budget]:
    errors, without = ([float(row[COLUMNS.index(name)] or 0) for row in table.rows] for name in ("p95", "without ping"))
    return [
        Budget("ping error p95, every protocol", max(errors), MAX_ERROR_MS, "ms"),
        Budget("servers without ping", sum(without), 0, "servers"),
    ]
