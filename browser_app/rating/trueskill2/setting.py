"""What a whole record and the parameters settle before the first round is looked at."""

from functools import cached_property

from browser_app.rating.mode_slots import ModeSlots
from browser_app.rating.parameters import ParameterSet
from browser_app.rating.presence import longest_team, sides
from browser_app.rating.record import Floats, Ints, Record
from browser_app.rating.trueskill2.declared import model_of
from browser_app.rating.trueskill2.squads import squad_shifts


class Setting:
    """A record with the model of each of its modes.

    Attributes:
        slots: one a player and mode. sides: teams of each round with anybody on them.
    """

    def __init__(self, record: Record, parameters: ParameterSet) -> None:
        self.record, self.parameters = record, parameters
        self.models = [model_of(parameters.of(mode)) for mode in record.modes]
        self.newcomer = model_of(parameters.default)
        self.slots = ModeSlots(record)
        self.sides: Ints = sides(record)

    @cached_property
    def longest(self) -> Ints:
        """The team each appearance was longest on, -1 for none."""
        return longest_team(self.record)

    @cached_property
    def shift(self) -> Floats | None:
        """What its squad adds to each appearance's performance; None: nothing anywhere."""
        if not any(model.squad_offset for model in self.models):
            return None
        return squad_shifts(self.record, self.longest, self.models)
