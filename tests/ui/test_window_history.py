"""History in the window: sparkline column, forecast, and the History page."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_rig import OpenRoom, Room, open_rooms, small_network

from browser_app.catalogue.sample_series import SampleSeries
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.server_history import make_server_history
from browser_app.protocols.server_url import parse_server_url
from browser_app.ui.inspector.inspector_pages import HISTORY_PAGE
from browser_app.ui.servers.server_columns import SERVER_COLUMNS


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    with small_network(servers=8) as network:
        yield network


def put_past(room: Room, network: DemoNetwork) -> None:
    """Store six weeks of history for all servers but the last."""
    servers = [parse_server_url(url)[1] for url in network.sources.servers]
    for portion in make_server_history(
        list(zip(servers, network.specs, strict=True))[:-1], time.time(), time.gmtime, 1
    ):
        room.program.session.server_samples.add_series(portion).result()


@pytest.fixture
def room(open_room: OpenRoom, network: DemoNetwork) -> Room:
    """A program with forecasts."""
    room = open_room(shown=False)
    put_past(room, network)
    room.open()
    room.scanned()
    room.settle()
    room.wait(lambda: np.isfinite(likely(room)).sum() >= 5)
    return room


def likely(room: Room) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return room.catalogue.forecasts.forecasts_of(np.arange(len(room.catalogue))).players


def show_history(room: Room, server: int) -> None:
    room.table.select_server(server)
    room.window.servers_view.inspector.show_page(HISTORY_PAGE)
    page = room.window.servers_view.inspector.history_page
    room.wait(lambda: page.players_plot.point_count() > 0)


def test_column_shows_trend_or_new(room: Room, network: DemoNetwork) -> None:
    column = next(place for place, each in enumerate(SERVER_COLUMNS) if each.key == "trend")
    by_name = {row.name: row for row in room.model.rows(0, room.model.rowCount() - 1)}
    texts = [SERVER_COLUMNS[column].text(row) for row in by_name.values()]
    assert texts.count("new") == 1
    known = next(row for row in by_name.values() if row.trend)
    assert len(known.trend) == 24
    assert known.trend[-1] == known.players
    assert "players six hours ago" in SERVER_COLUMNS[column].accessible_text(known)


def test_sorts_by_trend(room: Room) -> None:
    room.click_header("trend")
    rows = room.model.rows(0, room.model.rowCount() - 1)
    changes = [row.trend_change for row in rows]
    assert changes[-1] is None
    assert changes[:-1] == sorted((change for change in changes if change is not None), reverse=True)


def test_forecast_in_row_and_score_page(room: Room) -> None:
    server = int(np.nanargmax(likely(room)))
    row = room.model.rows(room.servers().index(server), room.servers().index(server))[0]
    assert row.forecast is not None
    assert row.forecast_low is not None
    assert row.forecast_high is not None
    assert 0 <= row.forecast_low <= row.forecast <= row.forecast_high
    room.table.select_server(server)
    assert "Expected in 30 minutes" in room.window.servers_view.inspector.score_page._join_label.text()


def test_page_follows_selection(room: Room) -> None:
    page = room.window.servers_view.inspector.history_page
    server = int(np.nanargmax(likely(room)))
    show_history(room, server)
    assert page.stored_label.text() in ("42 days of history", "43 days of history")
    assert page.players_plot.point_count() >= 280
    assert page.current_label.text().startswith(f"{room.catalogue.players[server]:.0f} player")
    assert page.alive_label.text()
    page.span_switch.setFocus()
    room.press(Qt.Key.Key_Right)
    assert page.players_plot.accessibleName() == "Players, last 7 days"
    assert 166 <= page.players_plot.point_count() <= 169
    room.press(Qt.Key.Key_Right)
    assert page.players_plot.accessibleName() == "Players, last 30 days"
    new = next(server for server in room.servers() if not np.isfinite(likely(room)[server]))
    room.table.select_server(new)
    room.wait(lambda: "No forecast" in page.current_label.text())


def test_keys_reach_and_copy_points(room: Room) -> None:
    page = room.window.servers_view.inspector.history_page
    show_history(room, int(np.nanargmax(likely(room))))
    page.span_switch.setFocus()
    room.press(Qt.Key.Key_Tab)
    assert page.players_plot.hasFocus()
    assert page.players_plot.accessibleDescription().endswith("playing")
    room.press(Qt.Key.Key_Home)
    assert page.players_plot.current_point == 0
    room.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().startswith("time\tplayers\tlowest\thighest\n")
    for plot in (page.ping_plot, page.week_plot, page.week_grid):
        room.press(Qt.Key.Key_Tab)
        assert plot.hasFocus()


def test_new_samples_appear(room: Room, qtbot: QtBot) -> None:
    page = room.window.servers_view.inspector.history_page
    new = next(server for server in room.servers() if not np.isfinite(likely(room)[server]))
    room.table.select_server(new)
    room.window.servers_view.inspector.show_page(HISTORY_PAGE)
    room.program.backend.sample_recorder.save()
    room.program.session.database.flush()
    room.program.backend.sample_recorder.samples_saved.emit()
    room.wait(lambda: page.ping_plot.point_count() == 1)
    assert page.stored_label.text() == "1 day of history"


def test_late_history_is_ignored(room: Room) -> None:
    page = room.window.servers_view.inspector.history_page
    first, second = room.servers()[:2]
    show_history(room, first)
    shown = page.players_plot.values_text()
    room.window.servers_view.history_controller._show_history(second, SampleSeries.from_rows([]))
    assert page.players_plot.values_text() == shown


def test_no_history(qtbot: QtBot, qapp: QApplication, network: DemoNetwork) -> None:
    with open_rooms(qtbot, qapp, network) as open_room:
        room = open_room()
        room.window.servers_view.inspector.show_page(HISTORY_PAGE)
        page = room.window.servers_view.inspector.history_page
        room.wait(page.current_label.text)
        assert "No forecast" in page.current_label.text()
        assert page.alive_label.text() == "Usual activity is shown after two weeks."
        assert (
            SERVER_COLUMNS[[each.key for each in SERVER_COLUMNS].index("trend")].text(room.model.rows(0, 0)[0]) == "new"
        )
