"""The server list in the window: filling, filters, sorting, selection, pausing."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QShortcut
from PySide6.QtWidgets import QApplication
from window_helpers import COLUMN_INDEX, AppDriver, OpenApp

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.demo.demo_network import DemoNetwork
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import FAVOURITES_ON_TOP


def test_fills_best_first(open_app: OpenApp, network: DemoNetwork) -> None:
    app = open_app(*(f"--master={url}" for url in network.sources.masters if url.startswith("dpmaster")))
    assert len(app.servers()) == len(network.servers) == 24
    scores = app.catalogue.score[app.servers()]
    assert np.all(np.diff(scores[~np.isnan(scores)]) <= 0)
    assert "Master servers 2/2" in app.window.status_bar.shown_texts()
    assert app.window.servers_view.sidebar.items()[0].server_count == 24
    assert app.window.servers_view.list_banner.isHidden()


def test_favourites_on_top_survive_restart(open_app: OpenApp) -> None:
    first = open_app()
    view = first.window.servers_view
    view.server_order.set_sort_column("-name")
    by_name = first.names()
    view.toggle_favourite(first.servers()[-1])
    first.program.settings.set(FAVOURITES_ON_TOP, True)
    pinned = [by_name[-1], *by_name[:-1]]
    assert first.names() == pinned
    first.end()
    again = open_app()
    assert again.names() == pinned
    assert again.window.servers_view.server_order.sort_column == "-name"


def test_focus_keeps_no_unresponsive_server_selected(open_app: OpenApp) -> None:
    open_app().end()
    app = open_app(scanned=False)
    app.wait(app.servers)
    focused = app.table.selected_server()
    assert app.table.is_selected_by_focus  # it was the first of the saved servers
    app.scanned()
    assert app.table.selected_server() == focused
    app.catalogue.ping_ms[focused] = np.nan
    app.live.rescore()
    app.live.running_changed.emit(False)
    chosen = app.table.selected_server()
    assert chosen == app.servers()[0] != focused
    app.catalogue.ping_ms[chosen] = np.nan
    app.live.rescore()
    app.live.running_changed.emit(False)
    assert app.table.selected_server() == chosen


def test_typed_filter(app: AppDriver) -> None:
    app.filter("game:openarena players>=1")
    shown = app.servers()
    assert shown
    assert len(shown) < 24
    assert all(app.catalogue.game[server] == "openarena" for server in shown)
    assert (app.catalogue.players[shown] >= 1).all()
    app.press(Qt.Key.Key_Escape)
    app.wait(lambda: len(app.servers()) == 24)
    assert app.window.filter_field.text() == ""
    app.press(Qt.Key.Key_Escape)
    assert app.window.focusWidget() is app.table


def test_wrong_value_is_left_out(app: AppDriver) -> None:
    app.filter("game:openarena")
    before = app.servers()
    app.filter("game:openarena players>=many")
    field = app.window.filter_field
    assert field.error is not None
    start, end, reason = field.error
    assert field.text()[start:end] == "many"
    assert "needs a number" in reason
    assert app.servers() == before
    app.press(Qt.Key.Key_Escape)
    app.wait(lambda: field.error is None and len(app.servers()) == 24)


@pytest.mark.parametrize("column", ["ping", "name", "players", "map"])
def test_header_click_sorts_and_reverses(app: AppDriver, column: str) -> None:
    app.click_header(column)
    first = app.servers()
    app.click_header(column)
    second = app.servers()
    assert sorted(first) == sorted(second)
    values = getattr(app.catalogue, {"ping": "ping_ms"}.get(column, column))
    keys = [values[s].casefold() if column in ("name", "map") else float(values[s]) for s in (first + second)]
    up = column != "players"
    assert keys[:24] == sorted(keys[:24], reverse=not up)
    assert keys[24:] == sorted(keys[24:], reverse=up)


def test_pointer_holds_order(app: AppDriver) -> None:
    app.click_header("ping")
    app.point_at(3)
    held = app.servers()
    assert any("pointer over list" in text for text in app.window.status_bar.shown_texts())
    risen = app.raise_last_server()
    assert app.servers() == held
    app.move_pointer_away()
    assert app.servers()[0] == risen
    assert "Live sorting" in app.window.status_bar.shown_texts()


def test_space_pauses_sorting(app: AppDriver) -> None:
    app.click_header("ping")
    held = app.servers()
    app.table.setFocus()
    app.point_at(2)
    app.press(Qt.Key.Key_Space)
    app.move_pointer_away()
    risen = app.raise_last_server()
    assert app.servers() == held
    assert any("Space" in text for text in app.window.status_bar.shown_texts())
    app.press(Qt.Key.Key_Space)
    assert app.servers()[0] == risen


def test_menu_holds_order(app: AppDriver) -> None:
    app.click_header("ping")
    held = app.servers()
    where = app.cell(2, "name")
    viewport = app.table.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, viewport.mapToGlobal(where))
    QApplication.sendEvent(viewport, event)
    menu = app.menu()
    app.move_pointer_away()
    risen = app.raise_last_server()
    assert app.servers() == held
    menu.close()
    app.wait(lambda: app.servers()[0] == risen)


def test_arrow_keys_hold_order(app: AppDriver) -> None:
    app.click_header("ping")
    held = app.servers()
    app.table.setFocus()
    app.table._key_hold_timer.setInterval(300)
    app.press(Qt.Key.Key_Down)
    risen = app.raise_last_server()
    assert app.servers() == held
    app.wait(lambda: app.servers()[0] == risen)


def test_home_and_end_go_to_first_and_last_row(app: AppDriver) -> None:
    app.table.setFocus()
    app.table.setCurrentIndex(app.model.index(5, COLUMN_INDEX["map"]))
    for key, row in ((Qt.Key.Key_End, app.model.rowCount() - 1), (Qt.Key.Key_Home, 0)):
        app.press(key)
        assert (app.table.currentIndex().row(), app.table.currentIndex().column()) == (row, COLUMN_INDEX["map"])


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_F6])
def test_focus_by_key_shows_selected_row(open_app: OpenApp, key: Qt.Key) -> None:
    app = open_app(size=(900, 420))
    bar = app.table.verticalScrollBar()
    app.table.select_without_scrolling(app.servers()[-1])
    assert bar.value() == 0
    app.window.filter_field.focus_field()
    while not app.table.hasFocus():
        app.press(key)
    assert app.table.viewport().rect().contains(app.table.visualRect(app.table.currentIndex()).center())
    bar.setValue(0)
    app.table.clearFocus()
    app.table.setFocus()  # not by a key
    assert bar.value() == 0


def test_enter_in_the_filter_selects_a_row_that_matches(app: AppDriver) -> None:
    other, first = app.model.rows(0, 1)
    app.table.setFocus()
    app.table.select_server(other.id)
    app.window.filter_field.focus_field()
    app.write(f'"{first.name}"')
    app.press(Qt.Key.Key_Return)
    assert app.window.focusWidget() is app.table
    assert app.table.selected_server() == app.servers()[0]
    assert app.table.selectionModel().hasSelection()


def test_hidden_selection_returns(app: AppDriver) -> None:
    server, other = app.servers()[3], app.servers()[0]
    app.table.select_server(server)
    filters = app.window.servers_view.filter_controller
    filters.set_filter("text", "name:zzzz")
    assert app.table.selected_server() == -1
    filters.clear_filters()
    assert app.table.selected_server() == server
    filters.set_filter("text", f'-name:"{app.catalogue.name[server]}"')
    app.table.select_server(other)
    filters.clear_filters()
    assert app.table.selected_server() == other


def test_hidden_selection_survives_a_poll(app: AppDriver) -> None:
    server = app.servers()[3]
    app.table.select_server(server)
    filters = app.window.servers_view.filter_controller
    filters.set_filter("text", f'-name:"{app.catalogue.name[server]}"')
    app.refresh()
    assert app.model.rowCount()
    assert app.table.selected_server() == -1
    filters.clear_filters()
    assert app.table.selected_server() == server


def test_row_of_hidden_selection_is_not_reused(app: AppDriver) -> None:
    first, second = (QueryTarget(Address("127.0.0.1", port), "quake3", "openarena") for port in (9, 13))
    rows, _new = app.catalogue.rows.find_or_add([first], [False])
    app.live.rescore()
    assert app.table.select_server(int(rows[0]))
    filters = app.window.servers_view.filter_controller
    filters.set_filter("text", "name:zzzz")
    assert app.table.selected_server() == -1
    app.catalogue.rows.drop_unlisted(10)  # it never answered, and no source lists it
    app.catalogue.rows.find_or_add([second], [False])
    app.live.rescore()
    filters.clear_filters()
    assert app.catalogue.targets[app.table.selected_server()] == first


def test_refresh_keeps_rows_and_selection(app: AppDriver) -> None:
    app.click(7, "name")
    chosen = app.table.selected_server()
    counts = []
    app.model.layoutChanged.connect(lambda: counts.append(app.model.rowCount()))
    app.live.changed.connect(lambda _: counts.append(app.model.rowCount()))
    app.live.progress_changed.connect(lambda: counts.append(app.model.rowCount()))
    app.move_pointer_away()
    app.refresh()
    assert counts
    assert set(counts) == {24}
    assert app.table.selected_server() == chosen
    assert app.window.servers_view.inspector_controller.server == chosen


def test_scrolled_selection_stays_in_place(open_app: OpenApp) -> None:
    app = open_app(size=(900, 420))
    app.click_header("ping")
    bar = app.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first, last = app.table.visible_places()
    app.table.setFocus()
    app.click((first + last) // 2, "name")
    app.move_pointer_away()
    chosen = app.table.selected_server()
    before = app.table.visualRect(app.table.currentIndex()).top()
    app.raise_last_server()
    assert app.table.selected_server() == chosen
    assert app.table.visualRect(app.table.currentIndex()).top() == before


def test_returning_selection_does_not_scroll(open_app: OpenApp) -> None:
    app = open_app(size=(900, 420))
    bar, filters = app.table.verticalScrollBar(), app.window.servers_view.filter_controller
    bar.setValue(bar.maximum() // 2)
    app.click(sum(app.table.visible_places()) // 2, "name")
    app.move_pointer_away()
    chosen, before = app.table.selected_server(), (bar.value(), app.table.visualRect(app.table.currentIndex()).top())
    filters.set_filter("text", f'-name:"{app.catalogue.name[chosen]}"')
    assert app.table.selected_server() == -1
    filters.clear_filters()
    assert app.table.selected_server() == chosen
    assert (bar.value(), app.table.visualRect(app.table.currentIndex()).top()) == before


def test_end_of_refresh_does_not_scroll(open_app: OpenApp) -> None:
    app = open_app(size=(900, 420))
    bar = app.table.verticalScrollBar()
    app.table.setCurrentIndex(QModelIndex())
    bar.setValue(bar.maximum())
    before = bar.value()
    assert before > 0
    app.refresh()
    assert app.table.selected_server() in app.servers()
    assert bar.value() == before


def test_held_key_acts_once(app: AppDriver) -> None:
    joined: list[int] = []
    app.table.join_requested.disconnect()
    app.table.join_requested.connect(joined.append)
    app.click(3, "name")
    for held_down in (False, True, True):
        key = QKeyEvent(
            QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", autorep=held_down
        )
        QApplication.sendEvent(app.table, key)
    assert joined == [app.servers()[3]]
    assert not any(shortcut.autoRepeat() for shortcut in app.window.findChildren(QShortcut))


def test_unresponsive_servers_stay(app: AppDriver) -> None:
    row = 4
    server = app.servers()[row]
    app.catalogue.status[server] = QueryStatus.NO_ANSWER
    app.live.rescore()
    place = app.model.row_of(server)
    assert place is not None
    assert app.model.rows(place, place)[0].is_unresponsive
    assert app.model.index(place, COLUMN_INDEX["score"]).data() == "no answer"


def test_hidden_answers_paint_nothing(app: AppDriver) -> None:
    out_of_sight = app.servers()[-1]
    app.filter(f'-"{app.catalogue.name[out_of_sight]}"')
    app.wait(lambda: out_of_sight not in app.servers())
    painted: list[int] = []
    app.model.dataChanged.connect(lambda first, _last: painted.append(first.row()))
    for server, wanted in ((out_of_sight, []), (app.servers()[0], [0])):
        answer = QueryResult(app.catalogue.targets[server], QueryStatus.NO_ANSWER, None, "", None, False, 1, 0.0)
        app.live.merge_results([answer])
        assert painted == wanted
