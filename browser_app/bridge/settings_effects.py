"""What a changed setting does at once to the list: one row a setting that has to be told to somebody."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QLocale, QObject, Signal

from browser_app.bridge.background import Background
from browser_app.bridge.live_settings import LiveSettings
from browser_app.engine.sources import Sources
from browser_app.storage.declared import COUNTRY, EXTRA_MASTERS, GAMES, MASTERS_OFF

Effects = Mapping[str, Callable[[], object]]
"""What is to be done, by the setting's key."""
ReadSources = Callable[[], tuple[Sources, list[str]]]
"""Reads the sources that the settings name and what is wrong with them; may read files."""

_SOURCES = (GAMES.key, EXTRA_MASTERS.key, MASTERS_OFF.key)


class SettingsEffects(QObject):
    """Listens to the settings. A setting that is read whenever it is needed has no effect here.

    Signals:
        sources_read: other sources hold from the next refresh, and what is wrong with those that were left out.
    """

    sources_read = Signal(object, object)

    def __init__(
        self, settings: LiveSettings, background: Background, effects: Effects, read_sources: ReadSources | None
    ) -> None:
        """`read_sources` is None where the command line names the sources."""
        super().__init__()
        self._background, self._read_sources, self._effects = background, read_sources, effects
        self._turn = 0
        settings.changed.connect(self._changed)

    def _changed(self, key: str) -> None:
        if key in self._effects:
            self._effects[key]()
        if key in _SOURCES and self._read_sources is not None:
            self._turn += 1
            self._background.run(self._read_sources, partial(self._read, self._turn))

    def _read(self, turn: int, read: tuple[Sources, list[str]]) -> None:
        if turn == self._turn:
            self.sources_read.emit(*read)


def own_country(settings: LiveSettings) -> str:
    """Two letters: the user's word, else the system's region; empty where that is unknown."""
    return settings.get(COUNTRY).upper() or QLocale.territoryToCode(QLocale.system().territory())
