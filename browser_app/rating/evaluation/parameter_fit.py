"""Fit of rating-system parameters to the log loss of forecasts.

Log loss is used because accuracy is constant between jumps and hardly separates systems. Only the training part of the
record is used, and every forecast in it is made forward in time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from browser_app.rating.evaluation.backtest import FULL_HISTORY_SOLVES, forecast_pairs, forecast_solved_pairs
from browser_app.rating.evaluation.decided_pairs import DecidedPairs, find_decided_pairs
from browser_app.rating.evaluation.forecast_scores import log_losses
from browser_app.rating.evaluation.forward_selection import MAX_FORECASTS, ForwardSelection, Trials
from browser_app.rating.evaluation.loss_search import SearchAxis, parameter_axis, parameter_value
from browser_app.rating.fit_steps import FitStep, FitStepCallback, ignore_step
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress, subtask_progress
from browser_app.rating.rating_parameters import Parameter, ParameterSet, ParameterValue
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.translatable import N_

_START_TITLE = N_("Basic parameters")
_FULL_HISTORY_TITLE = N_("Prior of the full history")
_PRIOR_STEPS = 2.0
"""Standard deviation of a number's prior, in steps of the search: some hundred rounds hardly constrain some numbers."""


def fit_parameters(
    system: RatingSystem,
    record: RoundRecord,
    training_rounds: int,
    progress: ProgressCallback = ignore_progress,
    report: FitStepCallback = ignore_step,
    max_forecasts: int = MAX_FORECASTS,
) -> RatingSystem:
    """Return the system with the best parameters found on the first rounds.

    Deterministic. A system's own way to fit is preferred. The general search starts at the system's parameters: first
    it fits the numbers, then it tries the values that the record suggests and the other choices, each of which stays
    only if it makes forecasts better (see `ForwardSelection`). Parameters of single modes, and extras that are off,
    are unchanged.

    Args:
        system: with the parameters to start from.
        record: all rounds; those after the training rounds are not used.
        training_rounds: number of rounds.
        progress: called with the work done.
        report: called after each step; its parameters are the best so far.
        max_forecasts: most rounds forecast in one search, which limits the time.
    """
    training = record.first_rounds(training_rounds)
    own = system.fit(training, progress, report, max_forecasts)
    if own is not None:
        return type(system)(own)
    if not training.finished.any():
        return system
    parts = [full_history for full_history in (False, True) if _list_fitted(system, full_history=full_history)]
    for number, full_history in enumerate(parts):
        part_progress = subtask_progress(progress, number, len(parts))
        system = _fit_part(system, training, part_progress, report, max_forecasts, full_history=full_history)
    return system


def _fit_part(
    system: RatingSystem,
    training: RoundRecord,
    progress: ProgressCallback,
    report: FitStepCallback,
    max_forecasts: int,
    *,
    full_history: bool,
) -> RatingSystem:
    """Fit the parameters that matter online, or those of the full history alone.

    The latter are scored by forecasts with solved skills.
    """
    options = _list_options(system, training, full_history=full_history)
    selection = ForwardSelection(
        training,
        lambda part: SystemTrials(system, part, full_history=full_history),
        system.parameters.default,
        1 + len(options),
        progress,
        report,
        max_forecasts // FULL_HISTORY_SOLVES if full_history else max_forecasts,
    )
    name, title = ("full_history", _FULL_HISTORY_TITLE) if full_history else ("start", _START_TITLE)
    selection.attempt(name, title, lambda _, best: [best], numbers=0)
    for parameter, value in options:
        selection.attempt(
            f"{parameter.name}={value}", parameter.title, partial(_apply_option, {parameter.name: value}), 1
        )
    return type(system)(selection.parameters)


def _apply_option(
    option: Mapping[str, ParameterValue], _: "SystemTrials", best: Mapping[str, ParameterValue]
) -> list[Mapping[str, ParameterValue]]:
    return [{**best, **option}]


def _list_fitted(system: RatingSystem, *, full_history: bool) -> list[Parameter]:
    declared = [parameter for parameter in system.declared_parameters if parameter.fit != "no"]
    return [parameter for parameter in declared if parameter.full_history == full_history]


