"""The settings while the window is open: a change holds at once and is written beside the window."""

from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background import Background
from browser_app.storage.errors import StorageError
from browser_app.storage.setting import Setting
from browser_app.storage.settings import Settings

_T = TypeVar("_T")


class LiveSettings(QObject):
    """Kept true: changes reach the file in the order in which they were made, one write at a time.

    Signals:
        changed: the key of a setting that has another value now.
        failed: why a change could not be written; it holds until the program ends.
    """

    changed = Signal(str)
    failed = Signal(str)

    def __init__(self, settings: Settings, background: Background) -> None:
        super().__init__()
        self._settings, self._background = settings, background
        self._waiting: dict[str, Setting[Any]] = {}
        self._writing: list[Setting[Any]] = []
        """What another thread is at."""

    @property
    def path(self) -> Path:
        """The file that they are in."""
        return self._settings.path

    def get(self, setting: Setting[_T]) -> _T:
        """The value that holds."""
        return self._settings.get(setting)

    def set(self, setting: Setting[_T], value: _T) -> None:
        """Change a setting; the same value changes nothing.

        Raises:
            ValueError: the value does not fit; nothing is changed.
        """
        value = setting.check(value)
        if value == self.get(setting):
            return
        self._settings.hold(setting, value)
        self._waiting[setting.key] = setting
        self._write()
        self.changed.emit(setting.key)

    def close(self) -> None:
        """Write what is waiting, and what another thread may not have come to; nothing is told any more."""
        waiting, self._waiting = [*self._writing, *self._waiting.values()], {}
        self._write_all(waiting)

    def _write(self) -> None:
        if self._writing or not self._waiting:
            return
        writing = self._writing = list(self._waiting.values())
        self._waiting = {}
        self._background.run(lambda: self._write_all(writing), self._written)

    def _write_all(self, waiting: list[Setting[Any]]) -> str:
        """In whatever thread: what went wrong, empty for nothing."""
        try:
            for setting in waiting:
                self._settings.write(setting)
        except StorageError as error:
            return str(error)
        return ""

    def _written(self, problem: str) -> None:
        self._writing = []
        if problem:
            self.failed.emit(problem)
        self._write()
