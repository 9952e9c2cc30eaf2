"""What experience adds to skill, eq. (8): a curve of two numbers in place of the paper's 200."""

import math

_LONGEST = 200
_NOTHING = 1e-4  # of the first gain


def experience_offsets(first: float, matches: float) -> tuple[float, ...]:
    """The gains first·e^(−n/matches) by match n; the last entry, which holds for ever after, is 0.

    Args:
        first: what the first match adds.
        matches: in how many the gain falls to 1/e; more than 0.
    """
    ratio = math.exp(-1.0 / matches)
    gains = [first]
    while len(gains) < _LONGEST and abs(gains[-1]) > _NOTHING * abs(first):
        gains.append(gains[-1] * ratio)
    return (*gains, 0.0)
