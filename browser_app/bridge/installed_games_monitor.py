"""Monitor of the games that are installed on this machine."""

import logging
import time
from collections.abc import Callable, Collection

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.catalogue.catalogue import Catalogue

_log = logging.getLogger(__name__)

MIN_RESCAN_INTERVAL_S = 10.0
"""Time between two scans when the user switches between windows."""


class InstalledGamesMonitor(QObject):
    """Keeps the catalogue's installed games up to date.

    Scans in a thread on request and when the program is activated.

    Signals:
        changed: other games are installed than before, or they are known for the first time.
    """

    changed = Signal()

    def __init__(
        self, catalogue: Catalogue, find_games: Callable[[], Collection[str]], background: BackgroundTasks
    ) -> None:
        """`find_games` returns the ids of the installed games, in any thread."""
        super().__init__()
        self._catalogue, self._find_games, self._background = catalogue, find_games, background
        self._last_scan_s = -MIN_RESCAN_INTERVAL_S
        self._is_scanning = self._must_rescan = False
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)  # noqa: S101 (created before any component)
        application.applicationStateChanged.connect(self._on_application_state_changed)

    def scan(self) -> None:
        """Look for the games now, or once more after the present scan."""
        self._last_scan_s = time.monotonic()
        self._must_rescan = self._is_scanning
        if not self._is_scanning:
            self._is_scanning = True
            self._background.run(lambda: frozenset(self._find_games()), self._on_found)

    def _on_application_state_changed(self, state: Qt.ApplicationState) -> None:
        is_due = time.monotonic() - self._last_scan_s >= MIN_RESCAN_INTERVAL_S
        if state == Qt.ApplicationState.ApplicationActive and is_due:
            self.scan()

    def _on_found(self, games: frozenset[str]) -> None:
        self._is_scanning = False
        if self._must_rescan:
            self.scan()
        if games != self._catalogue.installed_games:
            _log.info("Installed games: %s", ", ".join(sorted(games)) or "none")
            self._catalogue.installed_games = games
            self.changed.emit()
