"""Newton solver and Laplace deviations of the NS2 posterior."""

import math
from collections.abc import Callable

import numpy as np

from browser_app.rating.ns2.ns2_posterior import PosteriorPoint, SkillPosterior, SparseMatrix
from browser_app.rating.record.round_record import Floats

_GRADIENT_GOAL = 1e-8  # scaled gradient; ≤ 1e-7 is promised
_MIN_RELATIVE_STEP = 1e-15  # smaller relative steps change nothing
_MAX_STEPS = 200
_MAX_PRODUCTS = 500  # of one solve; forty are usual
_MAX_HALVINGS = 12
_ARMIJO_SHARE = 1e-4  # Armijo: share of the predicted gain that a step must achieve
_ROUNDING = 1e-12  # of |f|: smaller losses are rounding errors
_MIN_SHARE_LEFT = 0.05  # with a barrier: least share left of a coordinate after one step
_DAMPING = 1e-3  # of the curvature's bound, in the first step; then ten times less or more
_MIN_DAMPING = 1e-12


def maximise(posterior: SkillPosterior, x: Floats) -> PosteriorPoint:
    """Find the maximum of f from any x with skills above 0.

    Projected truncated Newton steps with the Jacobi preconditioner. For k > 1 the barrier keeps x > 0, and no skill
    falls below 0.05 of its value in one step. For k = 1 the optimum may be at 0: skills that belong there are set to 0
    while the others take the Newton step (active set as in Bertsekas, "Projected Newton methods", SIAM J. Control
    Optim. 20, 1982). Where a step fails, a minorise-maximise step follows, which cannot fail. The damping keeps the
    system definite where two skills cannot be told apart (k = 1); as in Levenberg and Marquardt, it falls after a full
    step and rises after a shortened one.
    """
    point, damping = posterior.evaluate(x), _DAMPING
    for _ in range(_MAX_STEPS):
        left = remaining_gradient(posterior, point)
        if left <= _GRADIENT_GOAL:
            break
        direction = _newton_direction(posterior, point, damping, min(0.1, math.sqrt(left)))
        if np.all(np.abs(direction) <= _MIN_RELATIVE_STEP * posterior.prior.scale(point.x)):
            break  # limit of the numerical precision
        point, length = _line_search(posterior, point, direction)
        damping = max(_MIN_DAMPING, damping / 10.0) if length == 1.0 else min(1.0, damping * 10.0)
    return point


def scaled_gradient(posterior: SkillPosterior, point: PosteriorPoint) -> float:
    """Return ``gradient_norm``, max |x_i ∂f/∂x_i|; of offsets |σ ∂f/∂o_i|."""
    return float(np.max(np.abs(posterior.prior.scale(point.x) * point.gradient), initial=0.0))


def remaining_gradient(posterior: SkillPosterior, point: PosteriorPoint) -> float:
    """Return the scaled gradient; for k = 1 rising skills count with at least θ, as they may start next to 0."""
    prior = posterior.prior
    rises = prior.has_bound() * np.maximum(point.x, prior.theta) * np.maximum(point.gradient, 0.0)
    return max(scaled_gradient(posterior, point), float(np.max(rises, initial=0.0)))


def _newton_direction(posterior: SkillPosterior, point: PosteriorPoint, damping: float, tolerance: float) -> Floats:
    free = ~posterior.is_at_bound(point)
    added = damping * posterior.bound

    def product(d: Floats) -> Floats:
        return free * (posterior.curvature_times(point, d) + added * d)

    diagonal = posterior.curvature_diagonal(point) + added
    return np.where(free, conjugate_gradients(product, free * point.gradient, diagonal, tolerance), -point.x)


def _line_search(posterior: SkillPosterior, point: PosteriorPoint, direction: Floats) -> tuple[PosteriorPoint, float]:
    """Return the point at a share of the direction and the share: 1, ½, ¼, … or 0 for a minorise-maximise step."""
    lowest = posterior.prior.lowest(point.x, _MIN_SHARE_LEFT)
    length = 1.0
    for _ in range(_MAX_HALVINGS):
        x = np.maximum(point.x + length * direction, lowest)
        moved = posterior.evaluate(x)
        promised = float(point.gradient @ (x - point.x))
        if promised >= 0.0 and moved.value >= point.value + _ARMIJO_SHARE * promised - _ROUNDING * abs(point.value):
            return moved, length
        length /= 2.0
    return posterior.evaluate(posterior.minorant_maximum(point)), 0.0


