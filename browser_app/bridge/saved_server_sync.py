"""Loading and saving of the server list of the last run.

Other threads read and write the disk; the GUI thread adds or copies one slice at a time.
"""

import logging
import threading
from collections import deque
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app import runtime_tuning
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.server_info import SavedServer
from browser_app.storage.database import Database
from browser_app.storage.saved_servers import BATCH_SIZE, delete_old_servers, load_servers, save_servers
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)


SLICE_INTERVAL_MS = 5
"""Time between two slices, in which the window handles other events."""

SAVE_DELAY_MS = 300_000
"""Changes outside of polls are saved this long after the first one, so that the disk is seldom needed."""

CLOSE_TIMEOUT_S = 0.5
"""A disk that does not answer delays the program's end no longer than this."""


class SavedServerSync(QObject):
    """Loads the saved servers at the start and saves changed ones.

    Saves after each poll and every few minutes.

    Signals:
        load_finished: all servers that could be read are shown.
        load_failed: why the saved servers could not be read.
    """

    load_finished = Signal()
    load_failed = Signal(str)

    def __init__(self, server_list: ServerListController, database: Database) -> None:
        super().__init__(server_list)
        self._server_list = server_list
        self._database = database
        self._unsaved_rows: set[int] = set()
        self._loaded_slices: deque[list[SavedServer] | str] = deque()  # slices, then an error message, "" for none
        self._reader: threading.Thread | None = None
        self._closed = False
        self._load_timer = QTimer(self, interval=SLICE_INTERVAL_MS)
        self._load_timer.timeout.connect(self._show_next_slice)
        self._save_timer = QTimer(self, interval=SLICE_INTERVAL_MS)
        self._save_timer.timeout.connect(self._save_slice)
        self._delay_timer = QTimer(self, singleShot=True, interval=SAVE_DELAY_MS)
        self._delay_timer.timeout.connect(self._save_timer.start)
        server_list.changed.connect(self._mark_unsaved)
        server_list.running_changed.connect(lambda running: None if running else self._save_timer.start())

    def load(self) -> None:
        """Show the saved servers, marked old, slice by slice."""
        delete_old_servers(self._database)
        self._reader = threading.Thread(target=self._read_in_thread, name="known servers", daemon=True)
        self._server_list.begin_loading()
        self._reader.start()
        self._load_timer.start()

    def close(self) -> None:
        """Hand unsaved servers to the database's thread; nothing more is read or shown."""
        self._closed = True
        if self._reader is not None:
            self._reader.join(CLOSE_TIMEOUT_S)
        for timer in (self._load_timer, self._save_timer, self._delay_timer):
            timer.stop()
        while self._unsaved_rows:
            self._save_slice()

    def _read_in_thread(self) -> None:
        problem = ""
        runtime_tuning.shorten_switch_interval()  # else every paint waits for the interpreter lock
        try:
            with suppress(CancelledError):
                load_servers(self._database, self._queue_slice)
        except StorageError as error:
            problem = str(error)
            _log.info("Could not load saved servers: %s", error)
        finally:
            runtime_tuning.restore_switch_interval()
            self._loaded_slices.append(problem)

    def _queue_slice(self, servers: list[SavedServer]) -> None:
        """Queue a slice; called in the reading thread."""
        if self._closed:
            raise CancelledError
        self._loaded_slices.append(servers)

    def _show_next_slice(self) -> None:
        if not self._loaded_slices:
            return
        servers = self._loaded_slices.popleft()
        if isinstance(servers, list):
            self._server_list.add_saved_servers(servers)
            return
        self._load_timer.stop()
        self._server_list.finish_loading()
        self.load_finished.emit()
        if servers:
            self.load_failed.emit(servers)

    def _mark_unsaved(self, changes: ChangeSet) -> None:
        """Note changed rows to save; those of saved servers are in the file already."""
        self._unsaved_rows.update(changes.ids[~self._server_list.catalogue.saved[changes.ids]].tolist())
        if self._unsaved_rows and not self._delay_timer.isActive() and not self._closed:
            self._delay_timer.start()

    def _save_slice(self) -> None:
        rows = list(islice(self._unsaved_rows, BATCH_SIZE))
        self._unsaved_rows.difference_update(rows)
        servers = self._server_list.catalogue.saved_servers(rows)
        if servers:
            save_servers(self._database, servers)
        if not self._unsaved_rows:
            self._save_timer.stop()
