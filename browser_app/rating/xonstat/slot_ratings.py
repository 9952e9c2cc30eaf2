"""Ratings and round counts by player and mode."""

from collections.abc import Sequence
from dataclasses import dataclass

from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.rating_system import Rating
from browser_app.rating.record.player_slots import NOT_FOUND, PlayerModeSlots, RecordMapping
from browser_app.rating.record.round_record import RoundRecord


@dataclass(frozen=True, slots=True)
class SlotRatings:
    """Lists by slot, changed in place.

    Attributes:
        slots: player and mode of each slot.
        initial_values: values of a newcomer, one tuple per mode of the record.
        values: one list per value.
        rounds: number of rated rounds of each slot.
        parameters, names: the parameters that are a newcomer's values.
    """

    slots: PlayerModeSlots
    initial_values: Sequence[Sequence[float]]
    values: tuple[list[float], ...]
    rounds: list[int]
    parameters: ParameterSet
    names: tuple[str, ...]

    @classmethod
    def initial(cls, record: RoundRecord, parameters: ParameterSet, *names: str) -> "SlotRatings":
        """Return newcomers' ratings, from the parameters of these names in each mode."""
        slots = PlayerModeSlots(record)
        first = [tuple(parameters.number(name, mode) for name in names) for mode in record.modes]
        values = tuple([first[mode][i] for mode in slots.mode.tolist()] for i in range(len(names)))
        return cls(slots, first, values, [0] * len(slots), parameters, names)

    def transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> "SlotRatings":
        """Return the ratings for another record; unknown players are newcomers."""
        target = SlotRatings.initial(record, self.parameters, *self.names)
        for slot, known in enumerate(mapping.map_slots(self.slots, target.slots)):
            if known != NOT_FOUND:
                target.rounds[slot] = self.rounds[known]
                for values, own in zip(target.values, self.values, strict=True):
                    values[slot] = own[known]
        return target

    def rating(self, player: int, mode: int) -> Rating:
        """Return a player's rating in a mode (indices), a newcomer's if never played."""
        slot = self.slots.find(player, mode)
        return Rating(*self.initial_values[mode] if slot is None else (values[slot] for values in self.values))

    def is_rated(self, player: int, mode: int) -> bool:
        """Return whether a player has any rated round in a mode (indices)."""
        slot = self.slots.find(player, mode)
        return slot is not None and self.rounds[slot] > 0
