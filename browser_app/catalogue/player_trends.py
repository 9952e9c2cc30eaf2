"""Player counts per server: the last six hours and the forecast of the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from browser_app.catalogue.catalogue_columns import Floats, RowIds
from browser_app.protocols.address import Address
from browser_app.ranking.player_forecast import ForecastModel


@dataclass(frozen=True, slots=True)
class ForecastColumns:
    """Of some servers: humans likely to play, the range that holds eight times of ten, and the weeks it comes from.

    NaN where a server's past, or what it says now, supports no forecast.
    """

    players: Floats
    low: Floats
    high: Floats
    weeks: Floats


class ServerForecasts:
    """What is learnt of servers, and what it says of the next half hour as of the last `look`."""

    def __init__(self) -> None:
        self._unassigned_models: dict[Address, ForecastModel | None] = {}
        self._model_by_row: dict[int, ForecastModel] = {}
        self._rows: RowIds = np.empty(0, np.intp)
        self._combined_model: ForecastModel | None = None
        """Of `_rows`, in their order; None where they have to be put together anew."""
        self._table = np.full((4, 0), np.nan)

    def forecasts_of(self, rows: RowIds) -> ForecastColumns:
        """What is likely on these servers."""
        result = np.full((4, len(rows)), np.nan)
        there = rows < self._table.shape[1]
        result[:, there] = self._table[:, rows[there]]
        return ForecastColumns(*result)

    def set_models(self, models: Mapping[Address, ForecastModel | None]) -> None:
        """Take over what is newly learnt of these servers, None for nothing; `settle` finds their rows."""
        self._unassigned_models |= models

    def assign_rows(self, rows: RowIds, addresses: Sequence[Address]) -> None:
        """These servers have rows."""
        if not self._unassigned_models:
            return
        for row, address in zip(rows.tolist(), addresses, strict=True):
            if address not in self._unassigned_models:
                continue
            habits = self._unassigned_models.pop(address)
            self._combined_model = None
            self._model_by_row.pop(row, None)
            if habits is not None:
                self._model_by_row[row] = habits

    def update(self, players: Floats, slots: Floats, now: float) -> None:
        """So many play now on every server (NaN: unknown), of so many slots: work out what is likely."""
        self._table = np.full((4, len(players)), np.nan)
        if not self._model_by_row:
            return
        if self._combined_model is None:
            self._rows = np.array(list(self._model_by_row), np.intp)
            self._combined_model = ForecastModel.concatenate(list(self._model_by_row.values()))
        playing = players[self._rows]
        weeks = np.where(np.isnan(playing), np.nan, self._combined_model.weeks)
        self._table[:, self._rows] = *self._combined_model.predict(playing, now, slots[self._rows]), weeks


TrendArray = npt.NDArray[np.float32]

SLOT_S = 900
SLOT_COUNT = 24
MIN_KNOWN_SLOTS = 4
"""A server of which fewer slots are known is new: that is no trend yet."""


def slot_at(moment: float) -> int:
    """The slot that a moment (Unix time, s) lies in."""
    return int(moment // SLOT_S)


def arrange_in_slots(samples: Floats, servers: int, first_slot: int) -> TrendArray:
    """A row of slots from `first_slot` on for each server.

    `samples` has shape (n, 3): place of the server, slot, players.
    """
    place, column = samples[:, 0].astype(np.intp), samples[:, 1].astype(np.int64) - first_slot
    inside = (column >= 0) & (column < SLOT_COUNT)
    slots = np.full((servers, SLOT_COUNT), np.nan, np.float32)
    slots[place[inside], column[inside]] = samples[inside, 2]
    return slots


class PlayerTrends:
    """A row for each server, a column for each slot, oldest first; NaN where nothing was heard.

    Kept true: the last column is the slot `newest`; a slot holds the last value heard in it.
    """

    def __init__(self) -> None:
        self.newest_slot = 0
        self.players: TrendArray = np.full((64, SLOT_COUNT), np.nan, np.float32)
        """May have more rows than there are servers, or fewer: `of` knows."""
        self._past_slots = self.players[:0]
        """What is remembered of earlier runs, from the slot `_past_first_slot` on."""
        self._past_first_slot = 0
        self._past_row_by_address: dict[Address, int] = {}
        """Places in `_remembered` of servers that have no row yet."""

    def slots_of(self, rows: RowIds) -> TrendArray:
        """The slots of these servers, shape (rows, 24)."""
        result = np.full((len(rows), SLOT_COUNT), np.nan, np.float32)
        there = rows < len(self.players)
        result[there] = self.players[rows[there]]
        return result

    def changes(self, rows: RowIds) -> Floats:
        """How many more play now than six hours ago, or than where the memory begins; NaN where a server is new."""
        slots = self.slots_of(rows)
        known = ~np.isnan(slots)
        every = np.arange(len(rows))
        first, last = known.argmax(axis=1), SLOT_COUNT - 1 - known[:, ::-1].argmax(axis=1)
        change = slots[every, last].astype(np.float64) - slots[every, first]
        return np.where(known.sum(axis=1) >= MIN_KNOWN_SLOTS, change, np.nan)

    def record_players(self, rows: RowIds, players: Floats, now: float) -> None:
        """These servers have so many players now; NaN: it is unknown, and what was heard in this slot stays."""
        self.advance(now)
        self._grow(int(rows.max(initial=-1)) + 1)
        heard = ~np.isnan(players)
        self.players[rows[heard], -1] = players[heard]

    def advance(self, now: float) -> None:
        """Let time pass until `now`. A clock that was set back changes nothing until it has caught up."""
        passed = min(slot_at(now) - self.newest_slot, SLOT_COUNT)
        if passed > 0:
            self.players = np.roll(self.players, -passed, axis=1)
            self.players[:, SLOT_COUNT - passed :] = np.nan
            self.newest_slot = slot_at(now)

    def set_past(self, addresses: Sequence[Address], slots: TrendArray, first: int) -> None:
        """What was heard earlier: a row of `slots` for each of these servers, from the slot `first` on."""
        self._past_row_by_address = {address: place for place, address in enumerate(addresses)}
        self._past_slots, self._past_first_slot = slots, first

    def assign_rows(self, rows: RowIds, addresses: Sequence[Address]) -> None:
        """These servers have rows now: what is remembered of them goes there, but over nothing heard since."""
        if not self._past_row_by_address:
            return
        self._grow(int(rows.max(initial=-1)) + 1)
        places = np.array([self._past_row_by_address.pop(address, -1) for address in addresses], np.intp)
        rows, places = rows[places >= 0], places[places >= 0]
        passed = min(max(self.newest_slot - SLOT_COUNT + 1 - self._past_first_slot, 0), SLOT_COUNT)
        older = np.full((len(rows), SLOT_COUNT), np.nan, np.float32)
        older[:, : SLOT_COUNT - passed] = self._past_slots[places, passed:]
        heard = self.players[rows]
        self.players[rows] = np.where(np.isnan(heard), older, heard)

    def _grow(self, rows: int) -> None:
        if rows > len(self.players):
            more = np.full((max(rows, 2 * len(self.players)) - len(self.players), SLOT_COUNT), np.nan, np.float32)
            self.players = np.concatenate((self.players, more))
