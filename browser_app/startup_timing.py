"""Start-up time marks, printed as JSON lines on standard error."""

import os
import sys
import time
from pathlib import Path

_IMPORT_TIME_NS = time.monotonic_ns()


def _process_age_ms() -> float:
    """Return milliseconds since the process started.

    If the system does not report its start, since this module was imported.
    """
    try:
        fields = Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        process_start_s = int(fields[19]) / os.sysconf("SC_CLK_TCK")  # field 22, counted from boot
        return (time.clock_gettime(time.CLOCK_BOOTTIME) - process_start_s) * 1e3
    except (OSError, ValueError, IndexError, AttributeError):
        return (time.monotonic_ns() - _IMPORT_TIME_NS) / 1e6


def mark_startup(event: str) -> None:
    """Print the time of an event if `READY_ROOM_TIMINGS` is 1."""
    if os.environ.get("READY_ROOM_TIMINGS") == "1":
        import json

        print(json.dumps({"event": event, "ms": round(_process_age_ms(), 1)}), file=sys.stderr, flush=True)  # noqa: T201
