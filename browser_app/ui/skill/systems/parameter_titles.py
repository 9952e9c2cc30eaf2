"""What the parameters of the rating systems are called in the window, and what each may be."""

import math
from collections.abc import Mapping

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.rating.parameters import Parameter, Value
from browser_app.ui.skill.numbers import points_words

_TITLES: Mapping[str, str] = {
    "c": later("Constant rate c"),
    "a": later("Adaptive rate a"),
    "epsilon": later("Epsilon"),
    "median_round": later("Median round, s"),
    "start": later("A newcomer's rating"),
    "per_team": later("Skill per team"),
    "chair": later("Commander skill"),
    "bias": later("Map and race"),
    "bias_strength": later("Map and race, rounds' worth"),
    "chair_round": later("Median round in the chair, s"),
    "shortest": later("Shortest round, s"),
    "k": later("Prior, shape k"),
    "theta": later("Prior, scale θ"),
    "k_start": later("At stake at first"),
    "k_end": later("At stake later"),
    "k_games": later("Rounds until later"),
    "floor": later("No rating below"),
    "start_sd": later("A newcomer's doubt"),
    "m0": later("A newcomer's mean"),
    "v0": later("A newcomer's variance"),
    "gamma2": later("Drift a round"),
    "tau2": later("Drift an idle minute"),
    "beta": later("Spread of a round β"),
    "draw_margin": later("Margin of a draw"),
    "squad_offset": later("Squads of 1, 2, …"),
    "experience_offset": later("Gained after 0, 1, … rounds"),
    "kill_wp": later("Kills, own part"),
    "kill_wo": later("Kills, opponents' part"),
    "kill_v": later("Kills, variance"),
    "kill_b": later("Kills, base"),
    "death_wp": later("Deaths, own part"),
    "death_wo": later("Deaths, opponents' part"),
    "death_v": later("Deaths, variance"),
    "death_b": later("Deaths, base"),
    "quit_m": later("Quits, margin"),
    "quit_v": later("Quits, variance"),
    "quit_pu": later("Quits for other reasons"),
    "quit_pr": later("Quits when behind"),
    "base_v": later("All modes: variance"),
    "base_gamma2": later("All modes: drift a round"),
    "base_tau2": later("All modes: drift a minute"),
    "base_w": later("All modes: share"),
    "mode_m": later("A mode: mean"),
    "mode_v": later("A mode: variance"),
}
_WORDS: Mapping[str, str] = {
    "yes": later("yes"),
    "no": later("no"),
    "none": later("none"),
    "record": later("from record"),
}


def parameter_title(parameter: Parameter) -> str:
    """What it is called; one that is not known here goes by its name in files."""
    return _(_TITLES[parameter.name]) if parameter.name in _TITLES else parameter.name


def value_words(value: Value) -> str:
    """As it is shown: numbers as people write them, `off` for an extra that is off."""
    if value is None:
        return _("off")
    if isinstance(value, str):
        return _(_WORDS[value]) if value in _WORDS else value
    if isinstance(value, tuple):
        return ", ".join(map(value_text, value))
    return value_text(value) if abs(value) < 1000 else points_words(value)


def value_text(value: Value) -> str:
    """As it is written into a field; empty for None."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(value_text, value))
    return value if isinstance(value, str) else f"{value:.6g}"


def wanted_words(parameter: Parameter) -> str:
    """What may be written into its field."""
    if parameter.numbers:
        return _("1 to {n} numbers, with commas between").format(n=parameter.numbers)
    low, high, above = (value_text(each) for each in (parameter.low, parameter.high, parameter.above))
    bounded_below, bounded_above = math.isfinite(parameter.low), math.isfinite(parameter.high)
    if math.isfinite(parameter.above):
        template = _("a number above {above}, at most {high}") if bounded_above else _("a number above {above}")
    elif bounded_below:
        template = _("a number from {low} to {high}") if bounded_above else _("a number, at least {low}")
    else:
        template = _("a number, at most {high}") if bounded_above else _("a number")
    return template.format(low=low, high=high, above=above)
