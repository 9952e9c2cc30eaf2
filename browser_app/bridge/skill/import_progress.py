"""How far an import is, told a few times a second."""

import time
from collections.abc import Callable
from pathlib import Path

from browser_app.bridge.skill.imported import Importing

_TELL_S = 0.1
"""Progress is told no more often."""


class ImportProgress:
    """Of files, one after another."""

    def __init__(self, files: int, tell: Callable[[Importing], object]) -> None:
        self._files, self._tell = files, tell
        self._path, self._number, self._told_s = Path(), 0, 0.0

    def begin(self, path: Path, number: int) -> None:
        """Another file is in hand."""
        self._path, self._number = path, number
        self(0, 0)

    def __call__(self, read: int, size: int) -> None:
        """So many bytes of the file in hand are read, of so many; 0 where its size is unknown."""
        now = time.monotonic()
        if now - self._told_s >= _TELL_S:
            self._told_s = now
            share = min(1.0, read / size) if size else 0.0
            self._tell(Importing(self._path, self._number, self._files, share))
