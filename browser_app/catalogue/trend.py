"""The players of the last six hours of every server, by quarters of an hour."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from browser_app.catalogue.columns import Floats, Rows
from browser_app.protocols.address import Address

Floats32 = npt.NDArray[np.float32]

SLOT_S = 900
SLOTS = 24
LEAST_KNOWN = 4
"""A server of which fewer slots are known is new: that is no trend yet."""


def slot_of(moment: float) -> int:
    """The slot that a moment (Unix time, s) lies in."""
    return int(moment // SLOT_S)


def in_slots(samples: Floats, servers: int, first: int) -> Floats32:
    """A row of slots from `first` on for each server.

    `samples` has shape (n, 3): place of the server, slot, players.
    """
    place, column = samples[:, 0].astype(np.intp), samples[:, 1].astype(np.int64) - first
    inside = (column >= 0) & (column < SLOTS)
    slots = np.full((servers, SLOTS), np.nan, np.float32)
    slots[place[inside], column[inside]] = samples[inside, 2]
    return slots


class Trend:
    """A row for each server, a column for each slot, oldest first; NaN where nothing was heard.

    Kept true: the last column is the slot `newest`; a slot holds the last value heard in it.
    """

    def __init__(self) -> None:
        self.newest = 0
        self.players: Floats32 = np.full((64, SLOTS), np.nan, np.float32)
        """May have more rows than there are servers, or fewer: `of` knows."""
        self._remembered = self.players[:0]
        """What is remembered of earlier runs, from the slot `_since` on."""
        self._since = 0
        self._waiting: dict[Address, int] = {}
        """Places in `_remembered` of servers that have no row yet."""

    def of(self, rows: Rows) -> Floats32:
        """The slots of these servers, shape (rows, 24)."""
        result = np.full((len(rows), SLOTS), np.nan, np.float32)
        there = rows < len(self.players)
        result[there] = self.players[rows[there]]
        return result

    def changes(self, rows: Rows) -> Floats:
        """How many more play now than six hours ago, or than where the memory begins; NaN where a server is new."""
        slots = self.of(rows)
        known = ~np.isnan(slots)
        every = np.arange(len(rows))
        first, last = known.argmax(axis=1), SLOTS - 1 - known[:, ::-1].argmax(axis=1)
        change = slots[every, last].astype(np.float64) - slots[every, first]
        return np.where(known.sum(axis=1) >= LEAST_KNOWN, change, np.nan)

    def hear(self, rows: Rows, players: Floats, now: float) -> None:
        """These servers have so many players now; NaN: it is unknown, and what was heard in this slot stays."""
        self.advance(now)
        self._grow(int(rows.max(initial=-1)) + 1)
        heard = ~np.isnan(players)
        self.players[rows[heard], -1] = players[heard]

    def advance(self, now: float) -> None:
        """Let time pass until `now`. A clock that was set back changes nothing until it has caught up."""
        passed = min(slot_of(now) - self.newest, SLOTS)
        if passed > 0:
            self.players = np.roll(self.players, -passed, axis=1)
            self.players[:, SLOTS - passed :] = np.nan
            self.newest = slot_of(now)

    def remember(self, addresses: Sequence[Address], slots: Floats32, first: int) -> None:
        """What was heard earlier: a row of `slots` for each of these servers, from the slot `first` on."""
        self._waiting = {address: place for place, address in enumerate(addresses)}
        self._remembered, self._since = slots, first

    def settle(self, rows: Rows, addresses: Sequence[Address]) -> None:
        """These servers have rows now: what is remembered of them goes there, but over nothing heard since."""
        if not self._waiting:
            return
        self._grow(int(rows.max(initial=-1)) + 1)
        places = np.array([self._waiting.pop(address, -1) for address in addresses], np.intp)
        rows, places = rows[places >= 0], places[places >= 0]
        passed = min(max(self.newest - SLOTS + 1 - self._since, 0), SLOTS)
        older = np.full((len(rows), SLOTS), np.nan, np.float32)
        older[:, : SLOTS - passed] = self._remembered[places, passed:]
        heard = self.players[rows]
        self.players[rows] = np.where(np.isnan(heard), older, heard)

    def _grow(self, rows: int) -> None:
        if rows > len(self.players):
            more = np.full((max(rows, 2 * len(self.players)) - len(self.players), SLOTS), np.nan, np.float32)
            self.players = np.concatenate((self.players, more))
