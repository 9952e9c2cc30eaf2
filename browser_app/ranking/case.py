"""One server's score as plain numbers, and what it would be if something were different."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from browser_app.games.profile import RankingConstants
from browser_app.ranking.factors import effective_performance, is_full, skill_z, uses_reported_deviation, viability
from browser_app.ranking.inputs import ConstantsTable, FloatArray, RankingInputs
from browser_app.ranking.score import score


@dataclass(frozen=True, slots=True)
class Case:
    """One server with the constants that hold for it, scored. Unknown numbers are NaN."""

    inputs: RankingInputs
    """Exactly one row."""
    constants: RankingConstants
    total: float
    factors: Mapping[str, float]

    @classmethod
    def of(cls, inputs: RankingInputs, constants: RankingConstants) -> Self:
        """Score the one server in `inputs`; ValueError if there is not exactly one."""
        if len(inputs) != 1:
            raise ValueError(f"one server is explained at a time, not {len(inputs)}")
        inputs = replace(inputs, rules=np.zeros(1, dtype=np.intp))
        scores = score(inputs, ConstantsTable([constants]))
        factors = {name: float(values[0]) for name, values in scores.factors.items()}
        return cls(inputs, constants, float(scores.total[0]), factors)

    def number(self, name: str) -> float:
        """An input by its name."""
        return float(getattr(self.inputs, name)[0])

    def flag(self, name: str) -> bool:
        """A flag by its name."""
        return bool(getattr(self.inputs, name)[0])

    @property
    def full(self) -> bool:
        """No usable slot is free for the user."""
        return bool(is_full(self.inputs)[0])

    @property
    def z(self) -> float:
        """z-score of the user's skill, NaN if unknown."""
        return float(skill_z(self.inputs, self._rows)[0])

    @property
    def spread(self) -> tuple[float, bool]:
        """The standard deviation of skill that counts, in points, and whether it is the players' own."""
        own = bool(uses_reported_deviation(self.inputs)[0])
        return (self.number("skill_deviation_reported") if own else self.constants.skill_deviation), own

    @property
    def performance(self) -> float:
        """The performance score that counts, NaN if unknown."""
        return float(effective_performance(self.inputs, self._rows)[0])

    def viability(self, more_players: int = 0) -> float:
        """V with so many players more."""
        return float(viability(self.inputs.players + more_players, self._rows)[0])

    def ping_factor(self, ping_ms: float) -> float:
        """The ping factor at another ping."""
        return float(self._scores([{"ping_ms": ping_ms}], "ping")[0])

    def totals(self, variants: Sequence[Mapping[str, float]]) -> FloatArray:
        """The score with each variant's inputs in place of the true ones."""
        return self._scores(variants)

    def _scores(self, variants: Sequence[Mapping[str, float]], factor: str | None = None) -> FloatArray:
        repeated = self.inputs.take(np.zeros(len(variants), dtype=np.intp))
        names = {name for variant in variants for name in variant}
        columns: dict[str, Any] = {
            name: np.array([variant.get(name, self.number(name)) for variant in variants], dtype=np.float64)
            for name in names
        }
        scores = score(replace(repeated, **columns), ConstantsTable([self.constants]))
        return scores.factors[factor] if factor else scores.total

    @property
    def _rows(self) -> dict[str, FloatArray]:
        return ConstantsTable([self.constants]).rows(self.inputs.rules)