def conjugate_gradients(
    product: Callable[[Floats], Floats], right: Floats, diagonal: Floats, tolerance: float
) -> Floats:
    """Solve M x = right, M symmetric and definite where right is not 0.

    Args:
        product: d ↦ M d.
        right: the right-hand side.
        diagonal: of M, the preconditioner.
        tolerance: factor by which the residual must fall, in the preconditioner's norm.
    """
    x = np.zeros_like(right)
    residual = right
    direction = conditioned = residual / diagonal
    size = first = float(residual @ conditioned)
    for _ in range(_MAX_PRODUCTS):
        if size <= tolerance * tolerance * first or size == 0.0:
            break
        image = product(direction)
        along = size / float(direction @ image)
        x = x + along * direction
        residual = residual - along * image
        conditioned = residual / diagonal
        before, size = size, float(residual @ conditioned)
        direction = conditioned + (size / before) * direction
    return x


MAX_EXACT_SKILLS = 2000
"""Up to this many skills H is inverted; beyond, its inverse's diagonal is estimated."""

_SAMPLES = 50
_SAMPLE_TOLERANCE = 1e-3
_ROUNDS_AT_ONCE = 8192
_SINGULAR = 1e-12  # of H_ii: keeps a singular H invertible
_UNDETERMINED = 1e9  # variance times H_ii: beyond, the record does not determine the skill


def compute_deviations(posterior: SkillPosterior, point: PosteriorPoint, max_exact: int = MAX_EXACT_SKILLS) -> Floats:
    """Return the standard deviation of every skill; NaN where the curvature does not determine it.

    That is the case for k = 1 at the bound 0, and for skills that the record cannot tell apart, as of two players who
    always played together. For k > 1 all are finite. Above ``MAX_EXACT_SKILLS`` the estimates are off by 0.4 to 2 %
    (root mean square), reproducibly, and the second case is not detected.
    """
    free = ~posterior.is_at_bound(point)
    exact = len(free) <= max_exact
    variance = (_inverted_variances if exact else _sampled_variances)(posterior, point, free.astype(np.float64))
    determined = free & (variance * posterior.curvature_diagonal(point) < _UNDETERMINED)
    sd: Floats = np.sqrt(np.where(determined, variance, np.nan))
    return sd


def _inverted_variances(posterior: SkillPosterior, point: PosteriorPoint, free: Floats) -> Floats:
    """Return the diagonal of H⁻¹ of the free skills; the others are uncoupled."""
    curvature = _gram(posterior.matrix, point.weight)
    curvature *= np.outer(free, free)
    diagonal = np.diag_indices_from(curvature)
    curvature[diagonal] = np.where(free > 0.0, curvature[diagonal] + point.prior, 1.0)
    if posterior.prior.k == 1.0:
        curvature[diagonal] *= 1.0 + _SINGULAR
    return np.linalg.inv(curvature)[diagonal].astype(np.float64)


def _gram(matrix: SparseMatrix, weight: Floats) -> Floats:
    """Return Aᵀ diag(weight) A, dense: the products of all pairs of entries of a row, some thousand rows at a time."""
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


def _sampled_variances(posterior: SkillPosterior, point: PosteriorPoint, free: Floats) -> Floats:
    """Return the diagonal of H⁻¹ from samples x ~ N(0, H⁻¹), each the solution of H x = Aᵀ W^½ z + P^½ z'.

    Var x_i = 1/H_ii + Var E[x_i | the others], and E[x_i | the others] = x_i − (H x)_i / H_ii: only the part of the
    others is estimated, so few samples suffice (Sidén, Lindgren, Bolin and Villani, "Efficient covariance
    approximations for large sparse precision matrices", J. Comput. Graph. Stat. 27, 2018: simple Rao-Blackwellised
    Monte Carlo).
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
