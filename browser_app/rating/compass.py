"""A search for a minimum that needs no derivatives and no luck."""

from collections.abc import Callable, Sequence

_LONGER, _SHORTER, _LONGEST = 2.0, 0.5, 4.0


def compass_search(
    function: Callable[[Sequence[float]], float],
    start: Sequence[float],
    steps: Sequence[float],
    calls: int,
    gain: float = 0.0,
    shortest: float = 1 / 64,
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
        calls: of the function, at most.
        gain: what is less by no more than this is no better, so that nothing runs away along a flat direction.
        shortest: steps this much shorter than the first ones end the search.
    """
    point, step = list(start), list(steps)
    best = function(point)
    left = calls - 1
    while left > 0 and any(abs(now) > shortest * first for now, first in zip(step, steps, strict=True)):
        for axis in range(len(point)):
            if abs(step[axis]) <= shortest * steps[axis]:
                continue
            for direction in (step[axis], -step[axis]):
                if left == 0:
                    return point
                tried = [*point[:axis], point[axis] + direction, *point[axis + 1 :]]
                left -= 1
                found = function(tried)
                if found < best - gain:
                    longest = _LONGEST * abs(steps[axis])
                    point, best = tried, found
                    step[axis] = min(longest, max(-longest, _LONGER * direction))
                    break
            else:
                step[axis] *= _SHORTER
    return point
