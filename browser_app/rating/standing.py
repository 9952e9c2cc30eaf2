"""What a system knows of everybody in every mode: some numbers and the rounds behind them."""

from collections.abc import Sequence
from dataclasses import dataclass

from browser_app.rating.mode_slots import ModeSlots
from browser_app.rating.parameters import ParameterSet
from browser_app.rating.record import Record
from browser_app.rating.seats import NEW, Seats


@dataclass(frozen=True, slots=True)
class Standing:
    """Lists by slot, changed in place.

    Attributes:
        slots: whose place is which.
        first: the values of who has no round, one tuple a mode of the record.
        values: one list a value. rounds: how many rated rounds each slot has behind it.
    """

    slots: ModeSlots
    first: Sequence[Sequence[float]]
    values: tuple[list[float], ...]
    rounds: list[int]

    @classmethod
    def newcomers(cls, record: Record, parameters: ParameterSet, *names: str) -> "Standing":
        """Everybody at the beginning, with the values that the parameters of these names have in each mode."""
        slots = ModeSlots(record)
        first = [tuple(parameters.number(name, mode) for name in names) for mode in record.modes]
        values = tuple([first[mode][i] for mode in slots.mode.tolist()] for i in range(len(names)))
        return cls(slots, first, values, [0] * len(slots))

    def seated(self, theirs: "Standing", seats: Seats) -> "Standing":
        """The same of the players of another record, there newcomers so far; who is not known stays one."""
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
