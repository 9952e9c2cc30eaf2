"""Time for which a thread was ready but had no processor, as Linux counts it.

Other systems do not report it.
"""

import threading
from pathlib import Path


class ProcessorWait:
    """Waiting time of the thread that creates it."""

    def __init__(self) -> None:
        path = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._file = path.open(encoding="ascii") if path.exists() else None

    def waited_s(self) -> float:
        """Return the waiting time since the thread began; 0 where it is not counted."""
        if self._file is None:
            return 0.0
        self._file.seek(0)
        return int(self._file.read().split()[1]) / 1e9

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
