"""Forecasts: log loss of every system and of other packages in simulated worlds, each with a trait of its own.

All parameters are fitted on the first half of a world's rounds, those of the packages to the best of a few values. The
second half is scored, by the true chances; every round is forecast before anyone learns from it.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench_child import ask_child
from bench_report import Report, Table

LIMIT_S = 3600.0
_PROCESSES = 2


def run(quick: bool) -> Report:
    """All worlds; half as many rounds when quick."""
    rounds: Mapping[str, int] = ask_child("forecast_child.py", {}, LIMIT_S)
    requests = [{"world": name, "rounds": count // 2 if quick else count} for name, count in rounds.items()]
    with ThreadPoolExecutor(_PROCESSES) as pool:
        found = list(pool.map(_ask, requests))
    table = Table(
        "Second half of each world, by log loss",
        ("world, forecasts of", "pairs of teams", "log loss", "less the best package", "95 % interval", "fit, s"),
    )
    for world, request in zip(found, requests, strict=True):
        table.rows.append((f"{world['title']} ({request['rounds']:,} rounds)", *[""] * 5))
        table.rows.extend(map(_cells, world["rows"]))
    return Report([table])


def _ask(request: Mapping[str, Any]) -> Any:
    return ask_child("forecast_child.py", request, LIMIT_S)


def _cells(row: Mapping[str, Any]) -> Sequence[float | int | str | None]:
    low, high = row["low"], row["high"]
    interval = None if low is None else f"{low:+z.4f} … {high:+z.4f}"
    name = f"  {row['name']}"
    return (name, row["pairs"], f"{row['log_loss']:.4f}", f"{row['difference']:+z.4f}", interval, row["fit_s"])
