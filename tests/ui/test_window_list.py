"""The server list in the window: filling, filtering, sorting, holding and selection."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QShortcut
from PySide6.QtWidgets import QApplication
from window_rig import PLACE, OpenRoom, Room

from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.demo.demo_network import DemoNetwork


def test_fills_best_first(open_room: OpenRoom, network: DemoNetwork) -> None:
    room = open_room(*(f"--master={url}" for url in network.sources.masters if url.startswith("dpmaster")))
    assert len(room.servers()) == len(network.servers) == 24
    scores = room.catalogue.score[room.servers()]
    assert np.all(np.diff(scores[~np.isnan(scores)]) <= 0)
    assert "Master servers 2/2" in room.window.status_bar.shown_texts()
    assert room.window.servers_view.sidebar.items()[0].server_count == 24
    assert room.window.servers_view.list_banner.isHidden()


def test_typed_filter(room: Room) -> None:
    room.filter("game:openarena players>=1")
    shown = room.servers()
    assert shown
    assert len(shown) < 24
    assert all(room.catalogue.game[server] == "openarena" for server in shown)
    assert (room.catalogue.players[shown] >= 1).all()
    room.press(Qt.Key.Key_Escape)
    room.wait(lambda: len(room.servers()) == 24)
    assert room.window.filter_field.text() == ""
    room.press(Qt.Key.Key_Escape)
    assert room.window.focusWidget() is room.table


def test_invalid_filter_keeps_last_one(room: Room) -> None:
    room.filter("game:openarena")
    before = room.servers()
    room.filter("players>=many")
    field = room.window.filter_field
    assert field.error is not None
    start, end, reason = field.error
    assert "players>=many"[start:end] == "many"
    assert "needs a number" in reason
    assert room.servers() == before
    room.press(Qt.Key.Key_Escape)
    room.wait(lambda: field.error is None and len(room.servers()) == 24)


@pytest.mark.parametrize("column", ["ping", "name", "players", "map"])
def test_header_click_sorts_and_reverses(room: Room, column: str) -> None:
    room.click_header(column)
    first = room.servers()
    room.click_header(column)
    second = room.servers()
    assert sorted(first) == sorted(second)
    values = getattr(room.catalogue, {"ping": "ping_ms"}.get(column, column))
    keys = [values[s].casefold() if column in ("name", "map") else float(values[s]) for s in (first + second)]
    up = column != "players"
    assert keys[:24] == sorted(keys[:24], reverse=not up)
    assert keys[24:] == sorted(keys[24:], reverse=up)


def test_pointer_holds_order(room: Room) -> None:
    room.click_header("ping")
    room.point_at(3)
    held = room.servers()
    assert any("pointer over list" in text for text in room.window.status_bar.shown_texts())
    risen = room.let_the_last_rise()
    assert room.servers() == held
    room.point_away()
    assert room.servers()[0] == risen
    assert "Live sorting" in room.window.status_bar.shown_texts()


def test_space_pauses_sorting(room: Room) -> None:
    room.click_header("ping")
    held = room.servers()
    room.table.setFocus()
    room.point_at(2)
    room.press(Qt.Key.Key_Space)
    room.point_away()
    risen = room.let_the_last_rise()
    assert room.servers() == held
    assert any("Space" in text for text in room.window.status_bar.shown_texts())
    room.press(Qt.Key.Key_Space)
    assert room.servers()[0] == risen


def test_menu_holds_order(room: Room) -> None:
    room.click_header("ping")
    held = room.servers()
    where = room.cell(2, "name")
    viewport = room.table.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, viewport.mapToGlobal(where))
    QApplication.sendEvent(viewport, event)
    menu = room.menu()
    room.point_away()
    risen = room.let_the_last_rise()
    assert room.servers() == held
    menu.close()
    room.wait(lambda: room.servers()[0] == risen)


def test_arrow_keys_hold_order(room: Room) -> None:
    room.click_header("ping")
    held = room.servers()
    room.table.setFocus()
    room.table._key_hold_timer.setInterval(300)
    room.press(Qt.Key.Key_Down)
    risen = room.let_the_last_rise()
    assert room.servers() == held
    room.wait(lambda: room.servers()[0] == risen)


def test_hidden_selection_returns(room: Room) -> None:
    server, other = room.servers()[3], room.servers()[0]
    room.table.select_server(server)
    filters = room.window.servers_view.filter_controller
    filters.set_filter("text", "name:zzzz")
    assert room.table.selected_server() == -1
    filters.clear_filters()
    assert room.table.selected_server() == server
    filters.set_filter("text", f'-name:"{room.catalogue.name[server]}"')
    room.table.select_server(other)
    filters.clear_filters()
    assert room.table.selected_server() == other


def test_refresh_keeps_rows_and_selection(room: Room) -> None:
    room.click(7, "name")
    chosen = room.table.selected_server()
    counts = []
    room.model.layoutChanged.connect(lambda: counts.append(room.model.rowCount()))
    room.live.changed.connect(lambda _: counts.append(room.model.rowCount()))
    room.live.progress_changed.connect(lambda: counts.append(room.model.rowCount()))
    room.point_away()
    room.refresh()
    assert counts
    assert set(counts) == {24}
    assert room.table.selected_server() == chosen
    assert room.window.servers_view.inspector_controller.server == chosen


def test_scrolled_selection_stays_in_place(open_room: OpenRoom) -> None:
    room = open_room(size=(900, 420))
    room.click_header("ping")
    bar = room.table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first, last = room.table.visible_places()
    room.table.setFocus()
    room.click((first + last) // 2, "name")
    room.point_away()
    chosen = room.table.selected_server()
    before = room.table.visualRect(room.table.currentIndex()).top()
    room.let_the_last_rise()
    assert room.table.selected_server() == chosen
    assert room.table.visualRect(room.table.currentIndex()).top() == before


def test_end_of_refresh_does_not_scroll(open_room: OpenRoom) -> None:
    room = open_room(size=(900, 420))
    bar = room.table.verticalScrollBar()
    room.table.setCurrentIndex(QModelIndex())
    bar.setValue(bar.maximum())
    before = bar.value()
    assert before > 0
    room.refresh()
    assert room.table.selected_server() in room.servers()
    assert bar.value() == before


def test_held_key_acts_once(room: Room) -> None:
    joined: list[int] = []
    room.table.join_requested.disconnect()
    room.table.join_requested.connect(joined.append)
    room.click(3, "name")
    for held_down in (False, True, True):
        key = QKeyEvent(
            QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", autorep=held_down
        )
        QApplication.sendEvent(room.table, key)
    assert joined == [room.servers()[3]]
    assert not any(shortcut.autoRepeat() for shortcut in room.window.findChildren(QShortcut))


def test_silent_servers_stay(room: Room) -> None:
    row = 4
    server = room.servers()[row]
    room.catalogue.status[server] = QueryStatus.NO_ANSWER
    room.live.rescore()
    place = room.model.row_of(server)
    assert place is not None
    assert room.model.rows(place, place)[0].is_silent
    assert room.model.index(place, PLACE["score"]).data() == "no answer"


def test_hidden_answers_paint_nothing(room: Room) -> None:
    out_of_sight = room.servers()[-1]
    room.filter(f'-"{room.catalogue.name[out_of_sight]}"')
    room.wait(lambda: out_of_sight not in room.servers())
    painted: list[int] = []
    room.model.dataChanged.connect(lambda first, _last: painted.append(first.row()))
    for server, wanted in ((out_of_sight, []), (room.servers()[0], [0])):
        answer = QueryResult(room.catalogue.targets[server], QueryStatus.NO_ANSWER, None, "", None, False, 1, 0.0)
        room.live.merge_results([answer])
        assert painted == wanted
