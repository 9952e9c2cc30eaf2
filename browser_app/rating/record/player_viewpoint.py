"""One round seen from one player's side."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import longest_team


class PlayerViewpoint:
    """Round k of a record from one appearance in it (a row of the record).

    Attributes:
        team: the team he was longest on, an index within the round. ranks: of all teams.
        outcome: 1 where his team is alone in first place, ½ where it shares it, 0 else.
        player: index into the record's players.

    Raises:
        ValueError: the round has no outcome, or it is not his, or he was on no team.
    """

    def __init__(self, record: RoundRecord, k: int, appearance: int) -> None:
        rows, ranks = record.appearances(k), record.ranks(k)
        if ranks is None:
            raise ValueError(f"round {k} has no outcome")
        if not rows.start <= appearance < rows.stop:
            raise ValueError(f"appearance {appearance} is none of round {k}")
        self.team = int(longest_team(record, k, k + 1)[appearance - rows.start])
        if self.team < 0:
            raise ValueError(f"appearance {appearance} was on no team")
        self.record, self.k, self.appearance, self.ranks = record, k, appearance, ranks
        self.player = int(record.player[appearance])
        self.row = appearance - rows.start
        self.outcome = team_outcome(ranks, self.team)

    @property
    def other_team(self) -> int:
        """Of two teams, the one that is not his."""
        return 1 - self.team

    @property
    def duration(self) -> float:
        """Of the round, seconds."""
        return float(self.record.duration[self.k])

    @cached_property
    def single_round(self) -> RoundRecord:
        """The round as a record of its own; ``row`` is his appearance there."""
        return self.record.slice_rounds(self.k, self.k + 1)

    def with_outcome(self, *, won: bool) -> RoundRecord:
        """The same with his team alone in first place, or alone in the last; the others keep their order."""
        others = [rank for team, rank in enumerate(self.ranks) if team != self.team]
        own = min(others) - 1 if won else max(others) + 1
        ranks = [own if team == self.team else rank for team, rank in enumerate(self.ranks)]
        return replace(self.single_round, team_rank=np.array(ranks, np.int32) - np.int32(min(ranks) - 1))


def team_outcome(ranks: Sequence[int], team: int) -> float:
    """1 where a team is alone in first place, ½ where it shares it, 0 else."""
    best = min(ranks)
    return 0.0 if ranks[team] > best else 1.0 if list(ranks).count(best) == 1 else 0.5
