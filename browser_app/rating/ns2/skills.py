"""What is known of everybody under the NS2 model."""

from collections.abc import Sequence
from dataclasses import dataclass

from browser_app.rating.seats import NEW


@dataclass(slots=True)
class Skills:
    """One entry a player, in units of s.

    Attributes:
        skill, offset, commander: s, o and χ.
        skill_sum, commander_sum: sums of the squared gradients of s and of χ.
        rounds: rated rounds before the record's first.
    """

    skill: list[float]
    offset: list[float]
    commander: list[float]
    skill_sum: list[float]
    commander_sum: list[float]
    rounds: list[int]

    @classmethod
    def newcomers(cls, players: int, start: float) -> "Skills":
        """Everybody at the beginning."""
        zeros = [0.0] * players
        return cls([start] * players, zeros, [start] * players, zeros.copy(), zeros.copy(), [0] * players)

    def seated(self, players: Sequence[int], start: float, rounds: Sequence[int]) -> "Skills":
        """The same of other players: for each his index here or ``NEW``; ``rounds`` are those that each here has."""

        def of(values: Sequence[float], new: float = 0.0) -> list[float]:
            return [new if player == NEW else values[player] for player in players]

        return Skills(
            of(self.skill, start),
            of(self.offset),
            of(self.commander, start),
            of(self.skill_sum),
            of(self.commander_sum),
            [0 if player == NEW else rounds[player] for player in players],
        )
