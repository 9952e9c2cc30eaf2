"""Steps of a parameter fit, and what they gained."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from browser_app.rating.rating_parameters import ParameterSet, ParameterValue

MIN_HELD_OUT_ROUNDS = 20
"""With fewer held-out rounds no step is kept: what fits a dozen rounds can be far off in the next."""


@dataclass(frozen=True, slots=True)
class FitStep:
    """One part of a model that a fit tried, scored on held-out later rounds.

    Attributes:
        name: of the step, as in files.
        title: for display, marked for translation.
        tried: the parameters that the step changed, as fitted to all rounds but the last held-out ones.
        rounds: number of held-out rounds.
        loss_before, loss_after: their mean log loss without and with it.
        error: standard error of the difference.
        kept: whether the result has it.
        parameters: the best parameters so far, fitted to all rounds.
    """

    name: str
    title: str
    tried: Mapping[str, ParameterValue]
    rounds: int
    loss_before: float
    loss_after: float
    error: float
    kept: bool
    parameters: ParameterSet

    def to_json(self) -> dict[str, object]:
        """Return the fields that `fit` prints."""
        return {
            "name": self.name,
            "tried": {name: list(value) if isinstance(value, tuple) else value for name, value in self.tried.items()},
            "rounds": self.rounds,
            "log_loss_before": self.loss_before if math.isfinite(self.loss_before) else None,
            "log_loss_after": self.loss_after if math.isfinite(self.loss_after) else None,
            "standard_error": self.error if math.isfinite(self.error) else None,
            "kept": self.kept,
        }


FitStepCallback: TypeAlias = Callable[[FitStep], None]
"""Called after each step of a fit."""


def ignore_step(step: FitStep) -> None:
    """Ignore a step."""
