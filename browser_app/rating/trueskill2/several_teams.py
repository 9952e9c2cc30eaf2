"""Chances of first place among several teams, by one integral each."""

import math
from collections.abc import Sequence

import numpy as np

from browser_app.rating.prediction import Prediction
from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.two_teams import chances

_TAIL = 9.0  # standard deviations; beyond lies less than 1e-18
_STEPS = 2.0  # a standard deviation of the sharpest product of the integrand; the error is below 1e-30 of it
_NARROWEST = 1e-3  # of the widest; a team with less (it was there for a moment) counts as so wide: caps the points


def alone_in_first(mean: Sequence[float], sd: Sequence[float], margin: float) -> list[float]:
    """P(x_a > x_b + margin for all b ≠ a) of independent x ~ N(mean, sd²), for every a.

    ∫ N(x; m_a, s_a²) Π_b Φ((x − ε − m_b)/s_b) dx by the trapezoidal rule, which converges faster than any power of
    the step for such integrands.
    """
    m = np.array(mean)
    s = np.maximum(np.array(sd), _NARROWEST * max(sd))
    low, high = float(np.max(m - _TAIL * s)), float(np.max(m + _TAIL * s))
    step = 1.0 / (_STEPS * math.sqrt(float(np.sum(s**-2))))
    x = low + step * np.arange(math.ceil((high - low) / step) + 1)
    density = np.exp(-0.5 * ((x - m[:, None]) / s[:, None]) ** 2) / (s[:, None] * math.sqrt(2.0 * math.pi))
    below = _cdf((x - margin - m[:, None]) / s[:, None])
    chances_: list[float] = (step * np.sum(density * _product_of_others(below), axis=1)).tolist()
    return chances_


def _cdf(z: Floats) -> Floats:
    tail = [math.erfc(value) for value in (z.ravel() * -math.sqrt(0.5)).tolist()]
    return 0.5 * np.array(tail).reshape(z.shape)


def _product_of_others(rows: Floats) -> Floats:
    """Row by row the product of all other rows; no division, a factor may be 0."""
    before, after = np.ones_like(rows), np.ones_like(rows)
    np.cumprod(rows[:-1], axis=0, out=before[1:])
    np.cumprod(rows[:0:-1], axis=0, out=after[-2::-1])
    return before * after


def several_chances(
    shares: Sequence[Sequence[float]], mean: Sequence[float], var: Sequence[float], margin: float
) -> Prediction:
    """Chances of more than two teams; one without players takes no part.

    Pairs are exact. For first places who changed team counts in each of his teams as if he were two people.

    Args:
        shares: share of the round, a row a player, a column a team.
        mean: of each player's performance.
        var: of each player's performance.
        margin: ε.
    """
    share, m, v = np.array(shares), np.array(mean), np.array(var)
    manned = np.flatnonzero(share.any(axis=0)).tolist()
    team_mean, team_sd = m @ share, np.sqrt(v @ share**2)
    first = [0.0] * share.shape[1]
    alone = alone_in_first([float(team_mean[a]) for a in manned], [float(team_sd[a]) for a in manned], margin)
    whole = max(1.0, math.fsum(alone))  # above it by rounding where means are large beside their spread
    for a, chance in zip(manned, alone, strict=True):
        first[a] = chance / whole
    beats = [[0.5 if a == b else math.nan for b in range(len(first))] for a in range(len(first))]
    for a in manned:
        for b in manned:
            if a < b:
                net = share[:, a] - share[:, b]
                pair = chances(float(net @ m), float(net**2 @ v), margin).beats
                beats[a][b], beats[b][a] = pair[0][1], pair[1][0]
    return Prediction(tuple(first), max(0.0, 1.0 - math.fsum(first)), tuple(map(tuple, beats)))
