"""Derivative-free compass search for a minimum, and parameters as its coordinates."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from browser_app.rating.rating_parameters import Parameter

_STEP_GROWTH, _STEP_SHRINK, _MAX_STEP_GROWTH = 2.0, 0.5, 4.0


def compass_search(
    function: Callable[[Sequence[float]], float],
    start: Sequence[float],
    steps: Sequence[float],
    max_calls: int,
    min_gain: float = 0.0,
    min_step: float = 1 / 64,
) -> list[float]:
    """Return the best point found.

    Compass search (E. Fermi and N. Metropolis; T. G. Kolda, R. M. Lewis, V. Torczon, SIAM Review 45, 2003, section 3)
    with one step length per axis, as in H. H. Rosenbrock 1960. Along each axis in turn it tries one step in the
    direction that was last successful, then the opposite one. A better point is taken and the step of the axis doubled
    (up to four times the first), else the step is halved. Deterministic; never moves to a worse point.

    Args:
        function: to be minimised; infinite where a point is not allowed.
        start: start of the search.
        steps: first step along each axis.
        max_calls: most calls of the function.
        min_gain: smaller improvements are ignored, so that the search does not run away along a flat direction.
        min_step: the search ends when all steps are below this share of the first ones.
    """
    point, step = list(start), list(steps)
    best = function(point)
    left = max_calls - 1
    while left > 0 and any(abs(now) > min_step * first for now, first in zip(step, steps, strict=True)):
        for axis in range(len(point)):
            if abs(step[axis]) <= min_step * steps[axis]:
                continue
            for direction in (step[axis], -step[axis]):
                if left == 0:
                    return point
                tried = [*point[:axis], point[axis] + direction, *point[axis + 1 :]]
                left -= 1
                found = function(tried)
                if found < best - min_gain:
                    longest = _MAX_STEP_GROWTH * abs(steps[axis])
                    point, best = tried, found
                    step[axis] = min(longest, max(-longest, _STEP_GROWTH * direction))
                    break
            else:
                step[axis] *= _STEP_SHRINK
    return point


@dataclass(frozen=True, slots=True)
class SearchAxis:
    """One parameter as a coordinate of a search: its value, or its logarithm to base 10.

    Attributes:
        parameter: the parameter; ``fit`` is its scale.
        given: its value at the start.
        min_log_value: where a parameter on a logarithmic scale that is 0 starts to move.
    """

    parameter: Parameter
    given: float
    min_log_value: float = 1e-4

    @property
    def start(self) -> float:
        """Start of the search."""
        return math.log10(max(self.given, self.min_log_value)) if self.parameter.fit == "log" else self.given

    @property
    def step(self) -> float:
        """First step of the search."""
        return 0.5 if self.parameter.fit == "log" else max(0.5, abs(self.given) / 4)

    def value(self, at: float) -> float:
        """Return the parameter at a coordinate; at the start exactly the given one."""
        if at == self.start:
            return self.given
        return min(self.parameter.high, max(self.parameter.low, 10.0**at if self.parameter.fit == "log" else at))
