"""The inspector: details of the selected server on several pages."""

from typing import TypeVar

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QBoxLayout,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.inspector.inspector_page_base import LIST_LINE_HEIGHT, InspectorListPage
from browser_app.ui.inspector.inspector_pages import (
    INSPECTOR_PAGES,
    INSPECTOR_WIDTH,
    NO_MAX_WIDTH,
    NOTES_PAGE,
    ServerDetails,
)
from browser_app.ui.inspector.notes_page import NotesPage
from browser_app.ui.inspector.players_page import PlayersPage
from browser_app.ui.inspector.rules_page import RulesPage
from browser_app.ui.inspector.server_history_page import ServerHistoryPage
from browser_app.ui.inspector.server_notices import ServerNotices
from browser_app.ui.skill.fair_games.expected_change_panel import ExpectedChangePanel
from browser_app.ui.widgets.accessibility import update_texts
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Label, Panel
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, fill_box
from browser_app.ui.widgets.page_elements import create_scroll_area
from browser_app.ui.widgets.tab_widgets import UnderlinedTabBar
from browser_app.ui.widgets.theme import Theme

INSPECTOR_HEIGHT = 264
"""Height below the table, px."""
_SCROLL_ACTIONS = {
    Qt.Key.Key_Up: QAbstractSlider.SliderAction.SliderSingleStepSub,
    Qt.Key.Key_Down: QAbstractSlider.SliderAction.SliderSingleStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
}


_Page = TypeVar("_Page", bound=QWidget)


