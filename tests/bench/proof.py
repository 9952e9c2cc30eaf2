"""The proof under load and attack: `packaging/dev.py proof [PART…] [--minutes 2 | --full] [--cases N] [--markdown]`.

Parts: `storm` (thousands of servers in all weathers), `window` (the window in such weather), `fuzz` (a million cases),
`storage` (power failures). All budgets are hard: the exit status is 1 when one is broken.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import fuzz_bench
import storm_bench
import tear_bench
from bench_child import HERE, ChildError, ask_child
from bench_report import Budget, Report, Table, machine

from browser_app.demo.options import DemoOptions
from browser_app.demo.process import DemoProcess
from browser_app.demo.sockets import DemoError

FULL_MINUTES = 30.0
WINDOW_FAULTS = {"duplicates": 0.05, "reorder": 0.05, "jumps": 0.02, **storm_bench.LIES}
WINDOW_LOSS = 0.05
STEPPED_BACK = ("nice", "-n", "10")
"""The network lets the window go first on the processors: frames are to be the window's own."""


def storm(options: argparse.Namespace) -> Report:
    """Each weather has its part of the minutes."""
    return storm_bench.run_for(60 * options.minutes / len(storm_bench.CASES), options.servers)


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
    columns = ("minute", "memory MB", "frames/s", "gap p50 ms", "p99", "max", "answers")
    table = Table(f"The window: {found['title']}", columns, found["table"])
    budgets = [Budget(*each) for each in found["budgets"]]
    sys.stderr.write("".join(f"window: {fault}\n" for fault in found["faults"][:10]))
    return Report([table], [*budgets, Budget("faults in the window", len(found["faults"]), 0, "")])


def fuzz(options: argparse.Namespace) -> Report:
    """By mutation, and by coverage where atheris is there."""
    return fuzz_bench.run_cases(options.cases, options.cases // 20)


def storage(options: argparse.Namespace) -> Report:
    """Cut off at every page, and at more bytes with more minutes."""
    return tear_bench.run_step(97 if options.minutes >= FULL_MINUTES else 997)


PARTS: dict[str, Callable[[argparse.Namespace], Report]] = {
    "storm": storm,
    "window": window,
    "fuzz": fuzz,
    "storage": storage,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the parts that are named, or all; 1 when a budget is broken."""
    options = _parse(arguments)
    sys.stdout.write(f"{machine()}\n")
    whole = Report()
    for name in options.parts or PARTS:
        began_s = time.monotonic()
        try:
            report = PARTS[name](options)
        except (ChildError, DemoError) as error:
            sys.stdout.write(f"\n{name}: {error}\n")
            whole.budgets.append(Budget(f"{name}: it came to its end", 0, 1, "", least=True))
            continue
        whole.budgets += [replace(budget, what=f"{name}: {budget.what}") for budget in report.budgets]
        sys.stdout.write(f"\n{report.markdown() if options.markdown else report.text()}\n")
        sys.stdout.write(f"\n({name}: {time.monotonic() - began_s:.0f} s, load {os.getloadavg()[0]:.1f})\n")
        sys.stdout.flush()
    broken = sum(not budget.kept for budget in whole.budgets)
    sys.stdout.write(f"\nAll in all\n\n{whole.markdown() if options.markdown else whole.text()}\n")
    sys.stdout.write(f"\n{broken} broken.\n" if broken else "\nAll budgets kept.\n")
    return 1 if broken else 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Prove the program under load and attack.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which: {', '.join(PARTS)} (all)")
    parser.add_argument("--minutes", type=float, default=2.0, help="of the storm, and of the window (2)")
    parser.add_argument("--full", action="store_const", dest="minutes", const=FULL_MINUTES, help="30 minutes each")
    parser.add_argument(
        "--servers", type=int, default=storm_bench.SERVERS, help=f"of the storm ({storm_bench.SERVERS})"
    )
    parser.add_argument("--cases", type=int, default=1_000_000, help="of the fuzzer (1000000)")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
