"""Settings, master servers and keys from the window: opens their dialogs and lets settings of the window hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.master_health import MasterHealth
from browser_app.bridge.steam_key import SteamKeyBox
from browser_app.games.games import Games
from browser_app.language import gettext as _
from browser_app.storage.declared import INSPECTOR, PLAY_FILTER, ROWS, THEME
from browser_app.storage.kept import Kept
from browser_app.ui.actions import Action
from browser_app.ui.dialogs.keys import KeysDialog
from browser_app.ui.dialogs.masters import MastersDialog
from browser_app.ui.dialogs.settings import SettingsDialog
from browser_app.ui.dialogs.settings_key import STEAM_KEY
from browser_app.ui.theme import Theme


@dataclass(frozen=True)
class SettingsServices:
    """The parts below."""

    settings: LiveSettings
    steam_key: SteamKeyBox
    masters: MasterHealth
    games: Games
    kept: Kept


class SettingsControl(QObject):
    """Kept true: one dialog of a kind at a time.

    Signals:
        told: news for the status line.
        refresh_wanted: another Steam key holds, so that more masters may answer.
    """

    told = Signal(str)
    refresh_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        services: SettingsServices,
        show_rows: Callable[[str], object],
        place_inspector: Callable[[str], object],
        actions: Callable[[], Sequence[Action]],
    ) -> None:
        """`show_rows` and `place_inspector` take what is wanted of them, `actions` are those that have a key now."""
        super().__init__(window)
        self._theme, self._window, self._services, self._actions = theme, window, services, actions
        settings = services.settings
        self._effects: dict[str, Callable[[], object]] = {
            THEME.key: lambda: theme.choose(settings.get(THEME)),
            ROWS.key: lambda: show_rows(settings.get(ROWS)),
            INSPECTOR.key: lambda: place_inspector(settings.get(INSPECTOR)),
        }
        for key in (ROWS.key, INSPECTOR.key):
            self._effects[key]()
        settings.changed.connect(self._changed)
        settings.failed.connect(self._tell_failed)
        services.steam_key.changed.connect(self.refresh_wanted)
        self.entries = (
            (_("Settings…"), self.open),
            (_("Master servers…"), self.open_masters),
            (_("Keys…"), self.open_keys),
            (_("About Ready Room…"), self.open_about),
        )

    def open(self) -> SettingsDialog:
        """Open the settings."""
        it = self._services
        names = {game: profile.name for game, profile in it.games.items()}
        dialog = SettingsDialog(self._theme, self._window, it.settings, it.steam_key, names, it.kept)
        dialog.masters_wanted.connect(self.open_masters)
        dialog.open()
        return dialog

    @property
    def is_open(self) -> bool:
        """The settings are in sight."""
        dialog = self._window.findChild(SettingsDialog)
        return dialog is not None and dialog.isVisible()

    def open_key(self) -> None:
        """Open the settings where the Steam key is put in."""
        self.open().show_row(STEAM_KEY)

    def open_play_now(self) -> None:
        """Open the settings where those of Play Now are."""
        self.open().show_row(PLAY_FILTER.key)

    def open_masters(self) -> None:
        """Open the master servers."""
        it = self._services
        MastersDialog(self._theme, self._dialog_parent(), it.settings, it.masters, it.games, it.kept).open()

    def open_keys(self) -> None:
        """Open the list of keys."""
        keys = KeysDialog(self._theme, self._window, self._actions(), self._services.kept)
        keys.about_wanted.connect(self.open_about)
        keys.open()

    def open_about(self) -> None:
        """Say what the program is, and what it sends."""
        from browser_app.ui.dialogs.about import AboutDialog  # what it asks of the packages no start waits for

        it = self._services
        AboutDialog(self._theme, self._window, it.settings, it.kept).open()

    def _dialog_parent(self) -> QWidget:
        settings = self._window.findChild(SettingsDialog)
        return settings if settings is not None and settings.isVisible() else self._window

    def _changed(self, key: str) -> None:
        if key in self._effects:
            self._effects[key]()

    def _tell_failed(self, problem: str) -> None:
        self.told.emit(
            _("Settings not saved ({problem}): they hold until the window is closed").format(problem=problem)
        )
