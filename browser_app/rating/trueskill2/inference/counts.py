"""Kills and deaths as evidence on performances, eq. (9): count ~ max(0, N((wp·perf + wo·perf^o + b)·T, v·T)).

A positive count is an exact linear observation with normal noise; any number of them together is one Gaussian in
information form, found without knowing the skills. A count of 0 is censored: P(0) = Φ(−mean/√(v·T)), a factor.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.inference.factors import Fact, Step
from browser_app.rating.trueskill2.model import CountModel

_LOG_TWO_PI = math.log(2.0 * math.pi)


@dataclass(frozen=True, slots=True)
class Observed:
    """Observations y = Hx + N(0, R) of performances x, R diagonal.

    Attributes:
        h: H. r: the diagonal of R.
        information: HᵀR⁻¹H. pull: HᵀR⁻¹y. square: yᵀR⁻¹y.
        log_scale: Σ log 2πr, so that −2 log N(y; Hx, R) = square − 2 pull·x + xᵀ information x + log_scale.
    """

    h: Floats
    r: Floats
    information: Floats
    pull: Floats
    square: float
    log_scale: float


def observed(h: Floats, y: Floats, r: Floats) -> Observed:
    """One row of H, one entry of y and of R's diagonal an observation."""
    weight = 1.0 / r
    weighed = h * weight[:, None]
    square, log_scale = float(y @ (weight * y)), float(np.log(r).sum()) + _LOG_TWO_PI * len(r)
    return Observed(h, r, weighed.T @ h, y @ weighed, square, log_scale)


def read_counts(
    kinds: Sequence[tuple[CountModel, Sequence[float | None]]], minutes: Floats, against: Floats
) -> tuple[Observed, list[Fact]]:
    """The positive counts as one observation, the zeros as facts.

    Args:
        kinds: model and counts of kills, of deaths; None: no evidence.
        minutes: T of each player.
        against: the opponents' matrix O.
    """
    facts: list[Fact] = []
    rows = [_rows(model, np.array(counts, np.float64), minutes, against, facts) for model, counts in kinds]
    h, y, r = rows[0] if len(rows) == 1 else (np.concatenate(parts) for parts in zip(*rows, strict=True))
    return observed(h, y, r), facts


def _rows(
    model: CountModel, count: Floats, minutes: Floats, against: Floats, facts: list[Fact]
) -> tuple[Floats, Floats, Floats]:
    """H, y, R of the positive counts of one kind; NaN: no evidence. Adds the zeros to ``facts``."""
    h = model.wo * against
    h.flat[:: len(h) + 1] += model.wp
    h *= minutes[:, None]
    always, noise = model.b * minutes, model.v * minutes
    positive = count > 0.0
    if positive.all():
        return h, count - always, noise
    for i in np.flatnonzero(count == 0.0).tolist():
        facts.append(Fact(-h[i], Step(float(always[i]), float(noise[i]))))  # noqa: PERF401 (an argument grows)
    return h[positive], (count - always)[positive], noise[positive]
