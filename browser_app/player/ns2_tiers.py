"""NS2 skill tiers: names, bounds and distance to the next."""

import math
from dataclasses import dataclass

from browser_app.language import N_
from browser_app.rating.ns2 import ns2_points


@dataclass(frozen=True, slots=True)
class SkillTier:
    """A tier of skill points.

    Attributes:
        number: as the game counts them, 1 to 7.
        name: English, translated when shown.
        above: points that must be exceeded; None for the lowest.
        up_to: maximum points of this tier, inclusive; None for the highest.
    """

    number: int
    name: str
    above: float | None
    up_to: float | None


_NAMES = (
    N_("Recruit"),
    N_("Frontiersman"),
    N_("Squad Leader"),
    N_("Veteran"),
    N_("Commandant"),
    N_("Special Ops"),
    N_("Sanji Survivor"),
)
_BOUNDS = ns2_points.TIER_LIMITS
SKILL_TIERS: tuple[SkillTier, ...] = tuple(
    SkillTier(number, name, above, up_to)
    for number, (name, above, up_to) in enumerate(zip(_NAMES, (None, *_BOUNDS), (*_BOUNDS, None), strict=True), 1)
)
"""From the lowest to the highest (builds 335–344)."""


def find_skill_tier(confident_points: float) -> SkillTier:
    """Return the tier for the points less uncertainty.

    See `ns2_points.compute_confident_points`.
    """
    return SKILL_TIERS[ns2_points.find_ns2_tier(confident_points) - 1]


def find_next_tier(tier: SkillTier) -> SkillTier | None:
    """Return the next higher tier; None for the highest."""
    return SKILL_TIERS[tier.number] if tier.number < len(SKILL_TIERS) else None


def compute_points_to_next_tier(confident_points: float) -> int | None:
    """Return the fewest whole points to gain for the next tier, None at the top.

    A bound belongs to the tier below.
    """
    highest = find_skill_tier(confident_points).up_to
    return None if highest is None else math.floor(highest - confident_points) + 1
