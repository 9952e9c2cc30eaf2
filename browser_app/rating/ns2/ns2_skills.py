"""Per-player state of the NS2 rating, and the logistic function."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from browser_app.rating.record.player_slots import NOT_FOUND


def logistic(logit: float) -> float:
    """Return 1 / (1 + e^−logit), for any finite logit."""
    if logit >= 0.0:
        return 1.0 / (1.0 + exp(-logit))
    odds = exp(logit)
    return odds / (1.0 + odds)


@dataclass(slots=True)
class NS2Skills:
    """Skills of all players, in units of s.

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
    def initial(cls, players: int, start: float) -> "NS2Skills":
        """Return the skills of newcomers."""
        zeros = [0.0] * players
        return cls([start] * players, zeros, [start] * players, zeros.copy(), zeros.copy(), [0] * players)

    def transfer_to(self, players: Sequence[int], start: float, rounds: Sequence[int]) -> "NS2Skills":
        """Return the skills of other players.

        The argument has for each of them the index here or ``NOT_FOUND``; ``rounds`` are those of each player here.
        """

        def of(values: Sequence[float], new: float = 0.0) -> list[float]:
            return [new if player == NOT_FOUND else values[player] for player in players]

        return NS2Skills(
            of(self.skill, start),
            of(self.offset),
            of(self.commander, start),
            of(self.skill_sum),
            of(self.commander_sum),
            [0 if player == NOT_FOUND else rounds[player] for player in players],
        )
