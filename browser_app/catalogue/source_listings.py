"""Which source listed which server: the memory of master lists and other sources."""

import zlib
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, RowIds

USER_SOURCE = 0
"""Id of the servers that the user names as sources."""


def source_id(url: str) -> int:
    """Return the id of a source by its URL with keys redacted.

    It is the same in every run.
    """
    return zlib.crc32(url.encode()) if url else USER_SOURCE


class SourceListings:
    """One flag per row and source.

    A row keeps the flag of a source that listed it once and whose server has answered, so that it is known whose server
    it is. Sources that are switched off keep their flags, but list nothing.
    """

    def __init__(self) -> None:
        self._flags: dict[int, Bools] = {}
        self._enabled: frozenset[int] | None = None

    def set_enabled(self, sources: Collection[int] | None) -> None:
        """Set which sources are switched on; None for all."""
        self._enabled = None if sources is None else frozenset(sources) | {USER_SOURCE}

    def add(self, source: int, rows: RowIds) -> None:
        """Note that a source lists these rows, too."""
        if len(rows):
            self._flags_of(source, int(rows.max()) + 1)[rows] = True

    def add_saved(self, sources_by_row: Mapping[int, Sequence[int]]) -> None:
        """Note the sources of rows as `sources_of` returned them in an earlier run."""
        rows_by_source: dict[int, list[int]] = {}
        for row, sources in sources_by_row.items():
            for source in sources:
                rows_by_source.setdefault(source, []).append(row)
        for source, rows in rows_by_source.items():
            self.add(source, np.array(rows, np.intp))

    def replace(self, source: int, rows: RowIds, kept: Bools) -> None:
        """Note that a source lists these rows and no others.

        Those in `kept` stay as they are.
        """
        if source in self._flags:
            self._flags_of(source, len(kept))[: len(kept)] &= kept
        self.add(source, rows)

    def clear(self, rows: RowIds) -> None:
        """Forget rows that will hold other servers."""
        for flags in self._flags.values():
            flags[rows[rows < len(flags)]] = False

    def listed_rows(self, size: int) -> Bools:
        """Return the rows, of `size`, that a source lists that is switched on."""
        return self._union(size, is_enabled=True)

    def switched_off_rows(self, size: int) -> Bools:
        """Return the rows, of `size`, that only sources list that are switched off."""
        return self._union(size, is_enabled=False) & ~self._union(size, is_enabled=True)

    def sources_of(self, rows: RowIds) -> list[tuple[int, ...]]:
        """Return the ids of the sources of each row, whether switched on or not."""
        found: list[list[int]] = [[] for _ in rows]
        for source, flags in self._flags.items():
            indices = np.flatnonzero(rows < len(flags))
            for index in indices[flags[rows[indices]]].tolist():
                found[index].append(source)
        return [tuple(each) for each in found]

    def rows_of(self, source: int) -> RowIds:
        """Return the rows that a source lists."""
        flags = self._flags.get(source)
        return np.empty(0, np.intp) if flags is None else np.flatnonzero(flags)

    def _union(self, size: int, *, is_enabled: bool) -> Bools:
        rows: Bools = np.zeros(size, np.bool_)
        for source, flags in self._flags.items():
            if (self._enabled is None or source in self._enabled) == is_enabled:
                known = min(size, len(flags))
                rows[:known] |= flags[:known]
        return rows

    def _flags_of(self, source: int, size: int) -> Bools:
        flags = self._flags.get(source)
        if flags is None or len(flags) < size:
            grown: Bools = np.zeros(max(64, 2 * size), np.bool_)
            if flags is not None:
                grown[: len(flags)] = flags
            flags = self._flags[source] = grown
        return flags
