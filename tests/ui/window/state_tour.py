"""The window in every state of a server, on a demo network that stands still."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import pytest
import window_helpers
from join_helpers import save_setting
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver

from browser_app.application.app_context import DemoNetworkHandle
from browser_app.bridge.alerts.desktop_notifications import DesktopNotification, DesktopNotifier
from browser_app.catalogue.server_info import QueryStatus
from browser_app.demo.demo_names import FRIEND_NAMES, USER_COUNTRY, USER_IDENTITIES
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.demo.faults import state_responders
from browser_app.demo.faults.demo_states import DemoState
from browser_app.demo.server_history import make_server_history
from browser_app.player.demo_player import DemoPlayer
from browser_app.storage.setting_declarations import LANGUAGE, OWN_COUNTRY, PLAY_NOW_COUNTDOWN_S
from browser_app.ui.inspector.inspector_pages import HISTORY_PAGE, NOTES_PAGE, PLAYERS_PAGE, SCORE_PAGE
from browser_app.ui.lists.server_list_membership import ALL_LIST, BLOCKED_LIST, FAVOURITES_LIST, FRIENDS_LIST

GAMES: Final = ("ns2", "tf2", "xonotic", "openarena", "unvanquished", "mta", "ddnet", "luanti", "bedrock")
"""Enough for every state; games that the demo gets later change nothing."""
SERVERS: Final = 100
_NEVER_ANSWERING: Final = (DemoState.DESCRIBED, DemoState.SAVED, DemoState.ESTIMATED_PING)
"""States without a reply to the first request."""


def state_network() -> DemoNetwork:
    """Return a network with a server in each state, whose players do not change."""
    return DemoNetwork(SERVERS, (5.0, 95.0), games=GAMES, states=True, simulate_players=False, flood_guard=False)


def handle_of(network: DemoNetwork, program: str) -> DemoNetworkHandle:
    """Return the handle of a running network; `program` stands in for all its games."""
    sources = network.sources
    servers = list(zip((server.address for server in network.servers), network.specs, strict=True))
    return DemoNetworkHandle(
        sources.masters,
        sources.steam_key,
        lambda now: make_server_history(servers, now, time.gmtime, network.seed),
        DemoPlayer(USER_IDENTITIES, lambda _now: (), sources.skill_services, lambda _now: ()),
        dict.fromkeys(GAMES, program),
        sources.countries,
        sources.user_lists,
        lambda: None,
    )


@dataclass(frozen=True)
class StateTour:
    """The window on a network with all states, and ways into each."""

    app: AppDriver
    network: DemoNetwork
    monkeypatch: pytest.MonkeyPatch
    language: str

    def server_in(self, state: DemoState) -> DemoServer:
        """Return the network's server in a state."""
        servers = zip(self.network.servers, self.network.specs, strict=True)
        return next(server for server, spec in servers if spec.state is state)

    def row_in(self, state: DemoState) -> int:
        """Return the catalogue's row of the server in a state."""
        row = self.app.catalogue.row_of(self.server_in(state).address)
        assert row is not None
        return row

    def first_row(self, wanted: Callable[[int], object]) -> int:
        """Return the first server of the table that is wanted."""
        return next(row for row in self.app.servers() if wanted(row))

    def show_list(self, key: str) -> None:
        """Select a list of the sidebar, with no server of another one."""
        self.app.window.servers_view.sidebar.select_list(key)

    def select(self, row: int, page: str = SCORE_PAGE) -> int:
        """Select a server, show a page of its details and return the row."""
        assert self.app.table.select_server(row)
        self.app.window.servers_view.inspector.show_page(page)
        self.app.settle()
        self.app.live.rescore()
        return row

    def select_state(self, state: DemoState, page: str = SCORE_PAGE) -> int:
        """Select the server in a state among all; return its row."""
        self.show_list(ALL_LIST)
        return self.select(self.row_in(state), page)

    def await_other_answers(self) -> None:
        """Wait until only servers that do not answer the first request have no reply."""
        self.app.wait(lambda: len(self.app.catalogue) == SERVERS)
        waiting = {self.row_in(state) for state in _NEVER_ANSWERING}
        self.app.wait(lambda: set((self.app.catalogue.status != QueryStatus.OK).nonzero()[0].tolist()) <= waiting)


@contextmanager
def open_state_tour(
    bot: QtBot, qt_app: QApplication, monkeypatch: pytest.MonkeyPatch, program: str, language: str
) -> Iterator[StateTour]:
    """Open the window on the states; the first scan has begun."""
    save_setting(OWN_COUNTRY, USER_COUNTRY)
    save_setting(LANGUAGE, language)
    save_setting(PLAY_NOW_COUNTDOWN_S, 0.0)
    with state_network() as network:
        monkeypatch.setattr(window_helpers, "start_demo", lambda _servers: handle_of(network, program))
        with AppDriver(bot, qt_app, f"--demo={SERVERS}") as app:
            app.open()
            yield StateTour(app, network, monkeypatch, language)


