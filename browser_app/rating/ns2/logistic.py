"""The logistic function."""

from math import exp


def logistic(logit: float) -> float:
    """1 / (1 + e^−logit), for any finite logit."""
    if logit >= 0.0:
        return 1.0 / (1.0 + exp(-logit))
    odds = exp(logit)
    return odds / (1.0 + odds)
