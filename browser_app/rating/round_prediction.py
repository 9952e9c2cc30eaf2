"""Predicted win and draw chances of one round."""

import math
from dataclasses import dataclass


def logistic(log_odds: float) -> float:
    """Return 1 / (1 + e^−log_odds), for any log-odds."""
    if log_odds >= 0.0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    odds = math.exp(log_odds)
    return odds / (1.0 + odds)


def to_log_odds(chance: float) -> float:
    """Return the log-odds of a chance, infinite for 0 and 1."""
    if 0.0 < chance < 1.0:
        return math.log(chance / (1.0 - chance))
    return math.copysign(math.inf, chance - 0.5)


@dataclass(frozen=True, slots=True)
class Prediction:
    """Chances of one round, teams in side order.

    Attributes:
        first_place: P(team is first alone), one per team; with `draw` they sum to 1.
        draw: P(first place is shared); 0 where a system knows no draws.
        log_odds: log_odds[a][b] = ln(P(a is placed before b) / P(b before a)), 0 on the diagonal, NaN where a team is
            empty. Exact where the chances are 0 and 1 to all digits.
    """

    first_place: tuple[float, ...]
    draw: float
    log_odds: tuple[tuple[float, ...], ...]

    def chance(self, a: int, b: int) -> float:
        """Return P(a is placed before b | they do not tie); NaN where a team is empty."""
        return logistic(self.log_odds[a][b])

    @property
    def probability(self) -> float | None:
        """P(first-named team wins | no draw) of two teams; None for more."""
        return self.chance(0, 1) if len(self.first_place) == 2 else None

    @classmethod
    def two_teams(cls, log_odds: float, draw: float = 0.0) -> "Prediction":
        """Create the prediction of two teams from the first one's log-odds without a draw."""
        win, lose = logistic(log_odds), logistic(-log_odds)
        return cls((win * (1.0 - draw), lose * (1.0 - draw)), draw, ((0.0, log_odds), (-log_odds, 0.0)))

    @classmethod
    def even(cls, teams: int) -> "Prediction":
        """Create a prediction of equal chances."""
        return cls((1.0 / teams,) * teams, 0.0, ((0.0,) * teams,) * teams)
