"""TrueSkill 2 and TrueSkill rating systems."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from browser_app.rating.circumstances import BIAS_PARAMETERS
from browser_app.rating.fit_steps import FitStepCallback
from browser_app.rating.model_extra import ModelExtra
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.rating_explanation import ExplanationTitles
from browser_app.rating.rating_parameters import Parameter, ParameterSet
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.translatable import N_
from browser_app.rating.trueskill2.modelled_record import ModelledRecord
from browser_app.rating.trueskill2.trueskill2_extras import TRUESKILL2_EXTRAS
from browser_app.rating.trueskill2.trueskill2_parameters import (
    CORE_PARAMETERS,
    EXTRA_PARAMETERS,
    TRUESKILL2_PRESETS,
    check_modes,
)
from browser_app.rating.trueskill2.trueskill2_run import TrueSkillRun
from browser_app.rating.trueskill2.trueskill2_smoothing import SmoothedTrueSkillRun


class TrueSkill2System(RatingSystem):
    """`trueskill2`: every extra is off until it is given a value."""

    name: ClassVar[str] = "trueskill2"
    title: ClassVar[str] = N_("TrueSkill 2")
    decimals: ClassVar[int] = 2
    value_field: ClassVar[str] = "mean"
    has_overall_rating: ClassVar[bool] = True
    has_full_history: ClassVar[bool] = True
    allows_for_uncertainty: ClassVar[bool] = True
    shared_parameters: ClassVar[Collection[str]] = ("bias", "bias_v", "base_v", "base_gamma2", "base_tau2")
    explanation_titles: ClassVar[ExplanationTitles] = ExplanationTitles(
        terms={
            "skills": N_("Skills"),
            "numbers": N_("Player numbers"),
            "squads": N_("Squads"),
            "circumstance": N_("Side and map"),
        },
        parts={
            "result": N_("Result"),
            "counts": N_("Player statistics"),
            "quits": N_("Quits"),
            "experience": N_("Experience"),
        },
        factors={
            "share": N_("your share {value}"),
            "variance": N_("variance {value}"),
            "v": N_("surprise v {value}"),
            "per_c": N_("1/c {value}"),
        },
    )
    declared_parameters: ClassVar[Sequence[Parameter]] = (*CORE_PARAMETERS, *BIAS_PARAMETERS, *EXTRA_PARAMETERS)
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = TRUESKILL2_PRESETS
    extras: ClassVar[Sequence[ModelExtra]] = TRUESKILL2_EXTRAS

    def __init__(self, parameters: ParameterSet) -> None:
        super().__init__(parameters)
        check_modes(parameters)

    @property
    def newcomer_sd(self) -> float:
        """Standard deviation of a newcomer's skill."""
        return math.sqrt(self.parameters.number("v0"))

    def new_run(self, record: RoundRecord) -> TrueSkillRun:
        """Return a run with all players as newcomers."""
        return TrueSkillRun(ModelledRecord(record, self.parameters), over_modes=self.has_overall_rating)

    def solve(self, record: RoundRecord) -> SmoothedTrueSkillRun:
        """Smooth the whole record."""
        return SmoothedTrueSkillRun(ModelledRecord(record, self.parameters), over_modes=self.has_overall_rating)

    def fit(
        self,
        record: RoundRecord,
        progress: ProgressCallback,
        report: FitStepCallback,
        max_forecasts: int,
    ) -> ParameterSet:
        """Return the parameters of least log loss, with extras that have data."""
        from browser_app.rating.trueskill2.learning.trueskill2_fit import estimate_parameters

        return estimate_parameters(self.declared_parameters, self.parameters, record, progress, report, max_forecasts)


class TrueSkillSystem(TrueSkill2System):
    """`trueskill` (Herbrich, Minka, Graepel 2006): a skill per mode, without extras.

    Play time, draws and many teams count. γ² is added after a round, not before it; the default preset is the same as
    that of `trueskill2`.
    """

    name: ClassVar[str] = "trueskill"
    title: ClassVar[str] = N_("TrueSkill")
    has_overall_rating: ClassVar[bool] = False
    declared_parameters: ClassVar[Sequence[Parameter]] = (*CORE_PARAMETERS, *BIAS_PARAMETERS)
