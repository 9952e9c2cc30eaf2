"""Main window with its backend, and its replacement after some settings."""

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Self

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from browser_app.application.app_context import AppContext, WindowOptions
from browser_app.application.source_selection import SelectedSources, enabled_master_urls, sources_from_settings
from browser_app.bridge.live_settings import LiveSettings, SettingEffects, SettingsApplier, own_country
from browser_app.bridge.server_list_controller import CarriedOverList
from browser_app.bridge.system_monitors import ExceptionRelay, SleepMonitor, StorageMonitor
from browser_app.bridge.update_check import UpdateChecker
from browser_app.language import gettext as _
from browser_app.paths import resource_folder, user_paths
from browser_app.storage import setting_declarations
from browser_app.storage.settings_store import Settings
from browser_app.ui.main_window import MainWindow
from browser_app.ui.settings.settings_dialog import SettingsDialog
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import age_text
from browser_app.ui.window_state import WindowState, capture_state, restore_state
from browser_app.window_app.qt_application import install_language
from browser_app.window_app.window_backend import WindowBackend, create_window_services

RESTART_DELAY_MS = 800
"""Wait after the last change, so that typing or scrolling through values has ended."""
MAX_GAME_SEARCH_MS = 3_000
"""The first refresh waits no longer than this for the installed games, which decide on Steam's lists."""
_FRAME_SIZE = QSize(16, 40)
"""Room for the window's frame and title bar, whose sizes are unknown before it is shown."""


class RestartMonitor(QObject):
    """Requests a new window when language or size change.

    Never does so while the user waits for something.

    Signals:
        restart_requested: with the `WindowState` that the new window restores.
    """

    restart_requested = Signal(object)

    def __init__(self, settings: LiveSettings, window: MainWindow, is_busy: Callable[[], bool]) -> None:
        """`is_busy`: whether something is running that a new window would not continue."""
        super().__init__(window)
        self._window, self._changed_key, self.is_busy = window, "", is_busy
        self._delay_timer = QTimer(self, singleShot=True, interval=RESTART_DELAY_MS)
        self._delay_timer.timeout.connect(self._request_restart)
        settings.changed.connect(self._on_setting_changed)

    def _on_setting_changed(self, key: str) -> None:
        if key in (setting_declarations.LANGUAGE.key, setting_declarations.UI_SCALE.key):
            self._changed_key = key
            self._delay_timer.start()

    def _request_restart(self) -> None:
        if self.is_busy():
            self._delay_timer.start()
        else:
            self.restart_requested.emit(capture_state(self._window, self._changed_key))


