"""Predictions of systems that compare players in pairs: Elo and its relatives."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from browser_app.rating.prediction import Prediction

Someone = TypeVar("Someone")

_NOBODY = float("nan")


def by_pairs(teams: Sequence[Sequence[Someone]], chance: Callable[[Someone, Someone], float]) -> Prediction:
    """Chances of teams from those of their players: the mean over all pairs across two teams.

    More than two teams are coupled by P(first = a) = Σ_b beats[a][b] / pairs of teams, which sums to 1 and is the
    plain chance for two. A team without players is first with chance 0 and compared with nobody (NaN).

    Args:
        teams: the players of each team; at least two teams have some.
        chance: that of one player against another; chance(a, b) + chance(b, a) = 1.
    """
    beats = [[0.5] * len(teams) for _ in teams]
    for a, own in enumerate(teams):
        for b in range(a):
            won = _mean_chance(own, teams[b], chance)
            beats[a][b], beats[b][a] = won, 1.0 - won
    manned = [a for a, own in enumerate(teams) if own]
    pairs = len(manned) * (len(manned) - 1) / 2
    first = [sum(beats[a][b] for b in manned if b != a) / pairs if own else 0.0 for a, own in enumerate(teams)]
    return Prediction(tuple(first), 0.0, tuple(map(tuple, beats)))


def _mean_chance(
    own: Sequence[Someone], other: Sequence[Someone], chance: Callable[[Someone, Someone], float]
) -> float:
    if not own or not other:
        return _NOBODY
    return sum(chance(a, b) for a in own for b in other) / (len(own) * len(other))
