"""Display traits of rating systems: titles, time weights, initial deviation."""

import math
from collections.abc import Mapping

from browser_app.language import N_
from browser_app.rating.ns2.ns2_parameters import resolve_ns2_settings
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.team_presence import StintWeight, stint_seconds

SYSTEM_TITLES: Mapping[str, str] = {
    "ns2": N_("NS2 logistic"),
    "elo-blog": N_("XonStat Elo (2012 blog)"),
    "elo-xonstat": N_("XonStat Elo"),
    "xonstat-go": N_("XonStat Go"),
    "trueskill2": N_("TrueSkill 2"),
    "trueskill": N_("TrueSkill"),
    "size": N_("Team size only"),
    "constant": N_("Base rate"),
}
"""By name; English, to be looked up where they are shown."""


NS2_SYSTEM = "ns2"


def stint_weight_of(system: RatingSystem) -> StintWeight:
    """The weight of a stay on the field: the first minutes weigh most in ns2, elsewhere all weigh alike."""
    return resolve_ns2_settings(system.parameters).field_weight if system.name == NS2_SYSTEM else stint_seconds


def newcomer_sd(system: RatingSystem) -> float | None:
    """Displayed standard deviation of somebody of whom nothing is known; None where the system has none.

    By the system's default parameters, whatever those in use are: it is what doubt is measured with.
    """
    number = resolve_parameters(system.declared_parameters).number
    match system.name:
        case "ns2":
            return POINTS_PER_UNIT * number("theta") * math.sqrt(number("k"))
        case "xonstat-go":
            return number("start_sd")
        case "trueskill" | "trueskill2":
            return math.sqrt(number("v0"))
        case _:
            return None
