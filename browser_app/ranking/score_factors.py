"""Factors of the score as functions over whole columns.

Formulas and constants: "Ranking Servers for Natural Selection 2", in forms that cannot overflow. A factor that does not
apply, or whose input is unknown, is 1. Ping and players are required: without either, that factor and the score are
NaN. A factor may underflow to 0.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from browser_app.language import N_
from browser_app.ranking.ranking_inputs import BoolArray, FloatArray, RankingInputs

ConstantColumns = Mapping[str, FloatArray]
"""Name in `RankingConstants` → its value for each server."""


def logistic(x: FloatArray) -> FloatArray:
    """Return 1 / (1 + exp(−x)) without overflow."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1.0, small) / (1.0 + small))


def viability(players: FloatArray, constants: ConstantColumns) -> FloatArray:
    """Return how close numbers of players come to a full game, 0…1."""
    return logistic(constants["viability_steepness"] * (players - constants["viability_midpoint"]))


def unjoinable_mask(players: FloatArray, usable_slots: FloatArray, can_join: BoolArray) -> BoolArray:
    """Return which servers nobody can join.

    No usable slot is free, or they are closed. Unknown (NaN) numbers keep nobody from joining.
    """
    return np.asarray((players >= usable_slots) | ~can_join)


def skill_z(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    """Return |z| of the user's skill against the server's mean, NaN where unknown."""
    others = np.where(inputs.players >= 2, inputs.players - 1.0, 0.0)
    return np.asarray(
        np.abs(inputs.server_skill - inputs.player_skill) * np.sqrt(others) / constants["skill_deviation"]
    )


def effective_performance(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    """Return the performance, for some games × quality / 100; NaN if not reported."""
    quality = np.where(np.isnan(inputs.quality), 100.0, inputs.quality)
    return inputs.performance * np.where(constants["performance_times_quality"] > 0, quality / 100.0, 1.0)


def _players_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    steepness = constants["viability_steepness"]
    distance = steepness * (inputs.players - constants["viability_midpoint"])
    small = np.exp(-np.abs(distance))
    slope = steepness * small / (1.0 + small) ** 2
    free = np.fmax(0.0, np.minimum(inputs.usable_slots, constants["slot_cap"]) - inputs.players - 1.0)
    return np.asarray(constants["viability_weight"] * logistic(distance) + constants["seeding_weight"] * slope * free)


def _ping_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    return logistic((constants["ping_centre_ms"] - inputs.ping_ms) / constants["ping_width_ms"])


def _performance_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    score = effective_performance(inputs, constants)
    missing = np.where(inputs.reports_performance, 0.5, 1.0)
    return np.where(np.isnan(score), missing, logistic(constants["performance_steepness"] * score))


def _skill_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    z = skill_z(inputs, constants)
    return np.where(np.isnan(z), 1.0, np.exp(-constants["skill_weight"] * z))


def _flag_factor(name: str) -> Callable[[RankingInputs, ConstantColumns], FloatArray]:
    """Return the factor that is the constant of that name where the flag is set."""
    return lambda inputs, constants: np.where(getattr(inputs, name), constants[name], 1.0)


def _joinable_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    spared = inputs.favourite & (constants["full_spares_favourites"] > 0)
    unjoinable = unjoinable_mask(inputs.players, inputs.usable_slots, inputs.can_join)
    return np.where(unjoinable & ~spared, constants["full"], 1.0)


def _password_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    spared = inputs.favourite & (constants["password_spares_favourites"] > 0)
    spared |= inputs.friends & (constants["password_spares_friends"] > 0)
    return np.where(inputs.password & ~spared, constants["password"], 1.0)


def _empty_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    return np.where(inputs.players <= 0, constants["empty"], 1.0)


def _ranked_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    return np.where(inputs.ranked & ~inputs.other_mode, constants["ranked"], 1.0)


def _forecast_factor(inputs: RankingInputs, constants: ConstantColumns) -> FloatArray:
    """Return the forecast's factor, which raises the players' factor to 1 at most."""
    with np.errstate(divide="ignore"):
        limit = np.fmax(1.0, 1.0 / _players_factor(inputs, constants))
    return np.where(np.isnan(inputs.forecast), 1.0, np.minimum(inputs.forecast, limit))


@dataclass(frozen=True, slots=True)
class CurveInput:
    """The input over which a factor is plotted."""

    column: str
    """Its name in `RankingInputs`."""
    label: str
    shown_range: Callable[[RankingInputs, ConstantColumns], tuple[float, float]]
    """Returns the first and last value to plot for one server; a value outside extends the range."""
    is_whole: bool = False
    """Whether it takes whole numbers only."""
    other_columns: tuple[str, ...] = ()
    """Other inputs that must be known."""


def _players_range(inputs: RankingInputs, constants: ConstantColumns) -> tuple[float, float]:
    slots = float(inputs.usable_slots[0])
    return 0.0, min(_MAX_PLOTTED_PLAYERS, slots if slots >= 1 else 2.0 * float(constants["viability_midpoint"][0]))


def _ping_range(_inputs: RankingInputs, constants: ConstantColumns) -> tuple[float, float]:
    return 0.0, float(constants["ping_centre_ms"][0] + 3.0 * constants["ping_width_ms"][0])


def _performance_range(_inputs: RankingInputs, _constants: ConstantColumns) -> tuple[float, float]:
    return -30.0, 30.0


def _skill_range(inputs: RankingInputs, _constants: ConstantColumns) -> tuple[float, float]:
    mine = float(inputs.player_skill[0])
    return max(0.0, mine - _PLOTTED_SKILL_DISTANCE), mine + _PLOTTED_SKILL_DISTANCE


_MAX_PLOTTED_PLAYERS, _PLOTTED_SKILL_DISTANCE = 128.0, 1000.0
_PLAYERS_INPUT = CurveInput("players", N_("players"), _players_range, is_whole=True)


@dataclass(frozen=True, slots=True)
class ScoreFactor:
    """Declaration of a factor. Texts are English, translated when shown."""

    compute: Callable[[RankingInputs, ConstantColumns], FloatArray]
    title: str
    sentence: str = N_("Factor {value}.")
    """Shown where the factor is not 1, unless `score_text` has a more detailed one."""
    constants: Mapping[str, str] = field(default_factory=dict)
    """Its names in `RankingConstants` → their labels."""
    can_boost: bool = False
    """May be above 1; the score's bar outlines that part."""
    curve_input: CurveInput | None = None
    """None for a factor whose input is a flag."""


SCORE_FACTORS: Mapping[str, ScoreFactor] = {
    "players": ScoreFactor(
        _players_factor,
        N_("Players"),
        constants={
            "viability_midpoint": N_("Players needed for 50 % activity"),
            "viability_steepness": N_("Activity curve steepness"),
            "viability_weight": N_("Activity weight"),
            "seeding_weight": N_("Seeding weight"),
            "slot_cap": N_("Maximum slots counted"),
        },
        curve_input=_PLAYERS_INPUT,
    ),
    "ping": ScoreFactor(
        _ping_factor,
        N_("Ping"),
        constants={
            "ping_centre_ms": N_("Ping for a factor of 0.5, in ms"),
            "ping_width_ms": N_("Ping curve width, in ms"),
        },
        curve_input=CurveInput("ping_ms", N_("ping in ms"), _ping_range),
    ),
    "performance": ScoreFactor(
        _performance_factor,
        N_("Performance"),
        constants={
            "performance_steepness": N_("Performance curve steepness"),
            "performance_times_quality": N_("Performance multiplied by quality"),
        },
        curve_input=CurveInput("performance", N_("performance"), _performance_range, is_whole=True),
    ),
    "skill": ScoreFactor(
        _skill_factor,
        N_("Skill"),
        constants={
            "skill_weight": N_("Skill weight"),
            "skill_deviation": N_("Assumed skill spread, in points"),
        },
        curve_input=CurveInput(
            "server_skill", N_("skill of the server"), _skill_range, other_columns=("player_skill", "players")
        ),
    ),
    "joinable": ScoreFactor(
        _joinable_factor,
        N_("Joinable"),
        constants={
            "full": N_("Factor for full servers"),
            "full_spares_favourites": N_("Full favourites exempt"),
        },
        curve_input=_PLAYERS_INPUT,
    ),
    "favorite": ScoreFactor(
        _flag_factor("favourite"),
        N_("Favourite"),
        constants={"favourite": N_("Factor for favourites")},
        can_boost=True,
    ),
    "password": ScoreFactor(
        _password_factor,
        N_("Password"),
        N_("Password required: factor {value}."),
        {
            "password": N_("Factor for servers with a password"),
            "password_spares_favourites": N_("Favourites with a password exempt"),
            "password_spares_friends": N_("Servers with friends and a password exempt"),
        },
    ),
    "empty": ScoreFactor(
        _empty_factor, N_("Empty"), N_("No players: factor {value}."), {"empty": N_("Factor for empty servers")}
    ),
    "ranked": ScoreFactor(
        _ranked_factor,
        N_("Ranked games"),
        N_("Games here are ranked: score ×{value}."),
        {"ranked": N_("Factor for ranked games")},
        can_boost=True,
    ),
    "friends": ScoreFactor(
        _flag_factor("friends"),
        N_("Friends"),
        N_("Friends online: score ×{value}."),
        {"friends": N_("Factor for servers with friends")},
        can_boost=True,
    ),
    "recently_left": ScoreFactor(
        _flag_factor("recently_left"),
        N_("Recently left"),
        N_("You left it less than 10 minutes ago: factor {value}."),
        {"recently_left": N_("Factor for servers just left")},
    ),
    "other_mode": ScoreFactor(
        _flag_factor("other_mode"),
        N_("Other mode"),
        N_("Not the game’s main mode: factor {value}."),
        {"other_mode": N_("Factor for other modes")},
    ),
    "blocked": ScoreFactor(
        _flag_factor("blocked"),
        N_("Blocked"),
        N_("Blocked by you: factor {value}."),
        {"blocked": N_("Factor for blocked servers")},
    ),
    "forecast": ScoreFactor(
        _forecast_factor,
        N_("Forecast"),
        N_("Forecast for 30 minutes from now: score ×{value}."),
        can_boost=True,
    ),
}
"""Name as the command line prints it → factor. The score is the product of all factors."""

GOOD_PING_FACTOR = 0.7
"""Ping factor from which a ping is called good; from `FAIR_PING_FACTOR` fair, below poor."""
FAIR_PING_FACTOR = 0.4
GOOD_GAME_VIABILITY = 0.5
"""Viability from which a game is called good; from `FEW_PLAYERS_VIABILITY` almost good, below there are too few."""
FEW_PLAYERS_VIABILITY = 0.25

PUBLISHED_FACTORS = ("players", "ping", "performance", "skill", "joinable", "favorite")
"""Factors of the published formula, which are always shown; the others are 1 unless a profile enables them."""
