"""Rounds of one player as columns, independent of a rating system."""

from dataclasses import dataclass

import numpy as np

from browser_app.rating.record.round_record import Floats, Ints, RoundRecord, Stints
from browser_app.rating.record.team_presence import StintWeight, count_team_players, longest_team


@dataclass(frozen=True)
class OwnRounds:
    """The rounds in which a player was on a team, one entry each, ascending.

    Attributes:
        row: index of the player's appearance in the record.
        team: index of the team within the round.
        round, size_mine, size_other, share, commander_share, outcome: as in `own_history.OwnHistory`.
    """

    row: Ints
    round: Ints
    team: Ints
    size_mine: Ints
    size_other: Ints
    share: Floats
    commander_share: Floats
    outcome: Floats


def collect_own_rounds(record: RoundRecord, player: int, weight: StintWeight) -> OwnRounds:
    """Collect the rounds of a player (index); time is weighted with `weight`."""
    rows = np.flatnonzero(record.player == player).astype(np.int32)
    longest = longest_team(record)[rows]
    rows, team = rows[longest >= 0], longest[longest >= 0]
    rounds = record.round_of_appearance[rows]
    team_row = record.team_start[rounds] + team
    count = count_team_players(record)
    round_players = _sum_teams(count, record)[rounds] if len(rounds) else np.zeros(0, np.int32)
    length = weight(np.zeros(len(rounds)), record.duration[rounds])
    return OwnRounds(
        row=rows,
        round=rounds,
        team=team,
        size_mine=count[team_row],
        size_other=(round_players - count[team_row]).astype(np.int32),
        share=np.minimum(1.0, _sum_stint_weights(record.stays, rows, len(record.player), weight) / length),
        commander_share=np.minimum(
            1.0, _sum_stint_weights(record.commander_stints, rows, len(record.player), weight) / length
        ),
        outcome=_compute_outcomes(record, rounds, team_row),
    )


def _sum_stint_weights(stints: Stints, rows: Ints, appearances: int, weight: StintWeight) -> Floats:
    own_row = np.full(appearances, -1, np.int32)
    own_row[rows] = np.arange(len(rows))
    own_stints = np.flatnonzero(own_row[stints.appearance] >= 0)
    weights = weight(stints.enter[own_stints], stints.leave[own_stints])
    return np.bincount(own_row[stints.appearance[own_stints]], weights, len(rows)).astype(np.float64)


def _sum_teams(values: Ints, record: RoundRecord) -> Ints:
    return np.add.reduceat(values, record.team_start[:-1])


def _compute_outcomes(record: RoundRecord, rounds: Ints, team_row: Ints) -> Floats:
    """Return 1 for first place alone, ½ shared, 0 not first, NaN without an outcome."""
    if not len(rounds):
        return np.zeros(0)
    rank = record.team_rank
    best = np.minimum.reduceat(rank, record.team_start[:-1])
    first_count = _sum_teams((rank == np.repeat(best, record.team_count)).astype(np.int32), record)
    shared = np.where(first_count[rounds] > 1, 0.5, 1.0)
    outcome = np.where(rank[team_row] == best[rounds], shared, 0.0)
    return np.where(record.finished[rounds], outcome, np.nan)
