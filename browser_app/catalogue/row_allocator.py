"""Allocation of the catalogue's rows, and query results by row."""

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.server_info import QueryResult


class RowAllocator:
    """Hands out rows for new servers.

    Free ones come first, in the order in which they became free.
    """

    def __init__(self, max_rows: int) -> None:
        self._max_rows = max_rows
        self._free: deque[int] = deque()
        self.size = 0
        """Number of rows that were ever handed out."""

    @property
    def available(self) -> int:
        """Number of rows that can still be handed out."""
        return len(self._free) + self._max_rows - self.size

    def allocate(self, count: int) -> RowIds:
        """Return `count` rows; no more than are available."""
        reused = [self._free.popleft() for _ in range(min(count, len(self._free)))]
        first, self.size = self.size, self.size + count - len(reused)
        return np.array([*reused, *range(first, self.size)], np.intp)

    def release(self, rows: RowIds) -> None:
        """Take back rows whose servers were dropped."""
        self._free.extend(rows.tolist())


def batches_of_rows(pairs: Sequence[tuple[int, QueryResult]]) -> Iterator[dict[int, QueryResult]]:
    """Yield results by row in batches that contain each row once, in order.

    More than one only if a server replied more than once.
    """
    while pairs:
        batch: dict[int, QueryResult] = {}
        again = [(row, result) for row, result in pairs if batch.setdefault(row, result) is not result]
        yield batch
        pairs = again
