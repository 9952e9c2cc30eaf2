"""How good chances were once the outcomes are known: log loss, accuracy, Brier score, calibration."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from browser_app.rating.decided import Decided
from browser_app.rating.record import Floats

BINS = 10
_EDGES = np.arange(BINS + 1) / BINS


class Bin(NamedTuple):
    """Pairs with a chance of at least ``low`` and below ``high`` (the last bin has 1 too); means None where n is 0."""

    low: float
    high: float
    n: int
    predicted: float | None
    actual: float | None


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over all scored pairs; None where there are none.

    Attributes:
        rounds: rounds with a scored pair. pairs: with two teams the same.
        log_loss: −ln of the chance that the outcome had, infinite where it had none.
        accuracy: share of pairs that the greater chance had right; ½ counts half.
        brier: (chance − outcome)².
    """

    rounds: int
    pairs: int
    log_loss: float | None
    accuracy: float | None
    brier: float | None
    calibration: tuple[Bin, ...]


def losses(chance: Floats, won: Floats) -> Floats:
    """−ln of the chance of what happened, nothing clipped; NaN where nothing was said."""
    with np.errstate(divide="ignore"):
        loss: Floats = -np.log(np.where(won == 1.0, chance, 1.0 - chance))
    return loss


def scores(chance: Floats, pairs: Decided) -> Scores:
    """Score P(a before b | no tie) of some pairs; NaN is not scored."""
    said = ~np.isnan(chance)
    chance, won = chance[said], pairs.won[said]
    bins = calibration(chance, won)
    rounds = len(np.unique(pairs.round[said]))
    if not len(chance):
        return Scores(0, 0, None, None, None, bins)
    right = np.where(chance == 0.5, 0.5, (chance > 0.5) == (won == 1.0))
    brier = (chance - won) ** 2
    return Scores(
        rounds, len(chance), float(losses(chance, won).mean()), float(right.mean()), float(brier.mean()), bins
    )


def calibration(chance: Floats, won: Floats) -> tuple[Bin, ...]:
    """Of ten bins of equal width: how often the first-named won, beside what was said."""
    number = np.minimum(np.searchsorted(_EDGES, chance, side="right") - 1, BINS - 1)
    counts, said, happened = (np.bincount(number, weights, BINS) for weights in (None, chance, won))
    return tuple(
        Bin(i / BINS, (i + 1) / BINS, int(n), float(said[i] / n) if n else None, float(happened[i] / n) if n else None)
        for i, n in enumerate(counts)
    )
