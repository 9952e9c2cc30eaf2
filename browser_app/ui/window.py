"""The main window: places the parts and joins their signals; every decision is made elsewhere."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.play_now import PlayNowBridge
from browser_app.catalogue.changes import ChangeSet
from browser_app.catalogue.filter_parser import FilterError
from browser_app.engine.standing import PlayOptions
from browser_app.games.profile import GameProfile, RankingConstants
from browser_app.protocols.address import Address
from browser_app.timings import mark
from browser_app.ui.columns import COLUMNS
from browser_app.ui.controls import Button, Surface
from browser_app.ui.details import Details
from browser_app.ui.filter_field import FilterField
from browser_app.ui.inspector import Inspector
from browser_app.ui.list_order import ALL, ListOrder
from browser_app.ui.list_state import ListState
from browser_app.ui.menus import add_sort_menu, make_menu, popup_menu
from browser_app.ui.play_bar import PlayBar
from browser_app.ui.play_control import PlayControl
from browser_app.ui.play_popover import PlayPopover
from browser_app.ui.refresh_control import RefreshControl
from browser_app.ui.row_source import RowSource
from browser_app.ui.side_list import SideList
from browser_app.ui.status_line import StatusLine
from browser_app.ui.table_model import Ids, ServerTableModel
from browser_app.ui.table_view import ServerTableView
from browser_app.ui.theme import Theme

TOP_HEIGHT = 60
COMPACT_BELOW = 640
INSPECTOR_FROM, SIDE_FROM = 1000, 800
"""Narrower windows do without the inspector, then without the side list."""
PAUSED, MENU = "until you press Space", "while the menu is open"
"""Why the order is held."""


@dataclass(frozen=True)
class Services:
    """What the window works with; made by the start-up code."""

    live: LiveList
    games: Mapping[str, GameProfile]
    own_skill: Callable[[], Mapping[str, float]]
    preset: Callable[[], RankingConstants | None]
    toggle_favourite: Callable[[int], None]
    bridge: PlayNowBridge
    play_options: Callable[[frozenset[Address]], PlayOptions]
    """What the user wants of Play Now, but for these servers."""
    unlock: Callable[[int, Callable[[str | None], object]], None]
    """Calls back with the password saved for a server, or None; at once, or when the secret store has answered."""
    launch: Callable[[int, str, str | None], str | None]
    """Starts a server's game, for a reason and with a password; what stands in the way, or None."""
    countdown_s: float


