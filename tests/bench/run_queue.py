"""How long a thread was ready but had no processor, as Linux counts it.

Unknown on other systems.
"""

import threading
from pathlib import Path


class RunQueue:
    """Of the thread that makes it."""

    def __init__(self) -> None:
        place = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._file = place.open(encoding="ascii") if place.exists() else None

    def waited_s(self) -> float:
        """Since the thread began; 0 where nobody counts."""
        if self._file is None:
            return 0.0
        self._file.seek(0)
        return int(self._file.read().split()[1]) / 1e9

    def close(self) -> None:
        """Read no more."""
        if self._file is not None:
            self._file.close()
