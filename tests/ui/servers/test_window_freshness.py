"""The automatic refresh in the window: rows in sight, ages, and that none moves."""

import re
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from window_helpers import COLUMN_INDEX, AppDriver, OpenApp, small_network

from browser_app.bridge.list_refresher import HIDDEN_FACTOR, ListRefresher, RefreshState
from browser_app.demo.demo_network import DemoNetwork
from browser_app.storage.setting_declarations import AUTOMATIC_REFRESH
from browser_app.storage.user_lists.search_alert_store import SearchAlert, SearchAlertKind
from browser_app.ui.servers.server_table import answer_age_text
from browser_app.ui.window_shortcuts import SKILL_VIEW

SERVERS = 60
"""More than are in sight."""


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with small_network(servers=SERVERS) as network:
        yield network


class FreshnessDriver:
    """A window whose refresher runs by a clock of the test's own."""

    def __init__(self, app: AppDriver) -> None:
        self.app = app
        self.now_s = 10_000.0
        self.refresher: ListRefresher = app.program.backend.list_refresher
        self.refresher._clock = lambda: self.now_s
        self.refresher._schedule.record(app.model.order, app.model.order < 0, self.now_s)

    def run(self, seconds: float) -> None:
        """Let time pass in steps of two seconds."""
        for _tick in range(round(seconds / 2)):
            self.now_s += 2.0
            self.refresher.tick()
            self.app.wait(lambda: all(scan.finished.is_set() for scan in self.refresher._scans))
        self.refresher.tick()
        self.app.wait(lambda: not self.app.live._rescore_timer.isActive())
        self.app.wait(lambda: not self.app.live._rescored_timer.isActive())

    def make_old(self, seconds: float) -> None:
        """Pretend that all answers are this much older."""
        results = self.app.live._last_result_s
        self.app.live._last_result_s = {server: at - seconds for server, at in results.items()}
        self.refresher.tick_finished.emit()

    def refreshed(self) -> list[int]:
        """Return the servers that answered since `make_old`."""
        return [server for server in self.app.servers() if self.app.live.seconds_since_answer(server) < 1000.0]

    @property
    def texts(self) -> str:
        return " | ".join(self.app.window.status_bar.shown_texts())


@pytest.fixture
def driver(app: AppDriver) -> FreshnessDriver:
    return FreshnessDriver(app)


def test_rows_in_sight_are_those_of_the_viewport(driver: FreshnessDriver) -> None:
    view, table = driver.app.window.servers_view, driver.app.table
    first, last = table.visible_places()
    assert first == 0
    assert 10 < last < SERVERS - 1
    assert view.rows_in_sight().tolist() == [*driver.app.servers()[: last + 1], table.selected_server()]
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())
    assert view.rows_in_sight().tolist()[-2] == driver.app.servers()[-1]
    driver.app.window.view_switch.setCurrentIndex(SKILL_VIEW)
    assert len(view.rows_in_sight()) == 0


def test_rows_in_sight_are_refreshed(driver: FreshnessDriver) -> None:
    in_sight = driver.app.window.servers_view.rows_in_sight().tolist()
    polled = driver.app.live.poll
    assert polled is not None
    sent = polled.progress.sent
    assert f"sent {sent}" in driver.texts
    driver.make_old(2000.0)
    driver.run(44.0)
    assert set(in_sight) <= set(driver.refreshed())
    assert len(driver.refreshed()) < SERVERS
    assert driver.refresher.packets.sent >= len(set(in_sight))
    assert f"sent {sent + driver.refresher.packets.sent}" in driver.texts


def test_minimised_window_is_refreshed_more_slowly(driver: FreshnessDriver) -> None:
    assert driver.refresher._slowness == 1.0
    driver.app.window.setWindowState(Qt.WindowState.WindowMinimized)
    assert driver.refresher._slowness == HIDDEN_FACTOR
    driver.app.program.storage.search_alerts.add(SearchAlert(SearchAlertKind.PLAYER, "moth", 1.0))
    assert driver.refresher._slowness == 1.0


