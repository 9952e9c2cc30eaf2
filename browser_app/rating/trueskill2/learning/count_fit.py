"""Fit of the count parameters.

Modes differ in the number of kills per minute and its variance: the *units*, which some hundred counts determine. How
much a count says about a performance, in those units, is the *shape*, which only many results determine, and which the
modes of a game have in common. So a mode with few rounds has its own units and the common shape. (The paper copies such
a mode's parameters whole from the most similar one; on Call of Duty that loses the information in the counts.)

The shape is chosen by the forecasts, not by the likelihood of the counts: counts vary most by pace, not by skill, and
the likeliest parameters have good players die more often.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.evaluation.loss_search import SearchAxis
from browser_app.rating.rating_parameters import ParameterValue
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.record.team_presence import seconds_per_appearance
from browser_app.rating.trueskill2.inference.performance_evidence import count_variance
from browser_app.rating.trueskill2.trueskill2_model import COUNT_COLUMNS, MINUTE_S

MIN_COUNTS = 1000
"""Number of counts from which a mode has its own units."""
_PRIOR_SD = 0.3
"""Standard deviation of the prior of a shape's weights: few results cannot separate them, many override it."""
_MAX_LOG_NOISE = 4.0
_DEATH = "death"
"""The kind that better players have fewer of."""


class CountUnit(NamedTuple):
    """Scale of counts of one kind.

    Attributes:
        rate: mean count per minute.
        variance: about the mean, per minute.
        spread: standard deviation of the counts per minute of a round.
    """

    rate: float
    variance: float
    spread: float


CountUnits: TypeAlias = Mapping[str, CountUnit]
"""Units by kind (see `COUNT_COLUMNS`), of the kinds that the record has."""


class CountShape(NamedTuple):
    """What a kind of count says about performances.

    `own` and `opponents` are standard deviations of the count per unit of own and of the opponents' performance.
    Better players have more of everything but deaths, and their opponents the opposite, so no weight is below 0.
    `log_noise` is the base-10 logarithm of v over the unit's variance.
    """

    own: float = 0.5
    opponents: float = 0.25
    log_noise: float = 1.0

    def axes(self) -> list[SearchAxis]:
        """Return the numbers as coordinates, weights with a prior at their defaults."""
        usual = CountShape()
        weights = [
            SearchAxis(start, 0.25, low=0.0, prior_mean=mean, prior_sd=_PRIOR_SD)
            for start, mean in ((self.own, usual.own), (self.opponents, usual.opponents))
        ]
        return [*weights, SearchAxis(self.log_noise, 0.5, -_MAX_LOG_NOISE, _MAX_LOG_NOISE)]


SHAPE_STARTS = tuple(CountShape(log_noise=log_noise) for log_noise in (0.0, 1.0, 2.0))
"""Where searches for a shape start: a good one for much noise is no start for little."""


def measure_count_units(record: RoundRecord, mode: int | None = None) -> CountUnits:
    """Return the units of the kinds with enough counts in a mode (None: in all modes).

    A mode needs `MIN_COUNTS` of a kind, all modes together need two.
    """
    minutes = seconds_per_appearance(record) / MINUTE_S
    rounds = record.round_of_appearance
    counted = (minutes > 0.0) & record.finished[rounds] & (True if mode is None else record.mode[rounds] == mode)
    found = {}
    for kind, column in COUNT_COLUMNS.items():
        counts = getattr(record, column)
        rows = counted & ~np.isnan(counts)
        if int(rows.sum()) >= (2 if mode is None else MIN_COUNTS):
            unit = _measure_unit(counts[rows], minutes[rows])
            if unit.variance > 0.0:
                found[kind] = unit
    return found


def _measure_unit(count: Floats, minutes: Floats) -> CountUnit:
    rate = float(count.sum() / minutes.sum())
    variance = float(np.mean((count - rate * minutes) ** 2 / count_variance(1.0, minutes)))
    return CountUnit(rate, variance, math.sqrt(variance / float(minutes.mean())))


def resolve_count_parameters(
    shapes: Mapping[str, CountShape], units: CountUnits, mean: float, beta: float
) -> dict[str, ParameterValue]:
    """Return the parameters of eq. (9); intercepts give the mean skill the mean count."""
    found: dict[str, ParameterValue] = {}
    for kind, shape in shapes.items():
        if kind not in units:
            continue
        unit = units[kind]
        scale = (-unit.spread if kind == _DEATH else unit.spread) / beta
        wp, wo = scale * shape.own, -scale * shape.opponents
        v, b = unit.variance * 10.0**shape.log_noise, unit.rate - (wp + wo) * mean
        found |= {f"{kind}_wp": wp, f"{kind}_wo": wo, f"{kind}_v": v, f"{kind}_b": b}
    return found
