"""The main window: top bar, views and status bar, and its saved geometry."""

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, Qt, QTimer, SignalInstance
from PySide6.QtGui import QAction, QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.startup_timing import mark_startup
from browser_app.storage.ui_state import UiState
from browser_app.ui.filters.filter_field import FilterField
from browser_app.ui.help.help_controller import HelpController
from browser_app.ui.lists.list_import_export import ListImportExport
from browser_app.ui.lists.server_list_membership import ALL_LIST
from browser_app.ui.lists.user_lists_controller import UserListsController
from browser_app.ui.play.current_server_search import CurrentServerSearch
from browser_app.ui.play.join_controller import JoinController
from browser_app.ui.play.play_now_bar import PlayNowBar
from browser_app.ui.play.play_now_controller import PlayNowController
from browser_app.ui.play.play_now_popover import PlayNowPopover
from browser_app.ui.servers.freshness_controller import FreshnessController
from browser_app.ui.servers.refresh_controller import RefreshController
from browser_app.ui.servers.server_link_controller import ServerLinkController
from browser_app.ui.servers.server_order import HoldReason
from browser_app.ui.servers.servers_view import ServersView
from browser_app.ui.servers.shared_list_controller import SharedListController
from browser_app.ui.settings.keyboard_shortcuts import ShortcutRegistry, shortcut_key, shortcut_text, text_with_shortcut
from browser_app.ui.settings.settings_controller import SettingsController
from browser_app.ui.skill.skill_controller import SkillController
from browser_app.ui.status_bar import StatusBar
from browser_app.ui.tray_icon import TrayIcon
from browser_app.ui.undo_controller import UndoController
from browser_app.ui.widgets.basic_widgets import Button, Panel
from browser_app.ui.widgets.menus import KeyedMenuEntry, MenuEntry, OverflowMenuButton, create_menu, popup_menu
from browser_app.ui.widgets.tab_widgets import SegmentedSwitch
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices
from browser_app.ui.window_shortcuts import SERVERS_VIEW, SKILL_VIEW, WindowShortcuts

if TYPE_CHECKING:
    from browser_app.ui.skill.view.skill_view import SkillView


_GEOMETRY_KEY = "window"
_GEOMETRY_SAVE_DELAY_MS = 700


class WindowGeometry(QObject):
    """Saves and restores the geometry of a window."""

    def __init__(self, window: QWidget, ui_state: UiState) -> None:
        super().__init__(window)
        self._window, self._ui_state = window, ui_state
        self._save_timer = QTimer(self, singleShot=True, interval=_GEOMETRY_SAVE_DELAY_MS)
        self._save_timer.timeout.connect(self.save)
        window.installEventFilter(self)

    def restore(self) -> None:
        """Restore the saved geometry; Qt moves it to an existing screen."""
        saved = self._ui_state.get(_GEOMETRY_KEY)
        if isinstance(saved, str):
            self._window.restoreGeometry(QByteArray.fromBase64(saved.encode("ascii", "replace")))

    def save(self) -> None:
        """Save the current geometry."""
        self._save_timer.stop()
        self._ui_state.set(_GEOMETRY_KEY, self._window.saveGeometry().toBase64().toStdString())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Save the geometry shortly after the last move or resize."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and self._window.isVisible():
            self._save_timer.start()
        return super().eventFilter(watched, event)


TOP_BAR_HEIGHT = 60


