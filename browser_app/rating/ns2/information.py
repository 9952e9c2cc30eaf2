"""How sure the run forward can be, though it keeps no sd: what its squared gradients tell."""

import math

from browser_app.rating.ns2.declared import Settings


def estimated_sd(settings: Settings, squares: float) -> float:
    """An estimate of the standard deviation of a skill of which so many squared gradients were summed; units of s.

    1 / √(1 / σ₀² + Σ∇²), σ₀ = θ √k that of the Gamma prior of the full history. As E[(G − p)²] = p (1 − p), the sum
    estimates Fisher's information on the skill (its outer-product form: Berndt, Hall, Hall and Hausman, "Estimation and
    inference in nonlinear structural models", Ann. Econ. Soc. Meas. 3, 1974). The game doubts by 25 / √Σ∇² points in
    the same spirit. Everybody else is taken for known, so it is too small: the deviations of the solved skills are
    usually 1 to 1.7 times as large, the more the longer somebody has played.
    """
    return 1.0 / math.sqrt(1.0 / (settings.k * settings.theta**2) + squares)
