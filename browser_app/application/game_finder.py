"""The user's games: those that can be started here, and those that they play."""

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from threading import Thread

from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.launch.installed_games import (
    GameInstallation,
    InstalledGames,
    find_installations,
    find_installed_games,
    find_own_program_problem,
)
from browser_app.launch.steam_libraries import find_other_steam_games
from browser_app.storage.setting_declarations import GAME_PROGRAMS, PLAYED_GAMES
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_storage import UserStorage


class GameFinder:
    """Finds the games that can be started here. Thread-safe; reads files."""

    def __init__(self, games: GameRegistry, settings: Settings, programs: Mapping[str, str]) -> None:
        """`programs`: game id → program that takes precedence over the user's own."""
        self.games = games
        self._settings, self._programs = settings, programs

    def find_all(self) -> InstalledGames:
        """Return the games that can be started now.

        Steam games without a profile are added to the games.
        """
        self.games.add_steam_games(find_other_steam_games(self.games.named_appids))
        return find_installed_games(self.games.values(), self._own_programs())

    def find_installations(self, game: GameProfile) -> Sequence[GameInstallation]:
        """Return how a game can be started now, best first."""
        return find_installations(game, self._own_programs().get(game.id, ""))

    def program_problem(self, game: GameProfile) -> str:
        """Return why the user's own program for a game cannot be started.

        Empty if it can be, or if there is none.
        """
        return find_own_program_problem(self._own_programs().get(game.id, ""))

    def needs_files(self, game: GameProfile) -> bool:
        """Return whether a game is started with a server's files.

        A program that stands in for it is not.
        """
        return game.launch.files is not None and game.id not in self._programs

    def _own_programs(self) -> Mapping[str, str]:
        own = self._settings.get(GAME_PROGRAMS)
        return {**own, **self._programs}


class InstalledGamesSearch:
    """A search for the installed games in a thread.

    A library on a slow disk may take seconds. The end of the program does not wait for it.
    """

    def __init__(self, find: Callable[[], Collection[str]]) -> None:
        self._found: Future[frozenset[str]] = Future()
        Thread(target=self._run, args=(find,), name="installed games", daemon=True).start()

    def result(self) -> frozenset[str]:
        """Return the ids of the installed games as soon as they are known."""
        return self._found.result()

    def _run(self, find: Callable[[], Collection[str]]) -> None:
        try:
            self._found.set_result(frozenset(find()))
        except BaseException as error:  # noqa: BLE001 (raised by `result`)
            self._found.set_exception(error)


def own_games(games: GameRegistry, storage: UserStorage, installed: Collection[str]) -> Sequence[str]:
    """Return the ids of the user's games.

    Those are the games that they play, have favourites of, or have installed, in this order. Installed games without a
    profile in a file do not count: most of them have no servers.
    """
    favourite_games = sorted(storage.favourites.games())
    known = sorted(game for game in installed if game in games and not games[game].is_made_from_appid)
    named = dict.fromkeys((*storage.settings.get(PLAYED_GAMES), *favourite_games, *known))
    return tuple(game for game in named if game in games)
