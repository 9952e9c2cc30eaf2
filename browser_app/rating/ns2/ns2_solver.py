"""Newton solver of the NS2 posterior."""

import math
from collections.abc import Callable

import numpy as np

from browser_app.rating.ns2.ns2_posterior import PosteriorPoint, SkillPosterior
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
    system definite where two skills cannot be distinguished (k = 1); as in Levenberg and Marquardt, it falls after a
    full step and rises after a shortened one.
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
    """Return `gradient_norm`, max |x_i ∂f/∂x_i|; of offsets |σ ∂f/∂o_i|."""
    return float(np.max(np.abs(posterior.prior.scale(point.x) * point.gradient), initial=0.0))


def remaining_gradient(posterior: SkillPosterior, point: PosteriorPoint) -> float:
    """Return the scaled gradient.

    For k = 1 rising skills count with at least θ, as they may start next to 0.
    """
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
    """Return the point at a share of the direction, and the share.

    The share is 1, ½, ¼, … or 0 for a minorise-maximise step.
    """
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
