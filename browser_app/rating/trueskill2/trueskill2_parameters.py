"""Parameters and presets of TrueSkill 2."""

from collections.abc import Mapping
from functools import partial

from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import Parameter, ParameterSet, ParameterValue
from browser_app.rating.translatable import N_
from browser_app.rating.trueskill2.trueskill2_model import (
    COUNT_COLUMNS,
    BaseSkillModel,
    CountModel,
    ModeModel,
    QuitModel,
)

_MAX_SQUAD_SIZES = 64
_MAX_EXPERIENCES = 201  # after 0, 1, … 200 rounds, eq. (8)
_MAX_VALUE = 1e9  # beyond, and beyond a variance of 1e12, products overflow or lose what they are added to
_MAX_VARIANCE = 1e12

_value = partial(Parameter, low=-_MAX_VALUE, high=_MAX_VALUE, fit="linear")
_variance = partial(Parameter, low=0.0, high=_MAX_VARIANCE, fit="log")
_positive_variance = partial(_variance, low=1e-12)
_scale = partial(Parameter, low=0.0, high=_MAX_VALUE, fit="log")
_chance = partial(Parameter, low=0.0, high=1.0)
_offsets = partial(Parameter, default=None, low=-_MAX_VALUE, high=_MAX_VALUE)

CORE_PARAMETERS = (
    _value("m0", N_("Initial mean"), N_("mean of a newcomer’s skill: with uneven teams, the value of a teammate"), 1.0),
    _variance("v0", N_("Initial variance"), N_("variance of a newcomer’s skill"), 0.4),
    _variance("gamma2", N_("Drift per round"), N_("variance that a round adds to a skill"), 1e-3),
    _variance("tau2", N_("Drift per idle minute"), N_("variance that an idle minute adds to a skill"), 1e-8),
    Parameter(
        "beta",
        N_("Performance spread β"),
        N_("standard deviation of a performance about the skill: the scale"),
        1.0,
        1e-6,
        _MAX_VALUE,
    ),
    _scale("draw_margin", N_("Draw margin"), N_("team performances no further apart are a draw"), 1e-3),
)
"""Parameters of TrueSkill itself. β is the scale of everything else, so `fit` does not change it."""


def _count_parameters(
    kind: str, own_title: str, opponents_title: str, variance_title: str, base_title: str
) -> tuple[Parameter, ...]:
    return (
        _value(f"{kind}_wp", own_title, N_("number a minute, per unit of own performance"), None),
        _value(f"{kind}_wo", opponents_title, N_("number a minute, per unit of the opponents’ performance"), None),
        _positive_variance(f"{kind}_v", variance_title, N_("variance of the number a minute"), None),
        _value(f"{kind}_b", base_title, N_("number a minute whatever the performances"), None),
    )


EXTRA_PARAMETERS = (
    _offsets(
        "squad_offset",
        N_("Squad bonus 1, 2, …"),
        N_("what a squad of 1, 2, … adds to each performance"),
        max_numbers=_MAX_SQUAD_SIZES,
    ),
    _offsets(
        "experience_offset",
        N_("Gain after 0, 1, … rounds"),
        N_("skill gained after 0, 1, … rounds"),
        max_numbers=_MAX_EXPERIENCES,
    ),
    *_count_parameters(
        "kill", N_("Kills, own weight"), N_("Kills, opponents’ weight"), N_("Kills, variance"), N_("Kills, base")
    ),
    *_count_parameters(
        "death", N_("Deaths, own weight"), N_("Deaths, opponents’ weight"), N_("Deaths, variance"), N_("Deaths, base")
    ),
    *_count_parameters(
        "score", N_("Points, own weight"), N_("Points, opponents’ weight"), N_("Points, variance"), N_("Points, base")
    ),
    *_count_parameters(
        "assist",
        N_("Assists, own weight"),
        N_("Assists, opponents’ weight"),
        N_("Assists, variance"),
        N_("Assists, base"),
    ),
    *_count_parameters(
        "objective",
        N_("Objectives, own weight"),
        N_("Objectives, opponents’ weight"),
        N_("Objectives, variance"),
        N_("Objectives, base"),
    ),
    _value(
        "quit_m",
        N_("Quits, margin"),
        N_("how far a performance that makes a player quit is below the opponents’"),
        None,
        high=0.0,
    ),
    _positive_variance("quit_v", N_("Quits, variance"), N_("variance of that margin"), None),
    _chance(
        "quit_pu", N_("Quits, other reasons"), N_("chance of a quit that has nothing to do with performance"), None
    ),
    _chance("quit_pr", N_("Quits, underperforming"), N_("chance that a player who underperforms quits"), None),
    Parameter(
        "quit_form",
        N_("Quits, evidence"),
        N_("with quit_v: paper: only quits count; whole: finished rounds count, too; off: quits are ignored"),
        "paper",
        choices=("paper", "whole", "off"),
    ),
    _variance(
        "base_v", N_("All modes: variance"), N_("variance of a newcomer’s base skill, shared by all modes"), None
    ),
    _variance(
        "base_gamma2", N_("All modes: drift per round"), N_("variance that a round adds to the base skill"), None
    ),
    _variance(
        "base_tau2", N_("All modes: drift per minute"), N_("variance that an idle minute adds to the base skill"), None
    ),
    _scale("base_w", N_("All modes: share"), N_("share of the base skill in the skill in a mode"), None),
    _value(
        "mode_m", N_("Per mode: mean"), N_("with base_v: mean of a newcomer’s offset in a mode, in place of m0"), None
    ),
    _variance(
        "mode_v",
        N_("Per mode: variance"),
        N_("with base_v: variance of a newcomer’s offset in a mode, in place of v0"),
        None,
        fit="no",
    ),
)

