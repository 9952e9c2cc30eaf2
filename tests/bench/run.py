"""The benchmarks.

Usage: `.venv/bin/python tests/bench/run.py [NAME…] [--quick] [--markdown]`.

Each measurement is made in a process of its own against a demo network in another one, on this machine's loopback,
beside the programs and libraries that people use for the same; figures of one table come from one run. Budgets are
hard: the exit status is 1 when one is broken. Nothing is subtracted from any figure; where the demo network itself was
late, a column says by how much. pytest does not collect these files.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence

import coverage_bench
import family_bench
import forecast_bench
import hostile_bench
import rating_bench
import real_bench
import record_bench
import scan_bench
import skill_bench
import start_bench
import table_bench
from bench_child import ChildError
from bench_report import Report, machine

from browser_app.demo.sockets.loopback_sockets import DemoError

BENCHMARKS: dict[str, Callable[[bool], Report]] = {
    "scan": scan_bench.run,
    "families": family_bench.run,
    "table": table_bench.run,
    "start": start_bench.run,
    "rating-speed": rating_bench.run,
    "rating-forecasts": forecast_bench.run,
    "rating-coverage": coverage_bench.run,
    "record": record_bench.run,
    "skill": skill_bench.run,
    "hostile-masters": hostile_bench.run,
    "real-servers": real_bench.run,
}
"""By name; each takes whether it is to be quick. A name's part before the hyphen stands for all that have it."""

QUICK_UNLESS_NAMED = frozenset({"real-servers"})
"""Benchmarks whose full form takes too long for a run of all."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run benchmarks and print what they found; 1 when a budget is broken."""
    options = _parse(arguments)
    if options.list:
        for name, benchmark in BENCHMARKS.items():
            _say(f"{name:16} {(sys.modules[benchmark.__module__].__doc__ or '').splitlines()[0]}")
        return 0
    _say(machine())
    broken = 0
    for name in _select(options.names) if options.names else BENCHMARKS:
        began_s = time.monotonic()
        try:
            report = BENCHMARKS[name](options.quick or (not options.names and name in QUICK_UNLESS_NAMED))
        except (ChildError, DemoError) as error:
            _say(f"{name}: {error}")
            broken += 1
            continue
        _say(report.markdown() if options.markdown else report.text())
        _say(f"({name}: {time.monotonic() - began_s:.0f} s, load {os.getloadavg()[0]:.1f})")
        broken += sum(not budget.kept for budget in report.budgets)
    _say(f"{broken} broken." if broken else "All budgets kept.")
    return 1 if broken else 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(BENCHMARKS)} (all)")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument("--quick", action="store_true", help="fewer cases, one round each")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if not _select([name])]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    return options


def _select(names: Sequence[str]) -> list[str]:
    """Return the benchmarks with these names, or with one of them before the hyphen."""
    return [key for key in BENCHMARKS if {key, key.partition("-")[0]} & set(names)]


def _say(text: str) -> None:
    sys.stdout.write(f"\n{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
