"""Errors of ratings about the true skills.

A system whose ratings come without an honest uncertainty has a second run beside it that infers the true skills by
Bayes from the same rounds (`RatingRun.infer_skills`). Its posterior gives the intervals of the ratings.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

Z90: Final = 1.6448536269514722
"""90 % of a normal distribution lie within this many standard deviations."""
_OUTSIDE: Final = 0.1
_NORMAL: Final = NormalDist()


def find_interval_90(value: float, mean: float, low: float, high: float) -> tuple[float, float]:
    """Return the 90 % interval of a true skill that contains its rating `value`.

    `low` and `high` are the skill's central interval, which leaves 5 % on either side. Where the rating is beyond, the
    interval ends there and leaves the rest of the 10 % on the other side; each side of the mean counts as half of a
    normal distribution.
    """
    if low == high or low <= value <= high:
        return min(low, value), max(high, value)
    near, far = (mean - low, high - mean) if value < low else (high - mean, mean - low)
    beyond = _NORMAL.cdf(-Z90 * abs(value - mean) / near)
    other_end = -_NORMAL.inv_cdf(_OUTSIDE - beyond) * far / Z90
    return (value, mean + other_end) if value < low else (mean - other_end, value)


def find_root_interval_90(mean: float, variance: float) -> tuple[float, float] | None:
    """Return the central 90 % interval of a skill whose root is normal.

    That is close to a Gamma variable. None for more spread than one of shape 1, an exponential variable.
    """
    if mean <= 0.0 or variance > mean * mean:
        return None
    root_variance = mean - math.sqrt(mean * mean - variance / 2.0)
    root, margin = math.sqrt(mean - root_variance), Z90 * math.sqrt(root_variance)
    return max(0.0, root - margin) ** 2, (root + margin) ** 2


@dataclass(slots=True)
class SharedError:
    """Variance of the mean error of all players.

    Rounds tell much about differences between players and little about the level of all: nothing where teams are of
    equal size. A posterior of one variance per player does not see that: the part which all errors share shrinks with
    the rest. So it is kept as it was before any round.

    Attributes:
        players: number of players seen.
        total: variance of the sum of their errors, had they played no round.
    """

    players: int = 0
    total: float = 0.0

    @property
    def variance(self) -> float:
        """Variance of the mean error."""
        return self.total / self.players**2 if self.players else 0.0

    def add_player(self, variance: float) -> None:
        """Add a newcomer, whose error is independent of all others."""
        self.players += 1
        self.total += variance

    def add_to(self, variance: float, newcomer_variance: float) -> float:
        """Return the variance of one player's error with the shared part.

        `variance` is the posterior's; a newcomer's has that part already.
        """
        return variance + self.variance * max(0.0, 1.0 - variance / newcomer_variance)
