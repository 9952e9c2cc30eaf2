"""Forecasts: log loss of every system and of other packages in simulated worlds, each with a trait of its own.

All parameters are fitted on the first half of a world's rounds, those of the packages to the best of a few values. The
second half is scored, by the true chances; every round is forecast before anyone learns from it.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

from bench_child import ask_child
from bench_report import Cell, Report, Table

LIMIT_S = 3600.0
_PROCESSES = 2
_Row: TypeAlias = Mapping[str, Any]
"""Figures of one forecaster in one world."""


def run(quick: bool) -> Report:
    """All worlds; half as many rounds when quick."""
    rounds: Mapping[str, int] = ask_child("forecast_child.py", {}, LIMIT_S)
    requests = [{"world": name, "rounds": count // 2 if quick else count} for name, count in rounds.items()]
    with ThreadPoolExecutor(_PROCESSES) as pool:
        worlds = pool.map(lambda request: ask_child("forecast_child.py", request, LIMIT_S), requests)
        found = {
            f"{world['title']}, {request['rounds']:,} rounds": world["rows"]
            for world, request in zip(worlds, requests, strict=True)
        }
    return Report(
        [
            _table("Log loss", found, lambda row: f"{row['log_loss']:.4f}"),
            _table("Log loss less that of the best package, 95 % interval", found, _interval),
            _table("CPU time of the fit, s", found, lambda row: row.get("fit_s")),
        ]
    )


def _table(title: str, found: Mapping[str, Mapping[str, _Row]], figure: Callable[[_Row], Cell]) -> Table:
    """Return a table with a row per world and a column per forecaster that has the figure in any of them."""
    cells = {world: {name: figure(row) for name, row in rows.items()} for world, rows in found.items()}
    names = dict.fromkeys(name for row in cells.values() for name, cell in row.items() if cell is not None)
    rows: list[Sequence[Cell]] = [(world, *map(row.get, names)) for world, row in cells.items()]
    return Table(title, ("world", *names), rows)


def _interval(row: _Row) -> Cell:
    return f"{row['low']:+z.4f} … {row['high']:+z.4f}" if row.get("low") is not None else None
