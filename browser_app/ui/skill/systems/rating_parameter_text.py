"""Titles, values and allowed ranges of rating parameters."""

import math
from collections.abc import Mapping

from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.rating.rating_parameters import Parameter, ParameterValue
from browser_app.ui.skill.rating_format import format_points

_TITLES: Mapping[str, str] = {
    "c": N_("Constant rate c"),
    "a": N_("Adaptive rate a"),
    "epsilon": N_("Epsilon"),
    "median_round": N_("Median round, s"),
    "start": N_("Initial rating"),
    "per_team": N_("Skill per team"),
    "chair": N_("Commander skill"),
    "bias": N_("Map and race"),
    "bias_strength": N_("Map and race, weight in rounds"),
    "chair_round": N_("Median commander round, s"),
    "shortest": N_("Shortest round, s"),
    "k": N_("Prior, shape k"),
    "theta": N_("Prior, scale θ"),
    "k_start": N_("Initial K"),
    "k_end": N_("Final K"),
    "k_games": N_("Rounds to final K"),
    "floor": N_("Rating floor"),
    "start_sd": N_("Initial uncertainty"),
    "m0": N_("Initial mean"),
    "v0": N_("Initial variance"),
    "gamma2": N_("Drift per round"),
    "tau2": N_("Drift per idle minute"),
    "beta": N_("Performance spread β"),
    "draw_margin": N_("Draw margin"),
    "squad_offset": N_("Squad bonus 1, 2, …"),
    "experience_offset": N_("Gain after 0, 1, … rounds"),
    "kill_wp": N_("Kills, own weight"),
    "kill_wo": N_("Kills, opponents’ weight"),
    "kill_v": N_("Kills, variance"),
    "kill_b": N_("Kills, base"),
    "death_wp": N_("Deaths, own weight"),
    "death_wo": N_("Deaths, opponents’ weight"),
    "death_v": N_("Deaths, variance"),
    "death_b": N_("Deaths, base"),
    "quit_m": N_("Quits, margin"),
    "quit_v": N_("Quits, variance"),
    "quit_pu": N_("Quits, other reasons"),
    "quit_pr": N_("Quits, underperforming"),
    "base_v": N_("All modes: variance"),
    "base_gamma2": N_("All modes: drift per round"),
    "base_tau2": N_("All modes: drift per minute"),
    "base_w": N_("All modes: share"),
    "mode_m": N_("Per mode: mean"),
    "mode_v": N_("Per mode: variance"),
}
_OPTION_TITLES: Mapping[str, str] = {
    "yes": N_("yes"),
    "no": N_("no"),
    "none": N_("none"),
    "record": N_("from rounds"),
}


def parameter_title(parameter: Parameter) -> str:
    """What it is called; one that is not known here goes by its name in files."""
    return _(_TITLES[parameter.name]) if parameter.name in _TITLES else parameter.name


def format_parameter_value(value: ParameterValue) -> str:
    """As it is shown: numbers as people write them, `off` for an extra that is off."""
    if value is None:
        return _("off")
    if isinstance(value, str):
        return _(_OPTION_TITLES[value]) if value in _OPTION_TITLES else value
    if isinstance(value, tuple):
        return ", ".join(map(parameter_edit_text, value))
    return parameter_edit_text(value) if abs(value) < 1000 else format_points(value)


def parameter_edit_text(value: ParameterValue) -> str:
    """As it is written into a field; empty for None."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(parameter_edit_text, value))
    return value if isinstance(value, str) else f"{value:.6g}"


def allowed_values_text(parameter: Parameter) -> str:
    """What may be written into its field."""
    if parameter.max_numbers:
        return _("1 to {n} numbers, separated by commas").format(n=parameter.max_numbers)
    low, high, above = (parameter_edit_text(each) for each in (parameter.low, parameter.high, parameter.exclusive_low))
    bounded_below, bounded_above = math.isfinite(parameter.low), math.isfinite(parameter.high)
    if math.isfinite(parameter.exclusive_low):
        template = _("a number above {above}, at most {high}") if bounded_above else _("a number above {above}")
    elif bounded_below:
        template = _("a number from {low} to {high}") if bounded_above else _("a number of at least {low}")
    else:
        template = _("a number, at most {high}") if bounded_above else _("a number")
    return template.format(low=low, high=high, above=above)
