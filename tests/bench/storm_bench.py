"""Storm: thousands of living servers polled under network faults.

No healthy server may be lost, and no error may occur.

One row per weather: loss each way, faults of servers and masters (`browser_app/demo/faults/network_faults.py`), a
network that goes and comes, a wall clock that jumps, a process that is suspended, a flood of 50,000 forged datagrams a
second.
"""

import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import storm_stage
from bench_child import HERE, ask_child
from bench_report import Budget, Cell, Report, Table
from storm_child import LIMIT_S, Storm
from storm_flood import PROMISED_PER_S
from storm_losses import beyond, expected_lost, expected_unanswered, legs

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess
from browser_app.demo.faults.network_faults import MasterFault, ServerFault
from browser_app.demo.scenario import ServerSpec
from browser_app.demo.sockets.loopback_sockets import DemoError
from browser_app.protocols.coloured_text import plain_text

SERVERS = 10_000
MEMORY_MB = 350
LATE_MS = 250
"""With a network that is later than this the machine was too busy to tell whose fault a missing answer is."""
LIES = {"servers": {fault.value: 0.002 for fault in ServerFault}}
_DEAD = dict.fromkeys(("xonotic", "openarena", "quake3", "steam", "list"), MasterFault.DEAD.value)
_LYING = {
    "xonotic": MasterFault.NO_END.value,
    "warfork": MasterFault.GARBAGE.value,
    "openarena": MasterFault.ENDLESS.value,
    "quake3": MasterFault.INCOMPLETE.value,
    "unvanquished": MasterFault.EMPTY.value,
    "steam": MasterFault.INCOMPLETE.value,
    "list": MasterFault.GARBAGE.value,
}
COLUMNS = (
    "weather", "polls", "questions", "unanswered", "by chance", "no room", "no way", "ours", "lost rows", "by chance",
    "faults", "rejected datagrams", "of a processor %", "ping off p99 ms", "network late p99 ms", "peak MB",
)  # fmt: skip
"""Unanswered questions: how many the weather's losses explain, `storm_losses.py`; how many fell into polls in which the
kernel threw datagrams away, for want of room; to how many servers there was no way at any attempt; and what remains is
our own doing."""


@dataclass(frozen=True)
class Case:
    """A network and a weather."""

    title: str
    loss: float = 0.0
    """Each way."""
    dead: float = 0.0
    faults: dict[str, Any] = field(default_factory=dict)
    weather: str = ""
    polls: int = 3
    """At least; with many losses a server is silent in several polls one after the other."""


CASES = (
    Case("calm"),
    Case("loss 3 %", 0.03),
    Case("loss 10 %", 0.10, polls=4),
    Case("loss 30 %", 0.30, polls=9),
    Case("duplicates 20 %, reordering 20 %", faults={"duplicates": 0.2, "reorder": 0.2}),
    Case("latency jumps of 250 ms, 10 %", faults={"jumps": 0.1}),
    Case("30 % of servers dead", dead=0.3),
    Case("masters dead", faults={"masters": _DEAD}),
    Case("masters lie", faults={"masters": _LYING}),
    Case("every lie of servers, 0.2 % each", 0.01, faults=LIES, polls=4),
    Case("network down and up", weather="down"),
    Case("clock jumps by hours", weather="clock"),
    Case("suspended for 3 s", weather="suspend"),
    Case("flood of forged datagrams", weather="flood", polls=6),
)


@dataclass(frozen=True)
class Braved:
    """A weather that is over."""

    case: Case
    storm: Storm
    legs: list[int]
    """Of each server that was asked."""
    late_ms: float
    """p99 of the network's own lateness: what it made slower than it says."""

    @property
    def by_chance(self) -> float:
        """Unanswered questions that the losses explain."""
        return expected_unanswered(self.case.loss, self.legs, self.storm.polls)

    @property
    def ours(self) -> int:
        """Unanswered questions that nothing else explains."""
        return beyond(self.storm.unanswered - self.storm.crowded_out - self.storm.shut_out, self.by_chance)

    def row(self) -> Sequence[Cell]:
        """One of the table."""
        case, storm = self.case, self.storm
        causes = (self.by_chance, storm.crowded_out, storm.shut_out, self.ours)
        rows = (len(storm.lost), expected_lost(case.loss, self.legs, storm.polls), len(storm.faults))
        return (
            case.title,
            storm.polls,
            storm.asked,
            storm.unanswered,
            *causes,
            *rows,
            sum(storm.dropped.values()),
            100 * storm.processor_s / storm.polling_s,
            storm.ping_off_ms,
            self.late_ms,
            storm.peak_mb,
        )

    def told(self) -> str:
        """In a line, and what went wrong in further ones."""
        storm = self.storm
        by = f"{self.by_chance:.1f} by chance, {storm.crowded_out} no room, {storm.shut_out} no way, {self.ours} ours"
        silence = f"{storm.asked:,} questions, {storm.unanswered} unanswered ({by})"
        flood = f", {storm.flooded_per_s:,.0f} forged datagrams/s" if storm.flooded else ""
        ends = f"{len(storm.lost)} rows lost, {len(storm.faults)} faults{flood}, {storm.peak_mb:.0f} MB"
        troubles = [*storm.lost[:5], *storm.faults[:5], *(storm.silent if self.ours else [])]
        return "".join(f"{self.case.title}: {each}\n" for each in (f"{silence}, {ends}", *troubles))

    def fate(self) -> Table:
        """What became of the datagrams of a flood."""
        storm = self.storm
        table = Table(f"{self.case.title}: {storm.polling_s:.0f} s of polls", ("datagrams", "/s"))
        fates = {"forged and sent": storm.flooded, "without room": storm.overflowed, "read": storm.received}
        refused = {f"refused: {reason}": count for reason, count in sorted(storm.dropped.items())}
        table.rows += [(name, count / storm.polling_s) for name, count in (fates | refused).items()]
        return table


