"""Teams and stints shared by the formats of Natural Selection 2."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

NS2_GAME = "ns2"
NS2_TEAMS = ("marines", "aliens")
NS2_RACES = {"marines": "marine", "aliens": "alien"}

NonNegativeSeconds = Annotated[float, msgspec.Meta(ge=0)]
RoundLength = Annotated[float, msgspec.Meta(gt=0)]
"""Of a round, in seconds."""

StintDict = dict[str, Any]


def stint_dict(team: str, enter: float, leave: float) -> StintDict:
    """An entry of `stays` or `commanding`."""
    return {"team": team, "enter": enter, "leave": leave}


def consecutive_stints(times: Sequence[tuple[str, float]]) -> list[StintDict]:
    """Stays from the start of the round, in the order given, where only (team, seconds there) are known."""
    stays, now = [], 0.0
    for team, seconds in times:
        if seconds:
            stays.append(stint_dict(team, now, now + seconds))
            now += seconds
    return stays


def commander_stints_by_length(stints: Sequence[StintDict], team: str, seconds: float) -> list[StintDict]:
    """Chair time as it is known, by its length: the first seconds of the stays on that team."""
    spells = []
    for stay in stints:
        length = min(seconds, stay["leave"] - stay["enter"])
        if stay["team"] == team and length > 0:
            spells.append(stint_dict(team, stay["enter"], stay["enter"] + length))
            seconds -= length
    return spells


def parse_winner(number: int) -> str | None:
    """The winning side; None for a draw.

    Raises:
        ValueError: there is no such side.
    """
    if number not in (0, 1, 2):
        raise ValueError(f"{number} is neither 1, 2 nor 0 (a draw)")
    return NS2_TEAMS[number - 1] if number else None
