"""Teams of rounds by rank, and the evidence of the ranking on skills."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import Presence
from browser_app.rating.trueskill2.inference.team_ranking import RankingSites, ranking_derivatives


@dataclass(frozen=True, slots=True)
class RankedTeams:
    """Teams with players of some rounds, best rank first; level teams in side order.

    Attributes:
        start: teams of round i are start[i]:start[i + 1].
        is_tied: whether a team is level with the next one of its round.
        place: of each line-up row's team in its round, from 0.
        share: of the round of each line-up row.
    """

    start: Sequence[int]
    is_tied: Sequence[bool]
    place: Sequence[int]
    share: Sequence[float]

    def skill_derivatives(
        self,
        i: int,
        rows: slice,
        performances: Sequence[tuple[float, float]],
        margin: float,
        sites: RankingSites | None = None,
    ) -> list[tuple[float, float]]:
        """Return first and negative second derivative of log P(ranking) by each mean.

        Args:
            i: a round in which no player was on two teams.
            rows: of its line-up.
            performances: mean and variance of each player's performance.
            margin: ε.
            sites: those of the last time, changed to the result after one sweep; by default sweeps go on until nothing
                moves.
        """
        teams = slice(self.start[i], self.start[i + 1] - 1)
        ties, places, shares = self.is_tied[teams], self.place[rows], self.share[rows]
        mean, var = [0.0] * (len(ties) + 1), [0.0] * (len(ties) + 1)
        for place, a, (m, v) in zip(places, shares, performances, strict=True):
            mean[place] += a * m
            var[place] += a * a * v
        limit = None if sites is None else 1
        gradients, curvatures = ranking_derivatives(mean, var, ties, margin, sites, limit)
        return [(a * gradients[place], a * a * curvatures[place]) for place, a in zip(places, shares, strict=True)]


def rank_teams(record: RoundRecord, shares: Presence, first: int, last: int) -> RankedTeams:
    """Return the teams of rounds first to last - 1.

    `shares` are those of the round by appearance and team. Rows of players on several teams are of no use.
    """
    rounds = record.round_of_appearance[shares.appearance] - first
    start = record.team_start[first : last + 1] - record.team_start[first]
    team = start[rounds] + shares.team
    round_of_team = np.repeat(np.arange(last - first), record.team_count[first:last])
    rank = record.team_rank[record.team_start[first] : record.team_start[last]]
    occupied = np.unique(team)
    order = occupied[np.lexsort((occupied, rank[occupied], round_of_team[occupied]))]
    begin = np.searchsorted(round_of_team[order], np.arange(last - first + 1))
    place = np.zeros(start[-1], np.int64)
    place[order] = np.arange(len(order)) - begin[round_of_team[order]]
    is_new = np.diff(shares.appearance, prepend=-1) != 0
    return RankedTeams(
        start=begin.tolist(),
        is_tied=[*(rank[order][1:] == rank[order][:-1]).tolist(), False],
        place=place[team[is_new]].tolist(),
        share=shares.amount[is_new].tolist(),
    )
