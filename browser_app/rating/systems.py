"""The table of rating systems."""

from collections.abc import Mapping

from browser_app.rating.system import RatingSystem

_ALL: tuple[type[RatingSystem], ...] = ()
SYSTEMS: Mapping[str, type[RatingSystem]] = {system.name: system for system in _ALL}
