"""All installed real servers in one list, packets counted on both sides.

The list is refreshed as in use: rows in sight, which are all, every half minute, and by hand in the middle. Beside the
real servers there is one demo server of each protocol without a real one. What we sent is counted at the engine; what
arrived by the kernel, in a capture on loopback (which takes root); what the server got by its own log or, where it has
none, by the system calls in which it read. OpenTTD's log has connections, one a query.
"""

import re
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from bench_child import HERE, ask_child
from bench_report import Budget, Cell, Report, Table

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess
from browser_app.protocols import supertuxkart
from browser_app.protocols.query_protocols import LISTED, QUERY_PROTOCOLS

SECONDS, QUICK_SECONDS = 600.0, 20.0
DEMO_SERVERS = 400
LATENCY_MS = 20.0
START_LIMIT_S = 300.0
COLUMNS = (
    "server", "protocol", "answered", "name / map / players, bots, slots",
    "sent: first + repeated + follow-up + probe + disconnect", "all", "arrived", "record", "expected there",
    "found there", "replies", "received", "checks failed",
)  # fmt: skip
DEMO_COLUMNS = (
    "protocol", "known by", "answered", "sent", "arrived", "counted by the demo server", "replies", "received",
    "checks failed",
)  # fmt: skip
_PROTOCOL_ROW = re.compile(r"\| `(\w+)` \|[^|]*\|([^|]*)\|.*\| \d+, \d+ \|")


def run(quick: bool) -> Report:
    """Refresh the list for ten minutes, or 20 s."""
    options = DemoOptions(servers=DEMO_SERVERS, latency_ms=(LATENCY_MS, LATENCY_MS))
    with ExitStack() as ends:
        with _kept_port(supertuxkart.LAN_PORT):
            demo = ends.enter_context(DemoProcess(options, (sys.executable, str(HERE / "family_network.py"))))
        chosen = _one_of_each(demo.sources.servers)
        seconds = QUICK_SECONDS if quick else SECONDS
        found = ask_child("real_child.py", {"demo": chosen, "seconds": seconds}, seconds + START_LIMIT_S)
        requests: Mapping[str, int] = demo.report()["requests_to"]
    rows: list[dict[str, Any]] = found["rows"]
    real, stand_ins = ([row for row in rows if bool(row["title"]) is is_real] for is_real in (True, False))
    title = f"{len(rows)} servers in one list for {seconds:g} s, {found['in_sight']} in sight, {found['checks']} checks"
    table = Table(f"{title}: {len(real)} real ones", COLUMNS, [_real_row(row) for row in real])
    recorded = _recorded_elsewhere()
    others = Table("No real server is installed: demo servers", DEMO_COLUMNS)
    others.rows += [_demo_row(row, recorded[row["protocol"]], requests) for row in stand_ins]
    sums = Table("All packets", ("counter", "packets"), _sums(rows, found))
    sys.stderr.writelines(f"missing: {each}\n" for each in found["missing"])
    sys.stderr.writelines(f"{row['protocol']}: maps {row['maps']}\n" for row in rows if len(row["maps"]) > 1)
    return Report([table, others, sums], _budgets(real, stand_ins, requests, found))


@contextmanager
def _kept_port(port: int) -> Iterator[None]:
    """Keep a port for a real server, which needs it on all addresses.

    Demo servers that start meanwhile take the next one.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        with suppress(OSError):  # another program has it
            sock.bind(("", port))
        yield


def _one_of_each(urls: Sequence[str]) -> list[str]:
    """Return one demo server of each protocol."""
    chosen = {url.partition("://")[0]: url for url in reversed(urls)}
    return [chosen[protocol] for protocol in QUERY_PROTOCOLS if protocol != LISTED]


def _recorded_elsewhere() -> dict[str, str]:
    """Return by protocol what was recorded of real servers."""
    text = Path(HERE.parent, "real", "README.md").read_text(encoding="utf-8")
    return {match[1]: match[2].strip().replace("–", "documents alone") for match in _PROTOCOL_ROW.finditer(text)}


def _real_row(row: Mapping[str, Any]) -> list[Any]:
    return [
        row["title"],
        row["protocol"],
        f"{row['answered']} of {row['queries']}",
        row["read"],
        " + ".join(str(count) for count in row["kinds"].values()),
        row["sent"],
        row["arrived"],
        row["record"],
        row["expected"],
        row["recorded"],
        row["replies"],
        row["received"],
        row["lost"],
    ]


def _demo_row(row: Mapping[str, Any], known_by: str, requests: Mapping[str, int]) -> list[Any]:
    counts = (
        row["sent"],
        row["arrived"],
        requests.get(row["address"], 0),
        row["replies"],
        row["received"],
        row["lost"],
    )
    return [row["protocol"], known_by, f"{row['answered']} of {row['queries']}", *counts]


def _sums(rows: Sequence[Mapping[str, Any]], found: Mapping[str, Any]) -> list[Sequence[Cell]]:
    return [
        ["sent, at the engine", sum(row["sent"] for row in rows)],
        ["sent, as the program counts and shows", found["counted_by_product"]],
        ["arrived, by the kernel", sum(row["arrived"] for row in rows)],
        ["dropped by sockets of real servers", sum(row["dropped"] for row in rows)],
        ["replies, by the kernel", found["replies"]],
        ["replies, as the program counts and shows", found["received"]],
        ["of these rejected", found["dropped"]],
        ["missed by the capture", found["capture_missed"]],
    ]


def _budgets(
    real: Sequence[Mapping[str, Any]],
    stand_ins: Sequence[Mapping[str, Any]],
    requests: Mapping[str, int],
    found: Mapping[str, Any],
) -> list[Budget]:
    rows = [*real, *stand_ins]
    by_demo = (abs(row["sent"] - requests.get(row["address"], 0)) for row in stand_ins)
    sent = sum(row["sent"] for row in rows)
    return [
        Budget("real servers", len(real), found["known"], "", is_minimum=True),
        Budget("queries without an answer", sum(row["queries"] - row["answered"] for row in rows), 0, ""),
        Budget("checks at which a row was lost or silent", sum(row["lost"] for row in rows), 0, ""),
        Budget("checks at which the table had another number of rows", found["wrong_row_counts"], 0, ""),
        Budget("servers whose name changed", sum(len(row["names"]) > 1 for row in rows), 0, ""),
        Budget("sent less arrived", sum(abs(row["sent"] - row["arrived"]) for row in rows), 0, "packets"),
        Budget("expected less recorded", sum(abs(row["expected"] - row["recorded"]) for row in real), 0, "packets"),
        Budget("sent less counted by demo servers", sum(by_demo), 0, "packets"),
        Budget("replies less received", sum(abs(row["replies"] - row["received"]) for row in rows), 0, "packets"),
        Budget("sent less shown by the program", abs(sent - found["counted_by_product"]), 0, "packets"),
    ]
