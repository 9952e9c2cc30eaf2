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
        h: R^(−½)H, a row an observation; rows of nothing observed are 0.
        information: HᵀR⁻¹H. pull: HᵀR⁻¹y. square: yᵀR⁻¹y.
        log_scale: Σ log 2πr, so that −2 log N(y; Hx, R) = square − 2 pull·x + xᵀ information x + log_scale.
    """

    h: Floats
    information: Floats
    pull: Floats
    square: float
    log_scale: float


def read_counts(
    kinds: Sequence[tuple[CountModel, Floats]], minutes: Floats, against: Floats
) -> list[tuple[Observed, list[Fact]]]:
    """The positive counts of some matches as one observation each, the zeros as facts.

    Args:
        kinds: model and counts of kills, of deaths, a row a match, a column a player; NaN: no evidence.
        minutes: T of each player, likewise.
        against: the opponents' matrix O of each match.
    """
    zeros: list[list[Fact]] = [[] for _ in minutes]
    parts = [_rows(model, counts, minutes, against, zeros) for model, counts in kinds]
    h, y, log_r = (np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True))
    turned = h.swapaxes(1, 2)
    columns = (turned @ h, (turned @ y[:, :, None])[:, :, 0], (y * y).sum(axis=1).tolist(), log_r.sum(axis=1).tolist())
    return list(zip(map(Observed, h, *columns), zeros, strict=True))


def _rows(
    model: CountModel, count: Floats, minutes: Floats, against: Floats, zeros: Sequence[list[Fact]]
) -> tuple[Floats, Floats, Floats]:
    """R^(−½)H, R^(−½)y and log 2πr of the positive counts of one kind, 0 for all others. Adds to ``zeros``."""
    h = model.wo * against
    own = np.arange(h.shape[1])
    h[:, own, own] += model.wp
    h *= minutes[:, :, None]
    always, noise = model.b * minutes, model.v * minutes
    for match, i in np.argwhere(count == 0.0).tolist():
        zeros[match].append(Fact(-h[match, i], Step(float(always[match, i]), float(noise[match, i]))))
    positive = count > 0.0
    weight = np.where(positive, 1.0 / np.sqrt(noise), 0.0)
    h *= weight[:, :, None]
    return h, np.where(positive, count - always, 0.0) * weight, np.where(positive, np.log(noise) + _LOG_TWO_PI, 0.0)
