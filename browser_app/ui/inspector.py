"""The inspector: the selected server, its score taken apart, its players and rules; it follows the selection."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from browser_app.catalogue.facts import Facts
from browser_app.language import gettext as _
from browser_app.language import later, ngettext
from browser_app.ranking.explain import Explanation
from browser_app.ui.controls import Button, ElidedText, Surface, Text
from browser_app.ui.history_page import HistoryPage
from browser_app.ui.line_list import LINE
from browser_app.ui.notes_page import NotesPage
from browser_app.ui.players_page import PlayersPage
from browser_app.ui.rules_page import RulesPage
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.skill.fair.expected_change import ExpectedChange
from browser_app.ui.tab_bar import TabBar
from browser_app.ui.theme import Theme
from browser_app.ui.why_page import WhyPage

WIDTH, HEIGHT = 304, 264
"""Beside the list so wide, below it so high; its head is as wide there too."""
_PAGE_WIDTH = 560
"""Of pages of words, at most: what belongs together stays together."""
_NO_LIMIT = 16_777_215
"""Qt's own word for it (QWIDGETSIZE_MAX)."""
PAGES = (later("Why"), later("Players"), later("Rules"), later("History"), later("Notes"))
PLAYERS, RULES, NOTES = 1, 2, 4
"""Places of pages."""
_SCROLLING = {
    Qt.Key.Key_Up: QAbstractSlider.SliderAction.SliderSingleStepSub,
    Qt.Key.Key_Down: QAbstractSlider.SliderAction.SliderSingleStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
}


