"""Search for the process of a game that a link started, usually through Steam."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.games.game_registry import GameRegistry
from browser_app.launch.running_games import (
    FoundGame,
    FoundProcess,
    can_find_games,
    find_running_games,
    is_recognisable,
)
from browser_app.protocols.address import Address

SEARCH_INTERVAL_MS = 4_000
MAX_SEARCHES = 45
"""Steam may ask the user first, or update the game: three minutes."""


@dataclass(frozen=True)
class GameSearch:
    """The server whose game is searched for, and the number of searches."""

    server: int
    address: Address
    """The address that the game was started with."""
    searches: int = 0


class SteamGameSearch(QObject):
    """Looks for one game at a time, every few seconds, until it is found.

    Signals:
        game_found: the `FoundProcess`, and its server.
        search_failed: the server of a game that was not found in time.
    """

    game_found = Signal(object, int)
    search_failed = Signal(int)

    def __init__(self, background: BackgroundTasks, games: GameRegistry) -> None:
        super().__init__()
        self._background, self._games = background, games
        self.current: GameSearch | None = None
        """The search that has not ended."""
        self.timer = QTimer(self, interval=SEARCH_INTERVAL_MS)
        self.timer.timeout.connect(self.search)

    def start(self, server: int, address: Address, game_id: str | None) -> bool:
        """Look for a game that was started to join an address.

        Returns False if the game cannot be recognised among the processes, or where these cannot be listed.
        """
        game = self._games.get(game_id or "")
        if game is None or not is_recognisable(game) or not can_find_games():
            return False
        self.resume(GameSearch(server, address))
        return True

    def resume(self, search: GameSearch) -> None:
        """Continue a search that another window has begun."""
        self.current = search
        self.timer.start()

    def search(self) -> None:
        """Look once."""
        search = self.current
        if search is None:
            return
        if search.searches >= MAX_SEARCHES:
            self.close()
            self.search_failed.emit(search.server)
        else:
            self.current, games = replace(search, searches=search.searches + 1), list(self._games.values())
            self._background.run(lambda: find_running_games(games), self._on_found)

    def close(self) -> None:
        """Stop looking."""
        self.timer.stop()
        self.current = None

    def _on_found(self, found: list[FoundGame]) -> None:
        search = self.current
        if search is None:
            return
        game = next((each for each in found if each.server == search.address), None)
        if game is not None:
            self.close()
            self.game_found.emit(FoundProcess(game), search.server)
