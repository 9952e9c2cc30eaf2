"""What Natural Selection 2's own formats share: the sides, and spells where only their lengths are told."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

GAME = "ns2"
TEAMS = ("marines", "aliens")
RACES = {"marines": "marine", "aliens": "alien"}

Seconds = Annotated[float, msgspec.Meta(ge=0)]
Length = Annotated[float, msgspec.Meta(gt=0)]
"""Of a round, in seconds."""

Spell = dict[str, Any]


def spell(team: str, enter: float, leave: float) -> Spell:
    """An entry of `stays` or `commanding`."""
    return {"team": team, "enter": enter, "leave": leave}


def one_after_another(times: Sequence[tuple[str, float]]) -> list[Spell]:
    """Stays from the start of the round, in the order given, where only (team, seconds there) are known."""
    stays, now = [], 0.0
    for team, seconds in times:
        if seconds:
            stays.append(spell(team, now, now + seconds))
            now += seconds
    return stays


def in_the_chair(stays: Sequence[Spell], team: str, seconds: float) -> list[Spell]:
    """Chair time as it is known, by its length: the first seconds of the stays on that team."""
    spells = []
    for stay in stays:
        length = min(seconds, stay["leave"] - stay["enter"])
        if stay["team"] == team and length > 0:
            spells.append(spell(team, stay["enter"], stay["enter"] + length))
            seconds -= length
    return spells


def winner_of(number: int) -> str | None:
    """The winning side; None for a draw.

    Raises:
        ValueError: there is no such side.
    """
    if number not in (0, 1, 2):
        raise ValueError(f"{number} is neither 1, 2 nor 0 (a draw)")
    return TEAMS[number - 1] if number else None
