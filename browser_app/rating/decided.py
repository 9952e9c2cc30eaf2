"""What a back-test scores: pairs of teams of which one was placed before the other."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.presence import longest_team
from browser_app.rating.record import Floats, Ints, Record


class Decided(NamedTuple):
    """Pairs of teams, one row each, ascending by round; of two teams that is the round itself if it has a winner.

    Attributes:
        round: of the record. a, b: the teams within it, a named before b.
        won: 1 where a was placed before b, 0 where after it. Ties are left out.
    """

    round: Ints
    a: Ints
    b: Ints
    won: Floats

    def tail(self, first: int) -> "Decided":
        """Without the first so many pairs."""
        return Decided(self.round[first:], self.a[first:], self.b[first:], self.won[first:])


def decided_pairs(record: Record) -> Decided:
    """All pairs of teams that did not tie, of rounds with an outcome."""
    parts = [_of_rounds_with(record, int(teams)) for teams in np.unique(record.team_count)]
    if not parts:
        nothing = np.zeros(0, np.int32)
        return Decided(nothing, nothing, nothing, np.zeros(0))
    rounds, a, b = (np.concatenate([part[i] for part in parts]) for i in range(3))
    order = np.lexsort((b, a, rounds))
    return Decided(rounds[order], a[order], b[order], np.concatenate([part.won for part in parts])[order])


def _of_rounds_with(record: Record, teams: int) -> Decided:
    rounds = np.flatnonzero(record.finished & (record.team_count == teams)).astype(np.int32)
    a, b = (side.astype(np.int32) for side in np.triu_indices(teams, 1))
    rank = record.team_rank[record.team_start[rounds][:, None] + np.arange(teams)]
    decided = rank[:, a] != rank[:, b]
    row, pair = np.nonzero(decided)
    won = (rank[:, a] < rank[:, b])[decided].astype(np.float64)
    return Decided(rounds[row], a[pair], b[pair], won)


def training_rounds(record: Record, part: Fraction) -> int:
    """How many rounds of the record hold the first ⌊part · n⌋ of its n finished ones: those are for training."""
    finished = np.flatnonzero(record.finished)
    wanted = int(part * len(finished))
    return int(finished[wanted - 1]) + 1 if wanted else 0


def people(record: Record) -> Ints:
    """How many were on each team (a row of ``team_name``), each counted on the one he was longest on."""
    longest = longest_team(record)
    there = longest >= 0
    rows = record.team_start[record.round_of_appearance[there]] + longest[there]
    return np.bincount(rows, minlength=len(record.team_name)).astype(np.int32)


def sizes(record: Record, pairs: Decided) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """People on a and on b of each pair, and whether both had any: against bots nothing is scored."""
    count = people(record)
    start = record.team_start[pairs.round]
    of_a, of_b = count[start + pairs.a], count[start + pairs.b]
    return of_a, of_b, (of_a > 0) & (of_b > 0)
