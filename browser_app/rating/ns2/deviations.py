"""How sure the solved skills are: sd = √(H⁻¹)_ii, H the posterior's curvature at its maximum (Laplace)."""

import numpy as np

from browser_app.rating.ns2.newton import conjugate_gradients
from browser_app.rating.ns2.posterior import Point, Posterior
from browser_app.rating.ns2.sparse import SparseMatrix
from browser_app.rating.record import Floats

MOST_EXACT = 2000
"""So many skills have their H inverted; beyond, its diagonal is estimated."""

_SAMPLES = 50
_SAMPLE_TOLERANCE = 1e-3
_ROUNDS_AT_ONCE = 8192
_SINGULAR = 1e-12  # of H_ii: keeps an H inverted that has no inverse
_UNDETERMINED = 1e9  # variance times H_ii: beyond, the record does not tell


def deviations(posterior: Posterior, point: Point, most_exact: int = MOST_EXACT) -> Floats:
    """Standard deviation of every skill; NaN where the curvature does not tell it.

    It does not for k = 1 at the bound 0, and for skills that the record cannot tell apart, as of two who always
    played together. For k > 1 all are finite. Above ``most_exact`` skills the estimates are off by 0.4 to 2 % (root
    mean square), the same every time, and the second case is not noticed.
    """
    free = ~posterior.held(point)
    exact = len(free) <= most_exact
    variance = (_inverted if exact else _sampled)(posterior, point, free.astype(np.float64))
    determined = free & (variance * posterior.curvature_diagonal(point) < _UNDETERMINED)
    sd: Floats = np.sqrt(np.where(determined, variance, np.nan))
    return sd


def _inverted(posterior: Posterior, point: Point, free: Floats) -> Floats:
    """The diagonal of H⁻¹ among the free; the others are uncoupled."""
    curvature = _gram(posterior.matrix, point.weight)
    curvature *= np.outer(free, free)
    diagonal = np.diag_indices_from(curvature)
    curvature[diagonal] = np.where(free > 0.0, curvature[diagonal] + point.prior, 1.0)
    if posterior.k == 1.0:
        curvature[diagonal] *= 1.0 + _SINGULAR
    return np.linalg.inv(curvature)[diagonal].astype(np.float64)


def _gram(matrix: SparseMatrix, weight: Floats) -> Floats:
    """Aᵀ diag(weight) A, dense: the products of all pairs of entries of a row, some thousand rows at a time."""
    rows, columns = matrix.shape
    gram = np.zeros(columns * columns)
    length = np.bincount(matrix.row, minlength=rows)
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(length)])
    for first in range(0, rows, _ROUNDS_AT_ONCE):
        entries = np.arange(start[first], start[min(first + _ROUNDS_AT_ONCE, rows)])
        row = matrix.row[entries]
        left = np.repeat(entries, length[row])
        pair = np.arange(len(left)) - np.repeat(np.cumsum(length[row]) - length[row], length[row])
        right = start[matrix.row[left]] + pair
        product = weight[matrix.row[left]] * matrix.value[left] * matrix.value[right]
        gram += np.bincount(matrix.column[left] * columns + matrix.column[right], product, columns * columns)
    return gram.reshape(columns, columns)


def _sampled(posterior: Posterior, point: Point, free: Floats) -> Floats:
    """The diagonal of H⁻¹ from samples x ~ N(0, H⁻¹), each the solution of H x = Aᵀ W^½ z + P^½ z'.

    Var x_i = 1/H_ii + Var E[x_i | the others], and E[x_i | the others] = x_i − (H x)_i / H_ii: only what the others add
    is estimated, so few samples suffice (Sidén, Lindgren, Bolin and Villani, "Efficient covariance approximations for
    large sparse precision matrices", J. Comput. Graph. Stat. 27, 2018: simple Rao-Blackwellised Monte Carlo).
    """
    random = np.random.default_rng(0)
    rows, columns = posterior.matrix.shape
    diagonal = posterior.curvature_diagonal(point)
    added = np.zeros(columns)
    for _ in range(_SAMPLES):
        noise = posterior.matrix.transposed_times(np.sqrt(point.weight) * random.standard_normal(rows))
        right = free * (noise + np.sqrt(point.prior) * random.standard_normal(columns))
        x = conjugate_gradients(
            lambda d: free * posterior.curvature_times(point, d), right, diagonal, _SAMPLE_TOLERANCE
        )
        added += (x - right / diagonal) ** 2
    return 1.0 / diagonal + added / _SAMPLES