def _list_options(
    system: RatingSystem, record: RoundRecord, *, full_history: bool
) -> list[tuple[Parameter, ParameterValue]]:
    """Return the values to try: those that the record suggests, and all choices."""
    values, suggested = system.parameters.default, {} if full_history else system.suggest_parameters(record)
    choices = {each.name: each.choices for each in _list_fitted(system, full_history=full_history) if each.choices}
    options = list[tuple[Parameter, ParameterValue]]()
    for parameter in system.declared_parameters:
        tried: list[ParameterValue] = [*choices.get(parameter.name, ())]
        tried += [suggested[parameter.name]] if parameter.name in suggested else []
        options += [(parameter, value) for value in tried if value != values[parameter.name]]
    return options


class SystemTrials(Trials[Mapping[str, ParameterValue]]):
    """Forecasts of a system, online or with solved skills, with candidate parameters."""

    def __init__(self, system: RatingSystem, record: RoundRecord, *, full_history: bool) -> None:
        super().__init__(record)
        self._system, self._full_history = system, full_history
        fitted, values = _list_fitted(system, full_history=full_history), system.parameters.default
        self._numbers = [parameter for parameter in fitted if isinstance(values[parameter.name], float)]
        self._pairs: dict[int, DecidedPairs] = {}

    def axes(self, candidate: Mapping[str, ParameterValue]) -> Sequence[SearchAxis]:
        """Return the numbers of a candidate that are fitted, with priors at the system's."""
        axes = []
        for parameter in self._numbers:
            usual = parameter_axis(parameter, _number(self._system.parameters.default, parameter))
            axis = parameter_axis(parameter, _number(candidate, parameter))
            axes.append(replace(axis, step=usual.step, prior_mean=usual.start, prior_sd=_PRIOR_STEPS * usual.step))
        return axes

    def with_numbers(
        self, candidate: Mapping[str, ParameterValue], point: Sequence[float]
    ) -> Mapping[str, ParameterValue]:
        """Return a candidate with other numbers."""
        moved = {
            parameter.name: parameter_value(parameter, axis, at, _number(candidate, parameter))
            for parameter, axis, at in zip(self._numbers, self.axes(candidate), point, strict=True)
        }
        return {**candidate, **moved}

    def parameters(self, candidate: Mapping[str, ParameterValue]) -> ParameterSet:
        """Return the parameters as a system takes them."""
        return ParameterSet(candidate, self._system.parameters.modes)

    def losses(self, candidate: Mapping[str, ParameterValue], record: RoundRecord) -> Floats:
        """Return the mean log loss of the pairs of each round.

        A round counts as often as its teams could be placed apart.
        """
        pairs = self._pairs.get(len(record))
        if pairs is None:
            pairs = self._pairs[len(record)] = find_decided_pairs(record)
        system = type(self._system)(self.parameters(candidate))
        log_odds = (
            forecast_solved_pairs(system, record, pairs)
            if self._full_history
            else forecast_pairs(system.new_run(record), pairs)
        )
        losses = log_losses(log_odds, pairs.won)
        known = ~np.isnan(losses)
        rounds = len(record)
        count, total = (np.bincount(pairs.round[known], weights, rounds) for weights in (None, losses[known]))
        mean: Floats = np.divide(total, count, out=np.full(rounds, np.nan), where=count > 0)
        return np.asarray(mean * (record.team_count - 1))


def _number(values: Mapping[str, ParameterValue], parameter: Parameter) -> float:
    value = values[parameter.name]
    return value if isinstance(value, float) else 0.0


@dataclass(frozen=True, slots=True)
class FitResult:
    """Result of a fit.

    Attributes:
        parameters: the best ones found.
        training_rounds: number of rounds at the beginning of the record used for training.
        scored_pairs: later pairs of teams forecast with both the old and the new parameters.
        loss_before, loss_after: their mean log loss with the old and the new parameters; None without such pairs.
        steps: what was tried.
    """

    parameters: ParameterSet
    training_rounds: int
    scored_pairs: int
    loss_before: float | None
    loss_after: float | None
    steps: tuple[FitStep, ...] = ()


def fit_and_score(
    system: RatingSystem, record: RoundRecord, training_rounds: int, progress: ProgressCallback = ignore_progress
) -> FitResult:
    """Fit to the first rounds, then score old and new parameters on all later ones."""
    steps = list[FitStep]()
    better = fit_parameters(system, record, training_rounds, progress, steps.append)
    pairs = find_decided_pairs(record)
    runs = (system.new_run(record), better.new_run(record))
    old, new = (log_losses(forecast_pairs(run, pairs, training_rounds), pairs.won) for run in runs)
    both = ~(np.isnan(old) | np.isnan(new))
    before, after = (float(each[both].mean()) if both.any() else None for each in (old, new))
    return FitResult(better.parameters, training_rounds, int(both.sum()), before, after, tuple(steps))
