"""Log loss of TrueSkill 2 forecasts for candidate parameters."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from browser_app.rating.evaluation.compass_search import compass_search
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.trueskill2_run import TrueSkillRun

_MIN_GAIN = 0.05
"""Nats over the whole record; smaller gains move no parameter."""
_MIN_STEP = 1 / 16
"""Share of the first steps; the gain of finer ones is far below what the record can tell apart."""


class ForecastTrials:
    """Forward runs over one record with candidate parameters.

    Attributes:
        record: the rounds.
        runs: number of runs so far.
        calls: total number of runs reported to the progress callback.
    """

    def __init__(self, record: RoundRecord, progress: ProgressCallback, calls: int) -> None:
        self.record = record
        self.runs, self.calls, self._progress = 0, calls, progress
        self._outcome = winning_teams(record)

    def log_loss(self, parameters: ParameterSet, mode: int | None = None) -> float:
        """Return Σ −log of the chance forecast for the outcome, of K + 1 classes: one team first alone, or none.

        The paper trains and tests like this (section 5), but on accuracy, whose gradient is 0. Draws count, as the draw
        margin could not be learned otherwise.

        Args:
            parameters: to be judged.
            mode: use only this mode; possible while modes share no base skill.

        Returns:
            Nats; infinite where the parameters are invalid or give an outcome no chance.
        """
        self._progress(min(self.runs, self.calls), self.calls)
        self.runs += 1
        try:
            run = TrueSkillRun(ModelledRecord(self.record, parameters), over_modes=False)
            return math.fsum(self._losses(run, mode))
        except (ParameterError, ArithmeticError, np.linalg.LinAlgError):
            return math.inf

    def search(
        self,
        parameters: Callable[[Sequence[float]], ParameterSet],
        start: Sequence[float],
        steps: Sequence[float],
        calls: int,
        mode: int | None = None,
        penalty: Callable[[Sequence[float]], float] = lambda _: 0.0,
    ) -> list[float]:
        """Return the point with the least log loss found.

        ``parameters`` and ``penalty`` return those of a point; the latter is −log of its prior, infinite where that is
        not allowed.
        """

        def judged(point: Sequence[float]) -> float:
            before = penalty(point)
            return before + self.log_loss(parameters(point), mode) if math.isfinite(before) else math.inf

        return compass_search(judged, start, steps, calls, _MIN_GAIN, _MIN_STEP)

    def _losses(self, run: TrueSkillRun, mode: int | None) -> list[float]:
        outcome: list[int] = self._outcome.tolist()
        found = []
        for k in np.flatnonzero(self.record.finished & (True if mode is None else self.record.mode == mode)).tolist():
            if run.skip_reason(k) is not None:
                continue
            forecast = run.forecast(k)
            if forecast is not None:
                chance = outcome_chance(forecast, outcome[k])
                found.append(-math.log(chance) if chance > 0.0 else math.inf)
            run.update(k)
        return found


SHARED_FIRST = -1
"""Outcome of a round in which several teams share the first place."""


def winning_teams(record: RoundRecord) -> Ints:
    """Return the team first alone in each round, or ``SHARED_FIRST``; undefined for unfinished rounds."""
    rank, start = record.team_rank, record.team_start[:-1]
    if not len(start):
        return np.zeros(0, np.int32)
    best = np.repeat(np.minimum.reduceat(rank, start), record.team_count)
    team = np.arange(len(rank)) - np.repeat(start, record.team_count)
    first = np.add.reduceat(np.where(rank == best, team, 0), start)
    alone = np.add.reduceat((rank == best).astype(np.int32), start) == 1
    return np.where(alone, first, SHARED_FIRST).astype(np.int32)


def outcome_chance(forecast: Prediction, outcome: int) -> float:
    """Return the chance that a forecast gave to an outcome."""
    return forecast.draw if outcome == SHARED_FIRST else forecast.first_place[outcome]
