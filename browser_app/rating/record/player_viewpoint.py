"""One round seen from one player's side."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import longest_team


class PlayerViewpoint:
    """Round k of a record as seen from one appearance in it (a row of the record).

    Attributes:
        team: the team with most of the player's time, an index within the round.
        ranks: of all teams.
        outcome: 1 if the team is first alone, ½ if it shares the first place, else 0.
        player: index into the record's players.
        row: index of the appearance within the round.

    Raises:
        ValueError: the round has no outcome, the appearance is not in it, or the player was on no team.
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
        """The opposing team of two."""
        return 1 - self.team

    @property
    def duration(self) -> float:
        """Duration of the round in seconds."""
        return float(self.record.duration[self.k])

    @cached_property
    def single_round(self) -> RoundRecord:
        """The round as a record of its own; `row` is the appearance in it."""
        return self.record.slice_rounds(self.k, self.k + 1)

    def with_outcome(self, *, won: bool) -> RoundRecord:
        """Return the round with the player's team first alone or last, else unchanged."""
        others = [rank for team, rank in enumerate(self.ranks) if team != self.team]
        own = min(others) - 1 if won else max(others) + 1
        ranks = [own if team == self.team else rank for team, rank in enumerate(self.ranks)]
        return replace(self.single_round, team_rank=np.array(ranks, np.int32) - np.int32(min(ranks) - 1))


def team_outcome(ranks: Sequence[int], team: int) -> float:
    """Return 1 if a team is first alone, ½ if it shares the first place, else 0."""
    best = min(ranks)
    return 0.0 if ranks[team] > best else 1.0 if list(ranks).count(best) == 1 else 0.5
