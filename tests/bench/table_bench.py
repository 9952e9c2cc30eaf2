"""The table: sorting, painting, draining and filtering 20,000 rows.

Its frames while answers arrive are measured, too.

Beside it the same rows the way tables are usually written in Python, through a QSortFilterProxyModel.
"""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from bench_child import ask_child
from bench_report import Budget, Report, Table, quantile

ROWS = 20_000
PER_S = 2000
CHILD_LIMIT_S = 120.0


def run(quick: bool) -> Report:
    """Measure in one child."""
    request = {"rows": ROWS, "rounds": 10 if quick else 40, "proxy_rounds": 1 if quick else 3, "per_s": PER_S}
    frames = {"seconds": 3 if quick else 6, "frame_rounds": 1 if quick else 3}
    found = ask_child("table_child.py", request | frames, CHILD_LIMIT_S)
    return Report([_operations(found), _frames(found["frames"])], _budgets(found))


def _operations(found: Mapping[str, Any]) -> Table:
    table = Table(f"Table of {ROWS:,} rows, 1280 × 800, ms", ("operation", "median", "p95", "proxy model", "times"))
    proxy = found["proxy"]
    _add(table, "new scores: sort and signals", found["sort"], proxy["sort"])
    _add(table, "new names: sort and signals", found["sort_by_name"])
    _add(table, "scores, order, side list, inspector", found["rescore"])
    _add(table, "paint the table", found["paint"], proxy["paint"])
    _add(table, "paint the whole window", found["paint_window"])
    _add(table, "drain 500 answers", found["drain"])
    _add(table, "drain 500 answers of new servers", found["drain_new"])
    for text, times in found["filter"].items():
        _add(table, f"filter {text}", times, proxy["filter"] if text == "lantern" else None)
    return table


def _add(table: Table, name: str, ours: Sequence[float], proxy: Sequence[float] | None = None) -> None:
    median = statistics.median(ours)
    theirs = None if proxy is None else statistics.median(proxy)
    table.rows.append((name, median, quantile(ours, 0.95), theirs, None if theirs is None else theirs / median))


def _frames(frames: Mapping[str, Mapping[str, float]]) -> Table:
    keys = ("fps", "p50", "p95", "p99", "max", "answers_per_s")
    table = Table(
        f"Frames while a row a frame is scrolled through {ROWS:,} (medians of runs)",
        ("answers/s wanted", "frames/s", "gap p50 ms", "p95", "p99", "max", "answers/s"),
    )
    table.rows += [(per_s, *(figures[key] for key in keys)) for per_s, figures in frames.items()]
    return table


def _budgets(found: Mapping[str, Any]) -> list[Budget]:
    live = found["frames"][str(PER_S)]
    filters = max(statistics.median(times) for times in found["filter"].values())
    return [
        Budget("re-sort with signals", statistics.median(found["sort"]), 10, "ms"),
        Budget("full paint of the window", statistics.median(found["paint_window"]), 8, "ms"),
        Budget("drain 500 answers", statistics.median(found["drain"]), 3, "ms"),
        Budget("filter, the slowest", filters, 30, "ms"),
        Budget(f"frames at {PER_S:,} answers/s", live["fps"], 55, "/s", is_minimum=True),
        Budget(f"frame gap p99 at {PER_S:,} answers/s", live["p99"], 25, "ms"),
        Budget("memory", found["memory_mb"], 350, "MB"),
    ]
