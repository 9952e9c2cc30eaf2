"""The controller of the skill sources dialog."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from browser_app.application.own_skill.skill_web_services import SKILL_SERVICES
from browser_app.application.round_imports.round_files import suggested_folders
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.folder_watcher import FolderWatcher
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.bridge.skill.skill_service_poller import SkillServicePoller
from browser_app.language import gettext as _
from browser_app.player.skill_sources import SkillSourceState
from browser_app.storage.own_skill.skill_sample_store import LoggedRequest
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.skill_pages import SourcesTab
from browser_app.ui.skill.sources.mapped_tables_page import MappedTablesController
from browser_app.ui.skill.sources.skill_source_text import AGE_UPDATE_INTERVAL_MS
from browser_app.ui.skill.sources.skill_sources_dialog import SkillSourcesDialog
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import abbreviated_path

SourceStatesGetter = Callable[[str], Sequence[SkillSourceState]]
"""Returns the states of a game's sources, including the user's rounds."""


class SkillSourcesController(QObject):
    """Opens the dialog of skill sources and keeps it up to date.

    Signals:
        import_requested: choose round files to import.
        column_mapping_requested: tables to map, as a list of `Path`.
        identity_requested: open the dialog of identities.
        change_reported: text about a change, and a function that undoes it.
        undo_requested: Ctrl+Z was pressed in the dialog.
    """

    import_requested = Signal()
    identity_requested = Signal()
    column_mapping_requested = Signal(object)
    change_reported = Signal(str, object)
    undo_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        settings: LiveSettings,
        service_poller: SkillServicePoller,
        folder_watcher: FolderWatcher,
        importer: RoundImporter,
        source_states: SourceStatesGetter,
        background: BackgroundTasks,
        games: Mapping[str, str],
        ui_state: UiState,
    ) -> None:
        """`games`: names by id."""
        super().__init__()
        self._theme, self._settings = theme, settings
        self._service_poller, self._folder_watcher = service_poller, folder_watcher
        self._importer, self._source_states, self._background = importer, source_states, background
        self._games, self._ui_state = games, ui_state
        self._game = ""
        self.dialog: SkillSourcesDialog | None = None
        self._age_timer = QTimer(self, interval=AGE_UPDATE_INTERVAL_MS)
        self._age_timer.timeout.connect(self._update_dialog)
        self.find_suggested_folders: Callable[[], Sequence[Path]] = lambda: suggested_folders(
            sys.platform, Path.home(), os.environ
        )
        """Returns folders that games write rounds to."""
        service_poller.changed.connect(self._update_dialog)
        service_poller.request_logged.connect(self._load_request_log)
        folder_watcher.changed.connect(self._update_dialog)

    def open(self, parent: QWidget, game: str, tab: SourcesTab = SourcesTab.SOURCES) -> None:
        """Open the dialog over a widget; `game`: whose rounds to describe."""
        self._game = game
        if self.dialog is None:
            dialog = SkillSourcesDialog(self._theme, parent.window(), self._settings, self._games, self._ui_state)
            dialog.query_button.clicked.connect(lambda: self._service_poller.sample(now=True))
            dialog.check_folders_button.clicked.connect(self._folder_watcher.scan)
            dialog.import_button.clicked.connect(self.import_requested)
            dialog.identity_button.clicked.connect(self.identity_requested)
            dialog.folders_page.browse_requested.connect(self._choose_folder)
            dialog.folders_page.add_requested.connect(self._folder_watcher.add)
            dialog.folders_page.remove_requested.connect(self._remove_folder)
            dialog.undo_requested.connect(self.undo_requested)
            dialog.folders_page.column_mapping_requested.connect(self.column_mapping_requested)
            if self._importer.maps is not None:
                tables = MappedTablesController(
                    self._theme, dialog.tables_page, self._importer.maps, self._importer, self._ui_state
                )
                tables.change_reported.connect(self.change_reported)
            dialog.finished.connect(self._on_closed)
            self.dialog = dialog
            self._background.run(self.find_suggested_folders, self._suggest_folder)
            self._load_request_log()
            self._age_timer.start()
        self.dialog.tab_bar.setCurrentIndex(tab)
        self._update_dialog()
        self.dialog.open()
        self.dialog.sources_page.scroll_to_game(self._games.get(game, ""))

    def _remove_folder(self, folder: Path) -> None:
        self._folder_watcher.remove(folder)
        text = _("{folder} is no longer watched").format(folder=abbreviated_path(folder))
        self.change_reported.emit(text, partial(self._folder_watcher.add, folder))

    def _update_dialog(self) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        games = dict.fromkeys(service.game for service in SKILL_SERVICES)
        states = {state.kind: state for game in games for state in self._service_poller.states(game)}
        states |= {state.kind: state for state in self._source_states(self._game)}
        dialog.sources_page.show_states(tuple(states.values()))
        dialog.query_button.setEnabled(any(self._settings.get(service.setting) for service in SKILL_SERVICES))
        dialog.folders_page.show_folders(self._folder_watcher.folders, self._folder_watcher.scanned_at)

    def _suggest_folder(self, folders: Sequence[Path]) -> None:
        if self.dialog is not None:
            self.dialog.folders_page.suggest_folder(next(iter(folders), None))

    def _load_request_log(self) -> None:
        if self.dialog is not None:
            self._service_poller.load_request_log(self._show_request_log)

    def _show_request_log(self, requests: Sequence[LoggedRequest]) -> None:
        if self.dialog is not None:
            self.dialog.request_log_page.show_requests(requests)

    def _choose_folder(self) -> None:
        chooser = QFileDialog(self.dialog, _("Watch a folder"))
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setOption(QFileDialog.Option.ShowDirsOnly)
        chooser.fileSelected.connect(lambda path: self._folder_watcher.add(Path(path)))
        chooser.finished.connect(chooser.deleteLater)
        chooser.open()

    def _on_closed(self) -> None:
        self.dialog = None
        self._age_timer.stop()
