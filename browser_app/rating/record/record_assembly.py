"""Concatenation of record chunks, and sorting of their rows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.record_columns import GrowingColumn, NameTables, RecordChunk, group_starts
from browser_app.rating.record.round_record import Floats, Ints, Offsets, Stints


@dataclass(frozen=True)
class RowOrder:
    """A permutation of rows.

    Attributes:
        rows: for each new row, the index of the old one.
        is_identity: whether nothing moves.
    """

    rows: Ints
    is_identity: bool

    @classmethod
    def ascending(cls, values: Floats) -> "RowOrder":
        """Return the stable ascending order of some values, NaN last."""
        rows = np.argsort(values, kind="stable").astype(np.int32)
        return cls(rows, bool((np.diff(rows) == 1).all()))

    def reorder(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return a column in the new order; a constant one (stride 0) stays constant."""
        return column if self.is_identity or column.strides == (0,) else column[self.rows]

    def reorder_groups(self, count: Ints) -> tuple[Offsets, "RowOrder"]:
        """Return where the reordered groups start, and the order of their members.

        `count` has the sizes in the old order.
        """
        lengths = self.reorder(count)
        new = group_starts(lengths)
        if self.is_identity:
            return new, RowOrder(np.arange(new[-1], dtype=np.int32), is_identity=True)
        shift = self.reorder(group_starts(count)[:-1]) - new[:-1]
        rows = np.repeat(shift.astype(np.int32), lengths)
        rows += np.arange(len(rows), dtype=np.int32)
        return new, RowOrder(rows, is_identity=False)


class RecordColumns:
    """The columns of all chunks; each can be popped once."""

    def __init__(self) -> None:
        self._columns = defaultdict[str, GrowingColumn](GrowingColumn)
        self._appearances = 0

    def add_chunk(self, chunk: RecordChunk) -> None:
        """Append a chunk."""
        columns = chunk._asdict()
        for kind in ("stays", "commander_stints"):
            stints: Stints = columns.pop(kind)
            columns[f"{kind}.appearance"] = stints.appearance + np.int32(self._appearances)
            columns |= {f"{kind}.{key}": getattr(stints, key) for key in _STINT_COLUMNS}
        for field, part in columns.items():
            self._columns[field].extend(part)
        self._appearances += len(chunk.player)

    def pop_all(self) -> Iterator[tuple[str, GrowingColumn]]:
        """Yield all columns by name and remove them."""
        while self._columns:
            yield self._columns.popitem()

    def append_columns(
        self, columns: Iterable[tuple[str, GrowingColumn]], their_names: NameTables, own_names: NameTables
    ) -> None:
        """Append the columns of another record, with name indices renumbered."""
        renumbered = {field: own_names.renumber(their_names, names) for field, names in _NAME_COLUMNS.items()}
        before = self._appearances
        for field, column in columns:
            part = column.to_array()
            if field in renumbered:
                part = renumbered[field][part]
            elif field in _APPEARANCE_INDEX_COLUMNS:
                part = part + np.int32(before)
            elif field == "appearance_count":
                self._appearances += int(part.sum())
            self._columns[field].extend(part)

    def pop_column(self, field: str) -> NDArray[Any]:
        """Remove and return a column; one without information (stride 0) takes no memory."""
        return self._columns.pop(field).to_array()

    def pop_stints(self, kind: str, players: RowOrder) -> Stints:
        """Remove and return the stints in the order of their players."""
        appearance = self.pop_column(f"{kind}.appearance")
        if players.is_identity:
            return Stints(appearance, *(self.pop_column(f"{kind}.{key}") for key in _STINT_COLUMNS))
        count = np.bincount(appearance, minlength=len(players.rows)).astype(np.int32)
        del appearance
        _, stints = players.reorder_groups(count)
        return Stints(
            np.repeat(np.arange(len(players.rows), dtype=np.int32), players.reorder(count)),
            *(stints.reorder(self.pop_column(f"{kind}.{key}")) for key in _STINT_COLUMNS),
        )


_STINT_COLUMNS = ("team", "enter", "leave")
_APPEARANCE_INDEX_COLUMNS = ("stays.appearance", "commander_stints.appearance")
_NAME_COLUMNS = {
    "player": "players",
    "game": "games",
    "map": "maps",
    "mode": "modes",
    "team_name": "teams",
    "team_race": "races",
}
"""Columns that index names, and the field of `NameTables` they index."""
