"""The Servers view: filter chips, sidebar, banner, table and inspector."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.catalogue.catalogue_columns import ChangeSet, RowIds
from browser_app.catalogue.server_value_text import score_text, server_name
from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import FAVOURITES_ON_TOP
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.ui.filters.filter_chip_bar import FilterChipBar
from browser_app.ui.filters.filter_chip_controller import FilterChipController
from browser_app.ui.filters.filter_completion import FilterCompletion
from browser_app.ui.filters.filter_controller import FilterController, SavedFilterController
from browser_app.ui.filters.filter_field import FilterField
from browser_app.ui.first_run.first_run_controller import FirstRunController
from browser_app.ui.inspector.inspector_controller import InspectorController
from browser_app.ui.inspector.inspector_panel import InspectorPanel
from browser_app.ui.inspector.server_history_page import ServerHistoryController
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    BLOCKED_LIST,
    GAME_LIST_PREFIX,
    LAN_LIST,
    LanListController,
    ServerLists,
)
from browser_app.ui.lists.server_list_sidebar import ServerListSidebar
from browser_app.ui.servers.column_layout import ColumnLayout
from browser_app.ui.servers.list_status_controller import ListStatusController
from browser_app.ui.servers.list_status_text import (
    ADD_ADDRESS_ACTION,
    ADD_KEY_ACTION,
    ALL_SERVERS_ACTION,
    CLEAR_FILTERS_ACTION,
    FRIENDS_ACTION,
    MASTERS_ACTION,
    REFRESH_ACTION,
    SEARCH_LAN_ACTION,
)
from browser_app.ui.servers.list_status_widgets import EmptyListPage, ListBanner
from browser_app.ui.servers.server_columns import COLUMN_KEYS, TEXT_FIELDS, column_key_of_order
from browser_app.ui.servers.server_menu import ServerMenu
from browser_app.ui.servers.server_order import HoldReason, ServerOrder
from browser_app.ui.servers.server_row import ServerRowSource
from browser_app.ui.servers.server_table import ServerTableModel, ServerTableView
from browser_app.ui.servers.servers_layout import CollapsedInspectorHandle, ServersLayout
from browser_app.ui.widgets.basic_widgets import Panel
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.focus_areas import FocusArea
from browser_app.ui.widgets.tables.sorted_table_model import RowNumbers
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices

COMPACT_BELOW_HEIGHT = 640
_SORT_STATE_KEY = "sort"
"""UI state key of the sort column."""


class ServersView(Panel):
    """The view of servers and the controllers of its parts.

    Signals:
        join_requested: a server to join.
        refresh_requested: refresh the list.
        key_requested, address_requested: ask for a Steam Web API key or for a server's address.
        masters_requested, friends_requested: show the master servers or the list of friends.
        status_reported: text for the status bar.
        change_reported: text about a change, and a function that undoes it.
    """

    join_requested = Signal(int)
    refresh_requested = Signal()
    key_requested = Signal()
    address_requested = Signal()
    masters_requested = Signal()
    friends_requested = Signal()
    status_reported = Signal(str)
    change_reported = Signal(str, object)

    def __init__(self, theme: Theme, services: WindowServices, field: FilterField) -> None:
        super().__init__(theme, "window")
        self._theme, self._services = theme, services
        self._row_height = "automatic"
        self.server_list = services.server_list
        self.server_lists = ServerLists(self.server_list.catalogue, services.games, services.storage.saved_filters)
        self.server_order = ServerOrder(self.server_list.catalogue, self.server_lists, self)
        self._create_widgets()
        self._create_inspector_controllers()
        self.server_menu = ServerMenu(
            self,
            self.server_list.catalogue,
            self.server_order,
            self.column_layout,
            lambda: self.inspector_controller.server,
            self._on_header_clicked,
            self._put_favourites_on_top,
        )
        self._create_filter_controllers(field)
        self._create_list_controllers()
        self._build_layout()
        self._connect_servers()
        self._connect_lists()
        self._connect_inspector()
        self.server_order.has_favourites_on_top = services.settings.get(FAVOURITES_ON_TOP)
        self.server_order.set_sort_column(str(services.storage.ui_state.get(_SORT_STATE_KEY) or "score"))
        self.filter_controller.show_list(ALL_LIST)
        self._update_counts()

    def _create_widgets(self) -> None:
        theme, server_list, services = self._theme, self.server_list, self._services
        ui_state = services.storage.ui_state
        ranked = self.server_lists.ranked_scores
        rows = ServerRowSource(server_list.catalogue, services.games, services.own_skill, TEXT_FIELDS, ranked)
        self.table_model = ServerTableModel(rows, rows.server_names, server_list.seconds_since_answer, self)
        self.table = ServerTableView(theme, self.table_model)
        self.chip_bar = FilterChipBar(theme)
        self.sidebar = ServerListSidebar(theme)
        self.inspector = InspectorPanel(theme)
        self.first_run = FirstRunController(theme, services)
        self.inspector_handle = CollapsedInspectorHandle(theme)
        self.servers_layout = ServersLayout(ui_state, self.sidebar, self.inspector, self.inspector_handle)
        self.list_banner = ListBanner(theme)
        self.empty_page = EmptyListPage(theme, self.table)
        self.column_layout = ColumnLayout(self.table, ui_state)

    def _create_inspector_controllers(self) -> None:
        server_list, services = self.server_list, self._services
        self.inspector_controller = InspectorController(
            self.inspector,
            server_list,
            services.games,
            services.own_skill,
            services.own_skill_source,
            services.preset,
            self.server_lists.ranked_scores,
            lambda: self.table.is_selection_requested,
        )
        self.history_controller = ServerHistoryController(
            self.inspector.history_page,
            server_list,
            services.games,
            services.series_reader,
            services.sample_recorder,
        )

    def _create_filter_controllers(self, field: FilterField) -> None:
        catalogue, games, storage = self.server_list.catalogue, self._services.games, self._services.storage
        field.set_completion(FilterCompletion(catalogue, games, storage.saved_filters))
        self.filter_controller = FilterController(field, self.server_order, storage.ui_state, storage.saved_filters)
        saved = storage.saved_filters
        self.saved_filter_controller = SavedFilterController(self._theme, self, saved, self.filter_controller)
        self.chip_controller = FilterChipController(
            self.chip_bar,
            self.server_order,
            self.filter_controller,
            catalogue,
            games,
            saved,
            self.saved_filter_controller,
        )

    def _create_list_controllers(self) -> None:
        self.lan_controller = LanListController(
            self._services.lan_search, self.server_list, self.server_lists, lambda: self.server_order.current_list
        )
        self.list_status_controller = ListStatusController(
            self.list_banner,
            self.empty_page,
            self.table,
            self._services,
            self.server_order,
            self.server_lists,
            self.chip_controller,
            self.lan_controller,
        )

    def _list_status_actions(self) -> dict[str, Callable[[], object]]:
        return {
            REFRESH_ACTION: self.refresh_requested.emit,
            ALL_SERVERS_ACTION: lambda: self.sidebar.select_list(ALL_LIST),
            CLEAR_FILTERS_ACTION: self.filter_controller.clear_filters,
            ADD_KEY_ACTION: self.key_requested.emit,
            ADD_ADDRESS_ACTION: self.address_requested.emit,
            SEARCH_LAN_ACTION: self._search_lan,
            MASTERS_ACTION: self.masters_requested.emit,
            FRIENDS_ACTION: self.friends_requested.emit,
        }

    def _search_lan(self) -> None:
        if self.sidebar.current_key != LAN_LIST:
            self.sidebar.select_list(LAN_LIST)
        else:
            self.lan_controller.start_search()

    def _build_layout(self) -> None:
        self.servers_layout.table_column.addWidget(self.first_run.panel)
        self.servers_layout.table_column.addWidget(self.list_banner)
        self.servers_layout.table_column.addWidget(self.empty_page.pane, 1)
        fill_box(QVBoxLayout(self), self.chip_bar, Stretch(self.servers_layout.main_row), spacing=0)

    def _connect_servers(self) -> None:
        server_list, table = self.server_list, self.table
        server_list.changed.connect(self._on_servers_changed)
        server_list.rescored.connect(self._on_rescored)
        server_list.running_changed.connect(self._on_poll_changed)
        self._services.sample_recorder.history_changed.connect(self._on_history_loaded)
        self.list_banner.list_moved.connect(table.keep_rows_under_pointer)
        self.server_order.order_changed.connect(self._show_order)
        self._services.settings.changed.connect(self._on_setting_changed)
        table.hold_changed.connect(self.server_order.set_hold)
        table.join_requested.connect(self.join_requested)
        table.clicked.connect(lambda _index: self.inspector_controller.request_details())
        table.favourite_toggle_requested.connect(self.toggle_favourite)
        table.server_menu_requested.connect(self.server_menu.open)
        self.server_menu.join_requested.connect(self.join_requested)
        self.server_menu.favourite_toggle_requested.connect(self.toggle_favourite)
        self.server_menu.status_reported.connect(self.status_reported)
        table.header.sectionClicked.connect(self._on_header_clicked)
        for show in (
            self.inspector_controller.show_server,
            self.history_controller.show_server,
            self.server_order.set_selected_server,
            self._update_inspector_handle,
        ):
            table.server_selected.connect(show)

    def _connect_lists(self) -> None:
        self.sidebar.list_chosen.connect(self.filter_controller.show_list)
        self.sidebar.list_chosen.connect(self.lan_controller.on_list_chosen)
        self.sidebar.collapse_requested.connect(self.servers_layout.sidebar_panel.toggle)
        self.sidebar.list_menu_requested.connect(self.saved_filter_controller.open_menu)
        self.saved_filter_controller.filter_renamed.connect(self._on_saved_filter_renamed)
        self.saved_filter_controller.change_reported.connect(self.change_reported)
        self._services.storage.saved_filters.on_change = self._on_saved_filters_changed
        self.list_status_controller.action_requested.connect(lambda action: self._list_status_actions()[action]())
        self.empty_page.filter_remove_requested.connect(lambda key: self.filter_controller.set_filter(key, ""))
        self.list_status_controller.missing_keys_changed.connect(self.first_run.key_step.show_games)
        self.first_run.key_step.key_requested.connect(self.key_requested)
        self.first_run.panel.closed.connect(self.table.setFocus)

    def _connect_inspector(self) -> None:
        inspector, controller = self.inspector, self.inspector_controller
        self.inspector_handle.clicked.connect(self.servers_layout.inspector_panel.toggle)
        inspector.join_requested.connect(lambda: self.join_requested.emit(controller.server))
        inspector.favourite_toggle_requested.connect(lambda: self.toggle_favourite(controller.server))
        inspector.copy_requested.connect(self.copy_address)
        inspector.menu_requested.connect(lambda where: self.server_menu.open(controller.server, where))
        inspector.rules_page.status_reported.connect(self.status_reported)
        inspector.rules_page.filter_requested.connect(self.filter_controller.add_term)

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        return (
            *self.chip_bar.focus_order(),
            self.sidebar,
            *self.first_run.panel.focus_order(),
            self.list_banner,
            self.table,
        )

    def focus_areas(self) -> Sequence[FocusArea]:
        """Return the areas of the view from top to bottom."""
        inspector = self.inspector
        return (
            (self.chip_bar, self.chip_bar.focus_order()[0]),
            (self.sidebar, self.sidebar),
            (self.table, self.table),
            (inspector, inspector.tabs),
            (self.inspector_handle, self.inspector_handle),
        )

    def handle_escape(self) -> bool:
        """Move the focus from the inspector to the table; return False if it is elsewhere."""
        focused = self.window().focusWidget()
        if focused is None or not self.inspector.isAncestorOf(focused):
            return False
        self.table.setFocus()
        return True

    def _update_inspector_handle(self) -> None:
        server, scores = self.table.selected_server(), self.server_list.catalogue.score
        score = float(scores[server]) if 0 <= server < len(scores) else float("nan")
        self.inspector_handle.show_score("" if np.isnan(score) else score_text(score))

    # Server list

    def _on_rescored(self) -> None:
        self.server_order.refresh()
        self._update_counts()
        self.table_model.refresh_rows(*self.table.visible_places())
        self._update_inspector_handle()

    def _on_history_loaded(self) -> None:
        self.table_model.refresh_rows(*self.table.visible_places())
        self.inspector_controller.refresh()

    def _update_counts(self) -> None:
        self.sidebar.set_items(self.server_lists.sidebar_items())

    def _show_order(self, order: RowNumbers) -> None:
        column = self.server_order.sort_column
        shown_list = (self.server_order.current_list, self.server_lists.shown_games, self.server_list.is_running)
        self.column_layout.hide_redundant(self.server_list.catalogue, self.server_order, shown_list)
        self.table.show_order(order)
        self._services.storage.ui_state.set(_SORT_STATE_KEY, column)
        index = COLUMN_KEYS.index(column_key_of_order(column))
        self.table.header.set_sort_column(index, reverse=column.startswith("-"))
        self.list_status_controller.refresh()

    def _on_servers_changed(self, changes: ChangeSet) -> None:
        """Repaint only if a visible server changed; most are out of sight."""
        first, last = self.table.visible_places()
        if np.isin(self.table_model.order[first : last + 1], changes.ids).any():
            self.table_model.refresh_rows(first, last)

    def rows_in_sight(self) -> RowIds:
        """Return the servers that the user sees.

        These are in the visible part of the table, or in the inspector.
        """
        if not self.table.isVisible():
            return np.empty(0, np.intp)
        first, last = self.table.visible_places()
        shown = self.table_model.order[first : last + 1]
        server = self.inspector_controller.server
        return np.append(shown, server) if server >= 0 and self.inspector.isVisible() else shown

    def rows_in_use(self) -> list[int]:
        """Return the servers that must not be dropped now.

        The order, the table or the lists refer to their rows.
        """
        ordered = self.server_order.rows_in_use().tolist()
        return [*ordered, *self.table.rows_in_use, *self.server_lists.opened_servers]

    def _on_header_clicked(self, section: int) -> None:
        self.server_order.sort_by(COLUMN_KEYS[section])

    def _put_favourites_on_top(self, on_top: bool) -> None:
        self._services.settings.set(FAVOURITES_ON_TOP, on_top)

    def _on_setting_changed(self, key: str) -> None:
        if key == FAVOURITES_ON_TOP.key:
            self.server_order.set_favourites_on_top(self._services.settings.get(FAVOURITES_ON_TOP))

    @property
    def is_paused(self) -> bool:
        """Whether the user has paused sorting."""
        return self.server_order.is_held_for(HoldReason.PAUSED)

    def toggle_pause(self) -> None:
        """Pause or resume sorting."""
        self.server_order.set_hold(HoldReason.PAUSED, not self.is_paused)

    def show_games(self, games: frozenset[str]) -> None:
        """Show servers of these games only; an empty set shows all."""
        self.server_lists.shown_games = games
        self._update_counts()
        self.server_order.reorder()

    # Saved filters

    def _on_saved_filters_changed(self) -> None:
        self._update_counts()
        self.server_order.reorder()

    def _on_saved_filter_renamed(self, old: str, new: str) -> None:
        if self.sidebar.current_key == old and new == ALL_LIST:
            self.sidebar.select_list(ALL_LIST)
        elif self.sidebar.current_key == old:
            self.sidebar.current_key = new

    # Servers

    def shown_servers(self) -> list[int]:
        """Return the servers of the list on screen, from top to bottom."""
        servers: list[int] = self.table_model.order.tolist()
        return servers

    def toggle_favourite(self, server: int) -> None:
        """Add a server to the favourites or remove it."""
        if server < 0:
            return
        removed = self._services.user_lists.toggle_favourite(server)
        self._show_favourites()
        if removed:
            name = server_name(self.server_list.catalogue, server)
            text = _("“{server}” removed from favourites").format(server=name)
            self.change_reported.emit(text, partial(self._restore_favourites, removed))

    def _restore_favourites(self, favourites: Collection[Favourite]) -> None:
        self._services.user_lists.restore_favourites(favourites)
        self._show_favourites()

    def _show_favourites(self) -> None:
        self.server_list.rescore()
        self.inspector_controller.refresh()

    def remove_blocked(self) -> None:
        """Remove servers that the user has blocked or unblocked from the list.

        A refresh would keep the selected one; here the nearest of the other servers is selected.
        """
        neighbours = self.table.neighbours_of_selection()
        self.server_order.reorder()
        if self.table.selected_server() < 0:
            any(self.table.select_server(server, is_requested=False) for server in neighbours.tolist())

    def show_all_servers(self) -> None:
        """Show the list of all servers without filters."""
        self.sidebar.select_list(ALL_LIST)
        self.filter_controller.clear_filters()

    def show_server(self, server: int) -> None:
        """Select a server, in a list that contains it.

        Switches lists and clears filters if necessary. Shows it even if its game is not among those of the settings.
        """
        self.server_order.refresh()
        if not self.table.select_server(server):
            self.sidebar.select_list(BLOCKED_LIST if self.server_list.catalogue.blocked[server] else ALL_LIST)
        if not self.server_lists.list_rows(self.server_order.current_list)[server]:
            self.server_lists.opened_servers |= {server}
            self.server_order.reorder()
        if not self.table.select_server(server):
            self.filter_controller.clear_filters()
            self.table.select_server(server)

    def show_nearest_in_skill(self, game: str) -> None:
        """Show a game's servers sorted by their distance to the user's skill."""
        self.sidebar.select_list(GAME_LIST_PREFIX + game)
        self.column_layout.set_column_visible("skill", True)
        self.server_order.set_sort_column("skill_distance")
        self.table.scrollToTop()
        self.table.setFocus()

    def copy_address(self) -> None:
        """Copy the selected server's address."""
        self.server_menu.copy_address(self.inspector_controller.server)

    def _on_poll_changed(self, running: bool) -> None:
        """Select the best server after a poll, unless another one is selected.

        A selected server may be hidden by a filter. One selected by the focus counts only if it has answered.
        """
        selected, score = self.table.selected_server(), self.server_list.catalogue.score
        is_free = not self.table.has_selection or (self.table.is_selected_by_focus and np.isnan(score[selected]))
        if not running and is_free and self.table_model.rowCount():
            self.table.select_without_scrolling(int(self.table_model.order[0]))

    def close_controllers(self) -> None:
        """Stop all work of the controllers."""
        self.lan_controller.close()
        self.inspector_controller.close()
        self.column_layout.save()

    def set_row_height(self, height: str) -> None:
        """Set the row height: `comfortable`, `compact` or, by the window, `automatic`."""
        self._row_height = height
        self._update_row_height()

    def _update_row_height(self) -> None:
        small = self.window().height() < COMPACT_BELOW_HEIGHT
        self.table.set_compact(small if self._row_height == "automatic" else self._row_height == "compact")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt row height and panels; columns and chips adapt themselves."""
        super().resizeEvent(event)
        self._update_row_height()
        self.servers_layout.fit_to_size(event.size())
