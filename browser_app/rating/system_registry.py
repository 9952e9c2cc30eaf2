"""Registry of the rating systems."""

from collections.abc import Mapping

from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System, TrueSkillSystem
from browser_app.rating.xonstat.elo_blog import EloBlogSystem
from browser_app.rating.xonstat.elo_xonstat import EloXonStatSystem
from browser_app.rating.xonstat.xonstat_go import XonStatGoSystem

_SYSTEM_CLASSES: tuple[type[RatingSystem], ...] = (
    NS2System,
    EloBlogSystem,
    EloXonStatSystem,
    XonStatGoSystem,
    TrueSkill2System,
    TrueSkillSystem,
)
RATING_SYSTEMS: Mapping[str, type[RatingSystem]] = {system.name: system for system in _SYSTEM_CLASSES}


def create_rating_system(name: str, preset: str | None = None, **parameters: object) -> RatingSystem:
    """Create a rating system by name, with preset and explicit parameters.

    Raises:
        KeyError: no such system or preset.
        ParameterError: no such parameter, or an invalid value.
    """
    system = RATING_SYSTEMS[name]
    return system(
        resolve_parameters(
            system.declared_parameters, preset=system.presets[preset] if preset else None, explicit=parameters
        )
    )
