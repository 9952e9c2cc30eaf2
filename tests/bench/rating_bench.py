"""Ratings: rounds per second of every system beside other packages.

The command line, full history and memory are measured, too.

All figures but those of free-for-alls are of one seeded record of pick-up rounds, six against six; the best of some
repeats, each in a process of its own. All but the command line count seconds of the processor; beside the command line,
the package is timed on the wall as well.
"""

import tempfile
from dataclasses import dataclass, field

from bench_child import ask_child
from bench_report import Budget, Report, Table

LIMIT_S = 900.0
FORWARD, COUNTED, FULL_HISTORY, SWEEP = 40_000, 8_000, 21_000, 2_000
COMMAND_LINE, MILLION = 200_000, 1_000_000
CLUB_ROUNDS = 1000

COUNTS = {
    "kill_wp": "1",
    "kill_wo": "-0.5",
    "kill_v": "0.2",
    "death_wp": "-0.5",
    "death_wo": "1",
    "death_v": "0.2",
}
"""The time does not depend on the values."""

PEERS = (
    "trueskill",
    "openskill, PlackettLuce",
    "openskill, BradleyTerryFull",
    "trueskillthroughtime, forward",
)


@dataclass(frozen=True)
class OwnSystem:
    """One of our systems with its parameters."""

    title: str
    system: str
    params: dict[str, str] = field(default_factory=dict)


OWN_SYSTEMS = (
    OwnSystem("ns2", "ns2"),
    OwnSystem("trueskill", "trueskill"),
    OwnSystem("trueskill2", "trueskill2"),
    OwnSystem("trueskill2 with kills and deaths", "trueskill2", COUNTS),
    OwnSystem("elo-blog", "elo-blog"),
    OwnSystem("elo-xonstat", "elo-xonstat"),
    OwnSystem("xonstat-go", "xonstat-go"),
)


def run(quick: bool) -> Report:
    """Measure everything; a million rounds only when not quick."""
    peer_rounds = 1000 if quick else 4000
    peers = {peer: _peer_per_s(peer, peer_rounds) for peer in PEERS}
    budgets: list[Budget] = []
    tables = [
        _forward(quick, peers, budgets),
        _free_for_all(budgets),
        _command_line(peer_rounds, budgets),
        _whole_record(quick, budgets),
    ]
    report = Report(tables, budgets)
    if not quick:
        report.tables.append(_million(budgets))
    return report


def _ask(what: str, rounds: int, repeats: int = 3, **more: object) -> dict[str, float]:
    request = {"what": what, "rounds": rounds, "repeats": repeats, **more}
    found: dict[str, float] = ask_child("rating_child.py", request, LIMIT_S)
    return found


def _peer_per_s(peer: str, rounds: int, clock: str = "s", **more: object) -> float:
    found = ask_child("rating_peers.py", {"peer": peer, "rounds": rounds, "repeats": 2, **more}, LIMIT_S)
    return rounds / float(found[clock])


def _forward(quick: bool, peers: dict[str, float], budgets: list[Budget]) -> Table:
    share = 4 if quick else 1
    per_s = {}
    for ours in OWN_SYSTEMS:
        rounds = (COUNTED if ours.params else FORWARD) // share
        per_s[ours.title] = rounds / _ask("forward", rounds, system=ours.system, params=ours.params)["s"]
    trueskill, openskill = peers["trueskill"], max(peers[peer] for peer in PEERS if peer.startswith("openskill"))
    table = Table("Rounds in memory, 6 v 6, forward", ("system", "rounds/s", "× trueskill", "× openskill"))
    for title, found in [*((f"Ready Room, {title}", found) for title, found in per_s.items()), *peers.items()]:
        table.rows.append((title, found, found / trueskill, found / openskill))
    for title in ("ns2", "trueskill"):
        budgets.append(Budget(f"{title}, rounds in memory", per_s[title], 100_000, "/s", is_minimum=True))
        budgets.append(Budget(f"{title} beside trueskill", per_s[title] / trueskill, 40, "times", is_minimum=True))
        budgets.append(Budget(f"{title} beside openskill", per_s[title] / openskill, 5, "times", is_minimum=True))
    budgets.extend(
        Budget(f"{title}, rounds in memory", per_s[title], 20_000, "/s", is_minimum=True)
        for title in ("trueskill2", "elo-blog", "elo-xonstat", "xonstat-go")
    )
    counted = per_s["trueskill2 with kills and deaths"]
    budgets.append(Budget("trueskill2 with kills and deaths", counted, 13_000, "/s", is_minimum=True))
    budgets.append(Budget("the same beside openskill without counts", counted / openskill, 1, "times", is_minimum=True))
    return table


