"""Whether chances are as extreme as they should be, in one number."""

from typing import NamedTuple

import numpy as np

from browser_app.rating.record import Floats

_STEPS = 25
_MOST = 20.0
_EDGE = 1e-9


class Slope(NamedTuple):
    """Of the log-odds of what came against those that were said (D. R. Cox, Biometrika 45, 1958): 1 is right, below 1
    they were too sure of themselves, above 1 too timid. ``sd`` is its standard error.
    """

    value: float
    sd: float


def slope_of(chance: Floats, won: Floats) -> Slope | None:
    """By maximum likelihood, through even chances; None where too little was said, or every outcome was foretold.

    Args:
        chance: P(first-named wins), NaN where nothing was said.
        won: 1 where it did, 0 where not.
    """
    said = ~np.isnan(chance)
    bounded = np.clip(chance[said], _EDGE, 1.0 - _EDGE)
    odds, came = np.log(bounded / (1.0 - bounded)), won[said]
    slope = 1.0
    for _ in range(_STEPS):
        expected = 0.5 + 0.5 * np.tanh(0.5 * slope * odds)
        information = float((odds * odds * expected * (1.0 - expected)).sum())
        if information < _EDGE:
            return None
        step = float((odds * (came - expected)).sum()) / information
        slope += max(-1.0, min(1.0, step))
        if abs(slope) > _MOST:
            return None
        if abs(step) < _EDGE:
            return Slope(slope, information**-0.5)
    return None
