"""Comparisons of rating systems, computed or artificial."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from skill_view_helpers import FakeSkillModel, example_state, simulated_record

from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.evaluation.forecast_scores import CalibrationBin
from browser_app.rating.evaluation.parameter_fit import FitResult
from browser_app.rating.evaluation.system_comparison import ComparedSystem, SystemComparison, compare_systems
from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

BINS = tuple(
    CalibrationBin(i / 10, (i + 1) / 10, 20 * i, (i + 0.5) / 10 if i else None, i / 10 if i else None)
    for i in range(10)
)


@cache
def compared() -> SystemComparison:
    """Return the comparison of all systems on the simulated record."""
    return compare_systems(backtest(simulated_record(), [create_rating_system(name) for name in RATING_SYSTEMS]))


def row(name: str, behind: float, doubt: float | None = None, **changes: Any) -> ComparedSystem:
    low, high = (None, None) if doubt is None else (behind - doubt, behind + doubt)
    within = low is not None and high is not None and low <= 0.0 <= high
    plain = ComparedSystem(
        name, name in ("constant", "size"), 642, 0.6 + behind, 0.668, 0.208, behind, low, high, within, BINS, None
    )
    return replace(plain, **changes)


def comparison(*rows: ComparedSystem) -> SystemComparison:
    systems = [each for each in rows if not each.is_baseline]
    within = tuple(each.name for each in systems[1:] if each.within_uncertainty)
    rounds = np.arange(150, 643, dtype=np.int32)
    lines = {each.name: np.full(len(rounds), each.log_loss) for each in rows}
    return SystemComparison(
        rows, systems[0].name, systems[1].name if len(systems) > 1 else None, within, 642, False, rounds, lines
    )


class FakeComparisonModel(FakeSkillModel):
    """A skill model that collects comparisons and fits to be answered by the test."""

    def __init__(self) -> None:
        super().__init__(example_state())
        self.parameters = create_rating_system("ns2", c=2.4, a=0.9).parameters
        self.comparing: list[tuple[Callable[[SystemComparison], object], bool]] = []
        self.fitting: list[Callable[[FitResult], object]] = []
        self.used: list[ParameterSet | None] = []

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)

    def compare_systems(self, callback: Callable[[SystemComparison], object], *, own_rounds_only: bool = False) -> None:
        self.comparing.append((callback, own_rounds_only))

    def fit_parameters(self, callback: Callable[[FitResult], object]) -> None:
        self.fitting.append(callback)

    def set_parameters(self, parameters: ParameterSet | None) -> None:
        self.used.append(parameters)
