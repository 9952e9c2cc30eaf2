"""Derivative-free compass search for a minimum."""

from collections.abc import Callable, Sequence

_STEP_GROWTH, _STEP_SHRINK, _MAX_STEP_GROWTH = 2.0, 0.5, 4.0


def compass_search(
    function: Callable[[Sequence[float]], float],
    start: Sequence[float],
    steps: Sequence[float],
    max_calls: int,
    min_gain: float = 0.0,
    min_step: float = 1 / 64,
) -> list[float]:
    """The best point that was found.

    Compass search (E. Fermi and N. Metropolis; T. G. Kolda, R. M. Lewis, V. Torczon, SIAM Review 45, 2003, section 3)
    with a step length for each axis, as in H. H. Rosenbrock 1960: along each axis in turn one step in the direction
    that was good last, then in the other; what is better is taken and the axis's step doubled (up to four times the
    first), else it is halved. Deterministic; no point is left for a worse one.

    Args:
        function: what is to be least; infinite where a point cannot be.
        start: where the search begins.
        steps: the first step along each axis.
        max_calls: of the function, at most.
        min_gain: what is less by no more than this is no better, so that nothing runs away along a flat direction.
        min_step: steps this much shorter than the first ones end the search.
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
