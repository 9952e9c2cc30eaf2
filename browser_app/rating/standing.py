"""What a system knows of everybody in every mode: some numbers and the rounds behind them."""

from collections.abc import Sequence
from dataclasses import dataclass

from browser_app.rating.mode_slots import ModeSlots
from browser_app.rating.record import Record
from browser_app.rating.seats import NEW, Seats


@dataclass(frozen=True, slots=True)
class Standing:
    """Lists by slot, changed in place.

    Attributes:
        slots: whose place is which. newcomer: the values of who has no round.
        values: one list a value. rounds: how many rated rounds each slot has behind it.
    """

    slots: ModeSlots
    newcomer: Sequence[float]
    values: tuple[list[float], ...]
    rounds: list[int]

    @classmethod
    def newcomers(cls, record: Record, *values: float) -> "Standing":
        """Everybody at the beginning, with these values."""
        slots = ModeSlots(record)
        return cls(slots, values, tuple([value] * len(slots) for value in values), [0] * len(slots))

    def seated(self, record: Record, seats: Seats) -> "Standing":
        """The same of the players of another record; who is not known is a newcomer."""
        theirs = Standing.newcomers(record, *self.newcomer)
        for slot, known in enumerate(seats.slots(self.slots, theirs.slots)):
            if known != NEW:
                theirs.rounds[slot] = self.rounds[known]
                for values, mine in zip(theirs.values, self.values, strict=True):
                    values[slot] = mine[known]
        return theirs

    def knows(self, player: int, mode: int) -> bool:
        """Whether a player has any rated round in a mode (indices)."""
        slot = self.slots.find(player, mode)
        return slot is not None and self.rounds[slot] > 0
