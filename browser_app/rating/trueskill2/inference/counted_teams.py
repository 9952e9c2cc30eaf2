"""Inference of two teams from result and counts.

Positive counts have a closed form, zeros need expectation propagation. A round with one zero has an
exact posterior (`factor_pairs`); it is inferred here only while parameters are fitted.

Counts depend on the own performance and on the total P or Q of the other side (total = Σ share · performance). Given
both totals the players are independent, so that only the 2 × 2 Gaussian of the totals has to be solved; the result cuts
off P − Q. All sums have terms of one sign, so that nothing cancels however informative the counts are. A zero is one
more observation, whose precision is adjusted until its moments match. This is the posterior of the full covariance in
time proportional to the number of players.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.record.round_record import Floats
from browser_app.rating.trueskill2.inference.likelihood_factors import StepFactor

_TOLERANCE = 1e-10  # of a standard deviation, and of a variance
_MAX_SWEEPS = 200
_MIN_CAVITY_SHARE = 1e-9  # below this share of its variance a cavity, a difference, has too few digits left

CountedPlayer: TypeAlias = tuple[float, float, float, float, float, float, float, float]
"""Share of the round, negative in the second-named team, and seven sums over the kinds of counts k: with normal
observations y_k = a_k·performance + b_k·(total of the other side) + N(0, 1) these are Σa², Σab, Σay, Σb², Σby,
Σa²·Σb² − (Σab)² and Σa²·Σby − Σab·Σay; 0 where a player has no counts."""


class CountKind(NamedTuple):
    """Observations y = a·performance + b·(other side's total) + N(0, 1) of one kind.

    All are 0 for players without a count.
    """

    a: Floats
    b: Floats
    y: Floats


def summarise_counts(shares: Floats, kinds: Sequence[CountKind]) -> list[CountedPlayer]:
    """Return the sums of each player, the last two in a form that does not cancel."""
    zero = np.zeros(len(shares))
    columns = [
        sum((kind.a * kind.a for kind in kinds), zero),
        sum((kind.a * kind.b for kind in kinds), zero),
        sum((kind.a * kind.y for kind in kinds), zero),
        sum((kind.b * kind.b for kind in kinds), zero),
        sum((kind.b * kind.y for kind in kinds), zero),
        zero.copy(),
        zero.copy(),
    ]
    for index, one in enumerate(kinds):
        for other in kinds[:index]:
            turn = one.b * other.a - other.b * one.a
            columns[5] += turn * turn
            columns[6] += turn * (other.a * one.y - one.a * other.y)
    return list(zip(shares.tolist(), *(column.tolist() for column in columns), strict=True))


_Conditional: TypeAlias = tuple[int, float, float, float, float, float, float, float]
"""A player: index, mean and variance of the skill, variance of the performance, and the change of the performance given
those of the totals, p (own side) and q: its mean is a + b q + covariance/(own total's variance) (p − E p). The last
four are a, b, and for given q the variance and the covariance with p."""


class _Side(NamedTuple):
    """One side given the change q of the other's total, counted from the prior means.

    Its own total is N(mean + slope q, var), its counts are the evidence −½·precision·q² + precision_mean·q.
    """

    players: list[_Conditional]
    mean: float
    slope: float
    var: float
    precision: float
    precision_mean: float


class ZeroCount(NamedTuple):
    """A count of 0: P = Φ(−a·performance − b·(total of the other side) − always)."""

    a: float
    b: float
    always: float


class _ZeroCountSite:
    """Approximation exp(−½·precision·u² + precision_mean·u) of a zero.

    u is a·performance + b·(total of the other side) less its prior mean.
    """

    __slots__ = ("a", "b", "factor", "origin", "precision", "precision_mean")

    def __init__(self, zero: ZeroCount, performance: float, other_total: float) -> None:
        self.a, self.b = zero.a, zero.b
        self.origin = zero.a * performance + zero.b * other_total
        self.factor = StepFactor(zero.always, 1.0)
        self.precision = self.precision_mean = 0.0

    def match_moments(self, mean: float, var: float) -> float:
        """Match the moments for u ~ N(mean, var), this site included; return the movement.

        It is relative to the matched variance.
        """
        left = 1.0 - self.precision * var
        if var <= 0.0 or left < _MIN_CAVITY_SHARE:
            return 0.0
        cavity_mean, cavity_var = (mean - var * self.precision_mean) / left, var / left
        tilt = self.factor.tilted_moments(-self.origin - cavity_mean, cavity_var)
        rest = tilt.variance_left
        precision, precision_mean = tilt.curvature / rest, (cavity_mean * tilt.curvature - tilt.gradient) / rest
        change, matched_var = precision - self.precision, cavity_var * rest
        matched = cavity_mean - cavity_var * tilt.gradient
        moved = abs(precision_mean - self.precision_mean - change * matched) * math.sqrt(matched_var)
        self.precision, self.precision_mean = precision, precision_mean
        return max(moved, abs(change) * matched_var)


def infer_counted_teams(
    players: Sequence[CountedPlayer],
    zeros: Sequence[Sequence[ZeroCount]],
    skills: Sequence[tuple[float, float]],
    shifts: Sequence[float],
    beta2: float,
    differentiate_result: Callable[[float, float], tuple[float, float]],
) -> list[tuple[float, float]]:
    """Return mean and variance of each skill after a round.

    Args:
        players: their positive counts; at least one on each side.
        zeros: their other counts.
        skills: mean and variance of each skill before the round.
        shifts: what a squad adds to each performance.
        beta2: β².
        differentiate_result: returns `result_derivatives` for mean and variance of the gap.
    """
    rows: tuple[list[tuple[int, float]], list[tuple[int, float]]] = ([], [])
    totals = [0.0, 0.0]
    for index, (player, (mean, _), shift) in enumerate(zip(players, skills, shifts, strict=True)):
        side = 0 if player[0] > 0.0 else 1
        rows[side].append((index, mean + shift))
        totals[side] += abs(player[0]) * (mean + shift)
    sites = {
        index: [_ZeroCountSite(zero, performance, totals[1 - side]) for zero in zeros[index]]
        for side in (0, 1)
        for index, performance in rows[side]
        if zeros[index]
    }
    found = [(0.0, 0.0)] * len(players)
    for _ in range(_MAX_SWEEPS):
        one, other = (_condition(players, sites, skills, beta2, rows[side], totals[1 - side]) for side in (0, 1))
        of_one, of_other = _cut_totals(one, other, totals[0] - totals[1], differentiate_result)
        if not sites or max(_match_zeros(one, of_one, sites), _match_zeros(other, of_other, sites)) < _TOLERANCE:
            break
    _set_skills(one, of_one, found)
    _set_skills(other, of_other, found)
    return found


class _Totals(NamedTuple):
    """Means and covariance of the changes of the own total and the other side's."""

    own: float
    other: float
    own_var: float
    both: float
    other_var: float


def _cut_totals(
    one: _Side, other: _Side, gap: float, differentiate_result: Callable[[float, float], tuple[float, float]]
) -> tuple[_Totals, _Totals]:
    """Return each side's view of the totals after the result.

    `gap` is the prior mean of their difference.
    """
    p_p = 1.0 / one.var + other.slope * other.slope / other.var + other.precision
    q_q = 1.0 / other.var + one.slope * one.slope / one.var + one.precision
    p_q = -one.slope / one.var - other.slope / other.var
    det = _determinant(one, other)
    to_p = one.mean / one.var - other.slope * other.mean / other.var + other.precision_mean
    to_q = other.mean / other.var - one.slope * one.mean / one.var + one.precision_mean
    p, q = (q_q * to_p - p_q * to_q) / det, (p_p * to_q - p_q * to_p) / det
    gap_var = (
        (1.0 - one.slope) ** 2 / one.var + (1.0 - other.slope) ** 2 / other.var + one.precision + other.precision
    ) / det
    gradient, curvature = differentiate_result(gap + p - q, gap_var)
    # covariances of both totals with the gap
    p_gap, q_gap = (q_q + p_q) / det, -(p_p + p_q) / det
    p, q = p + p_gap * gradient, q + q_gap * gradient
    p_var, q_var = q_q / det - p_gap * p_gap * curvature, p_p / det - q_gap * q_gap * curvature
    both = -p_q / det - p_gap * q_gap * curvature
    return _Totals(p, q, p_var, both, q_var), _Totals(q, p, q_var, both, p_var)


def _condition(
    players: Sequence[CountedPlayer],
    sites: Mapping[int, Sequence[_ZeroCountSite]],
    skills: Sequence[tuple[float, float]],
    beta2: float,
    rows: Sequence[tuple[int, float]],
    other_total: float,
) -> _Side:
    found = []
    total = slope = total_var = precision = precision_mean = 0.0
    for index, performance in rows:
        share, a_a, a_b, a_y, b_b, b_y, square, cross = players[index]
        share = abs(share)
        skill, skill_var = skills[index]
        noisy = skill_var + beta2
        a_y -= a_a * performance + a_b * other_total
        b_y -= a_b * performance + b_b * other_total
        cross -= square * other_total
        for site in sites.get(index, ()):  # one more observation each
            a, b = site.a, site.b
            square += site.precision * (a_a * b * b - 2.0 * a_b * a * b + b_b * a * a)
            cross += site.precision * a * (b_y * a - a_y * b) + site.precision_mean * (a_a * b - a_b * a)
            a_a += site.precision * a * a
            a_b += site.precision * a * b
            b_b += site.precision * b * b
            a_y += site.precision_mean * a
            b_y += site.precision_mean * b
        left = 1.0 + noisy * a_a
        var = noisy / left
        mean = var * a_y
        b = -var * a_b
        covariance = share * var
        total += share * mean
        slope += share * b
        total_var += share * covariance
        precision += (b_b + noisy * square) / left
        precision_mean += (b_y + noisy * cross) / left
        found.append((index, skill, skill_var, noisy, mean, b, var, covariance))
    return _Side(found, total, slope, total_var, precision, precision_mean)


def _determinant(one: _Side, other: _Side) -> float:
    """Return the determinant of the totals' precision matrix, as a sum of squares."""
    return (
        (1.0 - one.slope * other.slope) ** 2 / (one.var * other.var)
        + (one.precision + one.slope * one.slope * other.precision) / one.var
        + (other.precision + other.slope * other.slope * one.precision) / other.var
        + one.precision * other.precision
    )


def _set_skills(side: _Side, totals: _Totals, found: list[tuple[float, float]]) -> None:
    """Set the skills of one side's players in `found`."""
    own, other, own_var, both, other_var = totals
    surplus = own - side.mean - side.slope * other
    for index, skill, skill_var, noisy, a, b, var, covariance in side.players:
        k = covariance / side.var
        j = b - k * side.slope
        moved = a + b * other + k * surplus
        left = max(var - covariance * k + k * k * own_var + 2.0 * k * j * both + j * j * other_var, 0.0)
        gain = skill_var / noisy
        found[index] = (skill + gain * moved, skill_var * (1.0 - gain) + gain * gain * left)


def _match_zeros(side: _Side, totals: _Totals, sites: Mapping[int, Sequence[_ZeroCountSite]]) -> float:
    """Match the moments of one side's zeros; return the largest movement."""
    own, other, own_var, both, other_var = totals
    surplus, largest = own - side.mean - side.slope * other, 0.0
    for index, _, _, _, a, b, conditional_var, covariance in side.players:
        for site in sites.get(index, ()):
            k = covariance / side.var
            mean = site.a * (a + b * other + k * surplus) + site.b * other
            x, y = site.a * k, site.a * (b - k * side.slope) + site.b
            rest = site.a * site.a * (conditional_var - covariance * k)
            var = rest + x * x * own_var + 2.0 * x * y * both + y * y * other_var
            largest = max(largest, site.match_moments(mean, var))
    return largest
