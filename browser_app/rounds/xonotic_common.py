"""Teams, start and outcome of a round, shared by the formats of Xonotic."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from browser_app.rounds.iso_time import format_iso_time
from browser_app.rounds.round_source import UNDATED, RoundFileSource

XONOTIC_GAME = "xonotic"
XONOTIC_TEAMS = {5: "red", 14: "blue", 13: "yellow", 10: "pink"}
"""Names of the teams by their numbers, in the game's order."""

_MATCH_ID = re.compile(r"\d+\.(\d{9,10})\.\d+")
_EARLIEST_START = 1_230_768_000  # 2009: before Xonotic, so a smaller number is not a date


def team_name(number: int | None) -> str:
    """Return the name of a team by its number."""
    return XONOTIC_TEAMS.get(number or 0, f"team {number}")


def start_from_match_id(match_id: str) -> float | None:
    """Return the start in a match id, else None.

    The id has the form counter.SECONDS.random (servers with event logs).
    """
    found = _MATCH_ID.fullmatch(match_id)
    return float(found[1]) if found and int(found[1]) > _EARLIEST_START else None


def start_fields(
    source: RoundFileSource, line: int, known_start: float | None, estimated_start: float
) -> dict[str, Any]:
    """Return the round file's keys for a start.

    The known one, else the estimated one, marked as undated.

    Raises:
        RoundFileError: it is not a possible date.
    """
    try:
        return (
            {"started": format_iso_time(estimated_start), UNDATED: True}
            if known_start is None
            else {"started": format_iso_time(known_start)}
        )
    except ValueError as error:
        raise source.error(line, "started", str(error)) from None


OBJECTIVE_LABELS = ("caps", "goals", "objectives")
"""Columns of the score board that count objectives: flags or keys captured, goals, objectives destroyed."""


def known_kills(kills: float | None) -> float | None:
    """Return a count of kills, None for a negative one.

    Some servers take one off for each team mate killed.
    """
    return None if kills is not None and kills < 0 else kills


def rank_by_result(results: Mapping[str, Sequence[float]]) -> dict[str, int]:
    """Return each team's rank from 1 by its result, smallest first.

    Equal results are tied.

    Teams are in the game's order and players in that of their ids, as reports may begin with the winner.
    """
    rank_of = {result: number for number, result in enumerate(sorted(set(map(tuple, results.values()))), 1)}
    in_order = [team for team in XONOTIC_TEAMS.values() if team in results]
    in_order += sorted(results.keys() - set(in_order))
    return {team: rank_of[tuple(results[team])] for team in in_order}


def add_empty_opponent(ranks: Mapping[str, int], *, bots: bool, won: bool) -> dict[str, int]:
    """Return the ranks with an empty second team, if there is only one.

    The second team stands for bots; it is added only if some played.
    """
    if len(ranks) != 1:
        return dict(ranks)
    (alone,) = ranks
    return {alone: 1, "bots": 2} if bots and won else {alone: 2, "bots": 1} if bots else {alone: 1, "nobody": 2}


def outcome_fields(ranks: Mapping[str, int]) -> dict[str, Any]:
    """Return the round file's key for an outcome.

    The winner (or a draw) of two teams, else the ranks of all.
    """
    if len(ranks) != 2:
        return {"ranks": dict(ranks)}
    first = [team for team, rank in ranks.items() if rank == 1]
    return {"winner": first[0] if len(first) == 1 else None}