class MainWindow(Surface):
    """Top bar, side list, table, inspector, status line."""

    def __init__(self, theme: Theme, services: Services) -> None:
        super().__init__(theme, "window")
        self._services = services
        self._theme = theme
        self.live = services.live
        self.order = ListOrder(self.live.catalogue, services.games, self)
        self.model = ServerTableModel(RowSource(self.live.catalogue, services.games, services.own_skill), self)
        self.table = ServerTableView(theme, self.model)
        self.play_bar = PlayBar(theme)
        self.filter_field = FilterField(theme)
        self.refresh_button = Button(theme, "", "refresh", height=32)
        self.side = SideList(theme)
        self.inspector = Inspector(theme)
        self.state = ListState(theme)
        self.status = StatusLine(theme)
        self.details = Details(self.inspector, self.live, services.games, services.own_skill, services.preset)
        self.popover = PlayPopover(theme, self)
        self.play = PlayControl(
            self.play_bar,
            self.popover,
            self.table,
            self.live,
            services.bridge,
            services.play_options,
            services.unlock,
            services.launch,
            services.countdown_s,
        )
        self.asking = RefreshControl(self.refresh_button, self.status, self.live)
        self.setWindowTitle("Ready Room")
        self.resize(1280, 800)
        self.setMinimumSize(640, 420)
        self._lay_out()
        self._connect_list()
        self._connect_controls()
        self._set_up_keys()
        self._painted = False
        self._reorder()

    def _lay_out(self) -> None:
        top = Surface(self._theme, "window", "B")
        top.setFixedHeight(TOP_HEIGHT)
        bar = QHBoxLayout(top)
        bar.setContentsMargins(0, 0, 12, 1)
        bar.setSpacing(12)
        bar.addWidget(self.play_bar, 1)
        bar.addWidget(self.filter_field, 1)
        bar.addWidget(self.refresh_button)
        centre = QVBoxLayout()
        centre.setSpacing(0)
        centre.addWidget(self.state)
        centre.addWidget(self.table, 1)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.side)
        middle.addLayout(centre, 1)
        middle.addWidget(self.inspector)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(top)
        page.addLayout(middle, 1)
        page.addWidget(self.status)
        for before, after in pairwise(
            (
                self.play_bar.button,
                self.popover.offer,
                self.filter_field,
                self.refresh_button,
                self.side,
                self.state,
                self.table,
            )
        ):
            QWidget.setTabOrder(before, after)
        self.table.setFocus()

    def _connect_list(self) -> None:
        live = self.live
        live.changed.connect(self._changed)
        live.rescored.connect(self._rescored)
        live.progressed.connect(self._show_progress)
        live.running_changed.connect(lambda running: self._poll_changed(running=running))
        self.order.ordered.connect(self._show_order)
        self.order.hold_changed.connect(lambda held, reason: self.status.show_held(held=held, reason=reason))
        self.table.held.connect(self.order.hold)
        self.table.server_selected.connect(self.details.show_server)
        self.table.server_selected.connect(self.order.keep)
        self.table.join_wanted.connect(self.play.join)
        self.table.favourite_wanted.connect(self._toggle_favourite)
        self.table.menu_wanted.connect(self._open_row_menu)
        self.table.header.sectionClicked.connect(self._sort)
        self.side.chosen.connect(self.order.set_list)

    def _connect_controls(self) -> None:
        self.play_bar.button.menu_wanted.connect(self._open_play_menu)
        self.play.filter_wanted.connect(self.filter_field.set_text)
        self.filter_field.edited.connect(self._filter)
        self.filter_field.left.connect(self.table.setFocus)
        self.inspector.join_wanted.connect(lambda: self.play.join(self.details.server))
        self.inspector.favourite_wanted.connect(lambda: self._toggle_favourite(self.details.server))
        self.inspector.copy_wanted.connect(lambda: self._copy_address(self.details.server))
        self.state.clear_wanted.connect(lambda: self.filter_field.set_text(""))
        self.state.retry_wanted.connect(self.asking.refresh)
        self.state.all_wanted.connect(lambda: self.side.choose(ALL))

    def _set_up_keys(self) -> None:
        for keys, action in (
            ("Ctrl+F", self.filter_field.focus),
            ("F5", self.asking.refresh),
            ("Esc", self._escape),
            ("Ctrl+C", lambda: self._copy_address(self.details.server)),
            ("Ctrl+P", self.play_bar.button.click),
            ("Ctrl+I", lambda: self.inspector.setVisible(not self.inspector.isVisible())),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(action)
        for keys, action in (
            ("P", self.play_bar.button.click),
            ("F", lambda: self._toggle_favourite(self.details.server)),
            ("Space", self._toggle_hold),
        ):
            shortcut = QShortcut(QKeySequence(keys), self.table)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(action)

    # The list

    def _reorder(self) -> None:
        self.order.reorder()
        self.side.set_items(self.order.side_items())

    def _rescored(self) -> None:
        self.order.refresh()
        self.side.set_items(self.order.side_items())
        self._refresh_rows()

    def _show_order(self, order: Ids) -> None:
        self.table.show_order(order)
        column = self.order.column
        keys = [each.key for each in COLUMNS]
        self.table.header.set_sorted(keys.index(column.removeprefix("-")), reverse=column.startswith("-"))
        self._show_state()

    def _changed(self, changes: ChangeSet) -> None:
        """Most answers are of servers out of sight: nothing is painted for these."""
        first, last = self.table.places_in_sight()
        if np.isin(self.model.order[first : last + 1], changes.ids).any():
            self.model.refresh(first, last)

    def _refresh_rows(self) -> None:
        self.model.refresh(*self.table.places_in_sight())

    def _sort(self, section: int) -> None:
        self.order.sort_by(COLUMNS[section].key)

    def _filter(self, text: str) -> None:
        try:
            self.order.set_filter(text)
        except FilterError as error:
            self.filter_field.show_error(error.message, error.start, error.end)
        else:
            self.filter_field.clear_error()

    def _toggle_hold(self) -> None:
        self.order.hold(PAUSED, not self.order.is_held_for(PAUSED))

    # Servers

    def _toggle_favourite(self, server: int) -> None:
        if server >= 0:
            self._services.toggle_favourite(server)
            self.live.rescore()
            self.details.refresh()

    def _copy_address(self, server: int) -> None:
        if server >= 0:
            facts = self.live.catalogue.facts(server)
            address = facts.connect if facts else self.live.catalogue.targets[server].address
            QGuiApplication.clipboard().setText(str(address))
            self.status.tell(f"{address} copied")

    def _open_row_menu(self, server: int, where: QPoint) -> None:
        favourite = bool(self.live.catalogue.favourite[server])
        menu = make_menu(
            self,
            (
                ("Join", lambda: self.play.join(server)),
                (
                    "Remove from favourites" if favourite else "Add to favourites",
                    lambda: self._toggle_favourite(server),
                ),
                ("Copy the address", lambda: self._copy_address(server)),
                ("Ask again", lambda: self.asking.ask(server)),
            ),
        )
        add_sort_menu(menu, self.order.column, self._sort)
        popup_menu(menu, where, lambda held: self.order.hold(MENU, held))

    def _open_play_menu(self, where: QPoint) -> None:
        server = self.play.choice
        menu = make_menu(
            self,
            (
                ("Show this server", lambda: self.table.select_server(server)),
                ("Skip this one for an hour", lambda: self.play.skip(server)),
            ),
        )
        menu.setEnabled(server >= 0)
        popup_menu(menu, where, lambda held: self.order.hold(MENU, held))

    # The scan

    def _escape(self) -> None:
        if not self.play.idle():
            self.play_bar.button.click()
        elif not self.filter_field.escape():
            self.asking.stop()

    def _poll_changed(self, *, running: bool) -> None:
        if not running and self.table.selected_server() < 0 and self.model.rowCount():
            self.table.select_server(int(self.model.order[0]))
        self._show_progress()

    def _show_progress(self) -> None:
        poll = self.live.poll
        if poll is not None:
            progress, running, refused = poll.progress, self.live.running, sum(poll.progress.dropped.values())
            self.status.show_scan(progress.done, progress.targets, running=running)
            self.status.show_traffic(progress.sent, progress.received, refused, running=running)
            answered = sum(1 for master in poll.masters if master.ok)
            self.status.show_masters(answered, self.live.master_failures(), len(poll.masters))
        self._show_state()

    def _show_state(self) -> None:
        catalogue = self.live.catalogue
        poll = self.live.poll
        self.state.show_state(
            known=len(catalogue),
            shown=self.model.rowCount(),
            remembering=self.live.remembering,
            asked=poll is not None,
            listed=self.order.listed,
            filtered=self.order.filtered,
            remembered=int(catalogue.old.sum()),
            age_s=self._age_of_remembered(),
            running=self.live.running,
            failures=self.live.master_failures(),
            network_down=poll is not None and poll.progress.network_down,
        )

    def _age_of_remembered(self) -> float | None:
        catalogue = self.live.catalogue
        times = catalogue.last_answer[catalogue.old]
        return self.live.age_s(float(times.max())) if len(times) else None

    # Qt's hooks

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What goes first when room is short: row height, inspector, side list; what the user folded stays folded."""
        super().resizeEvent(event)
        self.table.set_compact(event.size().height() < COMPACT_BELOW)
        before, now = event.oldSize().width(), event.size().width()
        for part, needed in ((self.inspector, INSPECTOR_FROM), (self.side, SIDE_FROM)):
            if before < 0 or (before >= needed) != (now >= needed):
                part.setVisible(now >= needed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Mark the first paint for whoever measures the start."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, lambda: mark("first_paint"))

    def closeEvent(self, event: QCloseEvent) -> None:
        """End everything at once."""
        self.play.close()
        self.asking.close()
        self.details.close()
        self.live.close()
        super().closeEvent(event)
