"""Round distances of ticks."""

import math
from collections.abc import Sequence


def nice_tick_step(min_step: float, multiples: Sequence[float] = (1, 2, 5)) -> float:
    """Return a round tick step of at least `min_step`.

    The smallest of `multiples` times a power of ten that is not below it.
    """
    if min_step <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(min_step))
    return next((each * power for each in multiples if each * power >= min_step * (1 - 1e-9)), 10 * power)
