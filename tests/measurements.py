"""Measurements on a busy machine.

Noise only adds, so the least of several values counts.
"""

from collections.abc import Callable

TIMES = 10


def best_of(measure: Callable[[], float], below: float, times: int = TIMES) -> float:
    """Return the least of at most `times` measurements.

    The first one below `below` is enough.
    """
    best = measure()
    while best >= below and (times := times - 1):
        best = min(best, measure())
    return best
