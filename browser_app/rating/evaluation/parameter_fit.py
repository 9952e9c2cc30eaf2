"""Fit of rating-system parameters to the log loss of forecasts.

Log loss is used because accuracy is constant between jumps and hardly separates systems. Only the training part of the
record is used, and every forecast in it is made forward in time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.rating.evaluation.backtest import forecast_pairs
from browser_app.rating.evaluation.compass_search import SearchAxis, compass_search
from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.evaluation.forecast_scores import log_losses
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress, subtask_progress
from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.round_record import RoundRecord

RUNS_PER_PARAMETER = 60
"""Most runs over the record per parameter."""
_MIN_GAIN = 1e-5
"""Smaller gains of mean log loss move no parameter: one that hardly matters stays where it is."""


def fit_parameters(
    system: RatingSystem, record: RoundRecord, training_rounds: int, progress: ProgressCallback = ignore_progress
) -> RatingSystem:
    """Return the system with the best parameters found on the first ``training_rounds`` rounds.

    Deterministic. A system's own way to fit is preferred. The general search starts at the system's parameters; it
    leaves those of single modes, and extras that are off, unchanged.
    """
    training = record.first_rounds(training_rounds)
    own = system.fit(training, progress)
    if own is not None:
        return type(system)(own)
    values = system.parameters.default
    axes = [
        SearchAxis(parameter, value)
        for parameter in system.declared_parameters
        if parameter.fit != "no" and isinstance(value := values[parameter.name], float)
    ]
    if not axes or not training.finished.any():
        return system
    search = _ParameterSearch(system, training, axes, progress)
    start, steps = [axis.start for axis in axes], [axis.step for axis in axes]
    best = compass_search(search.log_loss, start, steps, search.runs, _MIN_GAIN)
    return type(system)(search.parameters(best))


class _ParameterSearch:
    """Log loss of the record's forecasts as a function of the coordinates."""

    def __init__(
        self, system: RatingSystem, record: RoundRecord, axes: Sequence[SearchAxis], progress: ProgressCallback
    ) -> None:
        self._system, self._record, self._axes, self._progress = system, record, axes, progress
        self._pairs = find_decided_pairs(record)
        self._done = 0
        self.runs = RUNS_PER_PARAMETER * len(axes)

    def parameters(self, point: Sequence[float]) -> ParameterSet:
        moved = {axis.parameter.name: axis.value(at) for axis, at in zip(self._axes, point, strict=True)}
        return ParameterSet({**self._system.parameters.default, **moved}, self._system.parameters.modes)

    def log_loss(self, point: Sequence[float]) -> float:
        """Return infinity where the system refuses the values or gives an outcome no chance."""
        progress = subtask_progress(self._progress, self._done, self.runs)
        self._done += 1
        try:
            run = type(self._system)(self.parameters(point)).new_run(self._record)
            log_odds = forecast_pairs(run, self._pairs, progress=progress)
        except (ValueError, ArithmeticError):  # ParameterError is a ValueError
            return math.inf
        said = ~np.isnan(log_odds)
        if not said.any():
            return math.inf
        return float(log_losses(log_odds[said], self._pairs.won[said]).mean())


@dataclass(frozen=True, slots=True)
class FitResult:
    """Result of a fit.

    Attributes:
        parameters: the best ones found.
        training_rounds: number of rounds at the beginning of the record used for training.
        scored_pairs: later pairs of teams forecast with both the old and the new parameters.
        loss_before, loss_after: their mean log loss with the old and the new parameters; None without such pairs.
    """

    parameters: ParameterSet
    training_rounds: int
    scored_pairs: int
    loss_before: float | None
    loss_after: float | None


def fit_and_score(
    system: RatingSystem, record: RoundRecord, training_rounds: int, progress: ProgressCallback = ignore_progress
) -> FitResult:
    """Fit on the first ``training_rounds`` rounds, then score old and new parameters on all later ones."""
    better = fit_parameters(system, record, training_rounds, progress)
    pairs = find_decided_pairs(record)
    runs = (system.new_run(record), better.new_run(record))
    old, new = (log_losses(forecast_pairs(run, pairs, training_rounds), pairs.won) for run in runs)
    both = ~(np.isnan(old) | np.isnan(new))
    if not both.any():
        return FitResult(better.parameters, training_rounds, 0, None, None)
    return FitResult(
        better.parameters, training_rounds, int(both.sum()), float(old[both].mean()), float(new[both].mean())
    )
