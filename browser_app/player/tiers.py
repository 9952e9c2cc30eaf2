"""The tiers of NS2 on a scale: names, bounds, and how far it is to the next."""

import math
from dataclasses import dataclass

from browser_app.language import later
from browser_app.rating.ns2 import points


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier that points lead to.

    Attributes:
        number: as the game counts them, 1 to 7.
        name: English; to be looked up where it is shown.
        above: points that must be passed; None for the lowest.
        up_to: the most points of this tier, inclusive; None for the highest.
    """

    number: int
    name: str
    above: float | None
    up_to: float | None


_NAMES = (
    later("Recruit"),
    later("Frontiersman"),
    later("Squad Leader"),
    later("Veteran"),
    later("Commandant"),
    later("Special Ops"),
    later("Sanji Survivor"),
)
_BOUNDS = points.HIGHEST
TIERS: tuple[Tier, ...] = tuple(
    Tier(number, name, above, up_to)
    for number, (name, above, up_to) in enumerate(zip(_NAMES, (None, *_BOUNDS), (*_BOUNDS, None), strict=True), 1)
)
"""From the lowest to the highest (builds 335–344)."""


def tier_of(effective: float) -> Tier:
    """The tier of the points that the game counts for it: those less the doubt (`points.confident_points`)."""
    return TIERS[points.tier(effective) - 1]


def next_tier(tier: Tier) -> Tier | None:
    """The one above; None for the highest."""
    return TIERS[tier.number] if tier.number < len(TIERS) else None


def to_next(effective: float) -> int | None:
    """The fewest whole points with which the next tier is reached: bounds belong to the tier below. None at the top."""
    highest = tier_of(effective).up_to
    return None if highest is None else math.floor(highest - effective) + 1
