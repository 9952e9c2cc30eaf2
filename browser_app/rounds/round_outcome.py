"""Ranks of teams from results, as the round file stores an outcome."""

from collections.abc import Mapping, Sequence
from typing import Any


def rank_by_result(results: Mapping[str, Sequence[float]]) -> dict[str, int]:
    """Place of each team from 1, by its result: the smallest is first, equal ones are tied."""
    place = {result: number for number, result in enumerate(sorted(set(map(tuple, results.values()))), 1)}
    return {team: place[tuple(result)] for team, result in results.items()}


def add_empty_opponent(ranks: Mapping[str, int], *, bots: bool, won: bool) -> dict[str, int]:
    """A round has two sides: who was alone is given an empty one, of the bots that were there, or of nobody."""
    if len(ranks) != 1:
        return dict(ranks)
    (alone,) = ranks
    return {alone: 1, "bots": 2} if bots and won else {alone: 2, "bots": 1} if bots else {alone: 1, "nobody": 2}


def outcome_fields(ranks: Mapping[str, int]) -> dict[str, Any]:
    """The round file's key for an outcome: the winner (or a draw) of two teams, else the ranks of all."""
    if len(ranks) != 2:
        return {"ranks": dict(ranks)}
    first = [team for team, place in ranks.items() if place == 1]
    return {"winner": first[0] if len(first) == 1 else None}
