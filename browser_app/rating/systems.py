"""The table of rating systems."""

from collections.abc import Mapping

from browser_app.rating.elo_blog import EloBlog
from browser_app.rating.elo_xonstat import EloXonStat
from browser_app.rating.ns2.system import NS2
from browser_app.rating.parameters import parameter_set
from browser_app.rating.system import RatingSystem
from browser_app.rating.trueskill2.system import TrueSkill, TrueSkill2
from browser_app.rating.xonstat_go import XonStatGo

_ALL: tuple[type[RatingSystem], ...] = (
    NS2,
    EloBlog,
    EloXonStat,
    XonStatGo,
    TrueSkill2,
    TrueSkill,
)
SYSTEMS: Mapping[str, type[RatingSystem]] = {system.name: system for system in _ALL}


def rating_system(name: str, preset: str | None = None, **given: object) -> RatingSystem:
    """A system by name, with a preset's parameters and some given one by one.

    Raises:
        KeyError: there is no such system or preset.
        ParameterError: no such parameter, or a value that it cannot have.
    """
    system = SYSTEMS[name]
    return system(parameter_set(system.declared, preset=system.presets[preset] if preset else None, given=given))
