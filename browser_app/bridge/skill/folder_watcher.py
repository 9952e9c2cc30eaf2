"""Watched folders whose new round files are imported."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from browser_app.application.round_imports.folder_scan import SETTLED_S, FolderScan, WatchedFolderState, scan_folders
from browser_app.application.round_imports.round_files import needs_column_map
from browser_app.application.round_imports.round_import import RoundImportResult
from browser_app.bridge.background_tasks import SerialExecutor, ignore_storage_errors
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.paths import printable_path
from browser_app.storage.own_skill.round_store import WatchedFile, WatchedFolderStore

FOLDER_SCAN_INTERVAL_MS = 30_000


class FolderWatcher(QObject):
    """Imports new files of watched folders.

    A file is imported again only after its size or modification time has changed.

    Signals:
        changed: `folders` or `scanned_at` differs.

    Attributes:
        folders: the watched folders, in the order in which they were added.
        scanned_at: when they were scanned (Unix time, s), None before.
    """

    changed = Signal()
    _scan_finished = Signal(object)

    def __init__(self, store: WatchedFolderStore, importer: RoundImporter) -> None:
        super().__init__()
        self._store, self._importer = store, importer
        self._executor = SerialExecutor("watched folders")
        self._busy = self._scan_again = self._closed = self._waits_for_settling = False
        self._imported_files: list[WatchedFile] = []
        """Results of imported files, not yet stored."""
        self._cancelled_files: set[WatchedFile] = set()
        """Files of a cancelled import: imported after the next start, or when they change."""
        self._postponed_files: set[WatchedFile] = set()
        """Files that the database could not take: imported when the program is activated again, too."""
        self.folders: tuple[WatchedFolderState, ...] = tuple(WatchedFolderState(Path(each)) for each in store)
        self.scanned_at: float | None = None
        self._timer = QTimer(self, interval=FOLDER_SCAN_INTERVAL_MS)
        self._timer.timeout.connect(self.scan)
        self._settle_timer = QTimer(self, interval=round(SETTLED_S * 1000), singleShot=True)
        self._settle_timer.timeout.connect(self.scan)
        importer.column_map_saved.connect(self._retry_failed_files)
        self._scan_finished.connect(self._import_new_files, Qt.ConnectionType.QueuedConnection)

    @property
    def unmapped_tables(self) -> list[Path]:
        """Tables whose columns are not mapped yet."""
        return [path for folder in self.folders for path in folder.unmapped_tables]

    def start(self) -> None:
        """Scan now, then every 30 s and whenever the program is activated."""
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_application_state)
        self.scan()

    def scan(self) -> None:
        """Scan now, in the background; during a scan or its imports, once more afterwards."""
        if self._closed or not len(self._store):
            self._timer.stop()
            return
        if not self._timer.isActive():
            self._timer.start()
        if self._busy:
            self._scan_again = True
            return
        self._busy, self._scan_again = True, False
        folders, imported = [Path(each) for each in self._store], self._imported_files
        self._imported_files = []
        is_unmapped = partial(needs_column_map, maps=self._importer.maps)
        self._executor.run(
            lambda: self._executor.emit(self._scan_finished, scan_folders(folders, self._store, imported, is_unmapped))
        )

    def add(self, folder: Path) -> None:
        """Watch one more folder and import its files."""
        self._store.add(str(folder.absolute()))
        self._set_folders(self.folders)
        self.scan()

    def remove(self, folder: Path) -> None:
        """Stop watching a folder; rounds imported from it stay."""
        self._store.remove(str(folder))
        self._set_folders(self.folders)

    def close(self) -> None:
        """Stop watching; no signal follows."""
        self._closed = True
        self._timer.stop()
        self._settle_timer.stop()
        self._executor.close()

    def _retry_failed_files(self) -> None:
        """Import failed tables again: a new column map may fit them."""
        if not self._closed:
            self._executor.run(self._forget_failed_files)
            self.scan()

    def _forget_failed_files(self) -> None:
        with ignore_storage_errors("forget failed files"):  # they wait until they change, then
            self._store.remove_failed_files().result()

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._postponed_files.clear()
            self.scan()

    def _import_new_files(self, scan: FolderScan) -> None:
        if self._closed:
            return
        self.scanned_at = time.time()
        self._set_folders(scan.folders)
        if scan.has_unsettled and not self._waits_for_settling:
            self._settle_timer.start()  # once: a file that grows all the time waits for the regular scans
        self._waits_for_settling = scan.has_unsettled
        left_out = self._cancelled_files | self._postponed_files
        new = {file: path for file, path in scan.new.items() if file not in left_out}
        if new:
            self._importer.import_paths(list(new.values()), partial(self._note_results, list(new)))
        else:
            self._finish_scan()

    def _note_results(self, files: Sequence[WatchedFile], results: Sequence[RoundImportResult]) -> None:
        by_file = {printable_path(str(each.path)): each for each in results}
        self._cancelled_files |= {each for each in files if each.file not in by_file}
        self._postponed_files |= {each for each in files if each.file in by_file and by_file[each.file].is_temporary}
        problems = {file: result.problem or None for file, result in by_file.items() if not result.is_temporary}
        self._imported_files = [each._replace(problem=problems[each.file]) for each in files if each.file in problems]
        self._scan_again = self._scan_again or any(problems.values())  # to show the problems
        self._finish_scan()

    def _finish_scan(self) -> None:
        self._busy = False
        if self._scan_again:
            self.scan()

    def _set_folders(self, states: Sequence[WatchedFolderState]) -> None:
        """Show the states of those that are still watched."""
        by_path = {str(state.path): state for state in states}
        self.folders = tuple(by_path.get(folder, WatchedFolderState(Path(folder))) for folder in self._store)
        self.changed.emit()
