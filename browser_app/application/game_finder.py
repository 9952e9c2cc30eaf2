"""Search for the games that can be started here, with the user's own programs."""

from collections.abc import Mapping, Sequence

from browser_app.games.game_profile import GameProfile
from browser_app.launch.installed_games import (
    GameInstallation,
    InstalledGames,
    find_installations,
    find_installed_games,
    own_program_problem,
)
from browser_app.storage.setting_declarations import GAME_PROGRAMS
from browser_app.storage.settings_store import Settings


class GameFinder:
    """Finds the games that can be started here. Thread-safe; reads files."""

    def __init__(self, games: Mapping[str, GameProfile], settings: Settings, programs: Mapping[str, str]) -> None:
        """`programs`: game id → program that goes before the user's own."""
        self.games = games
        self._settings, self._programs = settings, programs

    def find_all(self) -> InstalledGames:
        """Return the games that can be started now."""
        return find_installed_games(self.games.values(), self._own_programs())

    def find_installations(self, game: GameProfile) -> Sequence[GameInstallation]:
        """Return how a game can be started now, best first."""
        return find_installations(game, self._own_programs().get(game.id, ""))

    def program_problem(self, game: GameProfile) -> str:
        """Return why the user's own program for a game cannot be started.

        Empty if it can be, or if there is none.
        """
        return own_program_problem(self._own_programs().get(game.id, ""))

    def _own_programs(self) -> Mapping[str, str]:
        own = self._settings.get(GAME_PROGRAMS)
        return {**own, **self._programs}
