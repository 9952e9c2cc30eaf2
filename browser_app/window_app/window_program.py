"""Main window with its backend, and its restart on settings."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from browser_app.application.app_context import AppContext, WindowOptions
from browser_app.application.source_selection import sources_from_settings
from browser_app.bridge.live_settings import LiveSettings, SettingEffects, SettingsEffects, own_country
from browser_app.bridge.system_monitors import SleepMonitor, StorageMonitor
from browser_app.bridge.update_check import UpdateChecker
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.language import gettext as _
from browser_app.paths import resource_folder, user_paths
from browser_app.storage.setting_declarations import (
    LANGUAGE,
    MAX_HISTORY_MB,
    OWN_COUNTRY,
    OWN_VERSIONS,
    PLAY_NOW_FILTER,
    RANKING_PRESET,
    SCAN_AT_START,
    SCORE_USES_FORECAST,
    SHOWN_GAMES,
    THEME,
    UI_SCALE,
)
from browser_app.storage.settings_store import Settings
from browser_app.ui.main_window import MainWindow
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import age_text
from browser_app.ui.window_state import WindowState, capture_state, restore_state
from browser_app.window_app.qt_application import install_language
from browser_app.window_app.window_backend import WindowBackend, create_window_services

RESTART_DELAY_MS = 800
"""So long after the last change: whoever types or scrolls has come to an end by then."""


class RestartWatcher(QObject):
    """Watches language and size.

    Kept true: nothing is broken off that the user waits for.

    Signals:
        wanted: the `WindowState` at which a new window is to go on.
    """

    restart_requested = Signal(object)

    def __init__(self, settings: LiveSettings, window: MainWindow, is_busy: Callable[[], bool]) -> None:
        """`is_busy`: something is in hand that a new window would not take up."""
        super().__init__(window)
        self._window, self._changed_key, self.is_busy = window, "", is_busy
        self._delay_timer = QTimer(self, singleShot=True, interval=RESTART_DELAY_MS)
        self._delay_timer.timeout.connect(self._request_restart)
        settings.changed.connect(self._on_setting_changed)

    def _on_setting_changed(self, key: str) -> None:
        if key in (LANGUAGE.key, UI_SCALE.key):
            self._changed_key = key
            self._delay_timer.start()

    def _request_restart(self) -> None:
        if self.is_busy():
            self._delay_timer.start()
        else:
            self.restart_requested.emit(capture_state(self._window, self._changed_key))


class WindowProgram(WindowBackend):
    """The window and everything behind it."""

    def __init__(
        self, options: WindowOptions, context: AppContext, app: QApplication, theme: str | None = None
    ) -> None:
        """Put the parts together; nothing is asked yet.

        Raises:
            BadInput: a source is wrong.
        """
        # First of all, since what is wrong with the settings is told in the language that they name.
        install_language(app, resource_folder() / "languages", Settings(user_paths().settings).get(LANGUAGE))
        super().__init__(args, context)
        self._profile_problem = context.profile_problem
        try:
            self._connect_settings(context)
            self.theme = Theme(app, theme or self.session.settings.get(THEME))
            self._create_window()
        except BaseException:
            self.exit_stack.close()
            raise

    def _create_window(self) -> None:
        self.window = MainWindow(self.theme, create_window_services(self))
        self.restart_watcher = RestartWatcher(self.settings, self.window, self._is_busy)
        self.storage_monitor = self.close_on_exit(StorageMonitor(self.session.database))
        self.storage_monitor.problem_changed.connect(self._show_storage_problem)
        self.sleep_monitor = self.close_on_exit(SleepMonitor())
        self.sleep_monitor.woke_up.connect(self._on_wake_up)
        self.update_checker = self.close_on_exit(UpdateChecker(self.settings, self.session.ui_state, self.background))
        self.update_checker.news_changed.connect(self._show_persistent_messages)
        self.update_checker.check_failed.connect(
            lambda why: self.window.status_bar.show_temporary_message(
                _("Could not check for new versions: {why}").format(why=why)
            )
        )
        self.exit_stack.callback(self.window.close)
        self.exit_stack.callback(self.saved_server_sync.close)

    def _is_busy(self) -> bool:
        """A server is being chosen or joined, or rounds are being taken in."""
        return (
            self.window.join_controller.is_using_bar
            or self.play_now.is_running
            or self.skill_backend.importer.is_running
        )

    def _connect_settings(self, context: AppContext) -> None:
        def rate() -> None:
            self.scoring.update()
            self.catalogue.use_forecast = self.settings.get(SCORE_USES_FORECAST)
            self.server_list.rescore()

        def place() -> None:
            self.catalogue.own_country = own_country(self.settings)
            self.server_list.rescore()

        effects: SettingEffects = {
            RANKING_PRESET.key: rate,
            SCORE_USES_FORECAST.key: rate,
            MAX_HISTORY_MB.key: self.sample_recorder.run_maintenance,
            OWN_COUNTRY.key: place,
            # What Play Now would choose is shown, and worked out after each scoring.
            PLAY_NOW_FILTER.key: self.server_list.rescore,
            OWN_VERSIONS.key: self.server_list.rescore,
            SHOWN_GAMES.key: self.server_list.rescore,
        }
        self.skill_backend.model.points_changed.connect(rate)
        self.catalogue.own_country = own_country(self.settings)
        of_settings = self.query_service.selected.from_settings
        read = partial(sources_from_settings, context, self.session.settings) if of_settings else None
        self._settings_effects = SettingsEffects(self.settings, self.background, effects, read)
        self._settings_effects.sources_loaded.connect(self._apply_sources)

    def _apply_sources(self, sources: QuerySources, problems: Sequence[str]) -> None:
        before = set(self.query_service.selected.sources.masters)
        self.query_service.selected = replace(self.query_service.selected, sources=sources, problems=problems)
        self.window.servers_view.show_games(self.shown_games.game_ids())
        self._show_persistent_messages()
        if set(sources.masters) - before:
            self.server_list.stop()  # what is asked now does not know of the new ones
            self.window.refresh_controller.refresh_when_finished()

    def problems(self) -> list[str]:
        """What the user should be told about settings and lists, one line each."""
        return [*filter(None, [self._profile_problem]), *self.session.problems, *self.query_service.selected.problems]

    def show(self, state: WindowState | None = None) -> None:
        """Show the window, bring the remembered rows back, and ask everybody; with a stand, go on there."""
        self.user_lists.add_unlisted_favourites()
        self.saved_server_sync.load_failed.connect(
            lambda why: self.window.status_bar.show_message(
                _("Saved servers could not be loaded: {why}").format(why=why)
            )
        )
        self.window.servers_view.show_games(self.shown_games.game_ids())
        self.saved_server_sync.load()
        self.sample_recorder.start()
        self.skill_backend.start()
        self.window.servers_view.servers_layout.show_first_run()
        if (
            self.window.servers_view.servers_layout.is_first_run and not self.is_demo
        ):  # a demo asks nobody outside this machine
            self.window.list_import_export.find_favourites(
                self.window.servers_view.first_run_panel.show_found_favourites
            )
        self.window.show()
        if state is not None:
            self.saved_server_sync.load_finished.connect(lambda: restore_state(self.window, state))
        if self.session.settings.get(SCAN_AT_START):
            self.server_list.refresh()
        self._show_persistent_messages()
        if not self.is_demo:
            self.update_checker.start()

    def open_urls(self, urls: Sequence[str], activation_token: str) -> None:
        """Another start was to open these: the window comes to the front and shows them."""
        if activation_token:
            os.environ["XDG_ACTIVATION_TOKEN"] = activation_token  # Qt hands it to the compositor
        self.window.raise_to_front()
        self.window.link_controller.open_links(urls)

    def _on_wake_up(self, slept_s: float) -> None:
        """The list stays as it was, and is asked anew, unless a game runs or the user asks by hand only."""
        self.server_list.stop()  # what was on its way is lost
        words = _("The computer slept for {time}. The list is out of date and is being refreshed.")
        if self.server_list.is_paused or not self.settings.get(SCAN_AT_START):
            words = _("The computer slept for {time}. The list may be out of date.")
        else:
            self.window.refresh_controller.refresh_when_finished()
        self.window.status_bar.show_temporary_message(words.format(time=age_text(slept_s)))

    def _show_storage_problem(self, problem: str) -> None:
        if problem:
            self.window.status_bar.show_message(problem, warning=True)
        else:
            self._show_persistent_messages()
            self.window.status_bar.show_temporary_message(_("Saving works again"))

    def _show_persistent_messages(self) -> None:
        problems = self.problems()
        told = [*problems, *filter(None, [self.update_checker.news])]
        self.window.status_bar.show_message(" · ".join(told), warning=bool(problems))
