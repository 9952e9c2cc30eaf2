"""Chunks joined to one record, and its rows put in order, a column at a time: no more than one is there twice."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record import Floats, Ints, Offsets, Spells
from browser_app.rating.record_columns import Chunk, Dictionaries, Growing, starts


@dataclass(frozen=True)
class Order:
    """For each row of the new order its row in the old one; ``same`` if nothing moves."""

    rows: Ints
    same: bool

    @classmethod
    def sorting(cls, values: Floats) -> "Order":
        """Ascending, equal ones as they stand, NaN last."""
        rows = np.argsort(values, kind="stable").astype(np.int32)
        return cls(rows, bool((np.diff(rows) == 1).all()))

    def moved(self, column: NDArray[Any]) -> NDArray[Any]:
        """A column in the new order; one value for all rows (stride 0) stays so."""
        return column if self.same or column.strides == (0,) else column[self.rows]

    def of_groups(self, count: Ints) -> tuple[Offsets, "Order"]:
        """Where groups begin that stand in this order, and the order of their members; ``count`` is the old sizes."""
        lengths = self.moved(count)
        new = starts(lengths)
        if self.same:
            return new, Order(np.arange(new[-1], dtype=np.int32), same=True)
        shift = self.moved(starts(count)[:-1]) - new[:-1]
        rows = np.repeat(shift.astype(np.int32), lengths)
        rows += np.arange(len(rows), dtype=np.int32)
        return new, Order(rows, same=False)


class Columns:
    """The columns of all chunks; each is handed out once."""

    def __init__(self) -> None:
        self._columns = defaultdict[str, Growing](Growing)
        self._appearances = 0

    def add(self, chunk: Chunk) -> None:
        """Put a chunk behind the others."""
        columns = chunk._asdict()
        for kind in ("stays", "chairs"):
            spells: Spells = columns.pop(kind)
            columns[f"{kind}.appearance"] = spells.appearance + np.int32(self._appearances)
            columns |= {f"{kind}.{key}": getattr(spells, key) for key in _OF_SPELLS}
        for field, part in columns.items():
            self._columns[field].extend(part)
        self._appearances += len(chunk.player)

    def hand_out(self) -> Iterator[tuple[str, Growing]]:
        """All columns by name, each once."""
        while self._columns:
            yield self._columns.popitem()

    def join(self, columns: Iterable[tuple[str, Growing]], known: Dictionaries, here: Dictionaries) -> None:
        """Put the columns of others behind these, one after the other; what they index names by becomes ours."""
        renumbered = {field: here.renumbering(known, names) for field, names in _NAMES.items()}
        before = self._appearances
        for field, column in columns:
            part = column.array()
            if field in renumbered:
                part = renumbered[field][part]
            elif field in _OF_PLAYERS:
                part = part + np.int32(before)
            elif field == "appearance_count":
                self._appearances += int(part.sum())
            self._columns[field].extend(part)

    def take(self, field: str) -> NDArray[Any]:
        """One column; one without any information (stride 0 in all chunks) still takes no room."""
        return self._columns.pop(field).array()

    def take_spells(self, kind: str, players: Order) -> Spells:
        """Spells in the order of their players."""
        appearance = self.take(f"{kind}.appearance")
        if players.same:
            return Spells(appearance, *(self.take(f"{kind}.{key}") for key in _OF_SPELLS))
        count = np.bincount(appearance, minlength=len(players.rows)).astype(np.int32)
        del appearance
        _, spells = players.of_groups(count)
        return Spells(
            np.repeat(np.arange(len(players.rows), dtype=np.int32), players.moved(count)),
            *(spells.moved(self.take(f"{kind}.{key}")) for key in _OF_SPELLS),
        )


_OF_SPELLS = ("team", "enter", "leave")
_OF_PLAYERS = ("stays.appearance", "chairs.appearance")
_NAMES = {
    "player": "players",
    "game": "games",
    "map": "maps",
    "mode": "modes",
    "team_name": "teams",
    "team_race": "races",
}
"""Columns that index names, and which of `Dictionaries`."""
