"""Controller of the dialogs for settings, master servers and shortcuts."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import INSPECTOR_PLACE, PLAY_NOW_SCOPE, ROW_HEIGHT, THEME
from browser_app.ui.settings.keyboard_shortcuts import ShortcutAction, ShortcutsDialog, shortcut_key
from browser_app.ui.settings.masters_dialog import MastersDialog
from browser_app.ui.settings.setting_editors import EditorNames
from browser_app.ui.settings.setting_rows import STEAM_KEY_ROW
from browser_app.ui.settings.settings_dialog import SettingsDialog
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices


class SettingsController(QObject):
    """Opens the dialogs, at most one of each kind.

    Signals:
        status_reported: text for the status bar.
        change_reported: text about a change, and a function that undoes it.
        undo_requested: Ctrl+Z was pressed in a dialog.
        refresh_requested: the Steam key has changed, so that more master servers may answer.
    """

    status_reported = Signal(str)
    change_reported = Signal(str, object)
    undo_requested = Signal()
    refresh_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        services: WindowServices,
        set_row_height: Callable[[str], object],
        place_inspector: Callable[[str], object],
        actions: Callable[[], Sequence[ShortcutAction]],
    ) -> None:
        """Create the controller.

        `set_row_height` and `place_inspector` apply a chosen value; `actions` returns the actions that have a shortcut.
        """
        super().__init__(window)
        self._theme, self._window, self._services, self._shortcut_actions = theme, window, services, actions
        settings = services.settings
        self._setting_effects: dict[str, Callable[[], object]] = {
            THEME.key: lambda: theme.set_theme(settings.get(THEME)),
            ROW_HEIGHT.key: lambda: set_row_height(settings.get(ROW_HEIGHT)),
            INSPECTOR_PLACE.key: lambda: place_inspector(settings.get(INSPECTOR_PLACE)),
        }
        for key in (ROW_HEIGHT.key, INSPECTOR_PLACE.key):
            self._setting_effects[key]()
        settings.changed.connect(self._on_setting_changed)
        settings.save_failed.connect(self._show_save_error)
        settings.save_recovered.connect(lambda: self.status_reported.emit(_("Settings saved")))
        services.steam_key.changed.connect(self.refresh_requested)
        self.menu_entries = (
            (_("Settings…"), self.open_settings, shortcut_key("settings")),
            (_("Master servers…"), self.open_masters),
        )

    def open_settings(self) -> SettingsDialog:
        """Open the settings."""
        return self.open_setting("")

    def open_setting(self, key: str) -> SettingsDialog:
        """Open the settings at one of them, or at the first."""
        services = self._services
        games = {game: profile.name for game, profile in services.games.items()}
        names = EditorNames(games, tuple(services.storage.saved_filters))
        dialog = SettingsDialog(
            self._theme, self._window, services.settings, services.steam_key, names, services.storage.ui_state
        )
        dialog.masters_requested.connect(self.open_masters)
        dialog.show_row(key)  # when a dialog opens, Qt shows the cursor in its focused field
        dialog.open()
        return dialog

    @property
    def is_open(self) -> bool:
        """Whether the settings are open."""
        dialog = self._window.findChild(SettingsDialog)
        return dialog is not None and dialog.isVisible()

    def open_key(self) -> None:
        """Open the settings at the Steam key."""
        self.open_setting(STEAM_KEY_ROW)

    def open_play_now(self) -> None:
        """Open the settings at Play Now."""
        self.open_setting(PLAY_NOW_SCOPE.key)

    def open_masters(self) -> None:
        """Open the master servers."""
        services = self._services
        dialog = MastersDialog(
            self._theme,
            self._dialog_parent(),
            services.settings,
            services.master_health,
            services.games,
            services.storage.ui_state,
        )
        dialog.change_reported.connect(self.change_reported)
        dialog.undo_requested.connect(self.undo_requested)
        dialog.open()

    def open_shortcuts(self) -> None:
        """Open the keyboard shortcuts."""
        keys = ShortcutsDialog(self._theme, self._window, self._shortcut_actions(), self._services.storage.ui_state)
        keys.about_requested.connect(self.open_about)
        keys.open()

    def open_about(self) -> None:
        """Open the information about the program."""
        # It reads package metadata, which must not delay the start.
        from browser_app.ui.settings.about_dialog import AboutDialog

        AboutDialog(self._theme, self._window, self._services.settings, self._services.storage.ui_state).open()

    def _dialog_parent(self) -> QWidget:
        settings = self._window.findChild(SettingsDialog)
        return settings if settings is not None and settings.isVisible() else self._window

    def _on_setting_changed(self, key: str) -> None:
        if key in self._setting_effects:
            self._setting_effects[key]()

    def _show_save_error(self, problem: str) -> None:
        self.status_reported.emit(
            _("Settings not saved ({problem}). Ready Room keeps trying until it is closed.").format(problem=problem)
        )