def test_nothing_moves_under_the_pointer(driver: FreshnessDriver) -> None:
    app = driver.app
    app.table.select_server(app.servers()[20])
    app.table.verticalScrollBar().setValue(200)
    app.point_at(12)
    order, top, selected = app.servers(), app.table.verticalScrollBar().value(), app.table.selected_server()
    for server in app.servers()[::2]:
        app.catalogue.ping_samples[server] = 500.0
    driver.make_old(2000.0)
    driver.run(44.0)
    assert len(driver.refreshed()) > 10
    assert (app.servers(), app.table.verticalScrollBar().value()) == (order, top)
    assert app.table.selected_server() == selected
    assert "pointer over list" in driver.texts


def test_selection_keeps_its_place_when_rows_move(driver: FreshnessDriver) -> None:
    app = driver.app
    app.table.verticalScrollBar().setValue(20 * app.table.rowHeight(0))
    app.table.select_server(app.servers()[30])
    selected, before = app.table.selected_server(), app.table.visualRect(app.table.currentIndex()).top()
    for server in app.servers()[:10]:
        app.catalogue.blocked[server] = True
    driver.make_old(2000.0)
    driver.run(44.0)
    assert app.table.selected_server() == selected
    assert app.servers().index(selected) < 30  # 20 but for pings that were measured anew
    assert app.table.visualRect(app.table.currentIndex()).top() == before


def test_status_bar_shows_the_age(driver: FreshnessDriver) -> None:
    now_s = time.monotonic()
    results = driver.app.live._last_result_s
    results.update(dict.fromkeys(results, now_s))
    driver.make_old(0.0)
    assert "Updated just now" in driver.texts
    driver.make_old(180.0)
    assert "Updated 3 min ago" in driver.texts
    driver.app.live._last_result_s[driver.app.servers()[0]] = time.monotonic()
    driver.make_old(0.0)
    assert "Updated 3 min ago" in driver.texts
    driver.run(44.0)
    assert re.search(r"Updated (\d+ s ago|just now)", driver.texts)


def test_name_tool_tip_shows_the_age(driver: FreshnessDriver) -> None:
    model = driver.app.model

    def tool_tip(column: str) -> str:
        return str(model.data(model.index(0, COLUMN_INDEX[column]), Qt.ItemDataRole.ToolTipRole))

    assert re.search(r"\nUpdated \d+ s ago$", tool_tip("name"))
    driver.make_old(130.0)
    assert tool_tip("name").endswith("\nUpdated 2 min ago")
    assert "Updated" not in tool_tip("ping")
    assert answer_age_text(float("nan")) == "Never answered"


def test_sorting_is_live_only_while_refreshing(driver: FreshnessDriver) -> None:
    app, action = driver.app, driver.app.window.freshness_controller.toggle_action
    assert action.isChecked()
    assert "Live sorting" in driver.texts
    action.trigger()
    assert app.program.settings.get(AUTOMATIC_REFRESH) is False
    assert driver.refresher.state is RefreshState.OFF
    assert "Automatic refresh off" in driver.texts
    app.program.settings.set(AUTOMATIC_REFRESH, True)
    assert action.isChecked()
    app.live.pause()
    assert "Refresh paused while the game runs" in driver.texts
    app.live.resume()
    assert "Live sorting" in driver.texts
    app.point_at(3)
    assert "pointer over list" in driver.texts
    app.move_pointer_away()
    assert "Live sorting" in driver.texts


def test_menu_has_the_switch(driver: FreshnessDriver) -> None:
    window = driver.app.window
    driver.app.bot.mouseClick(window.overflow_button, Qt.MouseButton.LeftButton)
    menu = driver.app.menu()
    action = next(action for action in menu.actions() if action.text() == "Refresh automatically")
    assert action.isCheckable()
    menu.close()
    assert action in window.refresh_button.actions()


def test_list_is_not_live_before_the_first_refresh(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(shown=False)
    assert "Not refreshed yet" in app.window.status_bar.shown_texts()
    assert not app.program.backend.list_refresher._timer.isActive()


def test_closed_window_stops_refreshing(app: AppDriver) -> None:
    assert app.program.backend.list_refresher._timer.isActive()
    app.window.close()
    assert not app.program.backend.list_refresher._timer.isActive()