class Inspector(Surface):
    """Shows one server.

    Signals:
        join_wanted, favourite_wanted, alert_wanted, copy_wanted: the buttons.
        menu_wanted: the other things that can be done, and where their menu belongs (global).
    """

    join_wanted = Signal()
    favourite_wanted = Signal()
    alert_wanted = Signal()
    copy_wanted = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "raised", "L")
        self._theme = theme
        self._name = ElidedText(theme, size=15, weight=QFont.Weight.DemiBold)
        self._game = ElidedText(theme, role="text2", size=12)
        self._address = Text(theme, role="text2", size=12)
        self._address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._join = Button(theme, _("Join"), "play")
        self._star = Button(theme, "", "star")
        self._alert = Button(theme, _("Alert me"), "bell")
        self._copy = Button(theme, "", "copy")
        self._more = Button(theme, "", "more")
        self.why = WhyPage(theme)
        self.players = PlayersPage(theme)
        self.rules = RulesPage(theme)
        self.history = HistoryPage(theme)
        self.notes = NotesPage(theme)
        self._tabs = TabBar(theme, [_(title) for title in PAGES])
        self._pages = QStackedWidget()
        self._areas: list[QScrollArea] = []
        self._empty = Text(theme, _("Select a server to see why it ranks where it does."), role="text2")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._empty.setContentsMargins(14, 16, 14, 0)
        self.expected = ExpectedChange(theme)
        self._body = QWidget()
        self._connect()
        self._lay_out()
        self.clear()

    def _connect(self) -> None:
        self._join.clicked.connect(self.join_wanted)
        self._star.clicked.connect(self.favourite_wanted)
        self._alert.clicked.connect(self.alert_wanted)
        self._copy.clicked.connect(self.copy_wanted)
        self._more.clicked.connect(
            lambda: self.menu_wanted.emit(self._more.mapToGlobal(self._more.rect().bottomLeft() + QPoint(0, 2)))
        )
        self.players.reached.connect(lambda y: self._areas[PLAYERS].ensureVisible(0, y, 0, LINE))
        self.rules.reached.connect(lambda y: self._areas[RULES].ensureVisible(0, y, 0, LINE))
        self._tabs.currentChanged.connect(self._pages.setCurrentIndex)
        named = ((self._star, _("Favourite")), (self._copy, _("Copy the address")), (self._more, _("More")))
        for button, words in named:
            button.setAccessibleName(words)
            button.setToolTip(words)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._join, self._alert, self._copy, self._more):
            buttons.addWidget(button)
        buttons.addStretch(1)
        name = QHBoxLayout()
        name.setSpacing(8)
        name.addWidget(self._name, 1)
        name.addWidget(self._star, 0, Qt.AlignmentFlag.AlignTop)
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(14, 10, 14, 8)
        head.setSpacing(2)
        head.addLayout(name)
        for widget in (self._game, self._address):
            head.addWidget(widget)
        head.addSpacing(6)
        head.addLayout(buttons)
        head.addWidget(self.expected)
        for page in (self.why, self.players, self.rules, self.history, self.notes):
            self._areas.append(_scrolled(self._theme, page))
            self._pages.addWidget(self._areas[-1])
        head.addStretch(1)
        pages = QVBoxLayout()
        pages.setSpacing(0)
        pages.addWidget(self._tabs)
        pages.addWidget(self._pages, 1)
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._body)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(0)
        self._parts.addWidget(self._head)
        self._parts.addLayout(pages, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 0, 0)
        layout.addWidget(self._empty)
        layout.addWidget(self._body, 1)
        self.lie_below(False)

    def lie_below(self, below: bool) -> None:
        """Be a part below the list, the head beside the pages; or beside it, the head above them."""
        self._parts.setDirection(QBoxLayout.Direction.LeftToRight if below else QBoxLayout.Direction.TopToBottom)
        self.setMinimumSize(0 if below else WIDTH, HEIGHT if below else 0)
        self.setMaximumSize(_NO_LIMIT if below else WIDTH, HEIGHT if below else _NO_LIMIT)
        self._head.setFixedWidth(WIDTH - 1)
        self.why.setMaximumWidth(WIDTH if below else _NO_LIMIT)  # its titles stand over its numbers at that width
        for page in (self.players, self.rules, self.notes):
            page.setMaximumWidth(_PAGE_WIDTH if below else _NO_LIMIT)
        self.set_lines("T" if below else "L")

    @property
    def page(self) -> int:
        """The place of the page in sight."""
        return self._tabs.currentIndex()

    def turn_to(self, page: int) -> None:
        """Show another page."""
        self._tabs.setCurrentIndex(page)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, Down and the page keys scroll the page in sight."""
        step = _SCROLLING.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._areas[self.page].verticalScrollBar().triggerAction(step)

    def clear(self) -> None:
        """No server is selected."""
        self._empty.show()
        self._body.hide()

    def show_server(self, name: str, game: str, where: str, *, favourite: bool) -> None:
        """Name the server."""
        self._empty.hide()
        self._body.show()
        self._name.setText(name)
        self._game.setText(game)
        self._address.setText(where)
        self._star.set_icon("star", filled=favourite, role="favourite" if favourite else "")
        self._star.setAccessibleName(_("Remove from favourites") if favourite else _("Add to favourites"))

    def show_alerts(self, number: int) -> None:
        """How many alerts of this server are set."""
        self._alert.set_icon("bell", filled=bool(number), role="accent" if number else "")
        words = ngettext("{n} alert is set", "{n} alerts are set", number).format(n=number) if number else ""
        self._alert.setToolTip(words)
        self._alert.setAccessibleDescription(words)

    def choose_alerts(self) -> None:
        """Go to the boxes to tick."""
        self.turn_to(NOTES)
        self.notes.alerts.friend.setFocus(Qt.FocusReason.TabFocusReason)
        self._areas[NOTES].ensureWidgetVisible(self.notes.alerts)

    def show_details(
        self,
        explanation: Explanation,
        place: tuple[int | None, int, float | None],
        facts: Facts | None,
        *,
        asking: bool,
        team_names: bool,
        likely: str,
    ) -> None:
        """Fill the pages. `place`: the server's place, how many are ranked, the best score."""
        self.why.show_explanation(explanation, *place, likely)
        self.players.show_players(facts, asking=asking, team_names=team_names)
        self.rules.show_rules(facts, asking=asking)


def _scrolled(theme: Theme, page: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the tabs above have the keys that scroll it
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBar(ScrollBar(theme, "raised"))
    area.viewport().setAutoFillBackground(False)
    page.setAutoFillBackground(False)
    return area