_SHOOTER: Mapping[str, object] = {parameter.name: parameter.default for parameter in CORE_PARAMETERS}
TRUESKILL2_PRESETS: Mapping[str, Mapping[str, object]] = {
    "shooter": _SHOOTER,
    "halo5": {**_SHOOTER, "m0": 3.0, "v0": 1.6},
    "classic": {
        "m0": 25.0,
        "v0": (25.0 / 3.0) ** 2,
        "gamma2": (25.0 / 300.0) ** 2,
        "tau2": 0.0,
        "beta": 25.0 / 6.0,
        "draw_margin": 0.7404667,
    },
}
"""Presets by name.

`halo5` are the values the paper prints as typical, read as variances (as standard deviations its "10⁵ minutes of
non-play are equivalent to one match" would not hold); `classic` is TrueSkill's 25-point scale, one draw in ten.
"""


def check_modes(parameters: ParameterSet) -> None:
    """Check that every mode has a valid model.

    Raises:
        ParameterError: an extra lacks its variance.
    """
    for values in (parameters.default, *map(parameters.in_mode, parameters.modes)):
        resolve_mode_model(values)


def resolve_mode_model(values: Mapping[str, ParameterValue]) -> ModeModel:
    """Return the model of one mode from the values of all its parameters.

    Missing ones are off. Missing parameters of an extra that is on get the most neutral values: weights, intercepts and
    offsets are 0, the base skill does not drift and counts fully, players who underperform always quit and all others
    never.

    Raises:
        ParameterError: an extra lacks its variance.
    """
    base = _base_model(values)
    return ModeModel(
        m0=_number(values, "m0" if base is None or values.get("mode_m") is None else "mode_m"),
        v0=_number(values, "v0" if base is None or values.get("mode_v") is None else "mode_v"),
        gamma2=_number(values, "gamma2"),
        tau2=_number(values, "tau2"),
        beta2=_number(values, "beta") ** 2,
        draw_margin=_number(values, "draw_margin"),
        squad_offset=_numbers(values, "squad_offset"),
        experience_offset=_numbers(values, "experience_offset"),
        quits=_quit_model(values),
        base=base,
        **{column: _count_model(values, kind) for kind, column in COUNT_COLUMNS.items()},
    )


def _base_model(values: Mapping[str, ParameterValue]) -> BaseSkillModel | None:
    if values.get("base_v") is None:
        return None
    return BaseSkillModel(
        v=_number(values, "base_v"),
        gamma2=_number(values, "base_gamma2", 0.0),
        tau2=_number(values, "base_tau2", 0.0),
        w=_number(values, "base_w", 1.0),
    )


def _count_model(values: Mapping[str, ParameterValue], kind: str) -> CountModel | None:
    if not _is_on(values, kind, ("wp", "wo", "v", "b")):
        return None
    wp, wo, b = (_number(values, f"{kind}_{name}", 0.0) for name in ("wp", "wo", "b"))
    return CountModel(wp, wo, _number(values, f"{kind}_v"), b)


def _quit_model(values: Mapping[str, ParameterValue]) -> QuitModel | None:
    if not _is_on(values, "quit", ("m", "v", "pu", "pr")) or values.get("quit_form") == "off":
        return None
    return QuitModel(
        m=_number(values, "quit_m", 0.0),
        v=_number(values, "quit_v"),
        pu=_number(values, "quit_pu", 0.0),
        pr=_number(values, "quit_pr", 1.0),
        finishing_counts=values.get("quit_form") == "whole",
    )


def count_finishing(parameters: ParameterSet) -> ParameterSet:
    """Return the parameters with `quit_form` whole where it is paper."""

    def changed(values: Mapping[str, ParameterValue]) -> dict[str, ParameterValue]:
        return {name: "whole" if (name, value) == ("quit_form", "paper") else value for name, value in values.items()}

    return ParameterSet(changed(parameters.default), {mode: changed(own) for mode, own in parameters.modes.items()})


def _is_on(values: Mapping[str, ParameterValue], extra: str, names: tuple[str, ...]) -> bool:
    given = [f"{extra}_{name}" for name in names if values.get(f"{extra}_{name}") is not None]
    if given and values.get(f"{extra}_v") is None:
        raise ParameterError(f"{extra}_v", f"is needed beside {given[0]}")
    return bool(given)


def _number(values: Mapping[str, ParameterValue], name: str, absent: float | None = None) -> float:
    value = values.get(name)
    if value is None and absent is not None:
        return absent
    if not isinstance(value, float):
        raise ParameterError(name, f"must be a number, not {value!r}")
    return value


def _numbers(values: Mapping[str, ParameterValue], name: str) -> tuple[float, ...]:
    value = values.get(name)
    return value if isinstance(value, tuple) else ()
