"""What XonStat (stats.xonotic.org) says of the user's skill now; it tells no history."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Skill(NamedTuple):
    """A normal distribution, in XonStat's points."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class XonStatSkill:
    """The skill by game type (`ctf`, `duel`, …); a type that the player has no skill in is missing."""

    modes: Mapping[str, Skill]
    player: int | None = None
    """XonStat's number of the player."""