def _free_for_all(budgets: list[Budget]) -> Table:
    columns = ("players", "trueskill, rounds/s", "package, rounds/s", "times", f"{CLUB_ROUNDS:,} rounds smoothed, s")
    table = Table("Everybody against everybody", columns)
    for players in (4, 8, 16):
        ours = CLUB_ROUNDS / _ask("forward", CLUB_ROUNDS, system="trueskill", free_for_all=players)["s"]
        package = _peer_per_s("trueskill", CLUB_ROUNDS // players, free_for_all=players)
        smoothed_s = _ask("full history", CLUB_ROUNDS, repeats=1, system="trueskill", free_for_all=players)["s"]
        table.rows.append((players, ours, package, ours / package, smoothed_s))
        budgets.append(Budget(f"{players} players beside the package", ours / package, 10, "times", is_minimum=True))
        if players == 8:
            budgets.append(Budget(f"{CLUB_ROUNDS:,} rounds of {players} smoothed", smoothed_s, 3, "s"))
    return table


def _command_line(peer_rounds: int, budgets: list[Budget]) -> Table:
    columns = ("system", "rounds/s", "s", "s of the processors", "trueskill, rounds/s", "times")
    table = Table(f"`rate` of {COMMAND_LINE:,} rounds in a file, from start to end, by the clock on the wall", columns)
    for system in ("ns2", "trueskill"):
        with tempfile.TemporaryDirectory() as folder:
            found = _ask("command line", COMMAND_LINE, repeats=2, system=system, folder=folder)
        package_per_s = _peer_per_s("trueskill", peer_rounds, "wall_s")
        per_s = COMMAND_LINE / found["s"]
        times = per_s / package_per_s
        table.rows.append((system, per_s, found["s"], found["processor_s"], package_per_s, times))
        budgets.append(Budget(f"`rate --system {system}`", per_s, 40_000, "/s", is_minimum=True))
        budgets.append(Budget(f"`rate --system {system}` beside trueskill", times, 15, "times", is_minimum=True))
    return table


def _whole_record(quick: bool, budgets: list[Budget]) -> Table:
    table = Table("The whole record at once", ("work", "rounds", "s", "trueskillthroughtime, s", "times"))
    solve_s = _ask("full history", FULL_HISTORY, system="ns2")["s"]
    table.rows.append(("ns2, most probable skills", FULL_HISTORY, solve_s, None, None))
    budgets.append(Budget(f"ns2, most probable skills of {FULL_HISTORY:,} rounds", solve_s, 0.2, "s"))
    rounds = SWEEP // 4 if quick else SWEEP
    ours_s = _ask("sweep", rounds, system="trueskill")["s"]
    theirs_s = rounds / _peer_per_s("trueskillthroughtime, sweep", rounds)
    table.rows.append(("trueskill, one sweep both ways", rounds, ours_s, theirs_s, theirs_s / ours_s))
    budgets.append(Budget("sweep beside trueskillthroughtime", theirs_s / ours_s, 2, "times", is_minimum=True))
    return table


def _million(budgets: list[Budget]) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        found = _ask("command line", MILLION, repeats=1, system="trueskill", folder=folder)
    table = Table(f"`rate` of {MILLION:,} rounds", ("system", "rounds/s", "s", "peak memory MB"))
    table.rows.append(("trueskill", MILLION / found["s"], found["s"], found["peak_mb"]))
    budgets.append(Budget("a million rounds, peak memory", found["peak_mb"], 2000, "MB"))
    return table
