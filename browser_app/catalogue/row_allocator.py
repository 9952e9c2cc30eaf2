"""Allocation of the catalogue's rows."""

from collections import deque

import numpy as np

from browser_app.catalogue.catalogue_columns import RowIds


class RowAllocator:
    """Hands out rows for new servers: free ones first, those that became free first before others."""

    def __init__(self, max_rows: int) -> None:
        self._max_rows = max_rows
        self._free: deque[int] = deque()
        self.size = 0
        """Number of rows that were ever handed out."""

    @property
    def available(self) -> int:
        """Number of rows that can still be handed out."""
        return len(self._free) + self._max_rows - self.size

    def take(self, count: int) -> RowIds:
        """Return `count` rows; no more than are available."""
        reused = [self._free.popleft() for _ in range(min(count, len(self._free)))]
        first, self.size = self.size, self.size + count - len(reused)
        return np.array([*reused, *range(first, self.size)], np.intp)

    def release(self, rows: RowIds) -> None:
        """Take back rows whose servers were dropped."""
        self._free.extend(rows.tolist())
