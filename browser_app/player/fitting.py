"""Parameters fitted to the first part of a record, and what they gain on the rest of it."""

from dataclasses import dataclass

import numpy as np

from browser_app.rating.decided import decided_pairs
from browser_app.rating.evaluate import forecasts
from browser_app.rating.fit import fitted
from browser_app.rating.parameters import ParameterSet
from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Record
from browser_app.rating.scores import losses
from browser_app.rating.system import RatingSystem


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a fit found.

    Attributes:
        parameters: the better ones.
        learnt: rounds that were looked at, the first ones.
        scored: later pairs of teams, none of them looked at, on which both sets of parameters said something.
        before, after: their mean log loss with the old parameters and with the new; None where there are no such pairs.
    """

    parameters: ParameterSet
    learnt: int
    scored: int
    before: float | None
    after: float | None


def fit_and_gain(system: RatingSystem, record: Record, until: int, progress: Progress = untold) -> Fitted:
    """Fit on the first ``until`` rounds, then score both on all later ones, each said before its round."""
    better = fitted(system, record, until, progress)
    pairs = decided_pairs(record)
    old, new = (losses(forecasts(each.start(record), pairs, until), pairs.won) for each in (system, better))
    both = ~(np.isnan(old) | np.isnan(new))
    if not both.any():
        return Fitted(better.parameters, until, 0, None, None)
    return Fitted(better.parameters, until, int(both.sum()), float(old[both].mean()), float(new[both].mean()))
