"""Controller of manual refreshes and their rate limits."""

import math
import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.settings.keyboard_shortcuts import text_with_shortcut
from browser_app.ui.status_bar import StatusBar
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.basic_widgets import Button

MIN_REFRESH_INTERVAL_S, MIN_SERVER_INTERVAL_S = 10.0, 2.0
"""Minimum time between two refreshes of the list, and between two manual queries of one server.

Other server browsers take 10 to 30 s for a list; master and game servers belong to other people.
"""


class RefreshController(QObject):
    """Connects the ways to refresh with the server list.

    These are the refresh button, its shortcuts and the menu entry. A refresh that comes too early is delayed, which the
    status bar shows.

    Signals:
        refresh_started: a refresh that the user has asked for.
    """

    refresh_started = Signal()

    def __init__(
        self,
        button: Button,
        status_bar: StatusBar,
        server_list: ServerListController,
        shown_servers: Callable[[], Sequence[int]],
        count_servers: Callable[[], int],
    ) -> None:
        """Create the controller.

        `shown_servers` returns the servers on screen, which a refresh by the user queries in any case. `count_servers`
        returns how many servers the sidebar counts in all.
        """
        super().__init__(button)
        self._shown_servers, self._count_servers = shown_servers, count_servers
        self._button, self._status_bar, self._server_list = button, status_bar, server_list
        self._last_refresh_s = self._last_query_s = -math.inf
        self._last_queried_server = -1
        self._is_awaited = False
        """Whether the user waits for the end of a refresh."""
        self._delayed_refresh = QTimer(self, singleShot=True)
        self._delayed_refresh.timeout.connect(self._refresh_shown)
        button.clicked.connect(self._on_button_clicked)
        server_list.running_changed.connect(self._on_running_changed)
        self._update_button(running=False)

    def refresh(self) -> None:
        """Refresh the list now or as soon as the rate limit allows."""
        if self._server_list.is_running:
            self._status_bar.show_temporary_message(_("The list is already being refreshed"))
            return
        self._is_awaited = True
        wait_s = self._last_refresh_s + MIN_REFRESH_INTERVAL_S - time.monotonic()
        if wait_s <= 0:
            self._refresh_shown()
            return
        self._delayed_refresh.start(math.ceil(wait_s * 1000))
        text = _("Just refreshed; the next refresh starts in {n} s")
        self._status_bar.show_temporary_message(text.format(n=math.ceil(wait_s)))

    def refresh_when_finished(self) -> None:
        """Refresh the list after the running refresh, as soon as the rate limit allows.

        The user has not asked for it.
        """
        self._server_list.call_when_idle(self.refresh_automatically)

    def _refresh_shown(self) -> None:
        self._server_list.refresh(self._shown_servers())
        self.refresh_started.emit()

    def refresh_automatically(self) -> None:
        """Refresh the list as `refresh` does; the user has not asked for it."""
        if self._server_list.queries_on_request:
            self._server_list.refresh()
        else:
            self.refresh()

    def stop(self) -> None:
        """Stop a running refresh and cancel a delayed one."""
        if self._delayed_refresh.isActive():
            self._delayed_refresh.stop()
            self._status_bar.show_temporary_message(_("Refresh cancelled"))
        self._is_awaited = False
        self._server_list.stop()

    def query_server(self, server: int) -> None:
        """Query one server again."""
        name = self._server_list.catalogue.name[server] or str(self._server_list.catalogue.targets[server].address)
        if not self._server_list.catalogue.targets[server].is_queryable:
            text = _("“{server}” is known only from lists and is never queried")
            self._status_bar.show_temporary_message(text.format(server=name))
            return
        if server == self._last_queried_server and time.monotonic() < self._last_query_s + MIN_SERVER_INTERVAL_S:
            text = _("“{server}” was refreshed less than {n} s ago; showing its last answer")
            self._status_bar.show_temporary_message(text.format(server=name, n=f"{MIN_SERVER_INTERVAL_S:.0f}"))
            return
        self._last_queried_server, self._last_query_s = server, time.monotonic()
        self._server_list.query(server)
        self._status_bar.show_temporary_message(_("Refreshing “{server}”").format(server=name))

    def close(self) -> None:
        """Cancel a delayed refresh."""
        self._delayed_refresh.stop()

    def _on_button_clicked(self) -> None:
        if self._server_list.is_running:
            self.stop()
        else:
            self.refresh()

    def _on_running_changed(self, running: bool) -> None:
        if running:
            self._last_refresh_s = time.monotonic()
            self._delayed_refresh.stop()
        self._update_button(running=running)
        if self._is_awaited and not running:
            self._is_awaited = False
            number = self._count_servers()
            text = ngettext("List refreshed: {n} server", "List refreshed: {n} servers", number)
            announce(self._button, text.format(n=integer_text(number)))

    def _update_button(self, *, running: bool) -> None:
        self._button.set_icon("close" if running else "refresh")
        text = text_with_shortcut(_("Stop"), "escape") if running else text_with_shortcut(_("Refresh"), "refresh")
        self._button.setToolTip(text)
        self._button.setAccessibleName(text)
