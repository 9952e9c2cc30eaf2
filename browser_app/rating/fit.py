"""Better parameters for a system from a record: those whose forecasts would have had the least log loss.

Log loss, not accuracy: the latter is constant between jumps, and hardly separates systems. Only the part for training
is looked at, and every forecast in it is made forward in time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.rating.compass import compass_search
from browser_app.rating.decided import decided_pairs
from browser_app.rating.evaluate import forecasts
from browser_app.rating.parameters import Parameter, ParameterSet
from browser_app.rating.progress import Progress, part, untold
from browser_app.rating.record import Record
from browser_app.rating.scores import losses
from browser_app.rating.system import RatingSystem

RUNS = 60
"""Runs over the record for each parameter, at most."""
_GAIN = 1e-5
"""Less log loss than this is not worth a move: a parameter that hardly matters stays where it is."""
_LEAST = 1e-4
"""From here a parameter on a logarithmic scale that is 0 moves, by powers of ten."""


def fitted(system: RatingSystem, record: Record, until: int, progress: Progress = untold) -> RatingSystem:
    """The system with the best parameters that were found, looking at the first ``until`` rounds alone.

    The same record gives the same parameters. A way of the system's own is preferred; the general search begins at
    the parameters that the system has, and leaves those of single modes and extras that are off as they are.
    """
    training = record.head(until)
    own = system.fit(training, progress)
    if own is not None:
        return type(system)(own)
    axes = [axis for parameter in system.declared if (axis := _axis(parameter, system.parameters)) is not None]
    if not axes or not training.finished.any():
        return system
    search = _Search(system, training, axes, progress)
    start, steps = [axis.start for axis in axes], [axis.step for axis in axes]
    best = compass_search(search.log_loss, start, steps, search.runs, _GAIN)
    return type(system)(search.parameters(best))


@dataclass(frozen=True, slots=True)
class _Axis:
    """How one parameter becomes a coordinate of the search."""

    name: str
    given: float
    log: bool
    low: float
    high: float
    start: float
    step: float

    def value(self, at: float) -> float:
        """The parameter; where it has not moved, exactly what it was."""
        if at == self.start:
            return self.given
        return min(self.high, max(self.low, 10.0**at if self.log else at))


def _axis(parameter: Parameter, values: ParameterSet) -> _Axis | None:
    value = values.default[parameter.name]
    if parameter.fit == "no" or not isinstance(value, float):
        return None
    log = parameter.fit == "log"
    start, step = (math.log10(max(value, _LEAST)), 0.5) if log else (value, max(0.5, abs(value) / 4))
    return _Axis(parameter.name, value, log, parameter.low, parameter.high, start, step)


class _Search:
    """The log loss of the record's forecasts as a function of the coordinates."""

    def __init__(self, system: RatingSystem, record: Record, axes: Sequence[_Axis], progress: Progress) -> None:
        self._system, self._record, self._axes, self._progress = system, record, axes, progress
        self._pairs = decided_pairs(record)
        self._done = 0
        self.runs = RUNS * len(axes)

    def parameters(self, point: Sequence[float]) -> ParameterSet:
        moved = {axis.name: axis.value(at) for axis, at in zip(self._axes, point, strict=True)}
        return ParameterSet({**self._system.parameters.default, **moved}, self._system.parameters.modes)

    def log_loss(self, point: Sequence[float]) -> float:
        """Infinite where the system cannot have these values, or knows an outcome to be impossible."""
        progress = part(self._progress, self._done, self.runs)
        self._done += 1
        try:
            run = type(self._system)(self.parameters(point)).start(self._record)
            chance = forecasts(run, self._pairs, progress=progress)
        except (ValueError, ArithmeticError):  # ParameterError is the former
            return math.inf
        said = ~np.isnan(chance)
        if not said.any():
            return math.inf
        return float(losses(chance[said], self._pairs.won[said]).mean())
