"""Monitor of the game processes started here."""

import logging
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    import subprocess

_log = logging.getLogger(__name__)


GAME_POLL_MS = 500
SUCCESSFUL_RUN_S = 30.0
"""A game that ran this long has joined its server: after a refusal, players close it sooner."""


class GameMonitor(QObject):
    """Polls started games twice a second; no timer runs while none is running.

    Signals:
        first_game_started: a game runs, and none did before.
        join_confirmed: a server whose game has run for `SUCCESSFUL_RUN_S`.
        game_ended: a server, how long its game ran (s), and its exit status.
        last_game_ended: no game runs any more.
    """

    first_game_started = Signal()
    join_confirmed = Signal(int)
    game_ended = Signal(int, float, int)
    last_game_ended = Signal()

    def __init__(self, parent: QObject | None = None, successful_run_s: float = SUCCESSFUL_RUN_S) -> None:
        super().__init__(parent)
        self._successful_run_s = successful_run_s
        self._games: dict[subprocess.Popen[bytes], tuple[int, float]] = {}
        self._unconfirmed: set[subprocess.Popen[bytes]] = set()
        self._timer = QTimer(self, interval=GAME_POLL_MS)
        self._timer.timeout.connect(self._poll_games)

    @property
    def is_running(self) -> bool:
        """Whether a game that can be monitored runs."""
        return bool(self._games)

    def running_games(self) -> "list[tuple[subprocess.Popen[bytes], int]]":
        """Return the running games with their servers."""
        return [(process, server) for process, (server, _began_s) in self._games.items()]

    def watch(self, process: "subprocess.Popen[bytes]", server: int) -> None:
        """Monitor a game that was started for a server."""
        is_first = not self._games
        self._games[process] = (server, time.monotonic())
        self._unconfirmed.add(process)
        self._timer.start()
        if is_first:
            self.first_game_started.emit()

    def close(self) -> None:
        """Stop monitoring; games run on."""
        self._timer.stop()
        self._games.clear()
        self._unconfirmed.clear()

    def _poll_games(self) -> None:
        for process, (server, started_s) in list(self._games.items()):
            if process in self._unconfirmed and time.monotonic() - started_s >= self._successful_run_s:
                self._unconfirmed.discard(process)
                self.join_confirmed.emit(server)
            status = process.poll()
            if status is not None:
                del self._games[process]
                self._unconfirmed.discard(process)
                duration_s = time.monotonic() - started_s
                _log.info("Game ended after %.0f s with exit status %d", duration_s, status)
                self.game_ended.emit(server, duration_s, status)
        if not self._games:
            self._timer.stop()
            self.last_game_ended.emit()
