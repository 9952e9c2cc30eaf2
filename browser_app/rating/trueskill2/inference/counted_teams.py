"""Two teams with a result and positive counts in closed form.

Counts depend on the own performance and on the total P or Q of the other side (total = Σ share · performance). Given
both totals the players are independent, so that only the 2 × 2 Gaussian of the totals has to be solved; the result cuts
off P − Q. All sums have terms of one sign, so that nothing cancels however informative the counts are. This is the
posterior of the full covariance in time proportional to the number of players.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.record.round_record import Floats

CountedPlayer: TypeAlias = tuple[float, float, float, float, float, float, float, float]
"""Share of the round, negative in the second-named team, and seven sums over the kinds of counts k: with normal
observations y_k = a_k·performance + b_k·(total of the other side) + N(0, 1) these are Σa², Σab, Σay, Σb², Σby,
Σa²·Σb² − (Σab)² and Σa²·Σby − Σab·Σay; 0 where a player has no counts."""


class CountKind(NamedTuple):
    """Observations of one kind: y = a·performance + b·(total of the other side) + N(0, 1); 0 for those without."""

    a: Floats
    b: Floats
    y: Floats


def summarise_counts(shares: Floats, kinds: Sequence[CountKind]) -> list[CountedPlayer]:
    """Return what ``infer_counted_teams`` needs of each player; the last two sums without their cancellation."""
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
    for place, one in enumerate(kinds):
        for other in kinds[:place]:
            turn = one.b * other.a - other.b * one.a
            columns[5] += turn * turn
            columns[6] += turn * (other.a * one.y - one.a * other.y)
    return list(zip(shares.tolist(), *(column.tolist() for column in columns), strict=True))


class _Conditional(NamedTuple):
    """A player's change of performance given the totals' changes p (own side) and q: a + b q + lever/var (p − E p)."""

    place: int
    skill: float
    skill_var: float
    noisy: float
    a: float
    b: float
    var: float
    lever: float


class _Side(NamedTuple):
    """One side given the change q of the other's total: its own is N(mean + slope q, var).

    Its counts are the evidence −½·precision·q² + pull·q. Changes count from the prior means.
    """

    players: list[_Conditional]
    mean: float
    slope: float
    var: float
    precision: float
    pull: float


def infer_counted_teams(
    players: Sequence[CountedPlayer],
    skills: Sequence[tuple[float, float]],
    shifts: Sequence[float],
    beta2: float,
    cut_gap: Callable[[float, float], tuple[float, float]],
) -> list[tuple[float, float]]:
    """Return mean and variance of each skill after a round.

    Args:
        players: their counts; at least one on each side.
        skills: mean and variance of each skill before the round.
        shifts: what a squad adds to each performance.
        beta2: β².
        cut_gap: returns push and shrink of the result, see ``result_gradients``, for mean and variance of the gap.
    """
    rows: tuple[list[tuple[int, float]], list[tuple[int, float]]] = ([], [])
    totals = [0.0, 0.0]
    for place, (player, (mean, _), shift) in enumerate(zip(players, skills, shifts, strict=True)):
        side = 0 if player[0] > 0.0 else 1
        rows[side].append((place, mean + shift))
        totals[side] += abs(player[0]) * (mean + shift)
    one, other = (_condition(players, skills, beta2, rows[side], totals[1 - side]) for side in (0, 1))
    p_p = 1.0 / one.var + other.slope * other.slope / other.var + other.precision
    q_q = 1.0 / other.var + one.slope * one.slope / one.var + one.precision
    p_q = -one.slope / one.var - other.slope / other.var
    det = _determinant(one, other)
    to_p = one.mean / one.var - other.slope * other.mean / other.var + other.pull
    to_q = other.mean / other.var - one.slope * one.mean / one.var + one.pull
    p, q = (q_q * to_p - p_q * to_q) / det, (p_p * to_q - p_q * to_p) / det
    gap_var = (
        (1.0 - one.slope) ** 2 / one.var + (1.0 - other.slope) ** 2 / other.var + one.precision + other.precision
    ) / det
    push, shrink = cut_gap(totals[0] - totals[1] + p - q, gap_var)
    p_lever, q_lever = (q_q + p_q) / det, -(p_p + p_q) / det
    p, q = p + p_lever * push, q + q_lever * push
    p_var, q_var = q_q / det - p_lever * p_lever * shrink, p_p / det - q_lever * q_lever * shrink
    both = -p_q / det - p_lever * q_lever * shrink
    found = [(0.0, 0.0)] * len(players)
    _send_to_players(one, (p, q), (p_var, both, q_var), found)
    _send_to_players(other, (q, p), (q_var, both, p_var), found)
    return found


def _condition(
    players: Sequence[CountedPlayer],
    skills: Sequence[tuple[float, float]],
    beta2: float,
    rows: Sequence[tuple[int, float]],
    other_total: float,
) -> _Side:
    found = []
    total = slope = total_var = precision = pull = 0.0
    for place, performance in rows:
        share, a_a, a_b, a_y, b_b, b_y, square, cross = players[place]
        share = abs(share)
        skill, skill_var = skills[place]
        noisy = skill_var + beta2
        left = 1.0 + noisy * a_a
        var = noisy / left
        mean = var * (a_y - a_a * performance - a_b * other_total)
        b = -var * a_b
        lever = share * var
        total += share * mean
        slope += share * b
        total_var += share * lever
        precision += (b_b + noisy * square) / left
        pull += (b_y - a_b * performance - b_b * other_total + noisy * (cross - square * other_total)) / left
        found.append(_Conditional(place, skill, skill_var, noisy, mean, b, var, lever))
    return _Side(found, total, slope, total_var, precision, pull)


def _determinant(one: _Side, other: _Side) -> float:
    """Return the determinant of the totals' precision matrix, as a sum of squares."""
    return (
        (1.0 - one.slope * other.slope) ** 2 / (one.var * other.var)
        + (one.precision + one.slope * one.slope * other.precision) / one.var
        + (other.precision + other.slope * other.slope * one.precision) / other.var
        + one.precision * other.precision
    )


def _send_to_players(
    side: _Side, totals: tuple[float, float], cov: tuple[float, float, float], found: list[tuple[float, float]]
) -> None:
    """Write the skills of one side's players, given the totals of its own and the other side."""
    (own, other), (own_var, both, other_var) = totals, cov
    surplus = own - side.mean - side.slope * other
    for place, skill, skill_var, noisy, a, b, var, lever in side.players:
        k = lever / side.var
        j = b - k * side.slope
        moved = a + b * other + k * surplus
        left = var - lever * k + k * k * own_var + 2.0 * k * j * both + j * j * other_var
        gain = skill_var / noisy
        found[place] = (skill + gain * moved, skill_var * (1.0 - gain) + gain * gain * left)
