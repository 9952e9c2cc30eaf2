"""Parameters, presets, settings and extras of the NS2 rating."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from browser_app.rating.circumstances import BIAS_EXTRA, BIAS_VARIANCE_PARAMETER, learned_bias_variance
from browser_app.rating.model_extra import ModelExtra, set_to
from browser_app.rating.rating_parameters import Parameter, ParameterSet
from browser_app.rating.record.team_presence import DecayingWeight, StintWeight
from browser_app.rating.translatable import N_

_rate = partial(Parameter, low=0.0, high=1e6, fit="log")
_switch = partial(Parameter, default="yes", choices=("yes", "no"), fit="choice")

NS2_PARAMETERS = (
    _rate("c", N_("Constant rate c"), N_("constant part of the learning rate"), 1.0),
    _rate("a", N_("Adaptive rate a"), N_("AdaGrad part of the learning rate, over √(sum of ∇² + epsilon)"), 0.5),
    Parameter("epsilon", N_("Epsilon"), N_("limits how far the first rounds move a skill"), 1e-3, low=0.0, fit="log"),
    Parameter(
        "median_round",
        N_("Median round, s"),
        N_("in seconds; half as long a round has weight ½, one of this length ¾"),
        1200.0,
        low=1.0,
    ),
    Parameter(
        "start",
        N_("Initial rating"),
        N_("a newcomer’s skill: with uneven teams, a teammate’s value"),
        20.0,
        -1e6,
        1e6,
        fit="linear",
    ),
    _switch("anchors", N_("In-game skill"), N_("whether the in-game skill is a player’s initial rating")),
    _switch("per_team", N_("Skill per team"), N_("whether skill differs by side")),
    _switch("chair", N_("Commander skill"), N_("whether commanding is a skill of its own, or field time")),
    Parameter(
        "bias",
        N_("Map and race"),
        N_("circumstances: ignored, their win rate, or what results say beyond the players"),
        "none",
        choices=("none", "record", "learnt"),
        fit="choice",
    ),
    Parameter(
        "bias_strength",
        N_("Map and race, weight in rounds"),
        N_("rounds’ worth of the coarser circumstance in a win rate"),
        20.0,
        low=1e-6,
        high=1e9,
    ),
    BIAS_VARIANCE_PARAMETER,
    Parameter(
        "chair_round",
        N_("Median commander round, s"),
        N_("s: median_round for commander time; the same by default"),
        None,
        low=1.0,
    ),
    Parameter("shortest", N_("Shortest round, s"), N_("s: shorter rounds are not rated"), 0.0, low=0.0),
    Parameter(
        "k",
        N_("Prior, shape k"),
        N_("full history: shape of the Gamma prior of a skill; the mean is k · theta"),
        4.0,
        low=1.0,
        high=1e6,
        fit="log",
        full_history=True,
    ),
    Parameter(
        "theta",
        N_("Prior, scale θ"),
        N_("full history: scale of the Gamma prior of a skill"),
        5.0,
        exclusive_low=0.0,
        high=1e6,
        fit="log",
        full_history=True,
    ),
    _switch(
        "offsets",
        N_("Solve offsets"),
        N_("full history: whether offsets are solved, or 0"),
        default="no",
        full_history=True,
    ),
    Parameter(
        "offset_sd",
        N_("Prior, offset"),
        N_("full history: standard deviation of the normal prior of an offset"),
        4.0,
        low=1e-6,
        high=1e6,
        fit="log",
        full_history=True,
    ),
)
"""All parameters. A skill s moves by rate · gradient, in units of s (50 displayed points).

The default k and theta put players at 1,000 ± 500 points; start is their mean, so that the larger of two teams of
newcomers is the favourite. Only differences between teams of equal size are ever learned.
"""

NS2_PRESETS: Mapping[str, Mapping[str, object]] = {
    "blog": {},
    "basic": {"c": 1.0, "a": 0.0, "per_team": "no", "chair": "no", "bias": "none"},
    "in-game": {"a": 0.5, "median_round": 1200.0, "chair_round": 80.0, "shortest": 60.0},
}
"""Presets by name.

