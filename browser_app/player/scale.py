"""What there is to know of a rating system beside its numbers: how it weighs time, how unsure it begins."""

import math

from browser_app.rating.ns2.declared import settings_of
from browser_app.rating.ns2.points import POINTS
from browser_app.rating.parameters import parameter_set
from browser_app.rating.presence import Weigh, seconds
from browser_app.rating.system import RatingSystem

NS2 = "ns2"


def weigh(system: RatingSystem) -> Weigh:
    """The weight of a stay on the field: the first minutes weigh most in ns2, elsewhere all weigh alike."""
    return settings_of(system.parameters).field if system.name == NS2 else seconds


def newcomers_sd(system: RatingSystem) -> float | None:
    """Displayed standard deviation of somebody of whom nothing is known; None where the system has none.

    By the system's default parameters, whatever those in use are: it is what doubt is measured with.
    """
    number = parameter_set(system.declared).number
    match system.name:
        case "ns2":
            return POINTS * number("theta") * math.sqrt(number("k"))
        case "xonstat-go":
            return number("start_sd")
        case "trueskill" | "trueskill2":
            return math.sqrt(number("v0"))
        case _:
            return None
