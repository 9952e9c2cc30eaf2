"""Formatting of ratings, changes, chances, and system and team titles."""

import math

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import gettext as _
from browser_app.number_text import MINUS, decimal_text
from browser_app.rating.evaluation.backtest import BASELINE_TITLES
from browser_app.rating.evaluation.forecast_blend import BLEND, BLEND_TITLE
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.ui.widgets.value_text import capitalise, chance_text, percent_text


def team_title(team: str) -> str:
    """Return a team's name with an initial capital; empty if it has none."""
    return capitalise(team)


def system_title(name: str) -> str:
    """Return the title of a rating system, a baseline or the blend.

    An unknown name is its own title.
    """
    system = RATING_SYSTEMS.get(name)
    return _({**BASELINE_TITLES, BLEND: BLEND_TITLE}.get(name, name) if system is None else system.title)


def rating_decimals(system: str) -> int:
    """Return the decimals of a system's displayed ratings; changes have one more."""
    return RATING_SYSTEMS[system].decimals if system in RATING_SYSTEMS else RatingSystem.decimals


def format_points(value: float | None, decimals: int = 0) -> str:
    """Return `1 640`, `−3.2`, or `–` for None and NaN."""
    if value is None or math.isnan(value):
        return UNKNOWN_VALUE
    text = decimal_text(abs(value), decimals)
    return f"{MINUS}{text}" if value < 0 and _is_nonzero_when_rounded(value, decimals) else text


def estimate_mark(is_estimated: bool) -> str:
    """Return `≈ ` to put before an estimated uncertainty or interval, else nothing."""
    return "≈ " if is_estimated else ""


def format_change(value: float | None, decimals: int = 0) -> str:
    """Return `+8.6`, `−1 204`, `0` if it rounds to zero, or `–` for None and NaN."""
    if value is None or math.isnan(value):
        return UNKNOWN_VALUE
    text = format_points(value, decimals)
    return f"+{text}" if value > 0 and _is_nonzero_when_rounded(value, decimals) else text


def format_chance(chance: float | None, decimals: int = 0) -> str:
    """Return `38 %` or `> 99 %` for a probability, `–` for None and NaN."""
    return UNKNOWN_VALUE if chance is None or math.isnan(chance) else chance_text(chance, decimals)


def format_share(share: float | None, decimals: int = 0) -> str:
    """Return `38 %` or `100 %` for a fraction, `–` for None and NaN.

    The fraction is counted or measured.
    """
    return UNKNOWN_VALUE if share is None or math.isnan(share) else percent_text(share, decimals)


def _is_nonzero_when_rounded(value: float, decimals: int) -> bool:
    return float(f"{value:.{decimals}f}") != 0.0
