"""Fit of the kill and death count parameters.

Modes differ in how many kills a minute there are and how much that varies: the *units*, which some hundred counts
tell. How much a count says of a performance, in those units, is the *shape*, which only many results tell, and which
modes of a game have in common. So a mode with few rounds has its own units and the shape of all (the paper copies
such a mode's parameters whole from the most similar one; on Call of Duty that loses what the counts say).

The shape is chosen by the forecasts, not by the likelihood of the counts: what varies most in them is pace, not skill,
and the likeliest parameters have a good player die more often.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.rating_parameters import ParameterValue
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.record.team_presence import compute_presence, stint_seconds
from browser_app.rating.trueskill2.trueskill2_model import MINUTE_S

MIN_COUNTS = 1000
"""Counts of a mode from which its units are told apart from those of all modes."""
_PRIOR_SD = 0.3
"""Of a shape's weights. Few results tell them apart, many overrule it."""
_OWN_SIGN = {"kill": 1.0, "death": -1.0}


class CountUnit(NamedTuple):
    """Mean count a minute; variance about that, a minute; and standard deviation of the counts a minute of a match."""

    rate: float
    variance: float
    spread: float


CountUnits: TypeAlias = Mapping[str, CountUnit]
"""By kind, "kill" and "death"; those that the record has."""


class CountShape(NamedTuple):
    """Standard deviations of the count by one of own performance and of the opponents', and the noise's variance.

    More kills and fewer deaths for who performs better, the other way for his opponents: none is below 0.
    ``log_noise`` is the base-10 logarithm of v by the unit's variance.
    """

    kill_own: float = 0.5
    kill_opponents: float = 0.25
    death_own: float = 0.5
    death_opponents: float = 0.25
    log_noise: float = 0.8


SHAPE_STARTS = tuple(CountShape(log_noise=log_noise) for log_noise in (0.0, 0.5, 1.0, 1.5, 2.0))
SHAPE_STEPS = CountShape(0.25, 0.25, 0.25, 0.25, 0.25)


def measure_count_units(record: RoundRecord, mode: int | None = None) -> CountUnits:
    """What counts of a mode (None: of all) are like; empty where there are fewer than ``LEAST`` of a kind.

    One of all modes together needs no more than two.
    """
    stayed = compute_presence(record, record.stays, stint_seconds)
    minutes = np.bincount(stayed.appearance, stayed.amount, len(record.player)) / MINUTE_S
    rounds = record.round_of_appearance
    counted = (minutes > 0.0) & record.finished[rounds] & (True if mode is None else record.mode[rounds] == mode)
    found = {}
    for kind, counts in (("kill", record.kills), ("death", record.deaths)):
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
    """−log of what is known beforehand: no weight has the wrong sign, and none is far from what is usual."""
    weights = shape[:4]
    if min(weights) < 0.0:
        return math.inf
    return 0.5 * math.fsum(
        ((weight - usual) / _PRIOR_SD) ** 2 for weight, usual in zip(weights, CountShape(), strict=False)
    )


def resolve_count_parameters(
    shape: CountShape, units: CountUnits, mean: float, beta: float
) -> dict[str, ParameterValue]:
    """Eq. (9)'s parameters; the intercept is such that the mean skill has the mean count.

    Args:
        shape: in units.
        units: the units.
        mean: of skill.
        beta: β, the scale of performances.
    """
    found: dict[str, ParameterValue] = {}
    for kind, unit in units.items():
        own, opponents = (shape.kill_own, shape.kill_opponents) if kind == "kill" else shape[2:4]
        scale = _OWN_SIGN[kind] * unit.spread / beta
        wp, wo = scale * own, -scale * opponents
        v, b = unit.variance * 10.0**shape.log_noise, unit.rate - (wp + wo) * mean
        found |= {f"{kind}_wp": wp, f"{kind}_wo": wo, f"{kind}_v": v, f"{kind}_b": b}
    return found
