"""Teams, start and outcome of a round, shared by the formats of Xonotic."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from browser_app.rounds.iso_time import format_iso_time
from browser_app.rounds.round_source import UNDATED, RoundFileSource

XONOTIC_GAME = "xonotic"
XONOTIC_TEAMS = {5: "red", 14: "blue", 13: "yellow", 10: "pink"}
"""Names of the teams by their numbers in the game, in the game's order."""

_MATCH_ID = re.compile(r"\d+\.(\d{9,10})\.\d+")
_EARLIEST_START = 1_230_768_000  # Unix time of 2009, before Xonotic existed: a smaller number is not a date


def format_team_name(number: int | None) -> str:
    """Return the name of a team by its number."""
    return XONOTIC_TEAMS.get(number or 0, f"team {number}")


def parse_match_start(match_id: str) -> float | None:
    """Return the start in a match id (Unix time, s), None if it contains none.

    Servers that write event logs use ids of the form `counter.SECONDS.random`.
    """
    match = _MATCH_ID.fullmatch(match_id)
    return float(match[1]) if match and int(match[1]) > _EARLIEST_START else None


def build_start_fields(
    source: RoundFileSource, line: int, known_start: float | None, estimated_start: float
) -> dict[str, Any]:
    """Return the round file's keys for a start (Unix time, s).

    If it is not known, the estimated start is used and marked as undated.

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
"""Columns of the scoreboard that count objectives: flags or keys captured, goals, objectives destroyed."""


def discard_negative_kills(kills: float | None) -> float | None:
    """Return a number of kills, None if it is negative.

    Some servers subtract one for each teammate killed, so that nothing is known then.
    """
    return None if kills is not None and kills < 0 else kills


def rank_by_result(results: Mapping[str, Sequence[float]]) -> dict[str, int]:
    """Return each team's rank by its result: 1 for the smallest, ties for equal ones.

    Teams are in the game's order, players as teams in that of their ids: reports may begin with the winner.
    """
    rank_by_value = {result: number for number, result in enumerate(sorted(set(map(tuple, results.values()))), 1)}
    ordered_teams = [team for team in XONOTIC_TEAMS.values() if team in results]
    ordered_teams += sorted(results.keys() - set(ordered_teams))
    return {team: rank_by_value[tuple(results[team])] for team in ordered_teams}


def add_empty_opponent(ranks: Mapping[str, int], *, has_bots: bool, humans_won: bool) -> dict[str, int]:
    """Return the ranks with a second team without players, if there is only one.

    Args:
        ranks: rank of each team.
        has_bots: whether bots played; the second team stands for them, and is called "nobody" otherwise.
        humans_won: whether the only team won against the bots.
    """
    if len(ranks) != 1:
        return dict(ranks)
    (team,) = ranks
    return (
        {team: 1, "bots": 2}
        if has_bots and humans_won
        else {team: 2, "bots": 1}
        if has_bots
        else {team: 1, "nobody": 2}
    )


def build_outcome_fields(ranks: Mapping[str, int]) -> dict[str, Any]:
    """Return the round file's key for an outcome: `winner` of two teams, else `ranks`."""
    if len(ranks) != 2:
        return {"ranks": dict(ranks)}
    first_teams = [team for team, rank in ranks.items() if rank == 1]
    return {"winner": first_teams[0] if len(first_teams) == 1 else None}
