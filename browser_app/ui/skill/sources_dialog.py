"""Where my skill comes from: the sources with their switches, watched folders, tables, and what was asked of whom."""

from collections.abc import Mapping

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button
from browser_app.ui.dialogs.dialog import SizedDialog
from browser_app.ui.dialogs.settings_editors import settle
from browser_app.ui.skill.asked_page import AskedPage
from browser_app.ui.skill.folders_page import FoldersPage
from browser_app.ui.skill.source_rows import SourceRows
from browser_app.ui.skill.tables_page import TablesPage
from browser_app.ui.tab_bar import TabBar
from browser_app.ui.theme import Theme

SOURCES, FOLDERS, TABLES, ASKED = range(4)


class SourcesDialog(SizedDialog):
    """Four pages under tabs."""

    def __init__(
        self, theme: Theme, parent: QWidget, settings: LiveSettings, games: Mapping[str, str], kept: Kept
    ) -> None:
        """`games`: names by id."""
        super().__init__(theme, parent, kept, "sources", _("Where my skill comes from"), QSize(720, 560))
        self.tabs = TabBar(theme, (_("Sources"), _("Watched folders"), _("Tables"), _("What was asked of whom")))
        self.sources = SourceRows(theme, settings, games)
        self.folders = FoldersPage(theme)
        self.tables = TablesPage(theme)
        self.asked = AskedPage(theme)
        self.ask_now = Button(theme, _("Ask now"), "refresh")
        self.look_now = Button(theme, _("Look now"), "refresh")
        self.import_files = Button(theme, _("Import…"))
        self.who = Button(theme, _("Who I am…"), "friend")
        self.close_button = Button(theme, _("Close"))
        self._pages = QStackedWidget()
        for page in (self.sources, self.folders, self.tables, self.asked):
            self._pages.addWidget(page)
        self._lay_out()
        self.tabs.currentChanged.connect(self._turned)
        self._turned(SOURCES)
        self.close_button.clicked.connect(self.accept)

    def turn_to(self, page: int) -> None:
        """Show a page."""
        self.tabs.setCurrentIndex(page)

    def done(self, result: int) -> None:
        """What was written last holds, however it is closed."""
        settle(self)
        super().done(result)

    def _turned(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        self.ask_now.setVisible(page in (SOURCES, ASKED))
        self.look_now.setVisible(page == FOLDERS)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.import_files, self.who, self.ask_now, self.look_now):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.tabs)
        column.addWidget(self._pages, 1)
        column.addLayout(buttons)
