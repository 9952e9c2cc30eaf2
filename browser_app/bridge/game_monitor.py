"""Monitor of the game processes started here."""

import logging
import time
from dataclasses import dataclass, replace
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

_log = logging.getLogger(__name__)


GAME_POLL_MS = 500
SUCCESSFUL_RUN_S = 30.0
"""A game that ran this long has joined its server: after a refusal, players close it sooner."""


class GameProcess(Protocol):
    """A process of a game, such as a `Popen`."""

    def poll(self) -> int | None:
        """Return the exit status, None while it runs."""


@dataclass(frozen=True, eq=False)
class RunningGame:
    """A game that is being monitored."""

    process: GameProcess
    server: int
    started_at: float
    """Unix time, s."""
    started_s: float
    """On the monotonic clock."""


class GameMonitor(QObject):
    """Polls started games twice a second; no timer runs while none is running.

    Signals:
        games_changed: a game was started, or has ended.
        first_game_started: a game runs, and none did before.
        join_confirmed: a server whose game has run for `SUCCESSFUL_RUN_S`.
        game_ended: a server, how long its game ran (s), and its exit status.
        last_game_ended: no game runs any more.
    """

    games_changed = Signal()
    first_game_started = Signal()
    join_confirmed = Signal(int)
    game_ended = Signal(int, float, int)
    last_game_ended = Signal()

    def __init__(self, parent: QObject | None = None, successful_run_s: float = SUCCESSFUL_RUN_S) -> None:
        super().__init__(parent)
        self._successful_run_s = successful_run_s
        self._games: list[RunningGame] = []
        self._unconfirmed: set[RunningGame] = set()
        self._timer = QTimer(self, interval=GAME_POLL_MS)
        self._timer.timeout.connect(self._poll_games)

    @property
    def is_running(self) -> bool:
        """Whether a game that can be monitored runs."""
        return bool(self._games)

    def running_games(self) -> list[RunningGame]:
        """Return the running games, the newest last."""
        return list(self._games)

    def add(self, process: GameProcess, server: int) -> None:
        """Monitor a game that was started for a server just now."""
        self._add(RunningGame(process, server, time.time(), time.monotonic()))

    def resume(self, game: RunningGame, server: int) -> None:
        """Monitor a game that another monitor had, for a server's present row."""
        self._add(replace(game, server=server))

    def _add(self, game: RunningGame) -> None:
        is_first = not self._games
        self._games.append(game)
        self._unconfirmed.add(game)
        self._timer.start()
        if is_first:
            self.first_game_started.emit()
        self.games_changed.emit()

    def close(self) -> None:
        """Stop monitoring; games run on."""
        self._timer.stop()
        self._games.clear()
        self._unconfirmed.clear()

    def _poll_games(self) -> None:
        for game in self.running_games():
            duration_s = time.monotonic() - game.started_s
            if game in self._unconfirmed and duration_s >= self._successful_run_s:
                self._unconfirmed.discard(game)
                self.join_confirmed.emit(game.server)
            status = game.process.poll()
            if status is not None:
                self._games.remove(game)
                self._unconfirmed.discard(game)
                _log.info("Game ended after %.0f s with exit status %d", duration_s, status)
                self.game_ended.emit(game.server, duration_s, status)
                self.games_changed.emit()
        if not self._games:
            self._timer.stop()
            self.last_game_ended.emit()
