"""Alerts on filters fire when a server newly passes, and not again and again."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from browser_app.bridge.alerts.alert_monitor import REARM_S
from browser_app.bridge.alerts.filter_monitor import PAUSE_S, FilterAlertEvent, FilterMonitor
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import start_poll
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.storage.database import Database, open_database
from browser_app.storage.user_lists.search_alert_store import SearchAlert, SearchAlertKind, SearchAlertStore

GAMES = load_games(resource_folder() / "games")
ALERT = SearchAlert(SearchAlertKind.FILTER, "Busy", 1.0)


class WatchDriver:
    """A filter monitor with a fake clock, over servers whose answers the test makes."""

    def __init__(self, server_list: ServerListController, database: Database) -> None:
        self.server_list, self.now_s = server_list, 1000.0
        self.alerts, self.saved_filters = SearchAlertStore(database), {"Busy": "players>=8"}
        self.watched: Bools | None = None
        self.watch = FilterMonitor(
            server_list, self.alerts, self.saved_filters, self._watched_rows, clock=lambda: self.now_s
        )
        self.fired: list[tuple[int, ...]] = []
        self.watch.alert_fired.connect(self._record)

    def _watched_rows(self) -> Bools:
        return np.ones(len(self.server_list.catalogue), np.bool_) if self.watched is None else self.watched

    def _record(self, event: FilterAlertEvent) -> None:
        assert event.alert.value == "Busy"
        self.fired.append(event.servers)

    def set_alert(self) -> None:
        self.alerts.add(ALERT)
        self.watch.refresh()

    def answer(self, *players: int | None, after_s: float = 60.0) -> list[tuple[int, ...]]:
        """Merge an answer of each server, None for a silent one; return what fired."""
        self.now_s += after_s
        self.server_list.merge_results([_result(number, count) for number, count in enumerate(players)])
        before = len(self.fired)
        self.watch.check_next()
        return self.fired[before:]


def _result(number: int, players: int | None) -> QueryResult:
    address = Address(f"10.0.0.{number + 1}", 27015)
    target = QueryTarget(address, "a2s", "ns2")
    if players is None:
        return QueryResult(target, QueryStatus.NO_ANSWER, None, "timeout", None, False, 3, 1.0)
    info = ServerInfo("ns2", f"Server {number}", "ns2_veil", address, players, 0, 0, 16)
    return QueryResult(target, QueryStatus.OK, info, None, 50.0, False, 1, 1.0)


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[WatchDriver]:
    """A watch before the first poll."""
    database = open_database(tmp_path)
    with Scanner(GAMES) as scanner:
        server_list = ServerListController(
            Catalogue(GAMES),
            lambda known: start_poll(scanner, QuerySources(), pace=PACES["fast"], known=known),
            lambda _target: pytest.fail("a server was queried"),
            dict,
            lambda: None,
        )
        driver = WatchDriver(server_list, database)
        yield driver
        driver.watch.close()
        server_list.close()
        server_list.deleteLater()
        database.close()


def finish_poll(qtbot: QtBot, driver: WatchDriver) -> None:
    """Have the list polled, which brings no server of its own."""
    driver.server_list.refresh()
    qtbot.waitUntil(lambda: not driver.server_list.is_running)


def test_servers_of_first_poll_are_not_new(qtbot: QtBot, driver: WatchDriver) -> None:
    driver.set_alert()
    assert driver.answer(9, 3, None) == []
    finish_poll(qtbot, driver)
    assert driver.answer(9, 3, None) == []
    assert [set(servers) for servers in driver.answer(9, 8, 8)] == [{1, 2}]


def test_server_found_later_is_new(qtbot: QtBot, driver: WatchDriver) -> None:
    driver.set_alert()
    finish_poll(qtbot, driver)
    assert driver.answer(9) == [(0,)]


def test_server_that_passes_when_set_is_not_new(qtbot: QtBot, driver: WatchDriver) -> None:
    finish_poll(qtbot, driver)
    driver.answer(9, 3)
    driver.set_alert()
    assert driver.answer(10, 3) == []
    assert driver.answer(10, 8) == [(1,)]


def test_returning_server_must_have_failed_for_minutes(qtbot: QtBot, driver: WatchDriver) -> None:
    driver.set_alert()
    finish_poll(qtbot, driver)
    driver.answer(8)
    driver.answer(7, after_s=PAUSE_S)
    assert driver.answer(8) == []
    driver.answer(None)  # silence says nothing
    assert driver.answer(8, after_s=REARM_S) == []
    driver.answer(7)
    driver.answer(7, after_s=REARM_S)
    assert driver.answer(8) == [(0,)]


def test_pause_collects_servers(qtbot: QtBot, driver: WatchDriver) -> None:
    driver.set_alert()
    finish_poll(qtbot, driver)
    assert driver.answer(8, 3, 3) == [(0,)]
    assert driver.answer(8, 8, 8) == []
    assert driver.answer(8, 8, 3, after_s=PAUSE_S) == [(1,)]


def test_blocked_and_unwanted_servers_are_left_out(qtbot: QtBot, driver: WatchDriver) -> None:
    driver.set_alert()
    finish_poll(qtbot, driver)
    driver.answer(3, 3, 3)
    catalogue = driver.server_list.catalogue
    catalogue.set_user_lists(UserLists(blocked=ServerMatcher(addresses=frozenset({Address("10.0.0.1", 27015)}))))
    driver.watched = np.array([True, False, True])
    assert driver.answer(9, 9, 9) == [(2,)]


def test_edited_filter_starts_anew(qtbot: QtBot, driver: WatchDriver) -> None:
    driver.set_alert()
    finish_poll(qtbot, driver)
    driver.answer(5, 3)
    driver.saved_filters["Busy"] = "players>=4"
    assert driver.answer(5, 3) == []
    assert driver.answer(5, 4) == [(1,)]
    del driver.saved_filters["Busy"]
    assert driver.answer(9, 9, 9, after_s=PAUSE_S) == []
    driver.saved_filters["Busy"] = "no such=filter"
    assert driver.answer(9, 9, 9, 9) == []


def test_no_timer_without_alerts(qtbot: QtBot, driver: WatchDriver) -> None:
    driver.answer(9)
    assert not driver.watch.timer.isActive()
    driver.set_alert()
    driver.answer(9)
    assert driver.watch.timer.isActive()
    driver.watch.check_next()
    assert not driver.watch.timer.isActive()
