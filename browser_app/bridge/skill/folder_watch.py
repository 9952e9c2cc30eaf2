"""Folders whose new files of rounds are taken in by themselves: looked at now and then, beside the window."""

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from browser_app.bridge.skill.folder_look import SETTLED_S, FolderState, Look, look_through
from browser_app.bridge.skill.imported import Imported
from browser_app.bridge.skill.imports import Imports
from browser_app.bridge.skill.round_tables import awaits_columns
from browser_app.bridge.turns import Turns
from browser_app.paths import printable
from browser_app.storage.errors import StorageError
from browser_app.storage.watched_folders import WatchedFile, WatchedFolders

EVERY_MS = 30_000


class FolderWatch(QObject):
    """Kept true: a file is taken again only when its size or its time of change is another one.

    Signals:
        changed: `folders` or `looked_at` differs.

    Attributes:
        folders: the watched ones, in the order in which they came.
        looked_at: when they were looked at (Unix time, s), None before.
    """

    changed = Signal()
    _looked = Signal(object)

    def __init__(self, store: WatchedFolders, imports: Imports) -> None:
        super().__init__()
        self._store, self._imports = store, imports
        self._turns = Turns("watched folders")
        self._busy = self._again = self._closed = False
        self._taken: list[WatchedFile] = []
        """What has become of files, not yet noted."""
        self._left: set[WatchedFile] = set()
        """Files of a cancelled import: they are taken after the next start, or when they change."""
        self.folders: tuple[FolderState, ...] = tuple(FolderState(Path(each)) for each in store)
        self.looked_at: float | None = None
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._settling = QTimer(self, interval=round(SETTLED_S * 1000), singleShot=True)
        self._settling.timeout.connect(self.look)
        imports.mapped.connect(self._try_again)
        self._looked.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def waiting(self) -> list[Path]:
        """The tables of which nobody has said which column is which."""
        return [path for folder in self.folders for path in folder.waiting]

    def start(self) -> None:
        """Look now, and from now on every 30 s and whenever the program comes to the front."""
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._state_changed)
        self.look()

    def look(self) -> None:
        """Look now, in the background; while a look or what it found is in hand, once more after it."""
        if self._closed or not len(self._store):
            self._timer.stop()
            return
        if not self._timer.isActive():
            self._timer.start()
        if self._busy:
            self._again = True
            return
        self._busy, self._again = True, False
        folders, taken = [Path(each) for each in self._store], self._taken
        self._taken = []
        awaits = partial(awaits_columns, maps=self._imports.maps)
        self._turns.run(lambda: self._looked.emit(look_through(folders, self._store, taken, awaits)))

    def add(self, folder: Path) -> None:
        """Watch one more; the files in it are taken in."""
        self._store.add(str(folder.absolute()))
        self._show(self.folders)
        self.look()

    def remove(self, folder: Path) -> None:
        """Watch it no more; the rounds that came from it stay."""
        self._store.remove(str(folder))
        self._show(self.folders)

    def close(self) -> None:
        """Watch no more; nothing is told."""
        self._closed = True
        self._timer.stop()
        self._settling.stop()
        self._turns.close()

    def _try_again(self) -> None:
        """What could not be read before may be understood now."""
        if not self._closed:
            self._turns.run(self._forget_refused)
            self.look()

    def _forget_refused(self) -> None:
        with suppress(StorageError):  # they wait until they change, then
            self._store.forget_refused().result()

    def _state_changed(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.look()

    def _take(self, look: Look) -> None:
        if self._closed:
            return
        self.looked_at = time.time()
        self._show(look.folders)
        if look.unsettled:
            self._settling.start()
        new = {file: path for file, path in look.new.items() if file not in self._left}
        if new:
            self._imports.run(list(new.values()), partial(self._note, list(new)))
        else:
            self._end()

    def _note(self, seen: Sequence[WatchedFile], results: Sequence[Imported]) -> None:
        problems = {printable(str(each.path)): each.problem or None for each in results}
        self._left |= {each for each in seen if each.file not in problems}
        self._taken = [each._replace(problem=problems[each.file]) for each in seen if each.file in problems]
        self._again = self._again or any(problems.values())  # to tell what is wrong
        self._end()

    def _end(self) -> None:
        self._busy = False
        if self._again:
            self.look()

    def _show(self, states: Sequence[FolderState]) -> None:
        """Show those of them that are still watched."""
        by_path = {str(state.path): state for state in states}
        self.folders = tuple(by_path.get(folder, FolderState(Path(folder))) for folder in self._store)
        self.changed.emit()
