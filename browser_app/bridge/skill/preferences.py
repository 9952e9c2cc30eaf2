"""What the user chose in My skill, kept from one start to the next: game, systems, parameters; and what was found."""

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from browser_app.bridge.skill.subject import Model, Source
from browser_app.games.profile import ANY_GAMES_SYSTEM, RATING_SYSTEMS, GameProfile
from browser_app.storage.kept import Kept

if TYPE_CHECKING:
    from browser_app.rating.parameters import ParameterSet

SERVERS_SYSTEM = "ns2"
"""Whose points are on the scale of servers that report a skill."""

_GAME, _SYSTEMS, _PARAMETERS, _MINE, _POINTS = (
    f"skill.{name}" for name in ("game", "systems", "parameters", "mine", "points")
)


class OwnPoints(NamedTuple):
    """A skill by the own record, the rated rounds behind it, and whether it is no more than a guess so far."""

    value: float
    rounds: int
    guess: bool


class Preferences:
    """Reads what is kept with care: another version of the program may have written it."""

    def __init__(self, kept: Kept, games: Mapping[str, GameProfile]) -> None:
        self._kept, self._games = kept, games

    @property
    def game(self) -> str | None:
        """The chosen game's id, None before a choice; "" is that of rounds whose game nobody told."""
        game = self._kept.get(_GAME)
        return game if isinstance(game, str) else None

    def set_game(self, game: str) -> None:
        """Keep the choice."""
        self._kept.put(_GAME, game)

    def system(self, game: str) -> str:
        """The system that speaks for a game: the chosen one, else the profile's."""
        name = self._table(_SYSTEMS).get(game)
        if isinstance(name, str) and name in RATING_SYSTEMS:
            return name
        return self._games[game].rating_system if game in self._games else ANY_GAMES_SYSTEM

    def set_system(self, game: str, name: str) -> None:
        """Keep the choice."""
        self._put(_SYSTEMS, game, name)

    def parameters(self, game: str, system: str) -> "ParameterSet":
        """Those chosen for a system in a game, else its own."""
        from browser_app.rating.errors import ParameterError
        from browser_app.rating.parameters import parameter_set
        from browser_app.rating.systems import SYSTEMS

        declared = SYSTEMS[system].declared
        file = self._inner(_PARAMETERS, game).get(system)
        if isinstance(file, dict):
            try:
                return parameter_set(declared, file=file)
            except ParameterError:
                pass
        return parameter_set(declared)

    def set_parameters(self, game: str, system: str, parameters: "ParameterSet | None") -> None:
        """Keep the choice; None: the system's own."""
        files = {name: file for name, file in self._inner(_PARAMETERS, game).items() if name != system}
        if parameters is not None:
            files[system] = parameters.as_file(system)
        self._put(_PARAMETERS, game, files)

    def model(self, game: str, system: str | None = None) -> Model:
        """A system, or the one that speaks for a game, as it is in use there."""
        name = self.system(game) if system is None else system
        return Model(name, self.parameters(game, name))

    def mine(self, game: str) -> int | None:
        """In how many rounds the user was, when they were last counted."""
        match self._table(_MINE).get(game):
            case [int() as count, str()]:
                return count
            case _:
                return None

    def points_model(self, game: str) -> Model | None:
        """The system whose values are on the scale of a game's servers; None where these report no skill."""
        profile = self._games.get(game)
        return self.model(game, SERVERS_SYSTEM) if profile is not None and profile.reports_skill else None

    def is_counted(self, source: Source) -> bool:
        """Whether the count, and the points where there are such, are of these rounds of this user."""
        counted = self._table(_MINE).get(source.game)
        return isinstance(counted, list) and counted[1:] == [self._state(source)]

    def set_mine(self, source: Source, count: int) -> None:
        """Keep the count; the points belong to the same rounds."""
        self._put(_MINE, source.game, [count, self._state(source)])

    def own_points(self, game: str) -> OwnPoints | None:
        """The user's skill by the own record on the servers' scale."""
        match self._table(_POINTS).get(game):
            case [float() | int() as value, int() as rounds, bool() as guess]:
                return OwnPoints(float(value), rounds, guess)
            case [float() | int() as value, int() as rounds]:  # kept by a version that did not ask for the doubt
                return OwnPoints(float(value), rounds, False)
            case _:
                return None

    def set_own_points(self, game: str, points: OwnPoints | None) -> None:
        """Keep them; None: there are none."""
        self._put(_POINTS, game, None if points is None else list(points))

    def _table(self, key: str) -> Mapping[str, Any]:
        table = self._kept.get(key)
        return table if isinstance(table, dict) else {}

    def _inner(self, key: str, game: str) -> Mapping[str, Any]:
        table = self._table(key).get(game)
        return table if isinstance(table, dict) else {}

    def _put(self, key: str, game: str, value: Any) -> None:
        self._kept.put(key, {**self._table(key), game: value})

    def _state(self, source: Source) -> str:
        told = (source.stamp, source.identities, self.points_model(source.game))
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]
