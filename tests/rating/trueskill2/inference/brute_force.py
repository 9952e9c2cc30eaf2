"""Posteriors of one round by quadrature from the paper, independent of our code."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr
from single_round_inference import infer_round

from browser_app.rating.trueskill2.inference.round_inference import RoundPosterior
from browser_app.rating.trueskill2.trueskill2_model import CountModel, ModeModel, QuitModel

Floats: TypeAlias = NDArray[np.float64]

KILLS = CountModel(wp=0.5, wo=-0.35, v=0.6, b=0.7)
DEATHS = CountModel(wp=-0.4, wo=0.45, v=0.5, b=0.8)
QUITS = QuitModel(m=-0.6, v=0.5, pu=0.06, pr=0.8)


def model(margin: float = 0.1, beta2: float = 1.0, **extras: CountModel | QuitModel) -> ModeModel:
    """Create a model of the shooter preset's scale."""
    kinds = {"kills": None, "deaths": None, "quits": None, **extras}
    return ModeModel(1.0, 0.4, 1e-3, 1e-8, beta2, margin, **kinds)  # type: ignore[arg-type] # by name


@dataclass(frozen=True)
class InferenceCase:
    """A round of two teams as arguments of `infer_round`."""

    model: ModeModel
    mean: Sequence[float]
    var: Sequence[float]
    shares: Sequence[Sequence[float]]
    ranks: Sequence[int] = (1, 2)
    minutes: Sequence[float] = ()
    shift: Sequence[float] = ()
    kills: Sequence[float | None] = ()
    deaths: Sequence[float | None] = ()
    quits: Sequence[bool | None] = field(default=())
    score: Sequence[float | None] = ()
    assists: Sequence[float | None] = ()
    objectives: Sequence[float | None] = ()

    def inferred(self) -> RoundPosterior:
        """Return the product's posterior."""
        n = len(self.mean)
        shift, minutes = self.shift or [0.0] * n, self.minutes or [10.0] * n
        args = (self.mean, self.var, shift, self.shares, self.ranks, self.model, minutes)
        return infer_round(*args, self.kills, self.deaths, self.quits, self.score, self.assists, self.objectives)


def exact_posterior(case: InferenceCase, step: float) -> RoundPosterior:
    """Return the posterior by quadrature over the performances.

    The first axis is along the result.

    Gauss and Legendre along it between the bounds that the result sets, the trapezoidal rule along the others.
    """
    share, var = np.array(case.shares), np.array(case.var)
    n = len(var)
    centre = np.array(case.mean) + (np.array(case.shift) if len(case.shift) else 0.0)
    root = np.sqrt(var + case.model.beta2)
    direction = root * (share[:, 0] - share[:, 1])
    length = float(np.linalg.norm(direction))
    axes = np.linalg.qr(np.column_stack([direction, np.eye(n)[:, : n - 1]]))[0]
    axes[:, 0] = direction / length
    low, high = _bounds(case, float((share[:, 0] - share[:, 1]) @ centre), length)
    nodes, weights = np.polynomial.legendre.leggauss(100)
    first, first_weight = 0.5 * (high - low) * nodes + 0.5 * (high + low), 0.5 * (high - low) * weights
    other = np.arange(-7.5, 7.5 + step / 2, step)
    grids = np.meshgrid(first, *[other] * (n - 1), indexing="ij", sparse=True)
    y = [np.broadcast_to(grid, np.broadcast_shapes(*(g.shape for g in grids))) for grid in grids]
    x = [centre[i] + root[i] * sum(axes[i, k] * y[k] for k in range(n)) for i in range(n)]
    log_density = -0.5 * sum(grid * grid for grid in grids) - 0.5 * n * math.log(2.0 * math.pi)
    log_density = log_density + _log_likelihood(case, x)
    density = np.exp(log_density - log_density.max()) * first_weight.reshape(-1, *[1] * (n - 1))
    mass = float(density.sum())
    means = np.array([float((density * xi).sum()) / mass for xi in x])
    spreads = np.array([float((density * (xi - m) ** 2).sum()) / mass for xi, m in zip(x, means, strict=True)])
    gain = var / (var + case.model.beta2)
    mean = np.array(case.mean) + gain * (means - centre)
    return RoundPosterior(mean.tolist(), (var - gain * gain * (root**2 - spreads)).tolist())


def _bounds(case: InferenceCase, t: float, length: float) -> tuple[float, float]:
    margin, far = case.model.draw_margin, 9.0
    a, b = case.ranks
    low, high = (margin, math.inf) if a < b else (-math.inf, -margin) if a > b else (-margin, margin)
    return max((low - t) / length, -far), min((high - t) / length, far)


def _log_likelihood(case: InferenceCase, x: Sequence[Floats]) -> Floats:
    total = np.zeros(x[0].shape)
    for i in range(len(x)):
        enemy = opponent_means(case.shares, i, x)
        minutes = case.minutes[i] if len(case.minutes) else 10.0
        for kind, counts in (
            (case.model.kills, case.kills),
            (case.model.deaths, case.deaths),
            (case.model.score, case.score),
            (case.model.assists, case.assists),
            (case.model.objectives, case.objectives),
        ):
            count = counts[i] if kind and counts else None
            if kind is None or count is None:
                continue
            expected, var = (kind.wp * x[i] + kind.wo * enemy + kind.b) * minutes, kind.v * minutes
            if count > 0.0:
                total += -0.5 * (count - expected) ** 2 / var - 0.5 * math.log(2.0 * math.pi * var)
            else:
                total += log_ndtr(-expected / math.sqrt(var))
        quits, quit_ = case.model.quits, case.quits[i] if case.quits else None
        if quits and quit_ is not None and (quit_ or quits.finishing_counts):
            chance = quits.pu + (1.0 - quits.pu) * quits.pr * ndtr((quits.m - x[i] + enemy) / math.sqrt(quits.v))
            total += np.log(chance if quit_ else 1.0 - chance)
    return total


def opponent_means(shares: Sequence[Sequence[float]], i: int, x: Sequence[Floats]) -> Floats:
    """Return eqs. (10)-(11) for players who keep their team."""
    team = [max(range(len(row)), key=row.__getitem__) for row in shares]
    played = [sum(row) for row in shares]
    total = np.zeros(np.shape(x[0]))
    for j in range(len(x)):
        if team[j] != team[i]:
            opposing = sum(played[k] for k in range(len(x)) if team[k] != team[j])
            total = total + played[j] * x[j] / opposing
    return total


def largest_error(found: RoundPosterior, true: RoundPosterior) -> float:
    """Return the largest error of a mean or variance."""
    pairs = [*zip(found.mean, true.mean, strict=True), *zip(found.var, true.var, strict=True)]
    return max(abs(a - b) for a, b in pairs)
