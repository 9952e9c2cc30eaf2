"""The last known list: brought back beside the start, saved after each scan and at the end.

The disk is read and written by other threads; the window's own takes over, or copies out, one slice at a time.
"""

import threading
from collections import deque
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.changes import ChangeSet
from browser_app.catalogue.facts import KnownServer
from browser_app.engine import switch_interval
from browser_app.storage.database import Database
from browser_app.storage.errors import StorageError
from browser_app.storage.known_servers import SLICE, forget_old_servers, read_known_servers, save_known_servers

SLICE_MS = 5
"""From one slice to the next: what the window does meanwhile goes first."""

PATIENCE_S = 0.5
"""A disk that does not answer holds up the end of the program no longer."""


class KnownList(QObject):
    """Keeps the stored list as new as the shown one.

    Signals:
        brought_back: all that could be read is shown.
        failed: why the stored list could not be read.
    """

    brought_back = Signal()
    failed = Signal(str)

    def __init__(self, live: LiveList, database: Database) -> None:
        super().__init__(live)
        self._live = live
        self._database = database
        self._changed: set[int] = set()
        self._read: deque[list[KnownServer] | str] = deque()  # slices, then what went wrong
        self._reader: threading.Thread | None = None
        self._closed = False
        self._take_timer = QTimer(self, interval=SLICE_MS)
        self._take_timer.timeout.connect(self._take)
        self._save_timer = QTimer(self, interval=SLICE_MS)
        self._save_timer.timeout.connect(self._save)
        live.changed.connect(self._note)
        live.running_changed.connect(lambda running: None if running else self._save_timer.start())

    def bring_back(self) -> None:
        """Show the stored list, marked old, slice by slice."""
        forget_old_servers(self._database)
        self._reader = threading.Thread(target=self._work, name="known servers", daemon=True)
        self._live.begin_remembering()
        self._reader.start()
        self._take_timer.start()

    def close(self) -> None:
        """Hand over what is not written yet to the database's own thread; nothing more is read or shown."""
        self._closed = True
        if self._reader is not None:
            self._reader.join(PATIENCE_S)
        self._take_timer.stop()
        self._save_timer.stop()
        while self._changed:
            self._save()

    @property
    def saved(self) -> bool:
        """Nothing has changed since it was handed to the database's thread."""
        return not self._changed

    def _work(self) -> None:
        problem = ""
        switch_interval.shorten()  # every paint would wait for its turn
        try:
            with suppress(CancelledError):
                read_known_servers(self._database, self._hand_over)
        except StorageError as error:
            problem = str(error)
        finally:
            switch_interval.restore()
            self._read.append(problem)

    def _hand_over(self, servers: list[KnownServer]) -> None:
        """Called by the reading thread."""
        if self._closed:
            raise CancelledError
        self._read.append(servers)

    def _take(self) -> None:
        if not self._read:
            return
        servers = self._read.popleft()
        if isinstance(servers, list):
            self._live.remember(servers)
            return
        self._take_timer.stop()
        self._live.end_remembering()
        self.brought_back.emit()
        if servers:
            self.failed.emit(servers)

    def _note(self, changes: ChangeSet) -> None:
        """Rows that are only remembered stand in the file already."""
        self._changed.update(changes.ids[~self._live.catalogue.old[changes.ids]].tolist())

    def _save(self) -> None:
        rows = list(islice(self._changed, SLICE))
        self._changed.difference_update(rows)
        servers = self._live.catalogue.known_servers(rows)
        if servers:
            save_known_servers(self._database, servers)
        if not self._changed:
            self._save_timer.stop()
