"""The inspector in the window: selection, queries, pages and keys."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_rig import OpenRoom, Room

from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.demo_server import DemoServer
from browser_app.ui.inspector.inspector_pages import INSPECTOR_PAGES
from browser_app.ui.inspector.score_page import factor_column_text


def server_of(network: DemoNetwork, room: Room, server: int) -> DemoServer:
    return next(each for each in network.servers if each.address == room.catalogue.targets[server].address)


def test_queries_only_when_selection_rests(room: Room, network: DemoNetwork) -> None:
    room.table.setFocus()
    room.table.select_server(room.servers()[0])
    room.settle()
    passed, rested = room.servers()[1:4], room.servers()[4]
    before = {server: server_of(network, room, server).request_count for server in (*passed, rested)}
    for _ in range(4):
        room.press(Qt.Key.Key_Down)
    assert room.window.servers_view.inspector_controller.server == rested
    room.wait(lambda: room.catalogue.server_info(rested).player_list is not None)  # type: ignore[union-attr]
    room.settle()
    assert server_of(network, room, rested).request_count > before[rested]
    assert all(server_of(network, room, server).request_count == before[server] for server in passed)


def test_players_and_rules(room: Room) -> None:
    busy = max(room.servers(), key=lambda server: room.catalogue.players[server])
    room.table.select_server(busy)
    room.wait(lambda: room.catalogue.server_info(busy).player_list is not None)  # type: ignore[union-attr]
    room.settle()
    facts = room.catalogue.server_info(busy)
    assert facts is not None
    assert facts.player_list
    lines = room.window.servers_view.inspector.players_page.line_texts()
    assert lines[0].startswith(f"{facts.players} playing")
    assert all(any(player.name in line for line in lines) for player in facts.player_list)
    rules = room.window.servers_view.inspector.rules_page.line_texts()
    assert facts.rules
    assert all(any(line.startswith(f"{key}: ") for line in rules) for key in facts.rules)


def test_score_page_shows_row_score(room: Room) -> None:
    room.live.rescore()  # the selected server may have answered since the last scoring
    for server in room.servers()[:3]:
        room.table.select_server(server)
        explanation = room.window.servers_view.inspector_controller.explanation()
        assert explanation.score is not None
        assert abs(explanation.score - room.catalogue.score[server]) < 1e-9
        product = 1.0
        for row in explanation.factors:
            product *= 1.0 if row.value is None else row.value
        assert abs(product - explanation.score) < 1e-9


def test_keys_switch_pages(room: Room) -> None:
    tabs = room.window.servers_view.inspector._tabs
    tabs.setFocus()
    keys = [page.key for page in INSPECTOR_PAGES]
    for wanted in (*keys[1:], keys[-1]):
        room.press(Qt.Key.Key_Right)
        assert room.window.servers_view.inspector.current_page == wanted
    room.press(Qt.Key.Key_Left)
    assert room.window.servers_view.inspector.current_page == keys[-2]


def test_escape_returns_to_list(room: Room) -> None:
    room.table.setFocus()
    room.press(Qt.Key.Key_N)
    assert room.window.servers_view.inspector.notes_page.note_field.hasFocus()
    room.press(Qt.Key.Key_Escape)
    assert room.table.hasFocus()


def test_empty_list_empties_inspector(room: Room) -> None:
    room.filter("players>=250")
    assert room.window.servers_view.inspector_controller.server == -1
    assert room.window.servers_view.inspector._empty_label.isVisible()
    room.press(Qt.Key.Key_Escape)
    room.wait(lambda: len(room.servers()) == 24)


def test_stays_collapsed_while_resizing(open_room: OpenRoom) -> None:
    room = open_room()
    room.press(Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert not room.window.servers_view.inspector.isVisible()
    room.window.resize(1300, 800)
    QApplication.processEvents()
    assert not room.window.servers_view.inspector.isVisible()
    room.window.resize(900, 560)
    QApplication.processEvents()
    room.press(Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert room.window.servers_view.inspector.isVisible()
    room.window.resize(910, 560)
    QApplication.processEvents()
    assert room.window.servers_view.inspector.isVisible()


def test_ctrl_c_copies_join_address(room: Room) -> None:
    room.table.setFocus()
    room.press(Qt.Key.Key_Down)
    room.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    facts = room.catalogue.server_info(room.table.selected_server())
    assert facts is not None
    assert QApplication.clipboard().text() == str(facts.connect)


def test_factor_decimals_align() -> None:
    assert [factor_column_text(value) for value in (0.9, 0.6, 0.123, 0.05, 0.9999, 1.0, 2.0)] == [
        *("0.90", "0.60", "0.12", "0.05", "1", "1", "2")
    ]