def run_for(seconds: float, servers: int, cases: Sequence[Case], say: Callable[[str], object]) -> Report:
    """Run each weather for so many seconds and report it at once.

    One that fails costs itself only.
    """
    all_braved = []
    for case in cases:
        try:
            braved = _brave(case, servers, seconds)
        except Exception as error:  # noqa: BLE001 (hours of other weathers are at stake)
            say(f"{case.title}: {type(error).__name__}: {error}\n")
            continue
        all_braved.append(braved)
        say(braved.told())
    table = Table(f"{servers:,} living servers, {seconds:.0f} s of each weather", COLUMNS)
    table.rows += [braved.row() for braved in all_braved]
    fates = [braved.fate() for braved in all_braved if braved.storm.flooded]
    return Report([table, *fates], _budgets(cases, all_braved))


def _budgets(cases: Sequence[Case], all_braved: Sequence[Braved]) -> list[Budget]:
    storms = [braved.storm for braved in all_braved]
    late_ms = max((braved.late_ms for braved in all_braved), default=0.0)
    floods = [braved.storm.flooded_per_s for braved in all_braved if braved.case.weather == "flood"]
    return [
        Budget("weathers that could be told", len(storms), len(cases), "", least=True),
        Budget("rows of healthy servers lost or wrong", sum(len(storm.lost) for storm in storms), 0, ""),
        Budget("answers lost by us", sum(braved.ours for braved in all_braved), 0, ""),
        Budget("faults", sum(len(storm.faults) for storm in storms), 0, ""),
        *(Budget("forged datagrams while polls ran", rate, PROMISED_PER_S, "/s", least=True) for rate in floods),
        Budget("lateness of the network itself, p99", late_ms, LATE_MS, "ms"),
        Budget("memory, the most", max((storm.peak_mb for storm in storms), default=0.0), MEMORY_MB, "MB"),
    ]


def _brave(case: Case, servers: int, seconds: float) -> Braved:
    options = DemoOptions(servers=servers, latency_ms=storm_stage.LATENCY_MS, loss=case.loss, dead=case.dead)
    faults = json.dumps(case.faults)
    parts = storm_stage.network_of(options, faults).specs
    command = (sys.executable, str(HERE / "storm_stage.py"), faults)
    with DemoProcess(options, command) as stage:
        here = {url.partition("://")[2]: part for url, part in zip(stage.sources.servers, parts, strict=True)}
        healthy = {
            address: part for address, part in here.items() if part.is_alive and part.fault in (None, ServerFault.FLOOD)
        }
        asked = {address: part for address, part in healthy.items() if part.fault is None}
        request = {
            "masters": stage.sources.masters,
            "servers": stage.sources.servers,
            "key": stage.sources.steam_key,
            "healthy": {address: (_name(part), part.latency_ms) for address, part in healthy.items()},
            "asked": list(asked),
            "weather": case.weather,
            "polls": case.polls,
            "seconds": seconds,
        }
        storm = Storm(**ask_child("storm_child.py", request, seconds + case.polls * LIMIT_S + 60))
        late_ms = _lateness_ms(stage)
    return Braved(case, storm, [legs(part) for part in asked.values()], late_ms)


def _lateness_ms(stage: DemoProcess) -> float:
    """Without end where the network is too busy even to tell it."""
    try:
        return float(stage.report()["lateness_ms"]["p99"])
    except DemoError:
        return math.inf


def _name(part: ServerSpec) -> str:
    """As the list shows it."""
    return plain_text(part.server.name, part.server.game.colours)
