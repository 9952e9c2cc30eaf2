"""Where the skill comes from: the dialog brought together with the sources, the folders and the log."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from browser_app.bridge.background import Background
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.folder_watch import FolderWatch
from browser_app.bridge.skill.imports import Imports
from browser_app.bridge.skill.round_files import proposed_folders
from browser_app.bridge.skill.sources import SkillSources
from browser_app.bridge.skill.web_sources import WEB_SOURCES
from browser_app.language import gettext as _
from browser_app.player.sources import SourceState
from browser_app.storage.asked import KeptQuestion
from browser_app.storage.kept import Kept
from browser_app.ui.skill.sources_dialog import ASKED, FOLDERS, SourcesDialog
from browser_app.ui.skill.tables_control import TablesControl
from browser_app.ui.theme import Theme

_AGES_MS = 20_000
"""Ages that are shown get older meanwhile."""

States = Callable[[str], Sequence[SourceState]]
"""How the sources of a game stand, the record among them."""


class SourcesControl(QObject):
    """Opens the dialog.

    Signals:
        import_wanted: the user wants to choose files of rounds.
        tables_wanted: tables whose columns the user wants to name, as a list of `Path`.
        who_wanted: the user wants to say who they are.
    """

    import_wanted = Signal()
    who_wanted = Signal()
    tables_wanted = Signal(object)

    def __init__(
        self,
        theme: Theme,
        settings: LiveSettings,
        sources: SkillSources,
        watch: FolderWatch,
        imports: Imports,
        states: States,
        background: Background,
        games: Mapping[str, str],
        kept: Kept,
    ) -> None:
        """`games`: names by id."""
        super().__init__()
        self._theme, self._settings, self._sources, self._watch = theme, settings, sources, watch
        self._imports, self._states, self._background, self._games, self._kept = (
            imports,
            states,
            background,
            games,
            kept,
        )
        self._game = ""
        self.dialog: SourcesDialog | None = None
        self.chooser: QFileDialog | None = None
        self._ages = QTimer(self, interval=_AGES_MS)
        self._ages.timeout.connect(self._show)
        self.proposals: Callable[[], Sequence[Path]] = lambda: proposed_folders(sys.platform, Path.home(), os.environ)
        """Folders that games have made."""
        sources.changed.connect(self._show)
        sources.asked.connect(self._read_log)
        watch.changed.connect(self._show)

    def open(self, parent: QWidget, game: str, page: int = 0) -> None:
        """Show the dialog over a widget; `game`: whose record is told of."""
        self._game = game
        if self.dialog is None:
            dialog = SourcesDialog(self._theme, parent.window(), self._settings, self._games, self._kept)
            dialog.ask_now.clicked.connect(lambda: self._sources.sample(now=True))
            dialog.look_now.clicked.connect(self._watch.look)
            dialog.import_files.clicked.connect(self.import_wanted)
            dialog.who.clicked.connect(self.who_wanted)
            dialog.folders.choose_wanted.connect(self._choose_folder)
            dialog.folders.add_wanted.connect(self._watch.add)
            dialog.folders.remove_wanted.connect(self._watch.remove)
            dialog.folders.tables_wanted.connect(self.tables_wanted)
            if self._imports.maps is not None:
                TablesControl(self._theme, dialog.tables, self._imports.maps, self._imports, self._kept)
            dialog.finished.connect(self._closed)
            self.dialog = dialog
            self._background.run(self.proposals, self._propose)
            self._read_log()
            self._ages.start()
        self.dialog.turn_to(page)
        self._show()
        self.dialog.open()
        self.dialog.sources.show_game(self._games.get(game, ""))

    def open_folders(self, parent: QWidget, game: str) -> None:
        """The same, with the watched folders."""
        self.open(parent, game, FOLDERS)

    def open_log(self, parent: QWidget, game: str) -> None:
        """The same, with what was asked of whom."""
        self.open(parent, game, ASKED)

    def _show(self) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        states = {state.kind: state for game in ("ns2", "xonotic") for state in self._sources.states(game)}
        states |= {state.kind: state for state in self._states(self._game)}
        dialog.sources.show_states(tuple(states.values()))
        dialog.ask_now.setEnabled(any(self._settings.get(source.setting) for source in WEB_SOURCES))
        dialog.folders.show_folders(self._watch.folders, self._watch.looked_at)

    def _propose(self, folders: Sequence[Path]) -> None:
        if self.dialog is not None:
            self.dialog.folders.propose(next(iter(folders), None))

    def _read_log(self) -> None:
        if self.dialog is not None:
            self._sources.questions(self._show_log)

    def _show_log(self, questions: Sequence[KeptQuestion]) -> None:
        if self.dialog is not None:
            self.dialog.asked.show_questions(questions)

    def _choose_folder(self) -> None:
        chooser = QFileDialog(self.dialog, _("Watch a folder"))
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setOption(QFileDialog.Option.ShowDirsOnly)
        chooser.fileSelected.connect(lambda path: self._watch.add(Path(path)))
        chooser.finished.connect(chooser.deleteLater)
        self.chooser = chooser
        chooser.open()

    def _closed(self) -> None:
        self.dialog = self.chooser = None
        self._ages.stop()
