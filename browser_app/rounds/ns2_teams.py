"""Teams, stints and round fields shared by the formats of Natural Selection 2."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from browser_app.language import gettext as _
from browser_app.rounds.iso_time import format_iso_time
from browser_app.rounds.json_document import JsonDocument
from browser_app.rounds.round_errors import RoundFieldError

NS2_GAME = "ns2"
NS2_TEAMS = ("marines", "aliens")
NS2_RACES = {"marines": "marine", "aliens": "alien"}

NonNegativeSeconds = Annotated[float, msgspec.Meta(ge=0)]
Count = Annotated[float, msgspec.Meta(ge=0)]
"""A number of kills, deaths or assists, 0 or more."""
SkillOrUnknown = Annotated[float, msgspec.Meta(ge=-1)]
"""A skill or a sum of squares, 0 or more; −1 where the game does not know it."""
RoundLength = Annotated[float, msgspec.Meta(gt=0)]
"""Seconds, above 0."""

StintDict = dict[str, Any]


def build_stint(team: str, enter: float, leave: float) -> StintDict:
    """Return an entry of `stays` or `commanding`; times in s from the round's start."""
    return {"team": team, "enter": enter, "leave": leave}


def build_consecutive_stints(times: Sequence[tuple[str, float]]) -> list[StintDict]:
    """Return stints of known (team, length in s), one after another from the start."""
    result, time_s = [], 0.0
    for team, seconds in times:
        if seconds:
            result.append(build_stint(team, time_s, time_s + seconds))
            time_s += seconds
    return result


def build_commander_stints(stints: Sequence[StintDict], team: str, seconds: float) -> list[StintDict]:
    """Return stints as commander that last `seconds` in all.

    They start with the stints on that team.
    """
    result = []
    for stint in stints:
        length = min(seconds, stint["leave"] - stint["enter"])
        if stint["team"] == team and length > 0:
            result.append(build_stint(team, stint["enter"], stint["enter"] + length))
            seconds -= length
    return result


def build_skill_fields(
    skill: float | None,
    offset: float | None,
    commander_skill: float | None,
    adagrad_sum: float | None,
    commander_adagrad_sum: float | None,
) -> dict[str, float]:
    """Return the keys of the round file for the skill that the game reported.

    Empty if the game does not know the player's skill, for which it reports −1. A rookie has a skill of 0.
    """
    if skill is None or skill < 0:
        return {}
    fields = {
        "skill": skill,
        "offset": offset,
        "commander_skill": commander_skill,
        "adagrad_sum": adagrad_sum,
        "commander_adagrad_sum": commander_adagrad_sum,
    }
    return {key: value for key, value in fields.items() if value is not None and not (value < 0 and key != "offset")}


def build_round_fields(
    document: JsonDocument, map_name: str, mode: str, length: float, *, winner: tuple[str, int], end: tuple[str, float]
) -> dict[str, Any]:
    """Return the keys of the round file that all formats fill alike.

    `winner` and `end` are fields of the report with their values: the number of the winning team, and the end of the
    round (Unix time, s).

    Raises:
        RoundFileError: winner or end is invalid.
    """
    field, number = winner
    try:
        winning_team = _parse_winner(number)
        field, ended_at = end
        started = format_iso_time(ended_at - length)
    except ValueError as error:
        raise document.error(RoundFieldError(field, str(error))) from None
    return {
        "game": NS2_GAME,
        "map": map_name,
        "mode": mode,
        "started": started,
        "duration": length,
        "teams": list(NS2_TEAMS),
        "races": dict(NS2_RACES),
        "winner": winning_team,
    }


def _parse_winner(number: int) -> str | None:
    """Return the winning team; None for a draw.

    Raises:
        ValueError: the number is not 0, 1 or 2.
    """
    if number not in (0, 1, 2):
        raise ValueError(_("{value} is neither 1, 2 nor 0 (a draw)").format(value=number))
    return NS2_TEAMS[number - 1] if number else None