class MainWindow(Panel):
    """The main window, which creates and connects the views and controllers."""

    def __init__(self, theme: Theme, services: WindowServices) -> None:
        super().__init__(theme, "window")
        self._theme, self._services = theme, services
        self._has_painted = self._is_quitting = False
        self.server_list = services.server_list
        self._create_widgets()
        self._create_play_controllers()
        self._create_server_controllers()
        self._create_window_controllers()
        self.server_list.catalogue.rows.in_use = self._rows_in_use
        self.setWindowTitle("Ready Room")
        self.resize(1280, 800)
        self.setMinimumSize(640, 420)
        self.window_geometry = WindowGeometry(self, services.storage.ui_state)
        self.window_geometry.restore()
        self._build_layout()
        self._fill_overflow_menu()
        self._connect_views()
        self._connect_status_bar()
        self._connect_play()
        self._connect_server_requests()
        self._connect_skill()
        self._connect_tray()
        self.shortcuts.register(WindowShortcuts(self).handlers())

    def _create_widgets(self) -> None:
        theme = self._theme
        self.play_now_bar = PlayNowBar(theme)
        self.filter_field = FilterField(theme, key=shortcut_text("filter"))
        self.refresh_button = Button(theme, "", "refresh", height=32)
        self.view_switch = _create_view_switch(theme)
        self.overflow_button = OverflowMenuButton(theme)
        self.servers_view = ServersView(theme, self._services, self.filter_field)
        self.views = QStackedWidget()
        self.status_bar = StatusBar(theme)
        self.undo_controller = UndoController(self.status_bar)
        self.play_now_popover = PlayNowPopover(theme, self)

    def _create_play_controllers(self) -> None:
        view = self.servers_view
        self.join_controller = JoinController(self._theme, self, self.play_now_bar, self._services)
        self.play_now_controller = PlayNowController(
            self.play_now_bar,
            self.play_now_popover,
            view.table,
            view.server_order,
            self._services,
            self.join_controller,
        )

    def _create_server_controllers(self) -> None:
        theme, services, view = self._theme, self._services, self.servers_view
        self.list_import_export = ListImportExport(theme, self, services, view.shown_servers)
        self.link_controller = ServerLinkController(
            theme,
            self,
            self.server_list,
            services.server_search,
            view.toggle_favourite,
            services.storage.pending_servers,
        )
        self.shared_list_controller = SharedListController(theme, self, services, view.shown_servers)
        self.current_server_search = CurrentServerSearch(services)
        self.current_server_search.search_finished.connect(self.link_controller.ask_for_address)
        self.refresh_controller = RefreshController(
            self.refresh_button,
            self.status_bar,
            self.server_list,
            view.shown_servers,
            partial(view.server_lists.count_servers, ALL_LIST),
        )
        self.freshness_controller = FreshnessController(
            self.refresh_button,
            self.status_bar,
            view,
            services.list_refresher,
            services.settings,
            services.storage.search_alerts,
        )
        self.user_lists_controller = UserListsController(theme, view, services)
        self.list_import_export.lists_imported.connect(self.user_lists_controller.refresh_alerts)

    def _create_window_controllers(self) -> None:
        theme, services, view = self._theme, self._services, self.servers_view
        self.skill_controller = SkillController(theme, services.skill_services, view.inspector.expected_change)
        self.shortcuts = ShortcutRegistry(self, view.table)
        self.settings_controller = settings = SettingsController(
            theme,
            self,
            services,
            view.set_row_height,
            view.servers_layout.place_inspector,
            self.shortcuts.registered_actions,
        )
        self.tray_icon = TrayIcon(
            self, services.settings, services.notifications, self.join_controller.running_game_bar
        )
        self.help_controller = HelpController(
            theme, self, services.storage.ui_state, settings.open_shortcuts, settings.open_about
        )

    def _build_layout(self) -> None:
        top = Panel(self._theme, "window", "B")
        top.setFixedHeight(TOP_BAR_HEIGHT)
        bar = QHBoxLayout(top)
        bar.setContentsMargins(0, 0, 0, 1)
        bar.setSpacing(12)
        bar.addWidget(self.play_now_bar, 2)
        bar.addWidget(self.filter_field, 1)
        bar.addWidget(self.refresh_button)
        bar.addWidget(self.view_switch)
        bar.addWidget(self.overflow_button)
        bar.addSpacing(12)  # a margin would not be mirrored
        self.views.addWidget(self.servers_view)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(top)
        page.addWidget(self.views, 1)
        # Below the list: rows must not move under the pointer when a bar appears.
        page.addWidget(self.help_controller.problem_bar)
        page.addWidget(self.help_controller.notification_bar)
        page.addWidget(self.user_lists_controller.favourite_moves.notification_bar)
        page.addWidget(self.user_lists_controller.alerts_controller.alert_bar.notification_bar)
        page.addWidget(self.join_controller.notification_bars)
        page.addWidget(self.status_bar)
        self._set_tab_order()
        self.servers_view.table.setFocus()

    def _set_tab_order(self) -> None:
        order: tuple[QWidget, ...] = (
            self.play_now_bar.button,
            self.play_now_bar.action_button,
            self.play_now_popover.suggestion_button,
            self.play_now_popover.stop_button,
            self.filter_field,
            self.refresh_button,
            self.view_switch,
            self.overflow_button,
            *self.servers_view.focus_order(),
        )
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    @cached_property
    def skill_view(self) -> "SkillView":
        """The My Skill view, created when it is first used."""
        view = self.skill_controller.view
        self.views.addWidget(view)
        for before, after in pairwise((self.servers_view.focus_order()[-1], *view.focus_order())):
            QWidget.setTabOrder(before, after)
        self.status_bar.add_view_widgets(view.status_widget, view.requests_widget)
        view.server_requested.connect(self.show_server)
        view.join_requested.connect(self.join_controller.join)
        return view

    def _fill_overflow_menu(self) -> None:
        add_server = (_("Add a server by address…"), self.link_controller.ask_for_address, shortcut_key("add"))
        add_current = (_("Add the server I am playing on…"), self.current_server_search.start)
        groups: tuple[Sequence[MenuEntry | KeyedMenuEntry | QAction], ...] = (
            [self.freshness_controller.toggle_action],
            [
                add_server,
                add_current,
                *self.list_import_export.menu_entries(),
                *self.shared_list_controller.menu_entries(),
            ],
            self.user_lists_controller.menu_entries(),
            self.settings_controller.menu_entries,
            [(_("First steps"), self._open_first_run), *self.help_controller.menu_entries],
        )
        for group in groups:
            self.overflow_button.add_group(group)

    def _connect_views(self) -> None:
        view = self.servers_view
        self.view_switch.currentChanged.connect(self._show_view)
        self.filter_field.field_left.connect(partial(view.table.setFocus, Qt.FocusReason.ShortcutFocusReason))
        self.link_controller.show_requested.connect(self.show_server)
        self.user_lists_controller.show_requested.connect(self.show_server)
        self.user_lists_controller.show_requested.connect(self.raise_to_front)
        # Join questions and Cancel are in the window.
        self.user_lists_controller.alerts_controller.join_requested.connect(self.raise_to_front)

    def _connect_status_bar(self) -> None:
        for reporter in (
            self.skill_controller,
            self.join_controller,
            self.servers_view,
            self.link_controller,
            self.shared_list_controller,
            self.list_import_export,
            self.settings_controller,
            self.user_lists_controller,
            self.help_controller,
        ):
            reporter.status_reported.connect(self.status_bar.show_temporary_message)
        self.servers_view.change_reported.connect(self.undo_controller.report_change)
        for controller in (
            self.user_lists_controller,
            self.link_controller,
            self.settings_controller,
            self.skill_controller,
        ):
            controller.change_reported.connect(self.undo_controller.report_change)
            controller.undo_requested.connect(self.undo_controller.undo)
        for changed in (*self._poll_signals(), self._services.list_refresher.tick_finished):
            changed.connect(self._show_progress)
        self.status_bar.masters_button.clicked.connect(self.settings_controller.open_masters)
        self.servers_view.first_run.panel.masters_requested.connect(self.settings_controller.open_masters)
        self.servers_view.masters_requested.connect(self.settings_controller.open_masters)

    def _connect_play(self) -> None:
        view, joining = self.servers_view, self.join_controller
        self.play_now_bar.button.menu_requested.connect(self._open_play_menu)
        self.play_now_controller.filter_requested.connect(self.filter_field.set_text)
        self.play_now_controller.all_servers_requested.connect(view.show_all_servers)
        view.saved_filter_controller.filter_renamed.connect(self.play_now_controller.scope.rename_filter)
        view.saved_filter_controller.filter_restored.connect(self.play_now_controller.scope.restore_filter)
        view.join_requested.connect(joining.join)
        view.server_menu.waiting_server = lambda: joining.slot_wait.server
        view.server_menu.wait_for_slot_requested.connect(joining.wait_for_slot)
        view.server_menu.stop_waiting_requested.connect(joining.slot_wait.stop_waiting)
        view.server_menu.password_requested.connect(joining.join_with_password)
        self.link_controller.join_requested.connect(joining.join)
        self.link_controller.link_password_received.connect(joining.passwords.set_link_password)
        joining.slot_wait.slot_freed.connect(self.user_lists_controller.alerts_controller.notify_slot_free)
        # So that this start uses extra arguments typed just now.
        joining.join_started.connect(lambda _server: self.user_lists_controller.notes_controller.save_edits())

    def _connect_server_requests(self) -> None:
        view = self.servers_view
        view.refresh_requested.connect(self.refresh_controller.refresh)
        self.refresh_controller.refresh_started.connect(lambda: self.link_controller.search_pending(is_requested=True))
        self.server_list.server_found.connect(self._follow_found_server)
        for requester in (self.join_controller, self.settings_controller):
            requester.refresh_requested.connect(self.refresh_controller.refresh_automatically)
        view.server_menu.query_requested.connect(self.refresh_controller.query_server)
        view.key_requested.connect(self.settings_controller.open_key)
        view.address_requested.connect(self.link_controller.ask_for_address)
        self.link_controller.list_requested.connect(self.shared_list_controller.open_link)
        self.shared_list_controller.show_requested.connect(self._show_filtered)
        self.shared_list_controller.save_requested.connect(self._show_filtered)
        self.shared_list_controller.save_requested.connect(view.saved_filter_controller.ask_to_save)

    def _connect_skill(self) -> None:
        first_run, skill = self.servers_view.first_run, self.skill_controller
        self.servers_view.table.server_selected.connect(skill.select_server)
        skill.server_list_requested.connect(self._show_nearest_in_skill)
        first_run.skill_step.record_requested.connect(lambda: self.view_switch.setCurrentIndex(SKILL_VIEW))
        first_run.show_own_skill(skill.games_with_own_skill)
        skill.own_skill_changed.connect(lambda: first_run.show_own_skill(skill.games_with_own_skill))

    def _connect_tray(self) -> None:
        tray, alerts = self.tray_icon, self.user_lists_controller.alerts_controller
        for requested in (tray.open_requested, tray.play_requested, tray.alerts_requested):
            requested.connect(self.raise_to_front)
        tray.play_requested.connect(self.play_now_bar.play_requested)
        tray.alerts_requested.connect(alerts.open_dialog)
        tray.quit_requested.connect(self.quit)
        tray.tray_lost.connect(self.showMinimized)

    def _rows_in_use(self) -> Iterable[int]:
        """Return the servers that must not be dropped now.

        All of them while Play Now chooses one.
        """
        if self._services.play_now.is_running:
            return range(len(self.server_list.catalogue))
        alert_bar = self.user_lists_controller.alerts_controller.alert_bar
        return [*self.servers_view.rows_in_use(), *self.join_controller.rows_in_use(), *alert_bar.rows_in_use]

    def _poll_signals(self) -> tuple[SignalInstance, ...]:
        """Return the signals of changes of the scan and the master servers."""
        server_list = self.server_list
        return server_list.progress_changed, server_list.running_changed, server_list.masters_polled

    def show_server(self, server: int) -> None:
        """Show and select a server, whatever hides it."""
        self.view_switch.setCurrentIndex(SERVERS_VIEW)
        self.servers_view.show_server(server)

    def _follow_found_server(self, named: Address, server: int) -> None:
        """Select the row of a server that was selected by its host name in another row.

        Neither the view nor the list on screen changes: the user did not ask for that now.
        """
        view = self.servers_view
        selected = view.table.selected_server()
        if selected not in (-1, server) and self.server_list.catalogue.targets[selected].address == named:
            view.server_order.refresh()
            view.table.select_server(server, is_requested=False)

    def _show_filtered(self, expression: str) -> None:
        """Show the servers that an expression lets pass."""
        self.view_switch.setCurrentIndex(SERVERS_VIEW)
        self.servers_view.show_all_servers()
        self.filter_field.set_text(expression)

    def show_skill(self, page: str) -> None:
        """Show a page of My Skill without remembering it as the last one."""
        self.view_switch.setCurrentIndex(SKILL_VIEW)
        self.skill_view.show_page(page, remember=False)

    def _open_first_run(self) -> None:
        self.view_switch.setCurrentIndex(SERVERS_VIEW)
        self.servers_view.first_run.open()

    def _show_nearest_in_skill(self, game: str) -> None:
        self.view_switch.setCurrentIndex(SERVERS_VIEW)
        self.servers_view.show_nearest_in_skill(game)

    def raise_to_front(self) -> None:
        """Raise and activate the window as far as the desktop allows."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def _show_view(self, place: int) -> None:
        self.views.setCurrentWidget(self.servers_view if place == SERVERS_VIEW else self.skill_view)
        self.filter_field.setEnabled(place == SERVERS_VIEW)
        self.status_bar.show_view_widgets(servers=place == SERVERS_VIEW)

    def _open_play_menu(self, where: QPoint) -> None:
        server, view = self.play_now_controller.current_choice, self.servers_view
        menu = create_menu(
            self,
            (
                (_("Show this server"), lambda: self.show_server(server)),
                (_("Skip for an hour"), lambda: self.play_now_controller.skip_server(server)),
            ),
        )
        for action in menu.actions():
            action.setEnabled(server >= 0)
        menu.addSeparator()
        menu.addAction(_("Play Now settings…"), self.settings_controller.open_play_now)
        popup_menu(menu, where, lambda held: view.server_order.set_hold(HoldReason.MENU, held))

    def _show_progress(self) -> None:
        poll = self.server_list.poll
        if poll is not None:
            progress, running = poll.progress, self.server_list.is_running
            self.status_bar.show_scan(progress.finished, progress.targets, running=running)
            packets = progress.packets + self._services.list_refresher.packets_since_poll
            self.status_bar.show_traffic(packets, running=running)
        masters = self.server_list.master_states
        answered = sum(1 for master in masters if master.ok)
        without_key = sum(1 for master in masters if master.needs_steam_key)
        failures = self.server_list.master_failures()
        self.status_bar.show_masters(answered, failures, len(masters) - without_key, without_key)

    # Events

    def paintEvent(self, event: QPaintEvent) -> None:
        """Report the first paint to start-up timing."""
        super().paintEvent(event)
        if not self._has_painted:
            self._has_painted = True
            QTimer.singleShot(0, self, lambda: mark_startup("first_paint"))

    def quit(self) -> None:
        """Close the window and end the program, whatever the tray setting is."""
        self._is_quitting = True
        self.close()
        QApplication.quit()  # a hidden window is not the last one that is closed

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work at once, or go on in the tray without a countdown."""
        self.window_geometry.save()
        if self.tray_icon.keeps_running and not self._is_quitting:
            self.play_now_controller.cancel()
            self.tray_icon.hide_window()
            event.ignore()
            return
        self.tray_icon.close()
        self.play_now_controller.close()
        self.join_controller.close()
        self.refresh_controller.close()
        self.freshness_controller.close()
        self.link_controller.close()
        self.list_import_export.close_dialog()
        self.shared_list_controller.close_dialog()
        self.user_lists_controller.close()
        self.skill_controller.close()
        self.servers_view.close_controllers()
        self.server_list.close()
        super().closeEvent(event)


def _create_view_switch(theme: Theme) -> SegmentedSwitch:
    titles = {"servers": _("Servers"), "skill": _("My Skill")}
    switch = SegmentedSwitch(theme, tuple(titles.values()), _("Views"), top_bar_height=True)
    for index, (shortcut, title) in enumerate(titles.items()):
        switch.setTabToolTip(index, text_with_shortcut(title, shortcut))
    return switch
