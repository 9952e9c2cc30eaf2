"""Newton's method with conjugate gradients for a posterior that is concave on x ≥ 0."""

import math
from collections.abc import Callable

import numpy as np

from browser_app.rating.ns2.posterior import Point, Posterior
from browser_app.rating.record import Floats

_GOAL = 1e-8  # scaled gradient; ≤ 1e-7 is asked for
_LOST = 1e-15  # steps that are smaller than this part of everything change nothing
_MOST_STEPS = 200
_MOST_PRODUCTS = 500  # of one solve; forty are usual
_MOST_HALVINGS = 12
_ENOUGH = 1e-4  # Armijo: share of the promised gain that a step must bring
_ROUNDING = 1e-12  # of |f|: smaller losses are no losses
_NEAREST = 0.05  # with a barrier: what is left at least of a coordinate after one step
_DAMPING = 1e-3  # of the curvature's bound, in the first step; then ten times less or more
_LEAST_DAMPING = 1e-12


def maximise(posterior: Posterior, x: Floats) -> Point:
    """Find the maximum of f from any x > 0.

    Truncated Newton steps with the Jacobi preconditioner, projected: for k > 1 nobody comes closer to 0 than 0.05 of
    where he is, the barrier keeps him away; for k = 1 the optimum may sit at 0, and who belongs there is sent there
    while the others take the Newton step among themselves (active set as in Bertsekas, "Projected Newton methods",
    SIAM J. Control Optim. 20, 1982). Where a step fails, one of minorise-maximise, which
    cannot. The damping keeps the system definite where two skills cannot be told apart (k = 1); it is Levenberg and
    Marquardt's: less after a whole step, more after a shortened one.
    """
    point, damping = posterior.at(x), _DAMPING
    for _ in range(_MOST_STEPS):
        left = unsettled(posterior, point)
        if left <= _GOAL:
            break
        direction = _direction(posterior, point, damping, min(0.1, math.sqrt(left)))
        if np.all(np.abs(direction) <= _LOST * point.x):
            break  # as near as numbers of this size come
        point, length = _step(posterior, point, direction)
        damping = max(_LEAST_DAMPING, damping / 10.0) if length == 1.0 else min(1.0, damping * 10.0)
    return point


def scaled_gradient(point: Point) -> float:
    """``gradient_norm``: max |x_i ∂f/∂x_i|."""
    return float(np.max(np.abs(point.x * point.gradient), initial=0.0))


def unsettled(posterior: Posterior, point: Point) -> float:
    """The scaled gradient; for k = 1 who should rise counts with at least θ, for he may be next to 0 and far to go."""
    if posterior.k > 1.0:
        return scaled_gradient(point)
    rises = np.maximum(point.x, posterior.theta) * np.maximum(point.gradient, 0.0)
    return max(scaled_gradient(point), float(np.max(rises, initial=0.0)))


def _direction(posterior: Posterior, point: Point, damping: float, tolerance: float) -> Floats:
    free = ~posterior.held(point)
    added = damping * posterior.bound

    def product(d: Floats) -> Floats:
        return free * (posterior.curvature_times(point, d) + added * d)

    diagonal = posterior.curvature_diagonal(point) + added
    return np.where(free, conjugate_gradients(product, free * point.gradient, diagonal, tolerance), -point.x)


def _step(posterior: Posterior, point: Point, direction: Floats) -> tuple[Point, float]:
    """Where a share of the direction leads, and which share: 1, ½, ¼, … or 0 for a step of minorise-maximise."""
    lowest = _NEAREST * point.x if posterior.k > 1.0 else np.zeros_like(point.x)
    length = 1.0
    for _ in range(_MOST_HALVINGS):
        x = np.maximum(point.x + length * direction, lowest)
        there = posterior.at(x)
        promised = float(point.gradient @ (x - point.x))
        if promised >= 0.0 and there.value >= point.value + _ENOUGH * promised - _ROUNDING * abs(point.value):
            return there, length
        length /= 2.0
    return posterior.at(posterior.minorise(point)), 0.0


def conjugate_gradients(
    product: Callable[[Floats], Floats], right: Floats, diagonal: Floats, tolerance: float
) -> Floats:
    """Solve M x = right, M symmetric and definite where right is not 0.

    Args:
        product: d ↦ M d.
        right: the right-hand side.
        diagonal: that of M, the preconditioner.
        tolerance: by how much the residual is to fall, in the preconditioner's norm.
    """
    x = np.zeros_like(right)
    residual = right
    direction = conditioned = residual / diagonal
    size = first = float(residual @ conditioned)
    for _ in range(_MOST_PRODUCTS):
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
