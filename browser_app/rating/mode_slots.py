"""Ratings kept per player and mode: which place in a system's lists belongs to whom."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from browser_app.rating.record import Ints, Offsets, Record


class ModeSlots:
    """One slot a player and mode that occur together in a record; ``len`` is their number.

    Attributes:
        of_appearance: the slot of each appearance. player, mode: whose slot it is (indices of the record).
    """

    def __init__(self, record: Record) -> None:
        players = max(1, len(record.player_ids))
        keys = record.mode[record.round_of_appearance].astype(np.int64) * players + record.player
        pairs, place = _distinct(keys, players * len(record.modes))
        self.of_appearance: Ints = place.astype(np.int32)
        self.player: Ints = (pairs % players).astype(np.int32)
        self.mode: Ints = (pairs // players).astype(np.int32)
        self._pairs = pairs
        self._players = players
        self._record = record

    def __len__(self) -> int:
        """How many slots."""
        return len(self._pairs)

    def find(self, player: int, mode: int) -> int | None:
        """The slot of a player in a mode; None where he never played it."""
        key = mode * self._players + player
        place = int(np.searchsorted(self._pairs, key))
        return place if place < len(self._pairs) and self._pairs[place] == key else None

    def table(
        self, rounds: Sequence[int], fields: Callable[[int], Mapping[str, object]]
    ) -> dict[str, Mapping[str, object]]:
        """Everybody with a rated round, by id: the fields of the mode with most rounds, and ``modes`` with all.

        Args:
            rounds: rated rounds of each slot.
            fields: what is told of a slot.
        """
        own: dict[int, dict[str, int]] = {}
        for slot, (player, mode) in enumerate(zip(self.player.tolist(), self.mode.tolist(), strict=True)):
            if rounds[slot]:
                own.setdefault(player, {})[self._record.modes[mode]] = slot
        return {
            self._record.player_ids[player]: {
                **fields(max(modes.values(), key=rounds.__getitem__)),
                "modes": {mode: fields(slot) for mode, slot in modes.items()},
            }
            for player, modes in sorted(own.items())
        }


def _distinct(keys: Offsets, below: int) -> tuple[Offsets, Offsets]:
    """The keys there are, ascending, and each one's place among them; all are below a number.

    Found in a table where that is not much larger than the keys: sorting takes three times as long.
    """
    if below > 4 * len(keys):
        return np.unique(keys, return_inverse=True)
    there = np.zeros(below, np.bool_)
    there[keys] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]
