"""Pairs of teams with a decided outcome, which a back-test scores."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.record.team_presence import count_team_players


class DecidedPairs(NamedTuple):
    """Pairs of teams that did not tie, one row each, ascending by round.

    A round of two teams with a winner is one pair.

    Attributes:
        round: index into the record.
        a, b: the teams within the round, a named before b.
        won: 1 where a was placed before b, 0 where after.
    """

    round: Ints
    a: Ints
    b: Ints
    won: Floats

    def select(self, which: slice | NDArray[np.bool_]) -> "DecidedPairs":
        """Return some of the pairs."""
        return DecidedPairs(self.round[which], self.a[which], self.b[which], self.won[which])


def find_decided_pairs(record: RoundRecord) -> DecidedPairs:
    """Return all pairs of teams that did not tie, of rounds with an outcome."""
    parts = [_pairs_of_team_count(record, int(teams)) for teams in np.unique(record.team_count)]
    if not parts:
        nothing = np.zeros(0, np.int32)
        return DecidedPairs(nothing, nothing, nothing, np.zeros(0))
    rounds, a, b = (np.concatenate([part[i] for part in parts]) for i in range(3))
    order = np.lexsort((b, a, rounds))
    return DecidedPairs(rounds[order], a[order], b[order], np.concatenate([part.won for part in parts])[order])


def _pairs_of_team_count(record: RoundRecord, teams: int) -> DecidedPairs:
    rounds = np.flatnonzero(record.finished & (record.team_count == teams)).astype(np.int32)
    a, b = (side.astype(np.int32) for side in np.triu_indices(teams, 1))
    rank = record.team_rank[record.team_start[rounds][:, None] + np.arange(teams)]
    decided = rank[:, a] != rank[:, b]
    row, pair = np.nonzero(decided)
    won = (rank[:, a] < rank[:, b])[decided].astype(np.float64)
    return DecidedPairs(rounds[row], a[pair], b[pair], won)


def count_training_rounds(record: RoundRecord, share: Fraction) -> int:
    """Return how many first rounds contain ⌊share · n⌋ of n finished rounds."""
    finished = np.flatnonzero(record.finished)
    wanted = int(share * len(finished))
    return int(finished[wanted - 1]) + 1 if wanted else 0


def pair_team_sizes(record: RoundRecord, pairs: DecidedPairs) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Return the players on a and on b of each pair, and whether both have any."""
    count = count_team_players(record)
    start = record.team_start[pairs.round]
    a_players, b_players = count[start + pairs.a], count[start + pairs.b]
    return a_players, b_players, (a_players > 0) & (b_players > 0)
