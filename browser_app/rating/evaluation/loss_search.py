"""Search for the numbers with the least sum of losses, one loss per round."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.rating_parameters import Parameter
from browser_app.rating.record.round_record import Floats

_MIN_PROBE, _MAX_PROBE, _PROBE_SDS = 0.02, 0.25, 0.5
"""Derivatives are measured over a share of an axis's step within these bounds: `_PROBE_SDS` standard deviations of
the number, given the losses. Losses are smooth, but not exactly.
"""
_MAX_PROBE_RATIO = 2.0
"""The search does not end while derivatives were measured over more than this times what they should be."""
_MAX_STEPS = 4.0
"""How many steps an axis may move at once."""
_FIRST_DAMPING, _MIN_DAMPING, _MAX_DAMPING = 1.0, 1e-2, 1e6
_DAMPING_DECREASE, _DAMPING_INCREASE = 5.0, 8.0


@dataclass(frozen=True, slots=True)
class SearchAxis:
    """One number as a coordinate of a search: its value, or its logarithm to base 10.

    Attributes:
        start: where the search starts.
        step: a change that is expected to matter.
        low, high: bounds.
        prior_mean, prior_sd: of a normal prior.
    """

    start: float
    step: float
    low: float = -math.inf
    high: float = math.inf
    prior_mean: float = 0.0
    prior_sd: float = math.inf


def parameter_axis(parameter: Parameter, given: float, min_log_value: float = 1e-4) -> SearchAxis:
    """Return the axis of a parameter that starts at a given value.

    A parameter on a logarithmic scale that is below `min_log_value` starts there.
    """
    if parameter.fit == "log":
        low, high = max(parameter.low, 1e-3 * min_log_value), parameter.high
        return SearchAxis(math.log10(max(given, min_log_value)), 0.5, math.log10(low), math.log10(high))
    return SearchAxis(given, max(0.5, abs(given) / 4), parameter.low, parameter.high)


def parameter_value(parameter: Parameter, axis: SearchAxis, at: float, given: float) -> float:
    """Return the parameter at a coordinate; at the start exactly the given value."""
    if at == axis.start:
        return given
    return min(parameter.high, max(parameter.low, 10.0**at if parameter.fit == "log" else at))


LossFunction: TypeAlias = Callable[[Sequence[float]], Floats | None]
"""Returns the losses at a point, always of the same rounds; None where it is not allowed."""


class SearchResult(NamedTuple):
    """The best point found, and the sum of its losses with −log of its prior.

    The sum is infinite if the start is not allowed.
    """

    point: list[float]
    total: float


def minimise_losses(
    losses: LossFunction, axes: Sequence[SearchAxis], max_calls: int, min_gain: float = 0.0
) -> SearchResult:
    """Return the best point found.

    Newton's method with the sum of the outer products of the rounds' gradients in place of the second derivatives (E.
    K. Berndt, B. H. Hall, R. E. Hall, J. A. Hausman, Annals of Economic and Social Measurement 3, 1974) and damped
    steps (K. Levenberg 1944); gradients are measured by differences. Numbers that stand in for each other are moved
    together, which a search along the axes does not do. Deterministic; never moves to a worse point.

    Args:
        losses: to be minimised.
        axes: where to start, and how far to go.
        max_calls: most calls of the function.
        min_gain: the search ends when a step gains less; a number that gains less than this stays where it is.
    """
    return _LossSearch(losses, axes, max_calls, min_gain).run()


class _LossSearch:
    def __init__(self, losses: LossFunction, axes: Sequence[SearchAxis], max_calls: int, min_gain: float) -> None:
        self._losses, self._calls_left, self._min_gain = losses, max_calls, min_gain
        self._step, self._low, self._high = (np.array([getattr(a, n) for a in axes]) for n in ("step", "low", "high"))
        self._prior_mean = np.array([axis.prior_mean for axis in axes])
        self._prior_precision = np.array([axis.prior_sd for axis in axes]) ** -2.0
        self._probe = _MAX_PROBE * self._step
        self._point = np.array([axis.start for axis in axes])
        self._now = self._call(self._point)
        self._total = self._sum(self._point, self._now)

    def run(self) -> SearchResult:
        damping = _FIRST_DAMPING
        while self._now is not None and len(self._point) and self._calls_left > len(self._point):
            before, probe = self._total, self._probe
            gradient, curvature = self._derivatives(self._now)
            damping = self._descend(gradient, curvature, damping)
            if before - self._total <= self._min_gain:
                if (probe <= _MAX_PROBE_RATIO * self._probe).all():
                    break
                damping = _FIRST_DAMPING  # steps failed because of derivatives that are now measured more finely
        return SearchResult(self._point.tolist(), self._total)

    def _call(self, point: Floats) -> Floats | None:
        self._calls_left -= 1
        return self._losses(point.tolist())

    def _sum(self, point: Floats, losses: Floats | None) -> float:
        if losses is None:
            return math.inf
        return math.fsum(losses) + 0.5 * float(self._prior_precision @ (point - self._prior_mean) ** 2)

    def _derivatives(self, now: Floats) -> tuple[Floats, Floats]:
        """Return gradient and curvature of the sum, 0 for numbers that change nothing."""
        rows = np.zeros((len(self._point), len(now)))
        for axis in range(len(self._point)):
            probe, moved = self._probe[axis], self._point.copy()
            moved[axis] += probe if moved[axis] + probe <= self._high[axis] else -probe
            losses = self._call(moved)
            if losses is not None:
                rows[axis] = (losses - now) / (moved[axis] - self._point[axis])
        gradient = rows.sum(axis=1) + self._prior_precision * (self._point - self._prior_mean)
        curvature = rows @ rows.T + np.diag(self._prior_precision)
        with np.errstate(divide="ignore"):
            sd = curvature.diagonal() ** -0.5
        self._probe = np.clip(_PROBE_SDS * sd, _MIN_PROBE * self._step, _MAX_PROBE * self._step)
        return gradient, curvature

    def _descend(self, gradient: Floats, curvature: Floats, damping: float) -> float:
        """Move to better points as long as that helps; return the next step's damping.

        Far from the minimum the curvature is overestimated, so that a step is much too short.
        """
        while self._calls_left > 0 and damping < _MAX_DAMPING:
            free = ~((self._point <= self._low) & (gradient > 0.0) | (self._point >= self._high) & (gradient < 0.0))
            damped = (curvature + damping * np.diag(self._step**-2.0))[np.ix_(free, free)]
            change = np.zeros(len(gradient))
            change[free] = -np.linalg.solve(damped, gradient[free])
            change = np.clip(change, -_MAX_STEPS * self._step, _MAX_STEPS * self._step)
            point = np.clip(self._point + change, self._low, self._high)
            if -float(gradient @ (point - self._point)) <= self._min_gain:
                break
            change = point - self._point
            if self._move_to(point):
                while self._calls_left > 0 and self._move_to(np.clip(self._point + change, self._low, self._high)):
                    change = 2.0 * change
                return max(damping / _DAMPING_DECREASE, _MIN_DAMPING)
            damping *= _DAMPING_INCREASE
        return damping

    def _move_to(self, point: Floats) -> bool:
        """Move to a point if it gains more than `min_gain`; return whether it does."""
        losses = self._call(point)
        total = self._sum(point, losses)
        if not total < self._total - self._min_gain:
            return False
        self._point, self._now, self._total = point, losses, total
        return True
