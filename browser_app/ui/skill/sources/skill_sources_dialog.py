"""The dialog for skill sources, with the log of online requests."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QStackedWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.bridge.live_settings import LiveSettings
from browser_app.language import gettext as _
from browser_app.storage.own_skill.skill_sample_store import LoggedRequest
from browser_app.storage.ui_state import UiState
from browser_app.ui.settings.setting_editors import apply_pending_edits
from browser_app.ui.skill.skill_pages import SourcesTab
from browser_app.ui.skill.sources.mapped_tables_page import MappedTablesPage
from browser_app.ui.skill.sources.skill_sources_page import SkillSourcesPage
from browser_app.ui.skill.sources.watched_folders_page import WatchedFoldersPage
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import EntryTree, SavedSizeDialog, create_button_row
from browser_app.ui.widgets.tab_widgets import UnderlinedTabBar
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import clock_time_text, day_and_month_text, plain_tool_tip


class RequestLogPage(QWidget):
    """List of online requests, newest first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.summary_label = Label(theme, role="text2", size=12, wraps=True)
        self.tree = EntryTree(_("Request log"), (_("When"), _("Service"), _("Request"), _("Answer")))
        fill_box(QVBoxLayout(self), self.summary_label, Stretch(self.tree))
        self.show_requests(())

    def show_requests(self, requests: Sequence[LoggedRequest]) -> None:
        """Show these requests."""
        self.tree.clear()
        for request in requests:
            when = f"{day_and_month_text(request.time)}, {clock_time_text(request.time)}"
            texts = [when, request.host, request.subject, request.answer]
            item = QTreeWidgetItem(self.tree, texts)
            for column, text in enumerate(texts):
                item.setToolTip(column, plain_tool_tip(text))
        self.tree.fit_columns()
        self.summary_label.setText(
            _("Requests made about you, newest first.") if requests else _("No requests made yet.")
        )


class SkillSourcesDialog(SavedSizeDialog):
    """Dialog with the tabs of `SourcesTab`."""

    def __init__(
        self, theme: Theme, parent: QWidget, settings: LiveSettings, games: Mapping[str, str], ui_state: UiState
    ) -> None:
        """`games`: names by id."""
        super().__init__(theme, parent, ui_state, "sources", _("Skill sources"), QSize(720, 560))
        self.tab_bar = UnderlinedTabBar(theme, (_("Sources"), _("Watched folders"), _("Tables"), _("Request log")))
        self.sources_page = SkillSourcesPage(theme, settings, games)
        self.folders_page = WatchedFoldersPage(theme)
        self.tables_page = MappedTablesPage(theme)
        self.request_log_page = RequestLogPage(theme)
        self.query_button = Button(theme, _("Update now"), "refresh")
        self.check_folders_button = Button(theme, _("Check now"), "refresh")
        self.import_button = Button(theme, _("Import…"))
        self.identity_button = Button(theme, _("Identity…"), "friend")
        self.close_button = Button(theme, _("Close"))
        self._stack = QStackedWidget()
        for page in (self.sources_page, self.folders_page, self.tables_page, self.request_log_page):
            self._stack.addWidget(page)
        self._build_layout()
        self.tab_bar.currentChanged.connect(self._on_tab_changed)
        self._on_tab_changed(SourcesTab.SOURCES)
        self.close_button.clicked.connect(self.accept)

    def done(self, result: int) -> None:
        """Save the last edit, however the dialog is closed."""
        apply_pending_edits(self)
        super().done(result)

    def _on_tab_changed(self, page: int) -> None:
        self._stack.setCurrentIndex(page)
        self.query_button.setVisible(page in (SourcesTab.SOURCES, SourcesTab.REQUEST_LOG))
        self.check_folders_button.setVisible(page == SourcesTab.FOLDERS)

    def _build_layout(self) -> None:
        actions = (self.import_button, self.identity_button, self.query_button, self.check_folders_button)
        buttons = create_button_row(actions, (self.close_button,))
        fill_box(QVBoxLayout(self), self.tab_bar, Stretch(self._stack), buttons, margins=(16, 8, 16, 16))
