"""The view *Servers*: filter chips, side list, state line, table and inspector, joined with one another."""

import numpy as np
from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.catalogue.changes import ChangeSet
from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.protocols.server_link import write_join_link
from browser_app.ui.chip_bar import ChipBar
from browser_app.ui.chip_control import ChipControl
from browser_app.ui.column_layout import ColumnLayout
from browser_app.ui.columns import COLUMNS, column_of
from browser_app.ui.controls import Surface
from browser_app.ui.details import Details
from browser_app.ui.empty_page import EmptyPage
from browser_app.ui.filter_completion import Completion
from browser_app.ui.filter_control import FilterControl
from browser_app.ui.filter_field import FilterField
from browser_app.ui.first_run import FirstRun
from browser_app.ui.history_control import HistoryControl
from browser_app.ui.inspector import Inspector
from browser_app.ui.inspector_edge import InspectorEdge
from browser_app.ui.joining.checks import is_full, is_locked
from browser_app.ui.lan_control import LanControl
from browser_app.ui.list_order import ListOrder
from browser_app.ui.list_state import ListState
from browser_app.ui.list_words import ADDRESS, ALL_SERVERS, CLEAR, KEY, LOOK, REFRESH
from browser_app.ui.lists import ALL, BLOCKED, GAME, LAN, SAVED, Lists
from browser_app.ui.menus import add_sort_menu, make_menu, popup_menu
from browser_app.ui.panels import Panels
from browser_app.ui.row_source import RowSource
from browser_app.ui.saved_control import SavedControl
from browser_app.ui.services import Services
from browser_app.ui.side_list import SideList
from browser_app.ui.state_control import StateControl
from browser_app.ui.table_model import Ids, ServerTableModel
from browser_app.ui.table_view import KEYS, ServerTableView
from browser_app.ui.texts import score_text
from browser_app.ui.theme import Theme

COMPACT_BELOW = 640
PAUSED, MENU = later("until you press Space"), later("while the menu is open")
"""Why the order is held."""
_SORT = "sort"
"""Under this key it is kept how rows are sorted."""