`basic` is the model that the article starts with. `in-game` is what is public of builds 335–344 (ScoringMixin.lua,
PlayerRanking.lua): a = 2^(1/600) for field time, 2^(1/40) for commanders, no round under 60 s, and 25 displayed points
over √sum, from the tier code. The game's c, epsilon and win rates were never published.
"""

_LINEAR_S = 1e6
"""With this median round, the first minutes weigh no more than the last."""

NS2_EXTRAS = (
    ModelExtra("adagrad", N_("Adaptive rate a"), set_to(a=0.0)),
    ModelExtra("per_team", N_("Skill per team"), set_to(per_team="no")),
    ModelExtra("chair", N_("Commander skill"), set_to(chair="no")),
    ModelExtra("anchors", N_("In-game skill"), set_to(anchors="no")),
    BIAS_EXTRA,
    ModelExtra("time_weights", N_("Time weights"), set_to(median_round=_LINEAR_S, chair_round=_LINEAR_S)),
)
"""Parts of the rating that can be switched off."""


@dataclass(frozen=True, slots=True)
class NS2Settings:
    """The validated parameters, ready for use.

    Attributes:
        field_weight: weight of a stay.
        commander_weight: weight of a commander stint, None if commander time counts as field time.
        bias_strength: of `bias=record`, else None.
        bias_variance: of `bias=learnt`, else None.
        anchors: whether the in-game skill is a player's initial rating.
        solves_offsets: whether the full history estimates offsets.
    """

    c: float
    a: float
    epsilon: float
    start: float
    anchors: bool
    field_weight: StintWeight
    commander_weight: StintWeight | None
    per_team: bool
    bias_strength: float | None
    bias_variance: float | None
    min_duration_s: float
    k: float
    theta: float
    solves_offsets: bool
    offset_sd: float

    @property
    def uses_circumstances(self) -> bool:
        """Whether the log-odds have a term for circumstances."""
        return self.bias_strength is not None or self.bias_variance is not None


def resolve_ns2_settings(parameters: ParameterSet) -> NS2Settings:
    """Return the parameters as they apply to all modes: a player has one skill.

    `epsilon` 0 becomes the smallest number: √0 would divide only for players without any gradient, whose skill it
    moves by 0.
    """
    number, values = parameters.number, parameters.default
    median_round = number("median_round")
    chair_round = median_round if values["chair_round"] is None else number("chair_round")
    return NS2Settings(
        c=number("c"),
        a=number("a"),
        epsilon=max(number("epsilon"), sys.float_info.min),
        start=number("start"),
        anchors=values["anchors"] == "yes",
        field_weight=DecayingWeight(median_round),
        commander_weight=DecayingWeight(chair_round) if values["chair"] == "yes" else None,
        per_team=values["per_team"] == "yes",
        bias_strength=number("bias_strength") if values["bias"] == "record" else None,
        bias_variance=learned_bias_variance(parameters),
        min_duration_s=number("shortest"),
        k=number("k"),
        theta=number("theta"),
        solves_offsets=values["offsets"] == "yes" and values["per_team"] == "yes",
        offset_sd=number("offset_sd"),
    )


def ns2_error_variance(settings: NS2Settings, squares: float = 0.0) -> float:
    """Return the error variance of a first skill.

    `squares` is the sum of squared gradients that the game reported with it. The result is 1 / (1 / σ₀² + Σ∇²), where
    σ₀ = θ √k is that of the Gamma prior of the full history. As E[(G − p)²] = p (1 − p), the sum estimates Fisher's
    information on the skill; the game's uncertainty of 25 / √Σ∇² points follows the same idea.
    """
    return 1.0 / (1.0 / (settings.k * settings.theta**2) + squares)
