"""Windows that are killed at random moments of use, all on the same files."""

import sys
from typing import Any

from bench_child import HERE, ask_child
from bench_report import Budget, Report, Table

CHILD = str(HERE.parent / "proof" / "killed_window.py")


def run_times(times: int) -> Report:
    """Kill it so often."""
    found: dict[str, Any] = ask_child(CHILD, {"times": times}, 60.0 * times)
    columns = ("kills", "changes that were saved", "lost, or files that were not all right")
    table = Table("The window, killed while it is used", columns, [(times, found["saved"], len(found["faults"]))])
    sys.stderr.write("".join(f"{fault}\n" for fault in found["faults"][:10]))
    return Report([table], [Budget("faults after kills", len(found["faults"]), 0, "")])
