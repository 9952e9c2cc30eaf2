"""Log loss of TrueSkill 2 forecasts for candidate parameters."""

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from browser_app.rating.evaluation.forward_selection import Trials
from browser_app.rating.evaluation.loss_search import SearchAxis
from browser_app.rating.rating_parameters import Parameter, ParameterSet, ParameterValue
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.trueskill2.learning.count_fit import CountUnits, measure_count_units
from browser_app.rating.trueskill2.learning.parameter_candidate import ParameterCandidate
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.trueskill2_run import TrueSkillRun


class TrueSkill2Trials(Trials[ParameterCandidate]):
    """Forward runs with candidate parameters.

    Attributes:
        record: the rounds that candidates are fitted to.
        names: of the parameters that the system has.
        units: of the counts in all modes, of the kinds that the record and the system have.
    """

    def __init__(self, declared: Sequence[Parameter], given: ParameterSet, record: RoundRecord) -> None:
        super().__init__(record)
        self._declared, self._given = declared, given
        self.names = {parameter.name for parameter in declared}
        self.units = {kind: unit for kind, unit in measure_count_units(record).items() if f"{kind}_wp" in self.names}
        own = {name: measure_count_units(record, mode) for mode, name in enumerate(record.modes)} if self.units else {}
        self._own_units: Mapping[str, CountUnits] = {
            name: {**self.units, **known} for name, known in own.items() if known
        }

    def axes(self, candidate: ParameterCandidate) -> Sequence[SearchAxis]:
        """Return the numbers of a candidate that are fitted."""
        return candidate.axes(self._declared)

    def with_numbers(self, candidate: ParameterCandidate, point: Sequence[float]) -> ParameterCandidate:
        """Return a candidate with other numbers."""
        return candidate.with_numbers(self._declared, point)

    def parameters(self, candidate: ParameterCandidate) -> ParameterSet:
        """Return the parameters as a system takes them, with what differs in single modes."""
        common = candidate.resolve(self.units)
        modes = dict(self._given.modes)
        for name in self.record.modes:
            own = candidate.modes.get(name, candidate)
            different = _differences(own.resolve(self._own_units.get(name, self.units)), common)
            if different:
                modes[name] = different
        return ParameterSet(common, modes)

    def losses(self, candidate: ParameterCandidate, record: RoundRecord) -> Floats:
        """Return −log of the chance forecast for each outcome, NaN if not rated."""
        return forecast_losses(record, self.parameters(candidate))


def _differences(
    values: Mapping[str, ParameterValue], common: Mapping[str, ParameterValue]
) -> dict[str, ParameterValue]:
    return {name: value for name, value in values.items() if value != common[name]}


def forecast_losses(record: RoundRecord, parameters: ParameterSet) -> Floats:
    """Return −log of the chance forecast for each outcome, see `placement_loss`.

    The paper trains and tests on forecasts, too (section 5), but on accuracy, whose gradient is 0. Counts of 0 are
    approximated, as a search needs many runs.

    Returns:
        One value per round; infinite for an outcome without a chance, NaN for rounds that are not rated or forecast.

    Raises:
        ParameterError: the parameters are invalid.
        ArithmeticError: they are too extreme.
    """
    run = TrueSkillRun(ModelledRecord(record, parameters, approximates_zeros=True), over_modes=False)
    losses, shared = np.full(len(record), np.nan), (winning_teams(record) == SHARED_FIRST).tolist()
    rank, start = record.team_rank.tolist(), record.team_start.tolist()
    for k in np.flatnonzero(record.finished).tolist():
        if run.skip_reason(k) is not None:
            continue
        forecast = run.forecast(k)
        if forecast is not None:
            losses[k] = placement_loss(forecast, rank[start[k] : start[k + 1]], shared_first=shared[k])
        run.update(k)
    return losses


SHARED_FIRST = -1
"""Outcome of a round in which several teams share the first place."""


def winning_teams(record: RoundRecord) -> Ints:
    """Return the team first alone in each round, or `SHARED_FIRST`, if finished."""
    rank, start = record.team_rank, record.team_start[:-1]
    if not len(start):
        return np.zeros(0, np.int32)
    best = np.repeat(np.minimum.reduceat(rank, start), record.team_count)
    team = np.arange(len(rank)) - np.repeat(start, record.team_count)
    first = np.add.reduceat(np.where(rank == best, team, 0), start)
    alone = np.add.reduceat((rank == best).astype(np.int32), start) == 1
    return np.where(alone, first, SHARED_FIRST).astype(np.int32)


def placement_loss(forecast: Prediction, ranks: Sequence[int], *, shared_first: bool) -> float:
    """Return −log of the chance of the placement.

    The placement is whether first place is shared, and how the teams that do not tie are ordered. Of K teams the mean
    over the pairs counts K − 1 times: all places say more about the skills than who was first. Of two teams it is −log
    of the chance of the outcome. Draws count, as the draw margin could not be learned otherwise.
    """
    chance = forecast.draw if shared_first else 1.0 - forecast.draw
    if chance <= 0.0:
        return math.inf
    pairs = itertools.combinations(range(len(ranks)), 2)
    odds = [forecast.log_odds[a][b] * (1 if ranks[a] < ranks[b] else -1) for a, b in pairs if ranks[a] != ranks[b]]
    losses = [max(0.0, -each) + math.log1p(math.exp(-abs(each))) for each in odds if not math.isnan(each)]
    order = (len(ranks) - 1) * math.fsum(losses) / len(losses) if losses else 0.0
    return order - math.log(chance)
