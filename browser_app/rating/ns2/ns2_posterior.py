"""Log posterior of NS2 skills given a whole record, and its sparse matrix.

f(x) = Σ_j [G_j z_j − ln(1 + e^z_j)] + log prior of x,  z = A x + F

x are the skills s of all who have played, then the commander skills χ of all who have commanded, then, if they are
solved, the offsets o of all who have played. A has the coefficients T t / Σ t, T c / Σ c and t / Σ t (T · T = 1) of a
round. The prior of s and χ is Gamma, that of o normal (`SkillPrior`). Concave where s and χ are above 0, strictly for
k > 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.ns2.ns2_prior import SkillPrior
from browser_app.rating.record.round_record import Floats

Indices = NDArray[np.int64]


class SparseMatrix:
    """Sparse matrix A with its entries by row and by column, for fast products.

    No row or column may be empty: `add.reduceat` has no empty sum.
    """

    def __init__(self, row: Indices, column: Indices, value: Floats) -> None:
        by_row = np.argsort(row, kind="stable")
        self.row, self.column, self.value = row[by_row], column[by_row], value[by_row]
        self._row_start = _find_group_starts(self.row)
        by_column = np.argsort(self.column, kind="stable")
        self._row_t, self._value_t = self.row[by_column], self.value[by_column]
        self._column_start = _find_group_starts(self.column[by_column])
        self.shape = len(self._row_start), len(self._column_start)

    def times(self, x: Floats) -> Floats:
        """Return A x."""
        entries = x[self.column]
        entries *= self.value
        return np.add.reduceat(entries, self._row_start)

    def transposed_times(self, y: Floats) -> Floats:
        """Return Aᵀ y."""
        entries = y[self._row_t]
        entries *= self._value_t
        return np.add.reduceat(entries, self._column_start)

    def squares_transposed_times(self, y: Floats) -> Floats:
        """Return (A ∘ A)ᵀ y, the diagonal of Aᵀ diag(y) A."""
        return np.add.reduceat(self._value_t**2 * y[self._row_t], self._column_start)

    def absolute_gram_times_one(self) -> Floats:
        """Return |A|ᵀ |A| 1, an upper bound of the row sums of |AᵀA|."""
        row_sum = np.add.reduceat(np.abs(self.value), self._row_start)
        return np.add.reduceat(np.abs(self._value_t) * row_sum[self._row_t], self._column_start)


def _find_group_starts(ascending: Indices) -> Indices:
    return np.flatnonzero(np.diff(ascending, prepend=-1))


@dataclass(frozen=True, slots=True)
class PosteriorPoint:
    """The posterior and its derivatives at one x.

    Attributes:
        x: the skills.
        value: f.
        gradient: ∂f/∂x_i.
        weight: p (1 − p) of each round.
        prior: the prior's part of the curvature.
        error: G − p of each round.
    """

    x: Floats
    value: float
    gradient: Floats
    weight: Floats
    prior: Floats
    error: Floats


class SkillPosterior:
    """The log posterior f of a record.

    A has one row per round and one column per skill. `advantage` is F, one per round.

    Attributes:
        outcome: G of each round.
        bound: h_i = ¼ Σ_j |a_ij| Σ_l |a_jl|; diag(h) is at least the curvature of the rounds, wherever x is.
    """

    def __init__(self, matrix: SparseMatrix, outcome: Floats, advantage: Floats, prior: SkillPrior) -> None:
        self.matrix, self.outcome, self.prior = matrix, outcome, prior
        self._advantage = advantage
        self.bound: Floats = matrix.absolute_gram_times_one() / 4.0

    def with_shape(self, k: float) -> "SkillPosterior":
        """Return the posterior under a prior of another shape."""
        return SkillPosterior(self.matrix, self.outcome, self._advantage, self.prior.with_shape(k))

    def evaluate(self, x: Floats) -> PosteriorPoint:
        """Return f and its derivatives; skills are above 0, or for k = 1 at least 0."""
        log_odds = self.matrix.times(x) + self._advantage
        chance = 0.5 + 0.5 * np.tanh(0.5 * log_odds)
        error = self.outcome - chance
        gradient = self.matrix.transposed_times(error) + self.prior.gradient(x)
        value = float(self.outcome @ log_odds - np.logaddexp(0.0, log_odds).sum()) + self.prior.value(x)
        return PosteriorPoint(x, value, gradient, chance * (1.0 - chance), self.prior.curvature(x), error)

    def curvature_times(self, point: PosteriorPoint, d: Floats) -> Floats:
        """Return −f''(x) d = (Aᵀ diag(p (1 − p)) A + diag(prior)) d."""
        return self.matrix.transposed_times(point.weight * self.matrix.times(d)) + point.prior * d

    def curvature_diagonal(self, point: PosteriorPoint) -> Floats:
        """Return the diagonal of −f''(x)."""
        return self.matrix.squares_transposed_times(point.weight) + point.prior

    def is_at_bound(self, point: PosteriorPoint) -> NDArray[np.bool_]:
        """Return which skills a minorise step would set to the bound 0; for k > 1, none."""
        is_bound: NDArray[np.bool_] = (point.x * self.bound + point.gradient <= 0.0) & self.prior.has_bound()
        return is_bound

    def minorant_maximum(self, point: PosteriorPoint) -> Floats:
        """Return the maximum of the separable minorant at a point.

        Moving there never lowers f and never leaves the domain. This corrects the article's "s ← s + gradient", whose
        step of 1 makes skills leave s > 0.
        """
        likelihood_gradient = self.matrix.transposed_times(point.error)
        return self.prior.minorant_maximum(point.x, self.bound, likelihood_gradient)
