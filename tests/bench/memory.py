"""This process's memory in MB (1e6 bytes), as Linux tells it."""

import contextlib
from pathlib import Path

_STATUS = Path("/proc/self/status")


def resident_mb() -> float:
    """Return the resident memory, MB."""
    return _field("VmRSS")


def peak_mb() -> float:
    """The most that was, since the last `forget_peak`."""
    return _field("VmHWM")


def forget_peak() -> None:
    """Let the peak begin again at what is in memory now; not every system allows it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _field(name: str) -> float:
    for line in _STATUS.read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise LookupError(name)
