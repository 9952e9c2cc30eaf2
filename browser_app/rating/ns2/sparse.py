"""A sparse matrix with the three products that the full-history solve needs, in numpy alone."""

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record import Floats

Indices = NDArray[np.int64]


class SparseMatrix:
    """Entries by row and once more by column, so that both products are sums over neighbours (``add.reduceat``).

    No row and no column may be empty: ``reduceat`` has no sum of nothing.
    """

    def __init__(self, row: Indices, column: Indices, value: Floats) -> None:
        by_row = np.argsort(row, kind="stable")
        self.row, self.column, self.value = row[by_row], column[by_row], value[by_row]
        self._row_start = _starts(self.row)
        by_column = np.argsort(self.column, kind="stable")
        self._row_t, self._value_t = self.row[by_column], self.value[by_column]
        self._column_start = _starts(self.column[by_column])
        self.shape = len(self._row_start), len(self._column_start)

    def times(self, x: Floats) -> Floats:
        """A x."""
        entries = x[self.column]
        entries *= self.value
        return np.add.reduceat(entries, self._row_start)

    def transposed_times(self, y: Floats) -> Floats:
        """Aᵀ y."""
        entries = y[self._row_t]
        entries *= self._value_t
        return np.add.reduceat(entries, self._column_start)

    def squares_transposed_times(self, y: Floats) -> Floats:
        """(A ∘ A)ᵀ y: the diagonal of Aᵀ diag(y) A."""
        return np.add.reduceat(self._value_t**2 * y[self._row_t], self._column_start)

    def absolute_gram_times_one(self) -> Floats:
        """|A|ᵀ |A| 1: what the rows of |AᵀA| cannot exceed in sum."""
        of_row = np.add.reduceat(np.abs(self.value), self._row_start)
        return np.add.reduceat(np.abs(self._value_t) * of_row[self._row_t], self._column_start)


def _starts(ascending: Indices) -> Indices:
    return np.flatnonzero(np.diff(ascending, prepend=-1))
