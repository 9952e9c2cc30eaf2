"""History in the window: sparkline column, forecast, and the History page."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp, open_apps, small_network

from browser_app.catalogue.sample_series import SampleSeries
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.server_history import make_server_history
from browser_app.protocols.server_url import parse_server_url
from browser_app.ui.inspector.inspector_pages import HISTORY_PAGE
from browser_app.ui.inspector.score_page import ScorePage
from browser_app.ui.servers.server_columns import SERVER_COLUMNS


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with small_network(servers=8) as network:
        yield network


def store_history(app: AppDriver, network: DemoNetwork) -> None:
    """Store six weeks of history for all servers but the last."""
    servers = [parse_server_url(url)[1] for url in network.sources.servers]
    for portion in make_server_history(
        list(zip(servers, network.specs, strict=True))[:-1], time.time(), time.gmtime, 1
    ):
        app.program.storage.server_samples.add_series(portion).result()


@pytest.fixture
def app(open_app: OpenApp, network: DemoNetwork) -> AppDriver:
    """A program with forecasts."""
    app = open_app(shown=False)
    store_history(app, network)
    app.open()
    app.scanned()
    app.settle()
    app.wait(lambda: np.isfinite(forecast_players(app)).sum() >= 5)
    return app


def forecast_players(app: AppDriver) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return app.catalogue.forecasts.forecasts_of(np.arange(len(app.catalogue))).players


def show_history(app: AppDriver, server: int) -> None:
    app.table.select_server(server)
    app.window.servers_view.inspector.show_page(HISTORY_PAGE)
    page = app.window.servers_view.inspector.history_page
    app.wait(lambda: page.players_plot.point_count() > 0)


def test_column_shows_trend_or_new(app: AppDriver, network: DemoNetwork) -> None:
    column = next(place for place, each in enumerate(SERVER_COLUMNS) if each.key == "trend")
    by_name = {row.name: row for row in app.model.rows(0, app.model.rowCount() - 1)}
    texts = [SERVER_COLUMNS[column].text(row) for row in by_name.values()]
    assert texts.count("new") == 1
    known = next(row for row in by_name.values() if row.trend)
    assert len(known.trend) == 24
    assert known.trend[-1] == known.players
    assert "six hours ago" in SERVER_COLUMNS[column].accessible_text(known)


def test_sorts_by_trend(app: AppDriver) -> None:
    app.click_header("trend")
    rows = app.model.rows(0, app.model.rowCount() - 1)
    changes = [row.trend_change for row in rows]
    assert changes[-1] is None
    assert changes[:-1] == sorted((change for change in changes if change is not None), reverse=True)


def test_forecast_in_row_and_score_page(app: AppDriver) -> None:
    server = int(np.nanargmax(forecast_players(app)))
    row = app.model.rows(app.servers().index(server), app.servers().index(server))[0]
    assert row.forecast is not None
    assert row.forecast_low is not None
    assert row.forecast_high is not None
    assert 0 <= row.forecast_low <= row.forecast <= row.forecast_high
    app.table.select_server(server)
    assert "Expected in 30 minutes" in app.window.servers_view.inspector._page(ScorePage)._join_label.text()


def test_page_follows_selection(app: AppDriver) -> None:
    page = app.window.servers_view.inspector.history_page
    server = int(np.nanargmax(forecast_players(app)))
    show_history(app, server)
    assert page.stored_label.text() in ("42 days of history", "43 days of history")
    assert page.players_plot.point_count() >= 280
    assert page.current_label.text().startswith(f"{app.catalogue.players[server]:.0f} player")
    assert page.active_label.text()
    page.span_switch.setFocus()
    app.press(Qt.Key.Key_Right)
    assert page.players_plot.accessibleName() == "Players, last 7 days"
    assert 166 <= page.players_plot.point_count() <= 169
    app.press(Qt.Key.Key_Right)
    assert page.players_plot.accessibleName() == "Players, last 30 days"
    new = next(server for server in app.servers() if not np.isfinite(forecast_players(app)[server]))
    app.table.select_server(new)
    app.wait(lambda: "No forecast" in page.current_label.text())


def test_keys_reach_and_copy_points(app: AppDriver) -> None:
    page = app.window.servers_view.inspector.history_page
    show_history(app, int(np.nanargmax(forecast_players(app))))
    page.span_switch.setFocus()
    app.press(Qt.Key.Key_Tab)
    assert page.players_plot.hasFocus()
    assert page.players_plot.accessibleDescription().endswith("playing")
    app.press(Qt.Key.Key_Home)
    assert page.players_plot.current_point == 0
    app.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().startswith("time\tplayers\tlowest\thighest\n")
    for plot in (page.ping_plot, page.week_plot, page.week_grid):
        app.press(Qt.Key.Key_Tab)
        assert plot.hasFocus()


def test_new_samples_appear(app: AppDriver, qtbot: QtBot) -> None:
    page = app.window.servers_view.inspector.history_page
    new = next(server for server in app.servers() if not np.isfinite(forecast_players(app)[server]))
    app.table.select_server(new)
    app.window.servers_view.inspector.show_page(HISTORY_PAGE)
    app.program.backend.sample_recorder.save()
    app.program.storage.database.flush()
    app.program.backend.sample_recorder.samples_saved.emit()
    app.wait(lambda: page.ping_plot.point_count() == 1)
    assert page.stored_label.text() == "1 day of history"


def test_late_history_is_ignored(app: AppDriver) -> None:
    page = app.window.servers_view.inspector.history_page
    first, second = app.servers()[:2]
    show_history(app, first)
    shown = page.players_plot.values_text()
    app.window.servers_view.history_controller._show_history(second, SampleSeries.from_rows([]))
    assert page.players_plot.values_text() == shown


def test_no_history(qtbot: QtBot, qapp: QApplication, network: DemoNetwork) -> None:
    with open_apps(qtbot, qapp, network) as open_app:
        app = open_app()
        app.window.servers_view.inspector.show_page(HISTORY_PAGE)
        page = app.window.servers_view.inspector.history_page
        app.wait(page.current_label.text)
        assert "No forecast" in page.current_label.text()
        assert "two weeks" in page.active_label.text()
        assert (
            SERVER_COLUMNS[[each.key for each in SERVER_COLUMNS].index("trend")].text(app.model.rows(0, 0)[0]) == "new"
        )
