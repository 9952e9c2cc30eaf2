"""Player counts per server: the last six hours, and a forecast for half an hour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from browser_app.catalogue.catalogue_columns import Floats, RowIds
from browser_app.protocols.address import Address
from browser_app.ranking.player_forecast import ForecastModel


@dataclass(frozen=True, slots=True)
class ForecastColumns:
    """Forecasts of several servers.

    Expected humans playing, the 80 % interval, and the weeks of data behind them. NaN where there is no forecast.
    """

    players: Floats
    low: Floats
    high: Floats
    weeks: Floats


class ServerForecasts:
    """Forecast models of the servers, and their forecasts as of the last `update`."""

    def __init__(self) -> None:
        self._unassigned_models: dict[Address, ForecastModel | None] = {}
        self._model_by_row: dict[int, ForecastModel] = {}
        self._rows: RowIds = np.empty(0, np.intp)
        self._combined_model: ForecastModel | None = None
        """Models of `_rows` in that order; None if they must be concatenated again."""
        self._table = np.full((4, 0), np.nan)

    def forecasts_of(self, rows: RowIds) -> ForecastColumns:
        """Return the forecasts of these servers."""
        result = np.full((4, len(rows)), np.nan)
        there = rows < self._table.shape[1]
        result[:, there] = self._table[:, rows[there]]
        return ForecastColumns(*result)

    def set_models(self, models: Mapping[Address, ForecastModel | None]) -> None:
        """Store new models, None for servers without one; `assign_rows` finds their rows."""
        self._unassigned_models |= models

    def assign_rows(self, rows: RowIds, addresses: Sequence[Address]) -> None:
        """Move the stored models of these servers to their rows."""
        if not self._unassigned_models:
            return
        for row, address in zip(rows.tolist(), addresses, strict=True):
            if address not in self._unassigned_models:
                continue
            model = self._unassigned_models.pop(address)
            self._combined_model = None
            self._model_by_row.pop(row, None)
            if model is not None:
                self._model_by_row[row] = model

    def forget(self, rows: RowIds) -> None:
        """Forget the models of rows that hold other servers now, or none."""
        for row in rows.tolist():
            if self._model_by_row.pop(row, None) is not None:
                self._combined_model = None

    def update(self, players: Floats, slots: Floats, now: float) -> None:
        """Recompute the forecasts at `now` (Unix time, s).

        Uses the players (NaN where unknown) and slots of all servers.
        """
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
"""A server with fewer known slots has no trend yet."""


def slot_at(moment: float) -> int:
    """Return the slot that contains a moment (Unix time, s)."""
    return int(moment // SLOT_S)


def arrange_in_slots(samples: Floats, servers: int, first_slot: int) -> TrendArray:
    """Return an array of slots from `first_slot` on, one row per server.

    `samples` has shape (n, 3): index of the server, slot, players.
    """
    server, column = samples[:, 0].astype(np.intp), samples[:, 1].astype(np.int64) - first_slot
    inside = (column >= 0) & (column < SLOT_COUNT)
    slots = np.full((servers, SLOT_COUNT), np.nan, np.float32)
    slots[server[inside], column[inside]] = samples[inside, 2]
    return slots


class PlayerTrends:
    """Players of every server by quarter hour.

    There is a row per server and a column per slot, oldest first; NaN where unknown. The last column is the slot
    `newest_slot`; a slot contains its latest value.
    """

    def __init__(self) -> None:
        self.newest_slot = 0
        self.players: TrendArray = np.full((64, SLOT_COUNT), np.nan, np.float32)
        """May have more or fewer rows than there are servers; `slots_of` handles both."""
        self._past_slots = self.players[:0]
        """Slots of earlier runs, from the slot `_past_first_slot` on."""
        self._past_first_slot = 0
        self.is_past_known = False
        """Whether the slots of earlier runs have been read."""
        self._past_row_by_address: dict[Address, int] = {}
        """Index in `_past_slots` of servers that have no row yet."""

    def slots_of(self, rows: RowIds) -> TrendArray:
        """Return the slots of these servers, shape (rows, 24)."""
        result = np.full((len(rows), SLOT_COUNT), np.nan, np.float32)
        there = rows < len(self.players)
        result[there] = self.players[rows[there]]
        return result

    def changes(self, rows: RowIds) -> Floats:
        """Return how many more play now than in the oldest known slot.

        The result is NaN for servers with too few known slots.
        """
        slots = self.slots_of(rows)
        known = ~np.isnan(slots)
        every = np.arange(len(rows))
        first, last = known.argmax(axis=1), SLOT_COUNT - 1 - known[:, ::-1].argmax(axis=1)
        change = slots[every, last].astype(np.float64) - slots[every, first]
        return np.where(known.sum(axis=1) >= MIN_KNOWN_SLOTS, change, np.nan)

    def record_players(self, rows: RowIds, players: Floats, now: float) -> None:
        """Store the players of these servers at `now`.

        NaN leaves the value of the slot unchanged.
        """
        self.advance(now)
        self._grow(int(rows.max(initial=-1)) + 1)
        is_known = ~np.isnan(players)
        self.players[rows[is_known], -1] = players[is_known]

    def forget(self, rows: RowIds) -> None:
        """Forget the players of rows that hold other servers now, or none."""
        self.players[rows[rows < len(self.players)]] = np.nan

    def advance(self, now: float) -> None:
        """Shift the slots so that the last one contains `now`.

        After the clock was set back, the slots keep their order and get earlier times.
        """
        passed = min(slot_at(now) - self.newest_slot, SLOT_COUNT)
        if passed > 0:
            self.players = np.roll(self.players, -passed, axis=1)
            self.players[:, SLOT_COUNT - passed :] = np.nan
            self.newest_slot = slot_at(now)
        elif passed < -1:  # corrections of a moment move nothing
            self.newest_slot = slot_at(now)

    def set_past(self, addresses: Sequence[Address], slots: TrendArray, first: int) -> None:
        """Set the slots of earlier runs.

        `slots` has a row per address, from the slot `first` on.
        """
        self._past_row_by_address = {address: row for row, address in enumerate(addresses)}
        self._past_slots, self._past_first_slot, self.is_past_known = slots, first, True

    def assign_rows(self, rows: RowIds, addresses: Sequence[Address]) -> None:
        """Copy the slots of earlier runs to the rows of these servers.

        Newer values are not overwritten.
        """
        if not self._past_row_by_address:
            return
        self._grow(int(rows.max(initial=-1)) + 1)
        past_rows = np.array([self._past_row_by_address.pop(address, -1) for address in addresses], np.intp)
        rows, past_rows = rows[past_rows >= 0], past_rows[past_rows >= 0]
        passed = min(max(self.newest_slot - SLOT_COUNT + 1 - self._past_first_slot, 0), SLOT_COUNT)
        older = np.full((len(rows), SLOT_COUNT), np.nan, np.float32)
        older[:, : SLOT_COUNT - passed] = self._past_slots[past_rows, passed:]
        newer = self.players[rows]
        self.players[rows] = np.where(np.isnan(newer), older, newer)

    def _grow(self, rows: int) -> None:
        if rows > len(self.players):
            more = np.full((max(rows, 2 * len(self.players)) - len(self.players), SLOT_COUNT), np.nan, np.float32)
            self.players = np.concatenate((self.players, more))
