"""The result of two teams in closed form: what it teaches about the difference of their performances.

Difference d ~ N(t, c²); the first-named team wins if d > ε, the other if d < −ε, else it is a draw (ε = draw margin).
"""

import math

from browser_app.rating.prediction import Prediction
from browser_app.rating.trueskill2.inference.tails import draw, win

_SQRT_HALF = math.sqrt(0.5)
_SQRT_TWO_OVER_PI = math.sqrt(2.0 / math.pi)
_SAFE = -5.0  # φ/Φ loses no digits that matter above


def lesson(t: float, c2: float, margin: float, outcome: int) -> tuple[float, float]:
    """First and negative second derivative of log P(outcome) by t: v/c with its sign, and w/c².

    A player of share a and variance V moves by a·V·push and his variance falls by (a·V)²·shrink (Herbrich 2007).

    Args:
        t: mean of the difference.
        c2: its variance.
        margin: ε.
        outcome: 1 the first-named team won, -1 the other one, 0 a draw.
    """
    if c2 <= 0.0:  # nobody's share in one team is more than in the other: nothing is learned
        return 0.0, 0.0
    c = math.sqrt(c2)
    if outcome == 0:
        cut = draw(t / c, margin / c)
        return cut.v / c, (1.0 - cut.rest) / c2
    x = (outcome * t - margin) / c
    if x > _SAFE:  # inlined: the hot path
        v = _SQRT_TWO_OVER_PI * math.exp(-0.5 * x * x) / math.erfc(-x * _SQRT_HALF)
        return outcome * v / c, v * (v + x) / c2
    cut = win(x)
    return outcome * cut.v / c, (1.0 - cut.rest) / c2


def chances(t: float, c2: float, margin: float) -> Prediction:
    """Chances of a win, a draw and, of what is no draw, a win; with c = 0 a difference of 0 says nothing."""
    if c2 <= 0.0:
        return Prediction.of_two(0.5)
    scale = _SQRT_HALF / math.sqrt(c2)
    first, second = 0.5 * math.erfc((margin - t) * scale), 0.5 * math.erfc((margin + t) * scale)
    decided = first + second
    beats = first / decided if decided > 0.0 else _far_from_both(t, c2, margin)
    draw = 0.5 * (math.erf((margin - t) * scale) + math.erf((margin + t) * scale))
    return Prediction((first, second), draw, ((0.5, beats), (1.0 - beats, 0.5)))


def _far_from_both(t: float, c2: float, margin: float) -> float:
    c = math.sqrt(c2)
    return 0.5 + 0.5 * math.tanh(0.5 * (win((t - margin) / c).log_z - win((-t - margin) / c).log_z))
