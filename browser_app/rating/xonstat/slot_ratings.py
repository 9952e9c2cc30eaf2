"""Ratings and round counts by player and mode."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.rating_system import Rating, RatingRun, RatingSystem
from browser_app.rating.record.player_slots import NOT_FOUND, PlayerModeSlots, RecordMapping
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.xonstat.team_advantage import TeamAdvantage


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


class SlotRatingsRun(RatingRun):
    """Base of runs with ratings by player and mode, and an advantage by circumstances."""

    newcomer_parameters: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        record: RoundRecord,
        system: RatingSystem,
        ratings: SlotRatings | None = None,
        advantage: TeamAdvantage | None = None,
    ) -> None:
        super().__init__(record)
        self._system = system
        self._advantage = TeamAdvantage.create(record, system.parameters) if advantage is None else advantage
        if ratings is None:
            ratings = SlotRatings.initial(record, system.parameters, *self.newcomer_parameters)
        self._slot_ratings = ratings
        self._slots, self._rounds = ratings.slots, ratings.rounds
        self._prepare_record()

    @abstractmethod
    def _prepare_record(self) -> None:
        """Derive what the system needs from the record and its parameters."""

    @abstractmethod
    def _slot_fields(self, slot: int) -> Mapping[str, object]:
        """Return what `rated_players` reports of a player in a mode."""

    def rating(self, player: int, mode: int) -> Rating:
        """Return the rating in a mode; a newcomer's if the player never played it."""
        return self._slot_ratings.rating(player, mode)

    def is_rated(self, player: int, mode: int) -> bool:
        """Return whether the player has any rated round in the mode."""
        return self._slot_ratings.is_rated(player, mode)

    def rated_players(self) -> Mapping[str, Mapping[str, object]]:
        """Return the fields of the mode with most rounds, and of all `modes`."""
        return self._slots.player_table(self._rounds, self._slot_fields)

    def _transfer_to(self, record: RoundRecord, mapping: RecordMapping) -> Self:
        advantage = None if self._advantage is None else self._advantage.transfer_to(record, mapping)
        return type(self)(record, self._system, self._slot_ratings.transfer_to(record, mapping), advantage)