class InspectorPanel(Panel):
    """The details of one server.

    Signals:
        join_requested, favourite_toggle_requested, alert_requested, copy_requested: the buttons.
        menu_requested: global position for the menu of other actions.
    """

    join_requested = Signal()
    favourite_toggle_requested = Signal()
    alert_requested = Signal()
    copy_requested = Signal()
    menu_requested = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "raised", "L")
        self._theme = theme
        self._name_label = ElidedLabel(theme, size=15, weight=QFont.Weight.DemiBold)
        self._game_label = ElidedLabel(theme, role="text2", size=12)
        self._address_label = Label(theme, role="text2", size=12)
        self._address_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._state_label = Label(theme, role="text2", size=12, wraps=True)
        self._warning_label = Label(theme, role="warning", size=12, wraps=True)
        self._join_button = Button(theme, _("Join"), "play")
        self._favourite_button = Button(theme, "", "star")
        self._alert_button = Button(theme, _("Alert me"), "bell")
        self._copy_button = Button(theme, "", "copy")
        self._more_button = Button(theme, "", "more")
        self._pages = {spec.key: spec.create(theme) for spec in INSPECTOR_PAGES}
        self.players_page = self._page(PlayersPage)
        self.rules_page = self._page(RulesPage)
        self.history_page = self._page(ServerHistoryPage)
        self.notes_page = self._page(NotesPage)
        self.tabs = UnderlinedTabBar(theme, [_(spec.title) for spec in INSPECTOR_PAGES])
        self._page_stack = QStackedWidget()
        # They scroll with keys pressed in the tabs.
        self._scroll_areas = {key: create_scroll_area(theme, page) for key, page in self._pages.items()}
        self._empty_label = Label(theme, _("Select a server to see its score in detail."), role="text2", wraps=True)
        self._empty_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._empty_label.setContentsMargins(14, 16, 14, 0)
        self.expected_change = ExpectedChangePanel(theme)
        self._body = QWidget()
        self._connect()
        self._build_layout()
        self.clear()

    def _page(self, kind: type[_Page]) -> _Page:
        return next(page for page in self._pages.values() if isinstance(page, kind))

    def _connect(self) -> None:
        self._join_button.clicked.connect(self.join_requested)
        self._favourite_button.clicked.connect(self.favourite_toggle_requested)
        self._alert_button.clicked.connect(self.alert_requested)
        self._copy_button.clicked.connect(self.copy_requested)
        self._more_button.clicked.connect(
            lambda: self.menu_requested.emit(
                self._more_button.mapToGlobal(self._more_button.rect().bottomLeft() + QPoint(0, 2))
            )
        )
        for key, page in self._pages.items():
            if isinstance(page, InspectorListPage):
                page.line_reached.connect(
                    lambda y, key=key: self._scroll_areas[key].ensureVisible(0, y, 0, LIST_LINE_HEIGHT)
                )
        self.tabs.currentChanged.connect(self._page_stack.setCurrentIndex)
        named = (
            (self._favourite_button, _("Favourite")),
            (self._copy_button, _("Copy address")),
            (self._more_button, _("More")),
        )
        for button, text in named:
            button.setAccessibleName(text)
            button.setToolTip(text)

    def _build_layout(self) -> None:
        buttons = fill_box(
            QHBoxLayout(), self._join_button, self._alert_button, self._copy_button, self._more_button, Stretch()
        )
        name = fill_box(
            QHBoxLayout(), Stretch(self._name_label), Aligned(self._favourite_button, Qt.AlignmentFlag.AlignTop)
        )
        self._header = QWidget()
        head = QVBoxLayout(self._header)
        head.setContentsMargins(14, 10, 14, 8)
        head.setSpacing(2)
        head.addLayout(name)
        for widget in (self._game_label, self._address_label, self._state_label, self._warning_label):
            head.addWidget(widget)
        head.addSpacing(6)
        head.addLayout(buttons)
        head.addWidget(self.expected_change)
        for area in self._scroll_areas.values():
            self._page_stack.addWidget(area)
        head.addStretch(1)
        pages = fill_box(QVBoxLayout(), self.tabs, Stretch(self._page_stack), spacing=0)
        self._main_layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._body)
        self._main_layout.setContentsMargins(0, 0, 0, 0)
        self._main_layout.setSpacing(0)
        self._main_layout.addWidget(self._header)
        self._main_layout.addLayout(pages, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 0, 0)
        layout.addWidget(self._empty_label)
        layout.addWidget(self._body, 1)
        self.set_below_table(False)

    def set_below_table(self, below: bool) -> None:
        """Arrange the panel below or beside the table.

        Below it, the header is beside the pages; beside it, the header is above them.
        """
        self._main_layout.setDirection(QBoxLayout.Direction.LeftToRight if below else QBoxLayout.Direction.TopToBottom)
        self.setMinimumSize(0 if below else INSPECTOR_WIDTH, INSPECTOR_HEIGHT if below else 0)
        self.setMaximumSize(NO_MAX_WIDTH if below else INSPECTOR_WIDTH, INSPECTOR_HEIGHT if below else NO_MAX_WIDTH)
        self._header.setFixedWidth(INSPECTOR_WIDTH - 1)
        for spec in INSPECTOR_PAGES:
            self._pages[spec.key].setMaximumWidth(spec.max_width if below else NO_MAX_WIDTH)
        self.set_borders("T" if below else "L")

    @property
    def current_page(self) -> str:
        """Key of the visible page."""
        return INSPECTOR_PAGES[self.tabs.currentIndex()].key

    def show_page(self, key: str) -> None:
        """Show another page."""
        self.tabs.setCurrentIndex(list(self._pages).index(key))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll the visible page with the arrow and page keys."""
        step = _SCROLL_ACTIONS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._scroll_areas[self.current_page].verticalScrollBar().triggerAction(step)

    def clear(self) -> None:
        """Show that no server is selected."""
        self._empty_label.show()
        self._body.hide()

    def show_server(self, name: str, game: str, where: str, *, favourite: bool) -> None:
        """Show the server's name, game and address."""
        self._empty_label.hide()
        self._body.show()
        self._name_label.setText(name)
        self._game_label.setText(game)
        self._address_label.setText(where)
        self._favourite_button.set_icon("star", filled=favourite, role="favourite" if favourite else "")
        update_texts(self._favourite_button, name=_("Remove from favourites") if favourite else _("Add to favourites"))

    def show_notices(self, notices: ServerNotices) -> None:
        """Show how old or suspicious the server's values are."""
        for label, text in ((self._state_label, notices.state), (self._warning_label, notices.warning)):
            label.setText(text)
            label.setVisible(bool(text))

    def show_alerts(self, number: int) -> None:
        """Show how many alerts are set for the server."""
        self._alert_button.set_icon("bell", filled=bool(number), role="accent" if number else "")
        text = ngettext("{n} alert set", "{n} alerts set", number).format(n=number) if number else ""
        update_texts(self._alert_button, description=text, tool_tip=text)

    def focus_alerts(self) -> None:
        """Move the focus to the alerts."""
        self.show_page(NOTES_PAGE)
        self.notes_page.alert_boxes.focus_first()
        self._scroll_areas[NOTES_PAGE].ensureWidgetVisible(self.notes_page.alert_boxes)

    def show_details(self, details: ServerDetails) -> None:
        """Fill the pages."""
        for spec in INSPECTOR_PAGES:
            if spec.show_details is not None:
                spec.show_details(self._pages[spec.key], details)
