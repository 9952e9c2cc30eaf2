"""The My Skill view: sidebar, header, pages and status."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.skill.skill_pages import (
    NOW,
    ROUNDS,
    SKILL_PAGES,
    SkillPage,
    SkillPageCallbacks,
    SkillPageSpec,
    SkillServices,
    SourcesTab,
)
from browser_app.ui.skill.sources.skill_source_text import AGE_UPDATE_INTERVAL_MS
from browser_app.ui.skill.view.empty_skill_page import EmptyReason, EmptySkillPage
from browser_app.ui.skill.view.file_drop_overlay import FileDropOverlay
from browser_app.ui.skill.view.import_summary_bar import ImportSummaryBar
from browser_app.ui.skill.view.skill_header import SkillHeader
from browser_app.ui.skill.view.skill_message_bars import SkillProblemBar, UnmappedTablesBar
from browser_app.ui.skill.view.skill_sidebar import SkillSidebar, SkillSidebarItem
from browser_app.ui.skill.view.skill_status_widgets import OnlineRequestsWidget, SkillStatusWidget
from browser_app.ui.widgets.basic_widgets import Panel
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.sidebar_parts import CollapsiblePanel
from browser_app.ui.widgets.theme import Theme

SIDEBAR_MIN_WINDOW_WIDTH = 1000
"""In narrower windows the sidebar is collapsed."""
_PAGE_KEY = "skill_page"
"""Key under which the last page is saved."""


class SkillView(QWidget):
    """The view My Skill.

    Pages are created when first shown, and updated while visible.

    Signals:
        status_reported: text for the status bar.
        server_list_requested: id of a game whose servers to show by their distance to the user's skill.
        server_requested, join_requested: a server to show in the server list, and one to join.
    """

    status_reported = Signal(str)
    server_list_requested = Signal(str)
    server_requested = Signal(int)
    join_requested = Signal(int)

    def __init__(self, theme: Theme, services: SkillServices) -> None:
        super().__init__()
        self._theme, self._services, self._skill_model = theme, services, services.skill_model
        self._page_specs = {kind.key: kind for kind in SKILL_PAGES}
        self._pages: dict[str, SkillPage] = {}
        self._up_to_date: set[str] = set()
        """Keys of pages that show the current data."""
        saved_page = services.ui_state.get(_PAGE_KEY)
        self.current_page = saved_page if isinstance(saved_page, str) and saved_page in self._page_specs else NOW
        self.sidebar, self.header, self.empty_page = SkillSidebar(theme), SkillHeader(theme), EmptySkillPage(theme)
        self.problem_bar, self.unmapped_tables_bar = SkillProblemBar(theme), UnmappedTablesBar(theme)
        self.import_bar = ImportSummaryBar(theme)
        self.status_widget, self.requests_widget = SkillStatusWidget(theme), OnlineRequestsWidget(theme)
        self.stack = QStackedWidget()
        self.is_working = False
        """Whether a task is running."""
        self.sidebar_panel = CollapsiblePanel(
            services.ui_state, "skill side", SIDEBAR_MIN_WINDOW_WIDTH, self._set_sidebar_shown
        )
        self.drop_overlay = FileDropOverlay(theme, self)
        self._age_timer = QTimer(self, interval=AGE_UPDATE_INTERVAL_MS)
        self._build_layout()
        self._connect_signals()
        self._update_page()

    def _build_layout(self) -> None:
        self.stack.addWidget(self.empty_page)
        body = Panel(self._theme, "surface")
        fill_box(QVBoxLayout(body), self.header, Stretch(self.stack), spacing=10, margins=(20, 14, 20, 0))
        bars = (self.problem_bar, self.unmapped_tables_bar, self.import_bar)
        beside = fill_box(QVBoxLayout(), *bars, Stretch(body), spacing=0)
        fill_box(QHBoxLayout(self), self.sidebar, Stretch(beside), spacing=0)

    def _connect_signals(self) -> None:
        skill_model = self._skill_model
        skill_model.changed.connect(self.refresh)
        skill_model.progress_changed.connect(self._show_progress)
        skill_model.status_reported.connect(self.status_reported)
        skill_model.error_reported.connect(self._show_problem)
        self.sidebar.page_chosen.connect(self.show_page)
        self.sidebar.collapse_requested.connect(self.sidebar_panel.toggle)
        self.header.system_chosen.connect(skill_model.choose_system)
        self.header.full_history_chosen.connect(skill_model.choose_full_history)
        for chosen in (self.sidebar.game_chosen, self.header.game_chosen):
            chosen.connect(skill_model.choose_game)
        skill_model.rounds_imported.connect(self.import_bar.show_summary)
        self.import_bar.show_games(skill_model.games)
        self.import_bar.identity_button.clicked.connect(self.open_identities)
        for signal in (self.sidebar.identity_requested, self.empty_page.identity_requested):
            signal.connect(self.open_identities)
        self.empty_page.sources_requested.connect(self.open_sources)
        self.empty_page.folders_requested.connect(lambda: self.open_sources(SourcesTab.FOLDERS))
        self.requests_widget.log_requested.connect(lambda: self.open_sources(SourcesTab.REQUEST_LOG))
        self.empty_page.rating_requested.connect(self._start_rating)
        self.empty_page.import_requested.connect(self.choose_files)
        self.status_widget.cancel_requested.connect(self.cancel)
        self.drop_overlay.files_dropped.connect(self._import_files)
        self.unmapped_tables_bar.column_mapping_requested.connect(skill_model.import_paths)
        self._age_timer.timeout.connect(self.show_sources)

    # Pages

    def show_page(self, key: str, *, remember: bool = True) -> None:
        """Show a page; with `remember` it is also the first page of the next session."""
        if key in self._page_specs:
            self.current_page = key
            if remember:
                self._services.ui_state.set(_PAGE_KEY, key)
            self._update_page()

    def step_page(self, by: int) -> None:
        """Show the page `by` positions further, wrapping around."""
        self.sidebar.page_list.move_current(by)

    def show_round(self, round_id: str) -> None:
        """Show the explanation of a round."""
        self.show_page(ROUNDS)
        page = self._pages.get(ROUNDS)
        if page is not None and page.show_round is not None:
            page.show_round(round_id)

    def refresh(self) -> None:
        """Show the skill model's current data."""
        self._up_to_date.clear()
        self.import_bar.show_games(self._skill_model.games)
        if self.isVisible():
            self._update_all()

    def _update_all(self) -> None:
        skill_model = self._skill_model
        games = [(game.id, game.title) for game in skill_model.games]
        self.sidebar.show_games(
            [(game.id, game.title, game.own_rounds) for game in skill_model.games], skill_model.game
        )
        self.sidebar.show_identities(self._services.identities())
        self.header.show_games(games, skill_model.game, menu_allowed=self.sidebar.is_collapsed)
        self.header.show_systems(skill_model.systems if skill_model.game else (), skill_model.system)
        self.header.show_full_history(skill_model.full_history if skill_model.game else None)
        self._update_page()
        self.show_sources()

    def _update_page(self) -> None:
        """Update sidebar, header and the current page."""
        kind = self._page_specs[self.current_page]
        mine = len(self._skill_model.state.history) if self._skill_model.state is not None else None
        self.sidebar.page_list.show_items([_page_item(each, mine) for each in SKILL_PAGES], self.current_page)
        if self._skill_model.state is None and not (kind.works_without_own_rounds and self._skill_model.games):
            self._show_empty_page()
            self.header.show_page(_(kind.title), None)
            return
        page = self._ensure_page(kind)
        self.header.show_page(_(kind.title), page.header_controls)
        self.stack.setCurrentWidget(page.widget)
        if self.current_page not in self._up_to_date and self.isVisible():
            self._up_to_date.add(self.current_page)
            page.show_data(self._skill_model.state)

    def _ensure_page(self, kind: SkillPageSpec) -> SkillPage:
        page = self._pages.get(kind.key)
        if page is None:
            callbacks = SkillPageCallbacks(
                show_status=self.status_reported.emit,
                show_round=self.show_round,
                show_server_list=lambda: self.server_list_requested.emit(self._skill_model.game),
                open_sources=self.open_sources,
                choose_files=self.choose_files,
                join_server=self.join_requested.emit,
                show_server=self.server_requested.emit,
            )
            page = self._pages[kind.key] = kind.create(self._theme, self._services, callbacks)
            self.stack.addWidget(page.widget)
        return page

    def _show_empty_page(self) -> None:
        game = next((each for each in self._skill_model.games if each.id == self._skill_model.game), None)
        if game is None:
            self.empty_page.show_reason(EmptyReason.NO_ROUNDS, 0)
        else:
            self.empty_page.show_reason(
                EmptyReason.NO_OWN_ROUNDS if game.own_rounds == 0 else EmptyReason.RATING_IN_PROGRESS, game.rounds
            )
        self.stack.setCurrentWidget(self.empty_page)

    # Sources and messages

    def show_sources(self) -> None:
        """Show the current state and age of the sources."""
        if self.isVisible():
            states = self._services.source_states(self._skill_model.game)
            self.status_widget.show_sources(states)
            self.requests_widget.show_sources(states)
            page = self._pages.get(self.current_page)
            if page is not None and page.show_sources is not None:
                page.show_sources()

    def show_identities(self) -> None:
        """Show the current identities."""
        self.sidebar.show_identities(self._services.identities())

    def _show_progress(self, work: WorkProgress | None) -> None:
        self.is_working = work is not None
        self.status_widget.show_progress(work)
        self.empty_page.show_progress(work)

    def _show_problem(self, words: str) -> None:
        self.problem_bar.add_problem(words)
        if not self.isVisible():
            self.status_reported.emit(words)

    # Actions

    def cancel(self) -> None:
        """Cancel the running task."""
        self._skill_model.cancel()
        if self.empty_page.reason is EmptyReason.RATING_IN_PROGRESS:
            self.empty_page.show_reason(EmptyReason.RATING_CANCELLED, 0)

    def open_identities(self) -> None:
        """Open the dialog of identities."""
        self._services.open_identities(self, self._skill_model.game)

    def open_sources(self, tab: SourcesTab = SourcesTab.SOURCES) -> None:
        """Open the dialog of skill sources at a tab."""
        self._services.open_sources(self, self._skill_model.game, tab)

    def _start_rating(self) -> None:
        self._show_empty_page()
        self._skill_model.refresh()

    def choose_files(self) -> None:
        """Open a file dialog and import the chosen files."""
        dialog = QFileDialog(self, _("Import rounds"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda files: self._import_files([Path(each) for each in files]))
        dialog.open()

    def _import_files(self, paths: Sequence[Path]) -> None:
        self.problem_bar.clear()
        self.import_bar.expect_import()
        self.status_reported.emit(
            ngettext("Importing {n} file…", "Importing {n} files…", len(paths)).format(n=len(paths))
        )
        self._skill_model.import_paths(paths)

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        return (*self.sidebar.focus_order(), *self.header.focus_order(), self.stack)

    def _set_sidebar_shown(self, shown: bool) -> None:
        self.sidebar.set_collapsed(not shown)
        games = [(game.id, game.title) for game in self._skill_model.games]
        self.header.show_games(games, self._skill_model.game, menu_allowed=not shown)

    # Qt events

    def showEvent(self, event: QShowEvent) -> None:
        """Load the record and update everything."""
        super().showEvent(event)
        self._skill_model.open()
        self._update_all()
        self._age_timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop updating ages."""
        super().hideEvent(event)
        self._age_timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Collapse the sidebar if the view is narrow."""
        super().resizeEvent(event)
        self.sidebar_panel.fit_to_width(event.size().width())


def _page_item(kind: SkillPageSpec, own_rounds: int | None) -> SkillSidebarItem:
    """Return the sidebar item of a page; Rounds has the number of rounds."""
    title, number = _(kind.title), own_rounds if kind.key == ROUNDS else None
    spoken = title if number is None else _("{page}, {n}").format(page=title, n=integer_text(number))
    return SkillSidebarItem(kind.key, kind.icon, title, number, spoken)
