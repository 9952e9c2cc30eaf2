"""How many are likely to play in half an hour, of every server whose past supports a forecast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.columns import Floats, Rows
from browser_app.protocols.address import Address
from browser_app.ranking.forecast import Habits


@dataclass(frozen=True, slots=True)
class Likely:
    """Of some servers: humans likely to play, the range that holds eight times of ten, and the weeks it comes from.

    NaN where a server's past, or what it says now, supports no forecast.
    """

    players: Floats
    low: Floats
    high: Floats
    weeks: Floats


class Forecasts:
    """What is learnt of servers, and what it says of the next half hour as of the last `look`."""

    def __init__(self) -> None:
        self._waiting: dict[Address, Habits | None] = {}
        self._by_row: dict[int, Habits] = {}
        self._rows: Rows = np.empty(0, np.intp)
        self._habits: Habits | None = None
        """Of `_rows`, in their order; None where they have to be put together anew."""
        self._table = np.full((4, 0), np.nan)

    def of(self, rows: Rows) -> Likely:
        """What is likely on these servers."""
        result = np.full((4, len(rows)), np.nan)
        there = rows < self._table.shape[1]
        result[:, there] = self._table[:, rows[there]]
        return Likely(*result)

    def learn(self, habits: Mapping[Address, Habits | None]) -> None:
        """Take over what is newly learnt of these servers, None for nothing; `settle` finds their rows."""
        self._waiting |= habits

    def settle(self, rows: Rows, addresses: Sequence[Address]) -> None:
        """These servers have rows."""
        if not self._waiting:
            return
        for row, address in zip(rows.tolist(), addresses, strict=True):
            if address not in self._waiting:
                continue
            habits = self._waiting.pop(address)
            self._habits = None
            self._by_row.pop(row, None)
            if habits is not None:
                self._by_row[row] = habits

    def look(self, players: Floats, slots: Floats, now: float) -> None:
        """So many play now on every server (NaN: unknown), of so many slots: work out what is likely."""
        self._table = np.full((4, len(players)), np.nan)
        if not self._by_row:
            return
        if self._habits is None:
            self._rows = np.array(list(self._by_row), np.intp)
            self._habits = Habits.of_all(list(self._by_row.values()))
        playing = players[self._rows]
        weeks = np.where(np.isnan(playing), np.nan, self._habits.weeks)
        self._table[:, self._rows] = *self._habits.likely(playing, now, slots[self._rows]), weeks
