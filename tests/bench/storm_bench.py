"""Storm: thousands of living servers polled in all weathers; no healthy server may be lost, nothing may go wrong.

A row a weather: loss each way, faults of servers and masters (`browser_app/demo/faults.py`), a network that goes and
comes, a wall clock that jumps, a process that is suspended, a flood of 50,000 forged datagrams a second.
"""

import json
import sys
from dataclasses import dataclass, field
from typing import Any

import storm_stage
from bench_child import HERE, ask_child
from bench_report import Budget, Report, Table
from storm_child import Storm

from browser_app.demo.faults import Lie, MasterFault
from browser_app.demo.options import DemoOptions
from browser_app.demo.process import DemoProcess
from browser_app.games import load_games
from browser_app.games.games import Games
from browser_app.paths import resources
from browser_app.protocols.coloured_text import plain

SERVERS = 10_000
MEMORY_MB = 350
LIES = {lie.name.lower(): 0.002 for lie in Lie}
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
    "weather", "polls", "questions", "unanswered %", "lost rows", "faults", "refused datagrams", "ping off p99 ms",
    "peak MB",
)  # fmt: skip


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


def run_for(seconds: float, servers: int = SERVERS) -> Report:
    """All weathers, so many seconds each."""
    table = Table(f"{servers:,} living servers, {seconds:.0f} s of each weather", COLUMNS)
    games, storms = load_games(resources() / "games"), []
    for case in CASES:
        storm = _brave(case, servers, seconds, games)
        storms.append(storm)
        title = f"{case.title} ({storm.flooded:,}/s)" if storm.flooded else case.title
        missed = 100 * storm.unanswered / storm.asked
        figures = (len(storm.lost), len(storm.faults), storm.dropped, storm.ping_off_ms, storm.peak_mb)
        table.rows.append((title, storm.polls, storm.asked, missed, *figures))
        sys.stderr.write("".join(f"{case.title}: {fault}\n" for fault in storm.faults[:5]) or ".")
        sys.stderr.flush()
    budgets = [
        Budget("rows of healthy servers lost or wrong", sum(len(storm.lost) for storm in storms), 0, ""),
        Budget("faults", sum(len(storm.faults) for storm in storms), 0, ""),
        Budget("memory, the most", max(storm.peak_mb for storm in storms), MEMORY_MB, "MB"),
    ]
    return Report([table], budgets)


def _brave(case: Case, servers: int, seconds: float, games: Games) -> Storm:
    options = DemoOptions(servers=servers, latency_ms=storm_stage.LATENCY_MS, loss=case.loss, dead=case.dead)
    faults = json.dumps(case.faults)
    parts = storm_stage.network_of(options, faults).parts
    command = (sys.executable, str(HERE / "storm_stage.py"), faults)
    with DemoProcess(options, command) as stage:
        healthy = {
            url.partition("://")[2]: (
                plain(part.population.name, games[part.population.sheet.id].colours),
                part.latency_ms,
            )
            for url, part in zip(stage.sources.servers, parts, strict=True)
            if part.alive and part.lie in (None, Lie.FLOOD)
        }
        request = {
            "masters": stage.sources.masters,
            "servers": stage.sources.servers,
            "key": stage.sources.steam_key,
            "healthy": healthy,
            "weather": case.weather,
            "polls": case.polls,
            "seconds": seconds,
        }
        return Storm(**ask_child("storm_child.py", request, seconds + 300))