class WindowProgram:
    """The main window with its backend.

    Use as a context manager: leaving it closes and saves everything.
    """

    def __init__(
        self,
        options: WindowOptions,
        context: AppContext,
        app: QApplication,
        theme: str | None = None,
        *,
        carried_over: CarriedOverList | None = None,
    ) -> None:
        """Create window and backend; nothing is queried yet.

        `carried_over` is the list of a window that this one replaces.

        Raises:
            UsageError: a source is wrong.
        """
        # First, since messages about errors in the settings are in the language set there.
        install_language(
            app, resource_folder() / "languages", Settings(user_paths().settings).get(setting_declarations.LANGUAGE)
        )
        self._profile_problem, self._carried_over_list = context.profile_problem, carried_over
        with ExitStack() as stack:
            self.backend = stack.enter_context(
                WindowBackend(options, context, carried_over.catalogue if carried_over else None)
            )
            self.storage, self.settings = self.backend.storage, self.backend.settings
            self._connect_settings()
            self.theme = Theme(app, theme or self.storage.settings.get(setting_declarations.THEME))
            self._create_window()
            self._exit_stack = stack.pop_all()

    def _create_window(self) -> None:
        backend = self.backend
        self.window = MainWindow(self.theme, create_window_services(backend))
        self.exception_relay = backend.close_on_exit(ExceptionRelay())
        self.exception_relay.exception_caught.connect(
            self.window.help_controller.show_exception, Qt.ConnectionType.QueuedConnection
        )
        self.restart_monitor = RestartMonitor(self.settings, self.window, self._is_busy)
        self.storage_monitor = backend.close_on_exit(StorageMonitor(self.storage.database))
        self.storage_monitor.problem_changed.connect(self._show_storage_problem)
        self.sleep_monitor = backend.close_on_exit(SleepMonitor())
        self.sleep_monitor.sleep_ended.connect(self._on_wake_up)
        self.update_checker = backend.close_on_exit(
            UpdateChecker(self.settings, self.storage.ui_state, backend.background)
        )
        self.update_checker.news_changed.connect(self._show_persistent_messages)
        self.update_checker.check_failed.connect(
            lambda why: self.window.status_bar.show_temporary_message(
                _("Could not check for new versions: {why}").format(why=why)
            )
        )
        self._first_refresh_timer = QTimer(self.window, singleShot=True, interval=MAX_GAME_SEARCH_MS)
        self._first_refresh_timer.timeout.connect(backend.server_list.refresh)
        backend.installed_games.scan()
        backend.call_on_exit(self.window.quit)
        backend.close_on_exit(backend.saved_server_sync)

    def _is_busy(self) -> bool:
        """Return whether something is under way that a new window would not continue.

        A server is being chosen or joined, rounds are being imported, a dialog other than the settings is open, or the
        window is hidden: the new one would be shown.
        """
        dialog = QApplication.activeModalWidget()
        return (
            self.window.isHidden()
            or not (dialog is None or isinstance(dialog, SettingsDialog))
            or self.window.join_controller.is_unfinished
            or self.backend.play_now.is_running
            or self.backend.skill_backend.importer.is_running
        )

    def _connect_settings(self) -> None:
        backend = self.backend
        rescore = backend.server_list.rescore
        effects: SettingEffects = {
            setting_declarations.RANKING_PRESET.key: self._update_scoring,
            setting_declarations.SCORE_USES_FORECAST.key: self._update_scoring,
            setting_declarations.MAX_HISTORY_MB.key: backend.sample_recorder.run_maintenance,
            setting_declarations.OWN_COUNTRY.key: self._update_own_country,
            # Play Now's next choice is displayed, and computed after each rescore.
            setting_declarations.PLAY_NOW_SCOPE.key: rescore,
            setting_declarations.PLAYED_GAMES.key: self._update_played_games,
            setting_declarations.GAME_PROGRAMS.key: backend.installed_games.scan,
            setting_declarations.OWN_VERSIONS.key: rescore,
            setting_declarations.CODE_PAGES.key: self._update_code_pages,
        }
        backend.skill_backend.model.own_skill_changed.connect(self._update_scoring)
        backend.catalogue.own_country = own_country(self.settings)
        self._code_pages = backend.code_pages()
        uses_settings = backend.query_service.selected.from_settings
        read_sources = self._read_sources if uses_settings else None
        self._settings_applier = SettingsApplier(self.settings, backend.background, effects, read_sources)
        self._settings_applier.sources_loaded.connect(self._apply_sources)
        self._awaits_installed_games = uses_settings
        self._favourite_games = backend.storage.favourites.games()
        backend.installed_games.changed.connect(self._settings_applier.load_sources)
        backend.server_list.rescored.connect(self._on_rescored)

    def _read_sources(self) -> SelectedSources:
        backend = self.backend
        return sources_from_settings(backend.games, self.storage, backend.catalogue.installed_games or ())

    def _on_rescored(self) -> None:
        """Read the sources again where there are favourites of other games than before."""
        games = self.storage.favourites.games()
        if games != self._favourite_games:
            self._favourite_games = games
            self._settings_applier.load_sources()

    def _update_scoring(self) -> None:
        self.backend.scoring.update()
        self.backend.catalogue.use_forecast = self.settings.get(setting_declarations.SCORE_USES_FORECAST)
        self.backend.server_list.rescore()

    def _update_played_games(self) -> None:
        self.window.servers_view.show_games(self.backend.shown_games.game_ids())
        self.backend.server_list.rescore()

    def _update_own_country(self) -> None:
        self.backend.catalogue.own_country = own_country(self.settings)
        self.backend.server_list.rescore()

    def _update_code_pages(self) -> None:
        """Query the servers whose texts are to be read by another code page than before."""
        before, self._code_pages = self._code_pages, self.backend.code_pages()
        changed = {address for address, _page in before.items() ^ self._code_pages.items()}
        rows = (self.backend.catalogue.row_of(address) for address in changed)
        self.backend.server_list.query_stale([row for row in rows if row is not None], fresh_s=0.0)

    def _apply_sources(self, selected: SelectedSources, is_setting_changed: bool) -> None:
        queries = self.backend.query_service
        masters_before = set(queries.selected.sources.masters)
        queries.selected = selected
        enabled = enabled_master_urls(self.backend.games, self.storage.settings)
        server_list = self.backend.server_list
        has_switched_off = any(master.url not in enabled for master in masters_before)
        if has_switched_off:
            self.backend.list_refresher.cancel_queries()
        server_list.listing_updater.enable_sources(enabled)
        self.window.servers_view.show_games(self.backend.shown_games.game_ids())
        self._show_persistent_messages()
        self._awaits_installed_games &= self.backend.catalogue.installed_games is None
        is_first = self._first_refresh_timer.isActive() and not self._awaits_installed_games
        if is_first:
            self._first_refresh_timer.stop()
        if is_first and not server_list.is_running:
            server_list.refresh()
        elif not (is_first or is_setting_changed):
            return  # new masters are polled at the next refresh
        elif set(selected.sources.masters) - masters_before or (has_switched_off and server_list.is_running):
            server_list.stop()  # the running poll has other masters
            self.window.refresh_controller.refresh_when_finished()

    def problems(self) -> list[str]:
        """Return errors in settings, profiles and lists for the user, one line each."""
        selected = self.backend.query_service.selected
        return [*filter(None, [self._profile_problem]), *self.storage.problems, *selected.problems]

    def show(self, state: WindowState | None = None) -> None:
        """Show the window with the saved servers and start polling.

        `state` continues an earlier window.
        """
        backend, view = self.backend, self.window.servers_view
        backend.user_lists.add_unlisted_favourites()
        backend.user_lists.add_saved_list_servers()
        backend.saved_server_sync.load_failed.connect(
            lambda why: self.window.status_bar.show_message(
                _("Saved servers could not be loaded: {why}").format(why=why)
            )
        )
        view.show_games(backend.shown_games.game_ids())
        if self._carried_over_list is None:
            backend.saved_server_sync.load()
        backend.sample_recorder.start()
        backend.skill_backend.start()
        if view.first_run.show_if_first() and not backend.is_demo:
            self.window.list_import_export.find_favourites(view.first_run.favourites_step.show_found)
        self.window.resize(self.window.size().boundedTo(self.window.screen().availableSize() - _FRAME_SIZE))
        self.window.show()
        self._start_list(state)
        self.window.link_controller.search_pending()
        self._show_persistent_messages()
        if not backend.is_demo:  # the demo never contacts other machines
            self.update_checker.start()

    def _start_list(self, state: WindowState | None) -> None:
        """Poll the list for the first time, or continue that of the earlier window."""
        backend, carried_over = self.backend, self._carried_over_list
        if carried_over is not None:
            backend.server_list.continue_list(carried_over)
            if state is not None:
                restore_state(self.window, state)
            return
        if state is not None:
            backend.saved_server_sync.load_finished.connect(lambda: restore_state(self.window, state))
        if self.storage.settings.get(setting_declarations.SCAN_AT_START):
            if self._awaits_installed_games:
                self._first_refresh_timer.start()
            else:
                backend.server_list.refresh()

    def open_urls(self, urls: Sequence[str], activation_token: str) -> None:
        """Bring the window to the front and show the servers that another start was given."""
        if activation_token:
            os.environ["XDG_ACTIVATION_TOKEN"] = activation_token  # Qt passes it to the compositor
        self.window.raise_to_front()
        self.window.link_controller.open_links(urls)

    def _on_wake_up(self, slept_s: float) -> None:
        """Refresh the list, unless a game is running or the user only refreshes manually."""
        server_list = self.backend.server_list
        server_list.stop()  # replies sent before the sleep are lost
        message = _("The computer was asleep for {time}. The list is out of date and is being refreshed.")
        if server_list.is_paused or not self.settings.get(setting_declarations.SCAN_AT_START):
            message = _("The computer was asleep for {time}. The list may be out of date.")
        else:
            self.window.refresh_controller.refresh_when_finished()
        self.window.status_bar.show_temporary_message(message.format(time=age_text(slept_s)))

    def _show_storage_problem(self, problem: str) -> None:
        if problem:
            self.window.status_bar.show_message(problem, warning=True)
        else:
            self._show_persistent_messages()
            self.window.status_bar.show_temporary_message(_("Saving works again"))

    def _show_persistent_messages(self) -> None:
        self.window.status_bar.show_message(self.update_checker.news)
        self.window.help_controller.show_problems(self.problems())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._first_refresh_timer.stop()
        self._exit_stack.close()
