"""The proof under load and attack.

Usage: `packaging/dev.py proof [PART…] [--minutes 2 | --full] [--cases N] [--markdown]`.

Parts: `storm` (thousands of servers in all weathers), `window` (the window in such weather), `fuzz` (a million cases),
`coverage` (further cases that coverage leads, where atheris is there), `storage` (power failures), `kill` (the window
killed while it is used). What a part found is printed as soon as it is there, and none is lost by another's failure.
All budgets are hard: the exit status is 1 when one is broken.
"""

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace

import fuzz_bench
import kill_bench
import storm_bench
import tear_bench
from bench_child import HERE, ask_child
from bench_report import Budget, Report, Table, machine

from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_process import DemoProcess

FULL_MINUTES = 30.0
WINDOW_FAULTS = {"duplicates": 0.05, "reorder": 0.05, "jumps": 0.02, **storm_bench.LIES}
WINDOW_LOSS = 0.05
STEPPED_BACK = ("nice", "-n", "10")
"""The network lets the window go first on the processors: frames are to be the window's own."""


def storm(options: argparse.Namespace) -> Report:
    """Each weather has its part of the minutes."""
    cases = [case for case in storm_bench.CASES if options.weather in case.title]
    return storm_bench.run_for(60 * options.minutes / len(cases), options.servers, cases, _say)


def window(options: argparse.Namespace) -> Report:
    """Frames, memory and the selection in the window."""
    command = (*STEPPED_BACK, sys.executable, str(HERE / "storm_stage.py"), json.dumps(WINDOW_FAULTS))
    with DemoProcess(DemoOptions(servers=options.servers, loss=WINDOW_LOSS), command) as stage:
        request = {
            "masters": stage.sources.masters,
            "key": stage.sources.steam_key,
            "minutes": options.minutes,
            "servers": options.servers,
        }
        found = ask_child("storm_window.py", request, 60 * options.minutes + 300)
    table = Table(f"The window: {found['title']}", found["columns"], found["table"])
    budgets = [Budget(*each) for each in found["budgets"]]
    sys.stderr.write("".join(f"window: {fault}\n" for fault in found["faults"][:10]))
    return Report([table], [*budgets, Budget("faults in the window", len(found["faults"]), 0, "")])


def fuzz(options: argparse.Namespace) -> Report:
    """By mutation."""
    return fuzz_bench.run_cases(options.cases)


def coverage(options: argparse.Namespace) -> Report:
    """Cases that reach new lines breed further ones."""
    return fuzz_bench.run_guided(options.cases // 20)


def storage(options: argparse.Namespace) -> Report:
    """Cut off at every page, and at more bytes with more minutes."""
    return tear_bench.run_step(97 if options.minutes >= FULL_MINUTES else 997)


def kill(options: argparse.Namespace) -> Report:
    """Two hundred times with more minutes, twenty otherwise."""
    return kill_bench.run_times(200 if options.minutes >= FULL_MINUTES else 20)


PARTS: dict[str, Callable[[argparse.Namespace], Report]] = {
    "storm": storm,
    "window": window,
    "fuzz": fuzz,
    "coverage": coverage,
    "storage": storage,
    "kill": kill,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the parts that are named, or all; 1 when a budget is broken."""
    options = _parse(arguments)
    _say(f"{machine()}\n")
    whole = Report()
    for name in options.parts or PARTS:
        began_s = time.monotonic()
        _say(f"\n{name}\n\n")
        try:
            report = PARTS[name](options)
        except Exception as error:  # noqa: BLE001 (hours of other parts are at stake)
            _say(f"{''.join(traceback.format_exception(error))}\n")
            report = Report(budgets=[Budget("it came to its end", 0, 1, "", least=True)])
        whole.budgets += [replace(budget, what=f"{name}: {budget.what}") for budget in report.budgets]
        _say(f"{report.markdown() if options.markdown else report.text()}\n")
        _say(f"\n({name}: {time.monotonic() - began_s:.0f} s, load {os.getloadavg()[0]:.1f})\n")
    broken = sum(not budget.kept for budget in whole.budgets)
    _say(f"\nAll in all\n\n{whole.markdown() if options.markdown else whole.text()}\n")
    _say(f"\n{broken} broken.\n" if broken else "\nAll budgets kept.\n")
    return 1 if broken else 0


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Prove the program under load and attack.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which: {', '.join(PARTS)} (all)")
    parser.add_argument("--minutes", type=float, default=2.0, help="of the storm, and of the window (2)")
    parser.add_argument("--full", action="store_const", dest="minutes", const=FULL_MINUTES, help="30 minutes each")
    parser.add_argument(
        "--servers", type=int, default=storm_bench.SERVERS, help=f"of the storm ({storm_bench.SERVERS})"
    )
    parser.add_argument("--cases", type=int, default=1_000_000, help="of the fuzzer (1000000)")
    parser.add_argument("--weather", default="", metavar="TEXT", help="only the storm's weathers that have this name")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if not any(options.weather in case.title for case in storm_bench.CASES):
        parser.error(f"no weather {options.weather!r}; there are {', '.join(case.title for case in storm_bench.CASES)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
