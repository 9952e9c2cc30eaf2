"""One scored server, and its score under other inputs."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Self

import numpy as np

from browser_app.games.game_profile import RankingConstants
from browser_app.ranking.ranking_inputs import FloatArray, RankingConstantsTable, RankingInputs
from browser_app.ranking.score_factors import (
    SCORE_FACTORS,
    effective_performance,
    skill_z,
    unjoinable_mask,
    viability,
)
from browser_app.ranking.server_score import ServerScores, compute_scores

SMALL_SCORE_CHANGE = 0.01
"""A change of the score by less than this share of it is called little."""


class OneMorePlayerEffect(enum.Enum):
    """Effect of one more player on the score, everything else equal."""

    RAISES_SCORE = enum.auto()
    CHANGES_LITTLE = enum.auto()
    LOWERS_SCORE = enum.auto()
    TAKES_LAST_SLOT = enum.auto()


@dataclass(frozen=True, slots=True)
class ScoredServer:
    """One server, its constants and its score. Unknown numbers are NaN."""

    inputs: RankingInputs
    """Exactly one row."""
    constants: RankingConstants
    total: float
    factors: Mapping[str, float]

    @classmethod
    def compute(cls, inputs: RankingInputs, constants: RankingConstants) -> Self:
        """Score the one server in `inputs`; ValueError if there is not exactly one."""
        if len(inputs) != 1:
            raise ValueError(f"one server is explained at a time, not {len(inputs)}")
        inputs = replace(inputs, constants_row=np.zeros(1, dtype=np.intp))
        scores = compute_scores(inputs, RankingConstantsTable([constants]))
        factors = {name: float(values[0]) for name, values in scores.factors.items()}
        return cls(inputs, constants, float(scores.total[0]), factors)

    def input_value(self, name: str) -> float:
        """Return a numeric input by its name in `RankingInputs`."""
        return float(getattr(self.inputs, name)[0])

    def input_flag(self, name: str) -> bool:
        """Return a flag by its name in `RankingInputs`."""
        return bool(getattr(self.inputs, name)[0])

    @property
    def is_unjoinable(self) -> bool:
        """Whether no usable slot is free for the user, or the server is closed."""
        return bool(unjoinable_mask(self.inputs.players, self.inputs.usable_slots, self.inputs.can_join)[0])

    @property
    def is_closed(self) -> bool:
        """Whether the server accepts nobody although no number says that it is full."""
        return not self.input_flag("can_join") and not self.input_value("players") >= self.input_value("usable_slots")

    @property
    def skill_z(self) -> float:
        """z-score of the user's skill, NaN if unknown."""
        return float(skill_z(self.inputs, self.constant_columns)[0])

    @property
    def performance(self) -> float:
        """The effective performance score, NaN if unknown."""
        return float(effective_performance(self.inputs, self.constant_columns)[0])

    @property
    def viability(self) -> float:
        """Viability with the present players, NaN if their number is unknown."""
        return float(viability(self.inputs.players, self.constant_columns)[0])

    def ping_factor(self, ping_ms: float) -> float:
        """Return the ping factor at another ping."""
        return float(self.factor_over("ping", "ping_ms", np.array([ping_ms]))[0])

    @property
    def one_more_player(self) -> OneMorePlayerEffect | None:
        """Effect of one more player; None if the score is unknown or nobody can join."""
        players = self.input_value("players")
        if isnan(self.total) or self.is_unjoinable:
            return None
        if players + 1 >= self.input_value("usable_slots"):
            return OneMorePlayerEffect.TAKES_LAST_SLOT
        more = float(self.totals([{"players": players + 1}])[0])
        if abs(more - self.total) <= SMALL_SCORE_CHANGE * self.total:
            return OneMorePlayerEffect.CHANGES_LITTLE
        return OneMorePlayerEffect.RAISES_SCORE if more > self.total else OneMorePlayerEffect.LOWERS_SCORE

    def totals(self, variants: Sequence[Mapping[str, float]]) -> FloatArray:
        """Return the score with the inputs of each variant replaced."""
        return self._scores(variants).total

    def factor_over(self, factor: str, column: str, values: FloatArray) -> FloatArray:
        """Return a factor for these values of one of its inputs, everything else equal."""
        changed: dict[str, Any] = {column: values}
        repeated = replace(self.inputs.select_rows(np.zeros(len(values), dtype=np.intp)), **changed)
        constants = RankingConstantsTable([self.constants]).columns_for(repeated.constants_row)
        return SCORE_FACTORS[factor].compute(repeated, constants)

    def _scores(self, variants: Sequence[Mapping[str, float]]) -> ServerScores:
        repeated = self.inputs.select_rows(np.zeros(len(variants), dtype=np.intp))
        names = {name for variant in variants for name in variant}
        columns: dict[str, Any] = {
            name: np.array([variant.get(name, self.input_value(name)) for variant in variants], dtype=np.float64)
            for name in names
        }
        return compute_scores(replace(repeated, **columns), RankingConstantsTable([self.constants]))

    @property
    def constant_columns(self) -> dict[str, FloatArray]:
        """Each constant by name, one element."""
        return RankingConstantsTable([self.constants]).columns_for(self.inputs.constants_row)
