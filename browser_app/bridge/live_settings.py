"""Settings and Steam key of the open window, saved in threads."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QLocale, QObject, QTimer, Signal

from browser_app.application.source_selection import SelectedSources
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.storage.keyring_store import Secrets, SteamKeySource
from browser_app.storage.setting_declarations import (
    DISABLED_MASTERS,
    EXTRA_MASTERS,
    OWN_COUNTRY,
    PLAYED_GAMES,
)
from browser_app.storage.setting_types import Setting
from browser_app.storage.settings_store import Settings
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)


class SteamKeyController(QObject):
    """Finds, saves and deletes the Steam Web API key, without ever returning it.

    Signals:
        source_found: where the key is; follows each call of `find_key`, `save_key` and `delete_key`.
        changed: the key was replaced or deleted.
    """

    source_found = Signal(SteamKeySource)
    changed = Signal()

    def __init__(self, secrets: Secrets, background: BackgroundTasks) -> None:
        super().__init__()
        self._secrets, self._background = secrets, background

    def find_key(self) -> None:
        """Find out where the key is stored."""
        self._background.run(self._secrets.steam_key_source, self.source_found.emit)

    def save_key(self, key: str) -> None:
        """Save a key in the secret store, or until the program ends where there is none."""
        self._background.run(lambda: self._store_key(key), self._on_stored)

    def delete_key(self) -> None:
        """Delete the key."""
        self._background.run(lambda: self._store_key(None), self._on_stored)

    def _store_key(self, key: str | None) -> SteamKeySource:
        self._secrets.set_steam_key(key)
        return self._secrets.steam_key_source()

    def _on_stored(self, source: SteamKeySource) -> None:
        self.source_found.emit(source)
        self.changed.emit()


_T = TypeVar("_T")


RETRY_INTERVAL_MS = 15_000
"""Changes that could not be written are tried again after this time, and with the next change."""


class LiveSettings(QObject):
    """Settings that are written to the file in the order of their changes.

    There is one write at a time.

    Signals:
        changed: the key of a setting that has a new value.
        save_failed: why a change could not be written; it is in effect and written later. Emitted for the first of
            several failures in a row.
        save_recovered: all changes are written after such a failure.
    """

    changed = Signal(str)
    save_failed = Signal(str)
    save_recovered = Signal()

    def __init__(self, settings: Settings, background: BackgroundTasks) -> None:
        super().__init__()
        self._settings, self._background = settings, background
        self._unsaved: dict[str, Setting[Any]] = {}
        self._writing: list[Setting[Any]] = []
        """Settings that a background thread is writing."""
        self._is_failing = False
        self._retry_timer = QTimer(self, singleShot=True, interval=RETRY_INTERVAL_MS)
        self._retry_timer.timeout.connect(self._save_next)

    @property
    def path(self) -> Path:
        """The settings file."""
        return self._settings.path

    def get(self, setting: Setting[_T]) -> _T:
        """Return the current value of a setting."""
        return self._settings.get(setting)

    def set(self, setting: Setting[_T], value: _T) -> None:
        """Change a setting; the current value again changes nothing.

        Raises:
            ValueError: the value does not fit; nothing is changed.
        """
        value = setting.check(value)
        if value == self.get(setting):
            return
        self._settings.set_in_memory(setting, value)
        _log.info("Setting changed: %s", setting.key)
        self._unsaved[setting.key] = setting
        self._save_next()
        self.changed.emit(setting.key)

    def close(self) -> None:
        """Write all unsaved changes, even those that a thread may be writing.

        Emits nothing any more.
        """
        self._retry_timer.stop()
        unsaved, self._unsaved = [*self._writing, *self._unsaved.values()], {}
        self._save_all(unsaved)

    def _save_next(self) -> None:
        if self._writing or not self._unsaved:
            return
        writing = self._writing = list(self._unsaved.values())
        self._unsaved = {}
        self._background.run(lambda: self._save_all(writing), self._on_saved)

    def _save_all(self, unsaved: list[Setting[Any]]) -> str:
        """Write these in any thread and return what went wrong, "" for nothing."""
        try:
            for setting in unsaved:
                self._settings.write(setting)
        except StorageError as error:
            _log.info("Could not save settings: %s", error)
            return str(error)
        return ""

    def _on_saved(self, problem: str) -> None:
        was_failing, self._is_failing = self._is_failing, bool(problem)
        written, self._writing = self._writing, []
        if problem:
            self._unsaved = {setting.key: setting for setting in written} | self._unsaved
            self._retry_timer.start()
            if not was_failing:
                self.save_failed.emit(problem)
            return
        if was_failing:
            self.save_recovered.emit()
        self._save_next()


SettingEffects = Mapping[str, Callable[[], object]]
"""What to call when a setting changes, by its key."""
SourceReader = Callable[[], SelectedSources]
"""Reads the sources that the settings name; may read files."""

_SOURCE_KEYS = (PLAYED_GAMES.key, EXTRA_MASTERS.key, DISABLED_MASTERS.key)


class SettingsApplier(QObject):
    """Applies changed settings. A setting that is read at each use has no effect here.

    Signals:
        sources_loaded: the `SelectedSources` of the next refresh, and whether a setting was changed.
    """

    sources_loaded = Signal(object, bool)

    def __init__(
        self,
        settings: LiveSettings,
        background: BackgroundTasks,
        effects: SettingEffects,
        read_sources: SourceReader | None,
    ) -> None:
        """Listen to `settings`.

        `read_sources` is None where the command line names the sources.
        """
        super().__init__()
        self._background, self._read_sources, self._effects = background, read_sources, effects
        self._read_number = 0
        self._is_setting_changed = False
        settings.changed.connect(self._on_setting_changed)

    def load_sources(self) -> None:
        """Read the sources again because something else has changed that they depend on."""
        if self._read_sources is not None:
            self._read_number += 1
            self._background.run(self._read_sources, partial(self._on_sources_loaded, self._read_number))

    def _on_setting_changed(self, key: str) -> None:
        if key in self._effects:
            self._effects[key]()
        if key in _SOURCE_KEYS:
            self._is_setting_changed = True
            self.load_sources()

    def _on_sources_loaded(self, read_number: int, loaded: SelectedSources) -> None:
        if read_number == self._read_number:
            is_setting_changed, self._is_setting_changed = self._is_setting_changed, False
            self.sources_loaded.emit(loaded, is_setting_changed)


def own_country(settings: LiveSettings) -> str:
    """Return the user's country code (two letters), by default the system's.

    "" where that is unknown.
    """
    return settings.get(OWN_COUNTRY).upper() or QLocale.territoryToCode(QLocale.system().territory())
