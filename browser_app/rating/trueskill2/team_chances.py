"""Win and draw chances of teams, and the closed-form update of two teams.

Difference d ~ N(t, c²); the first-named team wins if d > ε, the other if d < −ε, else it is a draw (ε = draw margin).
"""

import math
from collections.abc import Sequence

import numpy as np

from browser_app.rating.record.round_record import Floats
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.trueskill2.inference.truncated_normal import normal_cdf, truncate_above_zero, truncate_to_margin

_SQRT_HALF = math.sqrt(0.5)
_SQRT_TWO_OVER_PI = math.sqrt(2.0 / math.pi)
_MIN_CHANCE = 1e-290  # below, the quotient of two chances has too few digits
_MIN_DIRECT = -5.0  # φ/Φ loses no digits that matter above


def result_derivatives(t: float, c2: float, margin: float, outcome: int) -> tuple[float, float]:
    """Return first and negative second derivative of log P(outcome) by t: ±v/c, w/c².

    The first times a·V moves a player of share a and variance V; the second times (a·V)² is what the variance loses
    (Herbrich 2007).

    Args:
        t: mean of the difference.
        c2: its variance.
        margin: ε.
        outcome: 1 the first-named team won, -1 the other one, 0 a draw.
    """
    if c2 <= 0.0:  # no player's share in one team exceeds that in the other: nothing is learned
        return 0.0, 0.0
    c = math.sqrt(c2)
    if outcome == 0:
        cut = truncate_to_margin(t / c, margin / c)
        return cut.v / c, (1.0 - cut.variance_left) / c2
    x = (outcome * t - margin) / c
    if x > _MIN_DIRECT:  # `truncate_above_zero` inlined for speed
        v = _SQRT_TWO_OVER_PI * math.exp(-0.5 * x * x) / math.erfc(-x * _SQRT_HALF)
        return outcome * v / c, v * (v + x) / c2
    cut = truncate_above_zero(x)
    return outcome * cut.v / c, (1.0 - cut.variance_left) / c2


def two_team_chances(t: float, c2: float, margin: float) -> Prediction:
    """Return the prediction of two teams; with c = 0 it is even."""
    if c2 <= 0.0:
        return Prediction.two_teams(0.0)
    scale = _SQRT_HALF / math.sqrt(c2)
    first, second = 0.5 * math.erfc((margin - t) * scale), 0.5 * math.erfc((margin + t) * scale)
    draw = 0.5 * (math.erf((margin - t) * scale) + math.erf((margin + t) * scale))
    log_odds = math.log(first / second) if min(first, second) > _MIN_CHANCE else _log_odds_far_out(t, c2, margin)
    return Prediction((first, second), draw, ((0.0, log_odds), (-log_odds, 0.0)))


def _log_odds_far_out(t: float, c2: float, margin: float) -> float:
    c = math.sqrt(c2)
    return truncate_above_zero((t - margin) / c).log_z - truncate_above_zero((-t - margin) / c).log_z


_TAIL = 9.0  # standard deviations; beyond lies less than 1e-18
_STEPS = 2.0  # per standard deviation of the narrowest product of the integrand; the error is below 1e-30 of it
_MIN_RELATIVE_SD = (
    1e-3  # of the widest; a team with less (players present for a moment) counts as this wide: limits the points
)


def first_place_chances(mean: Sequence[float], sd: Sequence[float], margin: float) -> list[float]:
    """Return P(x_a > x_b + margin for all b ≠ a) of independent x ~ N(mean, sd²).

    ∫ N(x; m_a, s_a²) Π_b Φ((x − ε − m_b)/s_b) dx by the trapezoidal rule, which converges faster than any power of the
    step for such integrands.
    """
    m = np.array(mean)
    s = np.maximum(np.array(sd), _MIN_RELATIVE_SD * max(sd))
    low, high = float(np.max(m - _TAIL * s)), float(np.max(m + _TAIL * s))
    step = 1.0 / (_STEPS * math.sqrt(float(np.sum(s**-2))))
    x = low + step * np.arange(math.ceil((high - low) / step) + 1)
    density = np.exp(-0.5 * ((x - m[:, None]) / s[:, None]) ** 2) / (s[:, None] * math.sqrt(2.0 * math.pi))
    below = normal_cdf((x - margin - m[:, None]) / s[:, None])
    chances_: list[float] = (step * np.sum(density * _product_of_others(below), axis=1)).tolist()
    return chances_


def _product_of_others(rows: Floats) -> Floats:
    """Return for each row the product of all others, without division: it may be by 0."""
    before, after = np.ones_like(rows), np.ones_like(rows)
    np.cumprod(rows[:-1], axis=0, out=before[1:])
    np.cumprod(rows[:0:-1], axis=0, out=after[-2::-1])
    return before * after


def many_team_chances(
    shares: Sequence[Sequence[float]], mean: Sequence[float], var: Sequence[float], margin: float
) -> Prediction:
    """Return the chances of more than two teams; empty ones are ignored.

    Pairs are exact. For first places, players who changed team count in each of their teams as if they were two people.

    Args:
        shares: share of the round, one row per player, one column per team.
        mean: of each player's performance.
        var: of each player's performance.
        margin: ε.
    """
    share, m, v = np.array(shares), np.array(mean), np.array(var)
    occupied = np.flatnonzero(share.any(axis=0)).tolist()
    team_mean, team_sd = m @ share, np.sqrt(v @ share**2)
    first = [0.0] * share.shape[1]
    alone = first_place_chances([float(team_mean[a]) for a in occupied], [float(team_sd[a]) for a in occupied], margin)
    whole = max(1.0, math.fsum(alone))  # above 1 by rounding where means are large compared with their spread
    for a, chance in zip(occupied, alone, strict=True):
        first[a] = chance / whole
    log_odds = [[0.0 if a == b else math.nan for b in range(len(first))] for a in range(len(first))]
    for a in occupied:
        for b in occupied:
            if a < b:
                net = share[:, a] - share[:, b]
                pair = two_team_chances(float(net @ m), float(net**2 @ v), margin).log_odds
                log_odds[a][b], log_odds[b][a] = pair[0][1], pair[1][0]
    return Prediction(tuple(first), max(0.0, 1.0 - math.fsum(first)), tuple(map(tuple, log_odds)))
