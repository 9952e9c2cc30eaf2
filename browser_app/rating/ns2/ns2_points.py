"""NS2 skills as displayed points, chances and tiers."""

import math
from collections.abc import Sequence
from enum import IntEnum

POINTS_PER_UNIT = 50.0
"""Displayed points of one unit of s.

The game's scoreboard (NS2+, GUIScoreboard.lua) takes 100 points of difference between the teams' means for one unit of
the logit; Σ T t s / Σ t of two even teams is half the difference of their means.
"""

ROOKIE_LEVEL = 10
"""Highest level shown as a rookie by the game's client (kRookieLevel, builds 335–344)."""

TIER_LIMITS = (300.0, 750.0, 1400.0, 2100.0, 2900.0, 4100.0)
"""Most points of tiers 1 to 6, inclusive."""

_CONFIDENCE_POINTS = 25.0


class NS2Tier(IntEnum):
    """Tier shown beside a name on the scoreboard, numbered as in the game."""

    UNKNOWN = -2
    BOT = -1
    ROOKIE = 0
    RECRUIT = 1
    FRONTIERSMAN = 2
    SQUAD_LEADER = 3
    VETERAN = 4
    COMMANDANT = 5
    SPECIAL_OPS = 6
    SANJI_SURVIVOR = 7


def to_points(skill: float) -> float:
    """Return the displayed points of a skill in units of s."""
    return POINTS_PER_UNIT * skill


def compute_shown_chance(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the first team's chance as NS2+ shows it, None if a team is empty.

    It is 1 / (1 + exp(−(mean₁ − mean₂) / 100)). Unlike in the model's own prediction, team sizes do not matter.

    Args:
        first: points of the players on the first team, for their side (marines: skill + offset).
        second: the same for the second team (aliens: skill − offset).
    """
    if not first or not second:
        return None
    half_logit = (sum(first) / len(first) - sum(second) / len(second)) / (4.0 * POINTS_PER_UNIT)
    return 0.5 + 0.5 * math.tanh(half_logit)


def compute_confident_points(skill_points: float, adagrad_sum: float) -> float:
    """Return points less 25 / √(sum of squared gradients), at least 0; 0 without any gradient (NS2Utility.lua).

    The sum is in the model's own units, like ``adagrad_sum`` of the ratings and the game's.
    """
    if adagrad_sum <= 0.0:
        return 0.0
    return max(0.0, skill_points - _CONFIDENCE_POINTS / math.sqrt(adagrad_sum))


def is_rookie_level(level: int) -> bool:
    """Return whether the game's client shows a player of this level as a rookie."""
    return level <= ROOKIE_LEVEL


def find_ns2_tier(
    skill_points: float | None, adagrad_sum: float | None = None, *, is_rookie: bool = False, is_bot: bool = False
) -> NS2Tier:
    """Return the tier, checking bot, rookie, unknown and points like GetPlayerSkillTier of builds 335–344.

    Args:
        skill_points: displayed points; None and −1 (bots, strangers) are unknown, 0 is a skill.
        adagrad_sum: sum of squared gradients; None (unknown) takes the points as they are.
        is_rookie: see ``is_rookie_level``.
        is_bot: whether the player is a bot.
    """
    if is_bot:
        return NS2Tier.BOT
    if is_rookie:
        return NS2Tier.ROOKIE
    if skill_points is None or skill_points == -1.0:
        return NS2Tier.UNKNOWN
    certain = skill_points if adagrad_sum is None else compute_confident_points(skill_points, adagrad_sum)
    return NS2Tier(1 + sum(certain > highest for highest in TIER_LIMITS))