class ServersView(Surface):
    """Owns what the list is made of.

    Signals:
        join_wanted, wait_wanted, password_wanted, ask_wanted: a server to join, to wait for a slot on, to join with a
            password that is typed, or to ask again.
        block_wanted: a server to be blocked, or to be let in again.
        refresh_wanted: ask everybody.
        key_wanted, address_wanted: ask the user for a Steam Web API key, or for a server's address.
        told: news for the status line.
    """

    join_wanted = Signal(int)
    wait_wanted = Signal(int)
    block_wanted = Signal(int)
    password_wanted = Signal(int)
    ask_wanted = Signal(int)
    refresh_wanted = Signal()
    key_wanted = Signal()
    address_wanted = Signal()
    told = Signal(str)

    def __init__(self, theme: Theme, services: Services, field: FilterField) -> None:
        super().__init__(theme, "window")
        self._services = services
        self._rows = "automatic"
        self.live = live = services.live
        self.lists = Lists(live.catalogue, services.games, services.saved_filters)
        self.order = ListOrder(live.catalogue, self.lists, self)
        rows = RowSource(live.catalogue, services.games, services.own_skill)
        self.model = ServerTableModel(rows, rows.names, self)
        self.table = ServerTableView(theme, self.model)
        self.chips = ChipBar(theme)
        self.side = SideList(theme)
        self.inspector = Inspector(theme)
        self.first_run = FirstRun(theme)
        self.first_run.hide()
        self.edge = InspectorEdge(theme)
        self.panels = Panels(services.kept, self.side, self.inspector, self.edge, self.first_run)
        self.state = ListState(theme)
        self.page = EmptyPage(theme, self.table.viewport())
        self.details = Details(self.inspector, live, services.games, services.own_skill, services.preset)
        self.history = HistoryControl(self.inspector.history, live, services.games, services.past, services.sampling)
        field.offer(Completion(live.catalogue, services.games, services.saved_filters))
        self.filters = FilterControl(field, self.order, services.kept)
        self.saved = SavedControl(theme, self, services.saved_filters, self.filters)
        self.chip_control = ChipControl(
            self.chips, self.order, self.filters, live.catalogue, services.games, services.saved_filters, self.saved
        )
        self.lan = LanControl(services.lan, live, self.lists, lambda: self.order.listed)
        self.state_control = StateControl(
            self.state,
            self.page,
            self.table,
            live,
            self.order,
            self.lists,
            self.chip_control,
            self.lan,
            services.games,
            {
                REFRESH: self.refresh_wanted.emit,
                ALL_SERVERS: lambda: self.side.choose(ALL),
                CLEAR: self.filters.clear,
                KEY: self.key_wanted.emit,
                ADDRESS: self.address_wanted.emit,
                LOOK: lambda: self.side.choose(LAN) if self.side.current != LAN else self.lan.look(),
            },
        )
        self.columns = ColumnLayout(self.table, services.kept)
        self._lay_out()
        self._connect()
        self.order.set_column(str(services.kept.get(_SORT) or "score"))
        self.filters.show_list(ALL)
        self._count()

    def _lay_out(self) -> None:
        self.panels.column.addWidget(self.state)
        self.panels.column.addWidget(self.table, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.chips)
        column.addLayout(self.panels.row, 1)

    def _connect(self) -> None:
        live = self.live
        live.changed.connect(self._changed)
        live.rescored.connect(self._rescored)
        self._services.sampling.recalled.connect(self._recalled)
        self.order.ordered.connect(self._show_order)
        self.table.held.connect(self.order.hold)
        self.table.server_selected.connect(self.details.show_server)
        self.table.server_selected.connect(self.history.show_server)
        self.table.server_selected.connect(self.order.keep)
        self.table.server_selected.connect(self._show_edge)
        self.table.join_wanted.connect(self.join_wanted)
        self.table.favourite_wanted.connect(self.toggle_favourite)
        self.table.menu_wanted.connect(self._open_row_menu)
        self.table.header.sectionClicked.connect(self._sort)
        self.side.chosen.connect(self.filters.show_list)
        self.side.fold_wanted.connect(self.panels.side_fold.toggle)
        self.edge.clicked.connect(self.panels.inspector_fold.toggle)
        self.side.menu_wanted.connect(self._open_side_menu)
        self.saved.renamed.connect(self._saved_renamed)
        self._services.saved_filters.on_change = self._saved_changed
        self.inspector.join_wanted.connect(lambda: self.join_wanted.emit(self.details.server))
        self.inspector.favourite_wanted.connect(lambda: self.toggle_favourite(self.details.server))
        self.inspector.copy_wanted.connect(self.copy_address)
        self.inspector.rules.told.connect(self.told)
        self.inspector.rules.filter_wanted.connect(self.filters.add)
        self.inspector.menu_wanted.connect(lambda where: self._open_row_menu(self.details.server, where))
        self.state_control.told_lacking_key.connect(self.first_run.show_lacking_key)
        self.first_run.closed.connect(self.panels.end_welcome)
        self.first_run.key_wanted.connect(self.key_wanted)
        self.table.clicked.connect(self.panels.end_welcome)
        self.table.held.connect(lambda why, held: self.panels.end_welcome() if held and why == KEYS else None)
        self.page.off_wanted.connect(lambda key: self.filters.put(key, ""))
        self.side.chosen.connect(self.lan.list_chosen)
        live.running_changed.connect(self._poll_changed)

    def focus_order(self) -> tuple[QWidget, ...]:
        """What the tab key reaches, one after the other."""
        return (*self.chips.focus_order(), self.side, self.state, self.table)

    def escape(self) -> bool:
        """Esc: from the inspector back to the list; False where the focus is elsewhere."""
        focused = self.window().focusWidget()
        if focused is None or not self.inspector.isAncestorOf(focused):
            return False
        self.table.setFocus()
        return True

    def _show_edge(self) -> None:
        server, scores = self.table.selected_server(), self.live.catalogue.score
        score = float(scores[server]) if 0 <= server < len(scores) else float("nan")
        self.edge.show_score("" if score != score else score_text(score))

    # The list

    def _rescored(self) -> None:
        self.order.refresh()
        self._count()
        self.model.refresh(*self.table.places_in_sight())
        self._show_edge()

    def _recalled(self) -> None:
        """More of the past is known."""
        self.model.refresh(*self.table.places_in_sight())
        self.details.refresh()

    def _count(self) -> None:
        self.side.set_items(self.lists.items())

    def _show_order(self, order: Ids) -> None:
        self.table.show_order(order)
        column = self.order.column
        self._services.kept.put(_SORT, column)
        keys = [each.key for each in COLUMNS]
        self.table.header.set_sorted(keys.index(column_of(column)), reverse=column.startswith("-"))
        self.state_control.refresh()

    def _changed(self, changes: ChangeSet) -> None:
        """Most answers are of servers out of sight: nothing is painted for these."""
        first, last = self.table.places_in_sight()
        if np.isin(self.model.order[first : last + 1], changes.ids).any():
            self.model.refresh(first, last)

    def _sort(self, section: int) -> None:
        self.order.sort_by(COLUMNS[section].key)

    @property
    def paused(self) -> bool:
        """The order is held until the user lets it go."""
        return self.order.is_held_for(PAUSED)

    def toggle_hold(self) -> None:
        """Hold the order until asked again, or let it go."""
        self.order.hold(PAUSED, not self.paused)

    def show_games(self, games: frozenset[str]) -> None:
        """List the servers of these games only; none: of all."""
        self.lists.shown = games
        self._count()
        self.order.reorder()

    # Saved filters

    def _saved_changed(self) -> None:
        self._count()
        self.order.reorder()

    def _saved_renamed(self, old: str, new: str) -> None:
        if self.side.current == old and new == ALL:
            self.side.choose(ALL)
        elif self.side.current == old:
            self.side.current = new

    def _open_side_menu(self, key: str, where: QPoint) -> None:
        if key.startswith(SAVED):
            self.saved.open_menu(key, where)

    # Servers

    def toggle_favourite(self, server: int) -> None:
        """Make a server a favourite, or no more."""
        if server >= 0:
            self._services.toggle_favourite(server)
            self.live.rescore()
            self.details.refresh()

    def show_server(self, server: int) -> None:
        """Select a server: in the list in sight, else in that of all or of the blocked, without filters if need be.

        It stands there also where its game is not among those chosen in the settings.
        """
        self.order.refresh()
        if not self.table.select_server(server):
            self.side.choose(BLOCKED if self.live.catalogue.blocked[server] else ALL)
        if not self.lists.rows(self.order.listed)[server]:
            self.lists.led_to |= {server}
            self.order.reorder()
        if not self.table.select_server(server):
            self.filters.clear()
            self.table.select_server(server)

    def show_nearest_in_skill(self, game: str) -> None:
        """A game's servers, those whose skill is nearest to the user's first."""
        self.side.choose(GAME + game)
        self.columns.choose("skill", True)
        self.order.set_column("skill_distance")
        self.table.scrollToTop()
        self.table.setFocus()

    def copy_address(self) -> None:
        """Put the selected server's address on the clipboard."""
        self._copy(self.details.server)

    def _copy(self, server: int) -> None:
        if server >= 0:
            facts = self.live.catalogue.facts(server)
            address = facts.connect if facts else self.live.catalogue.targets[server].address
            QGuiApplication.clipboard().setText(str(address))
            self.told.emit(_("{address} copied").format(address=address))

    def _copy_link(self, server: int) -> None:
        """For somebody else who has this program."""
        target = self.live.catalogue.targets[server]
        game = self.live.catalogue.game[server] or None
        QGuiApplication.clipboard().setText(write_join_link(target.protocol, target.address, game))
        self.told.emit(_("A link to {address} copied").format(address=target.address))

    def _open_row_menu(self, server: int, where: QPoint) -> None:
        catalogue = self.live.catalogue
        favourite = bool(catalogue.favourite[server])
        full = ((_("Wait for a slot"), lambda: self.wait_wanted.emit(server)),)
        locked = ((_("Join with another password…"), lambda: self.password_wanted.emit(server)),)
        menu = make_menu(
            self,
            (
                (_("Join"), lambda: self.join_wanted.emit(server)),
                *(full if is_full(catalogue, server) else ()),
                *(locked if is_locked(catalogue, server) else ()),
                (
                    _("Remove from favourites") if favourite else _("Add to favourites"),
                    lambda: self.toggle_favourite(server),
                ),
                (_("Copy the address"), lambda: self._copy(server)),
                (_("Copy a link"), lambda: self._copy_link(server)),
                (_("Ask again"), lambda: self.ask_wanted.emit(server)),
                (
                    _("Let in again") if catalogue.blocked[server] else _("Block…"),
                    lambda: self.block_wanted.emit(server),
                ),
            ),
        )
        add_sort_menu(menu, self.order.column, self._sort)
        self.columns.add_to(menu)
        popup_menu(menu, where, lambda held: self.order.hold(MENU, held))

    def _poll_changed(self, running: bool) -> None:
        if not running and self.table.selected_server() < 0 and self.model.rowCount():
            self.table.select_in_place(int(self.model.order[0]))

    def close_all(self) -> None:
        """Ask nobody any more."""
        self.lan.close()
        self.details.close()
        self.columns.save()

    def show_rows(self, height: str) -> None:
        """`comfortable`, `compact`, or `automatic`: what fits the window."""
        self._rows = height
        self._fit_rows()

    def _fit_rows(self) -> None:
        small = self.window().height() < COMPACT_BELOW
        self.table.set_compact(small if self._rows == "automatic" else self._rows == "compact")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What goes first when room is short: row height, side list and inspector, then columns and chips."""
        super().resizeEvent(event)
        self._fit_rows()
        self.panels.fit(event.size())
