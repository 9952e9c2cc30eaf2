"""The rounds of one player in a record, in columns: what no rating system is needed for."""

from dataclasses import dataclass

import numpy as np

from browser_app.rating.decided import people
from browser_app.rating.presence import Weigh, longest_team
from browser_app.rating.record import Floats, Ints, Record, Spells


@dataclass(frozen=True)
class OwnRounds:
    """One entry a round in which the player was on a team, ascending.

    Attributes:
        row: the appearance in the record. round, team, size_mine, size_other, share, chair, outcome: as in
            `own_history.OwnHistory`; the team is an index within the round.
    """

    row: Ints
    round: Ints
    team: Ints
    size_mine: Ints
    size_other: Ints
    share: Floats
    chair: Floats
    outcome: Floats


def own_rounds(record: Record, player: int, weigh: Weigh) -> OwnRounds:
    """Those of a player (index); time is weighed with `weigh`."""
    rows = np.flatnonzero(record.player == player).astype(np.int32)
    longest = longest_team(record)[rows]
    rows, team = rows[longest >= 0], longest[longest >= 0]
    rounds = record.round_of_appearance[rows]
    team_row = record.team_start[rounds] + team
    count = people(record)
    whole = _sums(count, record)[rounds] if len(rounds) else np.zeros(0, np.int32)
    length = weigh(np.zeros(len(rounds)), record.duration[rounds])
    return OwnRounds(
        row=rows,
        round=rounds,
        team=team,
        size_mine=count[team_row],
        size_other=(whole - count[team_row]).astype(np.int32),
        share=np.minimum(1.0, _amounts(record.stays, rows, len(record.player), weigh) / length),
        chair=np.minimum(1.0, _amounts(record.chairs, rows, len(record.player), weigh) / length),
        outcome=_outcomes(record, rounds, team_row),
    )


def _amounts(spells: Spells, rows: Ints, appearances: int, weigh: Weigh) -> Floats:
    """Weight of the spells of each of these appearances."""
    place = np.full(appearances, -1, np.int32)
    place[rows] = np.arange(len(rows))
    own = np.flatnonzero(place[spells.appearance] >= 0)
    weights = weigh(spells.enter[own], spells.leave[own])
    return np.bincount(place[spells.appearance[own]], weights, len(rows)).astype(np.float64)


def _sums(of_teams: Ints, record: Record) -> Ints:
    return np.add.reduceat(of_teams, record.team_start[:-1])


def _outcomes(record: Record, rounds: Ints, team_row: Ints) -> Floats:
    """1 first alone, ½ first with others, 0 not first, NaN without an outcome."""
    if not len(rounds):
        return np.zeros(0)
    rank = record.team_rank
    best = np.minimum.reduceat(rank, record.team_start[:-1])
    firsts = _sums((rank == np.repeat(best, record.team_count)).astype(np.int32), record)
    shared = np.where(firsts[rounds] > 1, 0.5, 1.0)
    came = np.where(rank[team_row] == best[rounds], shared, 0.0)
    return np.where(record.finished[rounds], came, np.nan)
