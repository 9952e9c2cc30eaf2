"""Titles, values and allowed ranges of rating parameters."""

import math
import re
from collections.abc import Mapping

from browser_app.language import N_, pgettext
from browser_app.language import gettext as _
from browser_app.number_text import localised_number
from browser_app.rating.rating_parameters import Parameter, ParameterValue
from browser_app.ui.skill.rating_format import format_points

_OPTION_TITLES: Mapping[str, str] = {
    "yes": N_("yes"),
    "no": N_("no"),
    "record": N_("from rounds"),
}

_PRESET_TITLES: Mapping[str, str] = {
    "blog": N_("As published"),
    "basic": N_("Basic model"),
    "in-game": N_("In-game"),
    "shooter": N_("Shooter"),
    "halo5": N_("Halo 5"),
    "classic": N_("Classic TrueSkill"),
}


def preset_title(name: str) -> str:
    """Return a preset's title, its name if there is none."""
    return _(_PRESET_TITLES.get(name, name))


def parameter_title(parameter: Parameter) -> str:
    """Return a parameter's title, its name if there is none."""
    return _(parameter.title)


def format_parameter_value(value: ParameterValue) -> str:
    """Format a value for display; `off` for None."""
    if value is None:
        return _("off")
    if isinstance(value, str):
        return pgettext("parameter", "none") if value == "none" else _(_OPTION_TITLES.get(value, value))
    if isinstance(value, tuple):
        return parameter_edit_text(value)
    return parameter_edit_text(value) if abs(value) < 1000 else format_points(value)


def parameter_edit_text(value: ParameterValue) -> str:
    """Format a value for an editor; empty for None."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        separator = "; " if _has_decimal_comma() else ", "
        return separator.join(map(parameter_edit_text, value))
    return value if isinstance(value, str) else localised_number(f"{value:.6g}")


def parse_parameter_text(text: str, parameter: Parameter) -> str:
    """Return the text of an editor as `Parameter.validate` expects it.

    A number may have a decimal comma or a decimal point in every language. In a list, commas are decimal commas only
    where the language has them and no space follows.
    """
    if not parameter.max_numbers:
        return text.replace(",", ".")
    return re.sub(r",(?=\S)", ".", text).replace(";", ",") if _has_decimal_comma() else text


def _has_decimal_comma() -> bool:
    return localised_number(".") == ","


def allowed_values_text(parameter: Parameter) -> str:
    """Return which values a parameter can have."""
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
