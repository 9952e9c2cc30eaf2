"""Predicted win and draw chances of one round."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prediction:
    """Chances of one round, teams in side order.

    Attributes:
        first_place: P(team is first alone), one per team; with ``draw`` they sum to 1.
        draw: P(first place is shared); 0 where a system knows no draws.
        beats: beats[a][b] = P(a is placed before b | they do not tie), ½ on the diagonal, NaN where a team is empty.
    """

    first_place: tuple[float, ...]
    draw: float
    beats: tuple[tuple[float, ...], ...]

    @property
    def probability(self) -> float | None:
        """P(first-named team wins | no draw) of two teams; None for more."""
        return self.beats[0][1] if len(self.first_place) == 2 else None

    @classmethod
    def two_teams(cls, win: float, draw: float = 0.0) -> "Prediction":
        """Create the prediction of two teams from P(first-named wins | no draw) and P(draw)."""
        lose = 1.0 - win
        return cls((win * (1.0 - draw), lose * (1.0 - draw)), draw, ((0.5, win), (lose, 0.5)))

    @classmethod
    def even(cls, teams: int) -> "Prediction":
        """Create the prediction of teams of which nothing is known."""
        return cls((1.0 / teams,) * teams, 0.0, ((0.5,) * teams,) * teams)
