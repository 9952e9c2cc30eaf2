"""NS2 skills as displayed points and tiers."""

import math

POINTS_PER_UNIT = 50.0
"""Displayed points of one unit of s.

The game's scoreboard (NS2+, GUIScoreboard.lua) takes 100 points of difference between the teams' means for one unit of
the log-odds; Σ T t s / Σ t of two even teams is half the difference of their means.
"""

TIER_LIMITS = (300.0, 750.0, 1400.0, 2100.0, 2900.0, 4100.0)
"""Most points of tiers 1 to 6, inclusive."""

_CONFIDENCE_POINTS = 25.0


def to_points(skill: float) -> float:
    """Return the displayed points of a skill in units of s."""
    return POINTS_PER_UNIT * skill


def compute_confident_points(skill_points: float, adagrad_sum: float) -> float:
    """Return points − 25 / √(sum of squared gradients), at least 0 (NS2Utility.lua).

    0 without any gradient. The sum is in the model's own units, like `adagrad_sum` of the ratings and the game's.
    """
    if adagrad_sum <= 0.0:
        return 0.0
    return max(0.0, skill_points - _CONFIDENCE_POINTS / math.sqrt(adagrad_sum))


def find_ns2_tier(confident_points: float) -> int:
    """Return the tier, 1 to 7 (GetPlayerSkillTier of builds 335–344)."""
    return 1 + sum(confident_points > highest for highest in TIER_LIMITS)
