"""Record with the TrueSkill 2 model of each of its modes."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.record.player_slots import PlayerModeSlots
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.record.team_presence import count_occupied_teams, longest_team, squad_sizes
from browser_app.rating.trueskill2.trueskill2_model import ModeModel
from browser_app.rating.trueskill2.trueskill2_parameters import resolve_mode_model


def compute_squad_shifts(record: RoundRecord, team: Ints, models: Sequence[ModeModel]) -> Floats:
    """Return what the squad adds to the performance of each appearance, eq. (7).

    Players who changed team count with the squad on the team with most time. At least one model has offsets.
    """
    longest = max(len(model.squad_offset) for model in models)
    table = np.zeros((len(models), longest))
    for row, model in zip(table, models, strict=True):
        offsets = model.squad_offset
        row[: len(offsets)] = offsets
        row[len(offsets) :] = offsets[-1] if offsets else 0.0
    index = np.minimum(squad_sizes(record, team), longest) - 1
    shifts: Floats = table[record.mode[record.round_of_appearance], index]
    return shifts


class ModelledRecord:
    """A record with the model of each of its modes.

    Attributes:
        record: the rounds.
        parameters: of the system.
        models: one per mode.
        default_model: the model of unknown modes.
        slots: one per player and mode.
        occupied_teams: number of teams with players, one entry per round.
        approximates_zeros: whether rounds with one count of 0 are approximated like those with several. That is
            faster, and was up to 0.0044 off in a standard deviation.
    """

    def __init__(self, record: RoundRecord, parameters: ParameterSet, *, approximates_zeros: bool = False) -> None:
        self.record, self.parameters, self.approximates_zeros = record, parameters, approximates_zeros
        self.models = [resolve_mode_model(parameters.in_mode(mode)) for mode in record.modes]
        self.default_model = resolve_mode_model(parameters.default)
        self.slots = PlayerModeSlots(record)
        self.occupied_teams: Ints = count_occupied_teams(record)

    @cached_property
    def longest_team(self) -> Ints:
        """Team with most time of each appearance, -1 for none."""
        return longest_team(self.record)

    @cached_property
    def squad_shift(self) -> Floats | None:
        """What the squad adds to the performance of each appearance; None without squads."""
        if not any(model.squad_offset for model in self.models):
            return None
        return compute_squad_shifts(self.record, self.longest_team, self.models)