# States before all servers have answered


def _saved(tour: StateTour) -> int:
    tour.await_other_answers()
    tour.show_list(FAVOURITES_LIST)
    row = tour.row_in(DemoState.SAVED)
    tour.app.table.select_server(row)
    return row


def _described(tour: StateTour) -> int:
    tour.await_other_answers()
    tour.show_list(ALL_LIST)
    row = tour.row_in(DemoState.DESCRIBED)
    tour.app.table.select_server(row)
    return row


FIRST_SCAN_STATES: Final[Mapping[str, Callable[[StateTour], int]]] = {
    "saved": _saved,
    "described": _described,
}
"""Ways into states that end with the first scan; they return the server's row."""


# States after the first scan


def _no_player_list(tour: StateTour) -> int:
    return tour.select(tour.first_row(lambda row: tour.app.catalogue.game[row] == "bedrock"), PLAYERS_PAGE)


def _friends_list(tour: StateTour) -> int:
    row = tour.select_state(DemoState.FRIENDS)
    tour.show_list(FRIENDS_LIST)
    return row


def _alert_fired(tour: StateTour) -> int:
    row = tour.select_state(DemoState.ALERT, PLAYERS_PAGE)
    server = tour.server_in(DemoState.ALERT).state
    server.players[0].name = FRIEND_NAMES[-1]
    server.revision += 1
    notices: list[DesktopNotification] = []

    def show(notifier: DesktopNotifier, notice: DesktopNotification) -> None:
        notices.append(notice)
        notifier.notification_failed.emit(notice)  # the window shows it where the desktop cannot

    tour.monkeypatch.setattr(DesktopNotifier, "show", show)
    tour.app.live.query(row)
    tour.app.wait(lambda: notices)
    return row


def _blocked(tour: StateTour) -> int:
    tour.show_list(BLOCKED_LIST)
    return tour.select(tour.row_in(DemoState.BLOCKED), NOTES_PAGE)


def _forecast(tour: StateTour) -> int:
    columns = tour.app.window.servers_view.column_layout
    row = tour.select_state(DemoState.ALERT, HISTORY_PAGE)
    columns.set_column_visible("forecast", True)
    tour.app.wait(tour.app.window.servers_view.inspector.history_page.stored_label.text)
    return row


def _full(tour: StateTour) -> int:
    tour.app.window.servers_view.column_layout.set_column_visible("forecast", False)
    tour.show_list(ALL_LIST)
    return tour.select(tour.first_row(tour.app.catalogue.is_unjoinable))


def _locked(tour: StateTour) -> int:
    return tour.select(tour.first_row(lambda row: tour.app.catalogue.password[row] == 1))


def _silent(tour: StateTour) -> int:
    tour.monkeypatch.setattr(state_responders, "ANSWERING_NS", -1)
    tour.app.refresh()
    return tour.select_state(DemoState.CLOSING)


def _waiting(tour: StateTour) -> int:
    row = _full(tour)
    tour.app.table.setFocus()
    tour.app.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    tour.app.wait(tour.app.window.join_controller.slot_wait.notification_bar.isVisible)
    return row


def _running(tour: StateTour) -> int:
    tour.app.press(Qt.Key.Key_Escape)
    catalogue = tour.app.catalogue
    row = tour.select(
        tour.first_row(
            lambda row: (
                catalogue.game[row] == "openarena" and not catalogue.is_unjoinable(row) and not catalogue.password[row]
            )
        )
    )
    tour.app.table.setFocus()
    tour.app.press(Qt.Key.Key_Return)
    tour.app.wait(tour.app.window.join_controller.running_games)
    return row


STATES: Final[Mapping[str, Callable[[StateTour], int]]] = {
    "friends": lambda tour: tour.select_state(DemoState.FRIENDS, PLAYERS_PAGE),
    "friends-list": _friends_list,
    "groups": lambda tour: tour.select_state(DemoState.BOTS, PLAYERS_PAGE),
    "no-player-list": _no_player_list,
    "impossible-ping": lambda tour: tour.select_state(DemoState.TOO_NEAR),
    "empty-list": lambda tour: tour.select_state(DemoState.EMPTY_LIST, PLAYERS_PAGE),
    "hidden-prefix": lambda tour: tour.select_state(DemoState.HIDDEN_PREFIX),
    "estimated": lambda tour: tour.select_state(DemoState.ESTIMATED_PING),
    "alert-set": lambda tour: tour.select_state(DemoState.ALERT, NOTES_PAGE),
    "alert-fired": _alert_fired,
    "blocked": _blocked,
    "forecast": _forecast,
    "full": _full,
    "locked": _locked,
    "silent": _silent,
    "waiting": _waiting,
    "running": _running,
}
"""Ways into the states after the first scan, in this order; they return the server's row."""
