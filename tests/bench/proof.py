"""The program under faults, load and attack.

Usage: `packaging/dev.py proof [PART…] [--minutes 2 | --full] [--cases N] [--markdown]`.

Parts: `faults` (thousands of servers under faults of network and system), `window` (the window on a faulty network),
`fuzz` (a million cases), `coverage` (further cases led by coverage, if atheris is installed), `storage` (power
failures), `kill` (the window killed while it is used). Each part prints its result when it ends; if one fails, the
others still run. The exit status is 1 when a budget is exceeded.
"""

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace

import fault_bench
import fuzz_bench
import kill_bench
import truncation_bench
from bench_child import HERE, ask_child
from bench_report import Budget, Report, Table, machine

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess

FULL_MINUTES = 30.0
WINDOW_FAULTS = {"duplicates": 0.05, "reorder": 0.05, "jumps": 0.02, **fault_bench.SERVER_FAULTS}
WINDOW_LOSS = 0.05
LOW_PRIORITY = ("nice", "-n", "10")
"""Keeps the demo network from delaying the window's frames."""


def faults(options: argparse.Namespace) -> Report:
    """Run all cases for equal parts of the minutes."""
    cases = [case for case in fault_bench.CASES if options.case in case.title]
    return fault_bench.run_for(60 * options.minutes / len(cases), options.servers, cases, _say)


def window(options: argparse.Namespace) -> Report:
    """Measure frames, memory and the selection in the window."""
    command = (*LOW_PRIORITY, sys.executable, str(HERE / "fault_network.py"), json.dumps(WINDOW_FAULTS))
    with DemoProcess(DemoOptions(servers=options.servers, loss=WINDOW_LOSS), command) as demo:
        request = {
            "masters": demo.sources.masters,
            "key": demo.sources.steam_key,
            "minutes": options.minutes,
            "servers": options.servers,
        }
        found = ask_child("fault_window.py", request, 60 * options.minutes + 300)
    table = Table(f"The window: {found['title']}", found["columns"], found["table"])
    budgets = [Budget(*each) for each in found["budgets"]]
    sys.stderr.write("".join(f"window: {error}\n" for error in found["errors"][:10]))
    return Report([table], [*budgets, Budget("errors in the window", len(found["errors"]), 0, "")])


def fuzz(options: argparse.Namespace) -> Report:
    """Fuzz by mutation."""
    return fuzz_bench.run_cases(options.cases)


def coverage(options: argparse.Namespace) -> Report:
    """Fuzz by coverage: cases that reach new lines are mutated further."""
    return fuzz_bench.run_guided(options.cases // 20)


def storage(options: argparse.Namespace) -> Report:
    """Cut databases off at every page, and at more bytes with more minutes."""
    return truncation_bench.run_step(97 if options.minutes >= FULL_MINUTES else 997)


def kill(options: argparse.Namespace) -> Report:
    """Kill the window 200 times with more minutes, 20 times otherwise."""
    return kill_bench.run_times(200 if options.minutes >= FULL_MINUTES else 20)


PARTS: dict[str, Callable[[argparse.Namespace], Report]] = {
    "faults": faults,
    "window": window,
    "fuzz": fuzz,
    "coverage": coverage,
    "storage": storage,
    "kill": kill,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named parts, or all; return 1 when a budget is exceeded."""
    options = _parse(arguments)
    _say(f"{machine()}\n")
    whole = Report()
    for name in options.parts or PARTS:
        began_s = time.monotonic()
        _say(f"\n{name}\n\n")
        try:
            report = PARTS[name](options)
        except Exception as error:  # noqa: BLE001 (the other parts have run for hours)
            _say(f"{''.join(traceback.format_exception(error))}\n")
            report = Report(budgets=[Budget("ended without an error", 0, 1, "", is_minimum=True)])
        whole.budgets += [replace(budget, what=f"{name}: {budget.what}") for budget in report.budgets]
        _say(f"{report.markdown() if options.markdown else report.text()}\n")
        _say(f"\n({name}: {time.monotonic() - began_s:.0f} s, load {os.getloadavg()[0]:.1f})\n")
    broken = sum(not budget.kept for budget in whole.budgets)
    _say(f"\nAll parts\n\n{whole.markdown() if options.markdown else whole.text()}\n")
    _say(f"\n{broken} broken.\n" if broken else "\nAll budgets kept.\n")
    return 1 if broken else 0


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Test the program under faults, load and attack.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which: {', '.join(PARTS)} (all)")
    parser.add_argument("--minutes", type=float, default=2.0, help="duration of faults and of window (2)")
    parser.add_argument("--full", action="store_const", dest="minutes", const=FULL_MINUTES, help="30 minutes each")
    parser.add_argument(
        "--servers", type=int, default=fault_bench.SERVERS, help=f"number of servers ({fault_bench.SERVERS})"
    )
    parser.add_argument("--cases", type=int, default=1_000_000, help="number of fuzzed cases (1000000)")
    parser.add_argument("--case", default="", metavar="TEXT", help="only the cases of faults with this title")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if not any(options.case in case.title for case in fault_bench.CASES):
        parser.error(f"no case {options.case!r}; there are {', '.join(case.title for case in fault_bench.CASES)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
