"""Weighted presence of players on teams."""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints, RoundRecord, Stints

StintWeight: TypeAlias = Callable[[Floats, Floats], Floats]
"""Weight of stints by their enter and leave times; additive: w(a, b) + w(b, c) = w(a, c)."""


class Presence(NamedTuple):
    """Weighted presence, one row per appearance and team with any, ascending by both."""

    appearance: Ints
    team: Ints
    amount: Floats


def stint_seconds(enter: Floats, leave: Floats) -> Floats:
    """Return the length of stints in seconds."""
    return leave - enter


class DecayingWeight:
    """NS2's weight of a stint, a^(−enter) − a^(−leave); a = 2^(2/median round length).

    The first half of a median round weighs ½, the second ¼. Dimensionless, in [0, 1).
    """

    def __init__(self, median_round_s: float) -> None:
        self._rate = 2.0 * math.log(2.0) / median_round_s

    def __call__(self, enter: Floats, leave: Floats) -> Floats:
        """Return e^(−λ enter) − e^(−λ leave), by expm1: precise for short stints, too."""
        weight: Floats = np.exp(-self._rate * enter) * -np.expm1(-self._rate * (leave - enter))
        return weight


def compute_presence(
    record: RoundRecord, stints: Stints, weight: StintWeight, first: int = 0, last: int | None = None
) -> Presence:
    """Return the weight of the stints of rounds first to last - 1."""
    rows = _stint_rows(record, stints, first, last)
    total = _sum_by_team(stints.appearance[rows], stints.team[rows], weight(stints.enter[rows], stints.leave[rows]))
    return _select_rows(total, total.amount > 0.0)  # late in a very long round a decaying weight underflows


def seconds_per_appearance(record: RoundRecord) -> Floats:
    """Return the time on any team of each appearance, in seconds."""
    presence = compute_presence(record, record.stays, stint_seconds)
    return np.bincount(presence.appearance, presence.amount, len(record.player)).astype(np.float64)


def compute_field_presence(
    record: RoundRecord,
    weight: StintWeight,
    first: int = 0,
    last: int | None = None,
    *,
    include_commander_time: bool = False,
) -> Presence:
    """Return the presence of the stays, without or with commander time."""
    stays, commanding = record.stays, record.commander_stints
    a, b = _stint_rows(record, stays, first, last), _stint_rows(record, commanding, first, last)
    if include_commander_time or b.start == b.stop:
        return compute_presence(record, stays, weight, first, last)
    amounts = np.concatenate(
        [weight(stays.enter[a], stays.leave[a]), -weight(commanding.enter[b], commanding.leave[b])]
    )
    appearance = np.concatenate([stays.appearance[a], commanding.appearance[b]])
    team = np.concatenate([stays.team[a], commanding.team[b]])
    total = _sum_by_team(appearance, team, amounts)
    summed = _sum_by_team(appearance, team, np.abs(amounts)).amount
    return _select_rows(total, total.amount > _ROUNDING * summed)


_ROUNDING = 1e-13  # share left of a stay spent entirely as commander


def _select_rows(found: Presence, rows: NDArray[np.bool_]) -> Presence:
    return found if rows.all() else Presence(found.appearance[rows], found.team[rows], found.amount[rows])


def longest_team(record: RoundRecord, first: int = 0, last: int | None = None) -> Ints:
    """Return the team on which each appearance was longest, -1 without a stay.

    Teams are indices within the round; ties go to the first one. One entry per appearance of rounds first to last - 1.
    """
    start, end = record.appearance_start[[first, len(record) if last is None else last]]
    longest = np.full(int(end - start), -1, np.int32)
    stays, rows = record.stays, _stint_rows(record, record.stays, first, last)
    again = _is_repeated_appearance(stays.appearance[rows])
    only, several = rows.start + np.flatnonzero(~again), rows.start + np.flatnonzero(again)
    longest[stays.appearance[only] - start] = stays.team[only]
    length = stint_seconds(stays.enter[several], stays.leave[several])
    total = _sum_by_team(stays.appearance[several], stays.team[several], length)
    order = np.lexsort((-total.team, total.amount))
    longest[total.appearance[order] - start] = total.team[order]
    return longest


def main_commanders(record: RoundRecord, team: Ints, first: int = 0, last: int | None = None) -> NDArray[np.bool_]:
    """Return which appearances have most commander time on their team.

    `team` has the team (index within its round) of each appearance of rounds first to last - 1, -1 for none;
    commander time on another team does not count. Ties go to the first appearance.
    """
    last = len(record) if last is None else last
    start = int(record.appearance_start[first])
    commanding = compute_presence(record, record.commander_stints, stint_seconds, first, last)
    commanding = _select_rows(commanding, commanding.team == team[commanding.appearance - start])
    team_row = record.team_start[record.round_of_appearance[commanding.appearance]] + commanding.team
    order = np.lexsort((commanding.appearance, -commanding.amount, team_row))
    longest = order[np.diff(team_row[order], prepend=-1) > 0]
    is_commander = np.zeros(len(team), np.bool_)
    is_commander[commanding.appearance[longest] - start] = True
    return is_commander


def count_team_players(record: RoundRecord) -> Ints:
    """Return the number of players per team (row of `team_name`).

    Each player counts on the team on which they were longest.
    """
    longest = longest_team(record)
    present = longest >= 0
    rows = record.team_start[record.round_of_appearance[present]] + longest[present]
    return np.bincount(rows, minlength=len(record.team_name)).astype(np.int32)


def squad_sizes(record: RoundRecord, team: Ints) -> Ints:
    """Return the squad members on each appearance's team, itself included.

    The result is 1 without a squad or team.
    """
    sizes = np.ones(len(record.player), np.int32)
    rows = np.flatnonzero((record.squad >= 0) & (team >= 0))
    if len(rows):
        keys = np.stack([record.round_of_appearance[rows], team[rows], record.squad[rows]])
        _, squad, size = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
        sizes[rows] = size[squad.reshape(-1)]
    return sizes


def count_occupied_teams(record: RoundRecord) -> Ints:
    """Return the number of teams with players, one entry per round."""
    team_row = record.team_start[record.round_of_appearance[record.stays.appearance]] + record.stays.team
    occupied = np.zeros(len(record.team_name), np.int32)
    occupied[team_row] = 1
    return np.add.reduceat(occupied, record.team_start[:-1]) if len(record) else np.zeros(0, np.int32)


def _stint_rows(record: RoundRecord, stints: Stints, first: int, last: int | None) -> slice:
    last = len(record) if last is None else last
    bounds = record.appearance_start[[first, last]].astype(np.int32)  # another type would make numpy copy all stints
    a, b = np.searchsorted(stints.appearance, bounds)
    return slice(int(a), int(b))


def _is_repeated_appearance(appearance: Ints) -> NDArray[np.bool_]:
    """Return which stints are not the only one of their appearance."""
    again = np.zeros(len(appearance), np.bool_)
    same = appearance[1:] == appearance[:-1]
    again[1:] = same
    again[:-1] |= same
    return again


def _sum_by_team(appearance: Ints, team: Ints, amount: Floats) -> Presence:
    if (np.diff(appearance) > 0).all():  # nearly always: one stint each, in order
        return Presence(appearance, team, amount)
    order = np.lexsort((team, appearance))
    appearance, team, amount = appearance[order], team[order], amount[order]
    new = np.concatenate([[True], (np.diff(appearance) != 0) | (np.diff(team) != 0)])
    at = np.flatnonzero(new)
    return Presence(appearance[at], team[at], np.add.reduceat(amount, at))
