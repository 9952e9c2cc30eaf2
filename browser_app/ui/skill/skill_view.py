"""The view *My skill*: side, head and pages, joined with what is calculated of the user's rounds."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from browser_app.bridge.skill.shown import Work
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Surface
from browser_app.ui.panel_fold import PanelFold
from browser_app.ui.skill.drop_frame import DropFrame
from browser_app.ui.skill.empty import Lack, SkillEmpty
from browser_app.ui.skill.header import SkillHeader
from browser_app.ui.skill.pages import NOW, PAGES, ROUNDS, Page, PageKind, Wanted
from browser_app.ui.skill.problem_strip import ProblemStrip
from browser_app.ui.skill.services import SkillServices
from browser_app.ui.skill.side_lines_model import SideLine
from browser_app.ui.skill.skill_side import SkillSide
from browser_app.ui.skill.status import SkillAsked, SkillStatus
from browser_app.ui.skill.waiting_strip import WaitingStrip
from browser_app.ui.theme import Theme

SIDE_FROM = 1000
"""In narrower windows the side is folded to icons."""
_PAGE = "skill_page"
"""Under this key the page last shown is kept."""
_AGES_MS = 20_000
"""So often it is said anew how long ago something was read."""


class SkillView(QWidget):
    """Pages are made when they are first shown, and get what is new when they are in sight.

    Signals:
        told: news for the status line.
        list_wanted: id of a game whose servers are to be shown by their distance to the user's skill.
        server_wanted: a server that is to be shown in the list.
    """

    told = Signal(str)
    list_wanted = Signal(str)
    server_wanted = Signal(int)

    def __init__(self, theme: Theme, services: SkillServices) -> None:
        super().__init__()
        self._theme, self._services, self._panel = theme, services, services.panel
        self._kinds = {kind.key: kind for kind in PAGES}
        self._pages: dict[str, Page] = {}
        self._fresh: set[str] = set()
        """Pages that show what is to be shown."""
        kept = services.kept.get(_PAGE)
        self.page = kept if isinstance(kept, str) and kept in self._kinds else NOW
        self.side, self.header, self.empty = SkillSide(theme), SkillHeader(theme), SkillEmpty(theme)
        self.problems, self.waiting = ProblemStrip(theme), WaitingStrip(theme)
        self.status, self.asked = SkillStatus(theme), SkillAsked(theme)
        self.stack = QStackedWidget()
        self.working = False
        """Something is being worked out for it."""
        self.side_fold = PanelFold(services.kept, "skill side", SIDE_FROM, self._show_side)
        self.setAccessibleName(_("My skill"))
        self.drop = DropFrame(theme, self)
        self._ages = QTimer(self, interval=_AGES_MS)
        self._lay_out()
        self._connect()
        self._show_pages()

    def _lay_out(self) -> None:
        self.stack.addWidget(self.empty)
        body = Surface(self._theme, "surface")
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 14, 20, 0)
        column.setSpacing(10)
        column.addWidget(self.header)
        column.addWidget(self.stack, 1)
        beside = QVBoxLayout()
        beside.setSpacing(0)
        beside.addWidget(self.problems)
        beside.addWidget(self.waiting)
        beside.addWidget(body, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addLayout(beside, 1)

    def _connect(self) -> None:
        panel = self._panel
        panel.changed.connect(self.refresh)
        panel.progressed.connect(self._show_work)
        panel.told.connect(self.told)
        panel.failed.connect(self._show_problem)
        self.side.page_chosen.connect(self.show_page)
        self.side.fold_wanted.connect(self.side_fold.toggle)
        self.header.system_chosen.connect(panel.choose_system)
        for chosen in (self.side.game_chosen, self.header.game_chosen):
            chosen.connect(panel.choose_game)
        for wanted in (self.side.who_wanted, self.empty.who_wanted):
            wanted.connect(self.open_who)
        self.empty.sources_wanted.connect(self.open_sources)
        self.empty.folders_wanted.connect(self.open_folders)
        self.asked.list_wanted.connect(self.open_log)
        self.empty.rating_wanted.connect(self._rate)
        self.empty.import_wanted.connect(self.choose_files)
        self.status.cancel_wanted.connect(self.cancel)
        self.drop.dropped.connect(self._take)
        self.waiting.tables_wanted.connect(panel.import_paths)
        self._ages.timeout.connect(self.show_sources)

    # Pages

    def show_page(self, key: str, *, keep: bool = True) -> None:
        """Bring a page to the front; with `keep` it is there again in the next run."""
        if key in self._kinds:
            self.page = key
            if keep:
                self._services.kept.put(_PAGE, key)
            self._show_pages()

    def turn_page(self, by: int) -> None:
        """Go so many pages on, round the ends."""
        self.side.pages.step(by)

    def show_round(self, round_id: str) -> None:
        """Show a round among all, taken apart."""
        self.show_page(ROUNDS)
        page = self._pages.get(ROUNDS)
        if page is not None and page.show_round is not None:
            page.show_round(round_id)

    def refresh(self) -> None:
        """Something else is to be shown."""
        self._fresh.clear()
        if self.isVisible():
            self._show_all()

    def _show_all(self) -> None:
        panel = self._panel
        games = [(game.id, game.title) for game in panel.games]
        self.side.show_games([(game.id, game.title, game.mine) for game in panel.games], panel.game)
        self.side.show_identities(self._services.identities())
        self.header.show_games(games, panel.game, offered=self.side.narrow)
        self.header.show_systems(panel.systems if panel.game else (), panel.system)
        self._show_pages()
        self.show_sources()

    def _show_pages(self) -> None:
        """Lines of the side, head, and the page itself."""
        kind = self._kinds[self.page]
        mine = len(self._panel.shown.history) if self._panel.shown is not None else None
        self.side.pages.show_lines([_line(each, mine) for each in PAGES], self.page)
        if self._panel.shown is None and not (kind.alone and self._panel.games):
            self._show_lack()
            self.header.show_page(_(kind.title), None)
            return
        page = self._page(kind)
        self.header.show_page(_(kind.title), page.controls)
        self.stack.setCurrentWidget(page.widget)
        if self.page not in self._fresh and self.isVisible():
            self._fresh.add(self.page)
            page.show_data(self._panel.shown)

    def _page(self, kind: PageKind) -> Page:
        page = self._pages.get(kind.key)
        if page is None:
            wanted = Wanted(
                tell=self.told.emit,
                show_round=self.show_round,
                show_list=lambda: self.list_wanted.emit(self._panel.game),
                open_sources=self.open_sources,
                show_server=self.server_wanted.emit,
            )
            page = self._pages[kind.key] = kind.make(self._theme, self._services, wanted)
            self.stack.addWidget(page.widget)
        return page

    def _show_lack(self) -> None:
        game = next((each for each in self._panel.games if each.id == self._panel.game), None)
        if game is None:
            self.empty.show_lack(Lack.ROUNDS, 0)
        else:
            self.empty.show_lack(Lack.SELF if game.mine == 0 else Lack.RATING, game.rounds)
        self.stack.setCurrentWidget(self.empty)

    # What is said besides

    def show_sources(self) -> None:
        """The sources say something else, or what they said is older now."""
        if self.isVisible():
            states = self._services.sources(self._panel.game)
            self.status.show_sources(states)
            self.asked.show_sources(states)
            page = self._pages.get(self.page)
            if page is not None and page.show_sources is not None:
                page.show_sources()

    def show_identities(self) -> None:
        """The user is somebody else, or somebody more."""
        self.side.show_identities(self._services.identities())

    def _show_work(self, work: Work | None) -> None:
        self.working = work is not None
        self.status.show_work(work)
        self.empty.show_work(work)

    def _show_problem(self, words: str) -> None:
        self.problems.add(words)
        if not self.isVisible():
            self.told.emit(words)

    # Steps

    def cancel(self) -> None:
        """Stop what is being worked out."""
        self._panel.cancel()
        if self.empty.lack is Lack.RATING:
            self.empty.show_lack(Lack.STOPPED, 0)

    def open_who(self) -> None:
        """Ask who the user is."""
        self._services.open_who(self, self._panel.game)

    def open_sources(self) -> None:
        """Ask what the skill is to come from."""
        self._services.open_sources(self, self._panel.game)

    def open_folders(self) -> None:
        """Ask which folders are to be watched."""
        self._services.open_folders(self, self._panel.game)

    def open_log(self) -> None:
        """Show what was asked of whom."""
        self._services.open_log(self, self._panel.game)

    def _rate(self) -> None:
        self._show_lack()
        self._panel.refresh()

    def choose_files(self) -> None:
        """Ask for files of rounds."""
        dialog = QFileDialog(self, _("Import rounds"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda files: self._take([Path(each) for each in files]))
        dialog.open()

    def _take(self, paths: Sequence[Path]) -> None:
        self.problems.clear()
        self.told.emit(ngettext("Reading {n} file…", "Reading {n} files…", len(paths)).format(n=len(paths)))
        self._panel.import_paths(paths)

    def focus_order(self) -> tuple[QWidget, ...]:
        """What the tab key reaches, one after the other."""
        return (*self.side.focus_order(), *self.header.focus_order(), self.stack)

    def _show_side(self, shown: bool) -> None:
        self.side.set_narrow(not shown)
        games = [(game.id, game.title) for game in self._panel.games]
        self.header.show_games(games, self._panel.game, offered=not shown)

    # Qt's hooks

    def showEvent(self, event: QShowEvent) -> None:
        """The first time, and whenever something changed meanwhile: show it."""
        super().showEvent(event)
        self._panel.open()
        self._show_all()
        self._ages.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing grows older out of sight."""
        super().hideEvent(event)
        self._ages.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The side goes first when room is short."""
        super().resizeEvent(event)
        self.side_fold.fit(event.size().width())


def _line(kind: PageKind, mine: int | None) -> SideLine:
    """A page's line; the rounds are counted."""
    title, number = _(kind.title), mine if kind.key == ROUNDS else None
    spoken = title if number is None else _("{page}, {n}").format(page=title, n=number)
    return SideLine(kind.key, kind.icon, title, number, spoken)
