"""Fit of the count parameters.

Modes differ in the number of kills per minute and its variance: the *units*, which some hundred counts determine. How
much a count says about a performance, in those units, is the *shape*, which only many results determine, and which the
modes of a game have in common. So a mode with few rounds has its own units and the common shape. (The paper copies such
a mode's parameters whole from the most similar one; on Call of Duty that loses the information in the counts.)

The shape is chosen by the forecasts, not by the likelihood of the counts: counts vary most by pace, not by skill, and
the likeliest parameters have good players die more often.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.rating_parameters import ParameterValue
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.record.team_presence import seconds_per_appearance
from browser_app.rating.trueskill2.trueskill2_model import COUNT_COLUMNS, MINUTE_S

MIN_COUNTS = 1000
"""Number of counts from which a mode has its own units."""
_PRIOR_SD = 0.3
"""Standard deviation of the prior of a shape's weights: few results cannot tell them apart, many override it."""
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
"""Units by kind (see ``COUNT_COLUMNS``), of the kinds that the record has."""


class KindShape(NamedTuple):
    """Standard deviations of one kind of count per unit of own and of the opponents' performance, and the noise.

    Better players have more of everything but deaths, and their opponents the opposite, so no weight is below 0.
    ``log_noise`` is the base-10 logarithm of v over the unit's variance.
    """

    own: float = 0.5
    opponents: float = 0.25
    log_noise: float = 0.8


class CountShape(NamedTuple):
    """Shapes of kills and deaths, which have one noise; see ``KindShape``."""

    kill_own: float = 0.5
    kill_opponents: float = 0.25
    death_own: float = 0.5
    death_opponents: float = 0.25
    log_noise: float = 0.8

    def by_kind(self) -> dict[str, KindShape]:
        """Return the shape of each kind."""
        return {
            "kill": KindShape(self.kill_own, self.kill_opponents, self.log_noise),
            _DEATH: KindShape(self.death_own, self.death_opponents, self.log_noise),
        }


SHAPE_STARTS = tuple(CountShape(log_noise=log_noise) for log_noise in (0.0, 0.5, 1.0, 1.5, 2.0))
SHAPE_STEPS = CountShape(0.25, 0.25, 0.25, 0.25, 0.25)
KIND_START, KIND_STEPS = KindShape(log_noise=1.0), KindShape(0.25, 0.25, 0.5)


def measure_count_units(record: RoundRecord, mode: int | None = None) -> CountUnits:
    """Return the units of a mode (None: of all); empty with fewer than ``MIN_COUNTS`` of a kind.

    The units of all modes together need two counts.
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
    variance = float(np.mean((count - rate * minutes) ** 2 / minutes))
    return CountUnit(rate, variance, math.sqrt(variance / float(minutes.mean())))


def shape_penalty(shape: Sequence[float]) -> float:
    """Return −log of the prior: no weight has the wrong sign, and none is far from its usual value.

    ``shape`` are the numbers of a ``CountShape`` or a ``KindShape``, whose last one has no prior.
    """
    weights = shape[:-1]
    if min(weights) < 0.0:
        return math.inf
    return 0.5 * math.fsum(
        ((weight - usual) / _PRIOR_SD) ** 2 for weight, usual in zip(weights, CountShape(), strict=False)
    )


def resolve_count_parameters(
    shapes: Mapping[str, KindShape], units: CountUnits, mean: float, beta: float
) -> dict[str, ParameterValue]:
    """Return the parameters of eq. (9) by kind; the intercept gives the mean skill the mean count."""
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
