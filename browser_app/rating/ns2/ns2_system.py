"""NS2 rating system."""

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import ClassVar

import numpy as np

from browser_app.rating.model_extra import ModelExtra
from browser_app.rating.ns2.ns2_full_history import NS2FullHistoryRun
from browser_app.rating.ns2.ns2_parameters import (
    NS2_EXTRAS,
    NS2_PARAMETERS,
    NS2_PRESETS,
    ns2_error_variance,
    resolve_ns2_settings,
)
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT
from browser_app.rating.ns2.ns2_run import NS2Run
from browser_app.rating.rating_explanation import ExplanationTitles
from browser_app.rating.rating_parameters import Parameter, ParameterSet, ParameterValue
from browser_app.rating.rating_system import PublicScale, RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import StintWeight
from browser_app.rating.translatable import N_


class NS2System(RatingSystem):
    """`ns2`: one skill for all modes, an offset by side, a commander skill."""

    name: ClassVar[str] = "ns2"
    title: ClassVar[str] = N_("NS2 logistic")
    value_field: ClassVar[str] = "points"
    scale: ClassVar[PublicScale] = "ns2"
    has_overall_rating: ClassVar[bool] = True
    modes_share_rating: ClassVar[bool] = True
    weights_time: ClassVar[bool] = True
    has_full_history: ClassVar[bool] = True
    has_tiers: ClassVar[bool] = True
    explanation_titles: ClassVar[ExplanationTitles] = ExplanationTitles(
        terms={"field": N_("Field players"), "commanders": N_("Commanders"), "circumstance": N_("Map and race")},
        parts={
            "result": N_("Result"),
            "offset": N_("Your offset for this side"),
            "commander": N_("Your commander skill"),
        },
        factors={
            "points": N_("{value} points"),
            "rate": N_("rate {value}"),
            "c": N_("rate {value}"),
            "commander_rate": N_("rate {value}"),
            "surprise": N_("surprise {value}"),
            "share": N_("your share {value}"),
            "whole": N_("your share {value}"),
            "commander_share": N_("your share {value}"),
        },
    )
    declared_parameters: ClassVar[Sequence[Parameter]] = NS2_PARAMETERS
    shared_parameters: ClassVar[Collection[str]] = tuple(parameter.name for parameter in NS2_PARAMETERS)
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = NS2_PRESETS
    extras: ClassVar[Sequence[ModelExtra]] = NS2_EXTRAS

    def __init__(self, parameters: ParameterSet) -> None:
        super().__init__(parameters)
        self._settings = resolve_ns2_settings(parameters)

    @property
    def newcomer_sd(self) -> float:
        """Displayed standard deviation of the prior."""
        return POINTS_PER_UNIT * sqrt(ns2_error_variance(self._settings))

    @property
    def rates_teams_apart(self) -> bool:
        """Whether a player's skill depends on the side."""
        return self._settings.per_team

    @property
    def stint_weight(self) -> StintWeight:
        """Weight of a stint on the field; the first minutes weigh most."""
        return self._settings.field_weight

    def suggest_parameters(self, record: RoundRecord) -> Mapping[str, ParameterValue]:
        """Return the median length of the record's rounds."""
        lengths = record.duration[record.finished]
        return {"median_round": max(1.0, round(float(np.median(lengths)), 1))} if len(lengths) else {}

    def new_run(self, record: RoundRecord) -> NS2Run:
        """Return a run with all players at `start`.

        Those of whom the game reported a skill start at that.
        """
        return NS2Run(record, self._settings)

    def solve(self, record: RoundRecord) -> NS2FullHistoryRun:
        """Return the most probable skills given the whole record."""
        return NS2FullHistoryRun(record, self._settings)
