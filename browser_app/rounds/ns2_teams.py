"""Teams and stints shared by the formats of Natural Selection 2."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

NS2_GAME = "ns2"
NS2_TEAMS = ("marines", "aliens")
NS2_RACES = {"marines": "marine", "aliens": "alien"}

NonNegativeSeconds = Annotated[float, msgspec.Meta(ge=0)]
RoundLength = Annotated[float, msgspec.Meta(gt=0)]
"""Seconds, above 0."""

StintDict = dict[str, Any]


def stint_dict(team: str, enter: float, leave: float) -> StintDict:
    """Return an entry of `stays` or `commanding`."""
    return {"team": team, "enter": enter, "leave": leave}


def consecutive_stints(times: Sequence[tuple[str, float]]) -> list[StintDict]:
    """Return stints in the given order from the start of the round, where only (team, length in seconds) are known."""
    result, now = [], 0.0
    for team, seconds in times:
        if seconds:
            result.append(stint_dict(team, now, now + seconds))
            now += seconds
    return result


def commander_stints_by_length(stints: Sequence[StintDict], team: str, seconds: float) -> list[StintDict]:
    """Return stints as commander of a known total length: the first seconds of the stints on that team."""
    result = []
    for stint in stints:
        length = min(seconds, stint["leave"] - stint["enter"])
        if stint["team"] == team and length > 0:
            result.append(stint_dict(team, stint["enter"], stint["enter"] + length))
            seconds -= length
    return result


def parse_winner(number: int) -> str | None:
    """Return the winning team; None for a draw.

    Raises:
        ValueError: the number is not 0, 1 or 2.
    """
    if number not in (0, 1, 2):
        raise ValueError(f"{number} is neither 1, 2 nor 0 (a draw)")
    return NS2_TEAMS[number - 1] if number else None
