"""Search for the process of a game that a link has started, mostly one of Steam."""

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
        self._server, self._address = -1, Address("", 0)
        self._searches = 0
        self.timer = QTimer(self, interval=SEARCH_INTERVAL_MS)
        self.timer.timeout.connect(self.search)

    def start(self, server: int, address: Address, game_id: str | None) -> bool:
        """Look for a game that is told to connect to an address.

        Returns False if no process shows that it is the game, as on a system that does not tell which games run.
        """
        game = self._games.get(game_id or "")
        if game is None or not is_recognisable(game) or not can_find_games():
            return False
        self._server, self._address, self._searches = server, address, 0
        self.timer.start()
        return True

    def search(self) -> None:
        """Look once."""
        self._searches += 1
        if self._searches > MAX_SEARCHES:
            self.timer.stop()
            self.search_failed.emit(self._server)
        else:
            games = list(self._games.values())
            self._background.run(lambda: find_running_games(games), self._on_found)

    def close(self) -> None:
        """Stop looking."""
        self.timer.stop()

    def _on_found(self, found: list[FoundGame]) -> None:
        game = next((each for each in found if each.server == self._address), None)
        if game is not None and self.timer.isActive():
            self.timer.stop()
            self.game_found.emit(FoundProcess(game), self._server)
