"""Alerts from the boxes that are ticked to what is told, over servers whose players come and go."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_helpers import AppDriver

from browser_app.bridge import alert_watch as alerts_module
from browser_app.bridge.alert_watch import REARM_S
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, ServerInfo
from browser_app.storage.lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.lists.friend_store import Friend, FriendKind


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)


class Server:
    """One server of the room, whose answers the test makes."""

    def __init__(self, app: AppDriver) -> None:
        self.room = app
        self.row = app.servers()[0]
        app.table.select_server(app.servers()[-1])
        app.settle()
        facts = app.catalogue.server_info(self.row)
        assert facts is not None
        self._facts: ServerInfo = facts
        self.fired: list[alerts_module.AlertEvent] = []
        self.watch = app.window.user_lists_controller.alerts_controller._alert_watch
        self.watch.alert_fired.connect(self.fired.append)
        self.now_s = 0.0
        self.watch._clock = lambda: self.now_s

    def alert(self, kind: AlertKind, players: int = 0) -> None:
        address = self.room.catalogue.targets[self.row].address
        self.room.program.session.alerts.set(ServerAlert(address, kind, players, self.name, 1.0))
        self.room.window.user_lists_controller.alerts_controller.refresh_watch()

    @property
    def name(self) -> str:
        return self._facts.name

    def answers(self, players: int, *names: str, listed: bool = True) -> None:
        """Tell how many play, a minute after the last time."""
        self.now_s += 60.0
        rows = tuple(PlayerInfo(name, 1.0, 60.0, None, None, bot=False) for name in names)
        facts = replace(self._facts, players=players, max_players=16, reserved=0, player_list=rows if listed else None)
        target = self.room.catalogue.targets[self.row]
        self.room.live.merge_results([QueryResult(target, QueryStatus.OK, facts, None, 5.0, False, 1, 1.0)])

    def is_silent(self) -> None:
        target = self.room.catalogue.targets[self.row]
        self.room.live.merge_results([QueryResult(target, QueryStatus.NO_ANSWER, None, "timeout", None, False, 3, 1.0)])


@pytest.fixture
def server(app: AppDriver) -> Server:
    return Server(app)


def test_enough_players_are_told_once_and_in_the_status_line_where_no_desktop_does(server: Server) -> None:
    server.alert(AlertKind.PLAYERS, 6)
    for players in (3, 5, 6, 7, 5, 6):
        server.answers(players)
    assert len(server.fired) == 1
    wanted = f"6 or more play on {server.name} · 6/16"
    server.room.wait(lambda: any(text.startswith(wanted) for text in server.room.window.status_bar.shown_texts()))
    for _ in range(int(REARM_S // 60) + 1):
        server.answers(2)
    server.answers(8)
    assert len(server.fired) == 2


def test_a_server_without_a_name_is_called_by_its_address(server: Server) -> None:
    app = server.room
    server._facts = replace(server._facts, name="")
    address = str(app.catalogue.targets[server.row].address)
    server.alert(AlertKind.PLAYERS, 3)
    server.answers(1)
    server.answers(4)
    app.wait(lambda: any(f"3 or more play on {address}" in text for text in app.window.status_bar.shown_texts()))
    app.table.select_server(server.row)
    assert app.window.servers_view.inspector._name_label.text() == address
    assert address in app.model.server_names()
    app.window.user_lists_controller.alerts_controller.open_dialog()
    entries = app.window.user_lists_controller.alerts_controller.dialog
    assert entries is not None
    assert entries.entry_texts()[0].startswith(address)
    entries.close()


def test_what_is_so_already_is_not_told_and_silence_changes_nothing(server: Server) -> None:
    server.alert(AlertKind.SLOT)
    server.answers(10)
    server.answers(16)
    server.is_silent()
    server.answers(12)
    assert server.fired == []  # full for less than the time in which it would count
    for _ in range(int(REARM_S // 60) + 1):
        server.answers(16)
    server.is_silent()
    server.answers(15)
    assert [event.alert.kind for event in server.fired] == [AlertKind.SLOT]


def test_each_friend_who_comes_is_told_by_name(server: Server) -> None:
    server.room.window.user_lists_controller.friends_controller.save_friend(
        Friend(FriendKind.PATTERN, "m*", "team", 1.0)
    )
    server.alert(AlertKind.FRIEND)
    server.answers(1, "moth")
    server.answers(2, "moth", "someone")
    server.answers(2, listed=False)
    server.answers(3, "moth", "Mole", "someone")
    server.answers(1, "someone")
    server.answers(3, "moth", "Mole", "someone")
    assert [event.friends for event in server.fired] == [("Mole",)]


def test_an_alert_that_is_taken_away_in_the_list_is_told_no_more(server: Server) -> None:
    app = server.room
    app.table.select_server(server.row)
    app.settle()
    boxes = app.window.servers_view.inspector.notes_page.alert_boxes
    server.alert(AlertKind.PLAYERS, 6)
    app.window.user_lists_controller.notes_controller.refresh()
    assert boxes.players_box.isChecked()
    assert server.watch.timer.isActive()
    app.window.user_lists_controller.alerts_controller.open_dialog()
    entries = app.window.user_lists_controller.alerts_controller.dialog
    assert entries is not None
    assert entries.entry_texts() == [f"{server.name} 6 or more play"]
    QTest.mouseClick(entries.tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    QTest.keyClick(entries.tree, Qt.Key.Key_Delete)
    assert entries.entry_texts() == []
    entries.close()
    assert not boxes.players_box.isChecked()
    assert not server.watch.timer.isActive()
    server.answers(3)
    server.answers(8)
    assert server.fired == []


def test_watched_servers_are_asked_when_nothing_was_heard_and_nobody_scans(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(server.room.live, "query", asked.append)
    server.alert(AlertKind.SLOT)
    server.alert(AlertKind.PLAYERS, 6)
    server.watch.query_watched_servers()
    assert asked == []  # it has answered a moment ago
    monkeypatch.setattr(alerts_module, "FRESH_ANSWER_S", 0.0)
    server.watch.query_watched_servers()
    assert asked == [server.row]
    server.room.live.pause()
    server.watch.query_watched_servers()
    assert asked == [server.row]


def test_an_action_of_a_notification_brings_the_server_into_sight(server: Server) -> None:
    app = server.room
    app.window.user_lists_controller.alerts_controller._notifications.action_activated.emit(server.row, "default")
    assert app.table.selected_server() == server.row
    joined: list[int] = []
    app.window.servers_view.join_requested.disconnect()
    app.window.servers_view.join_requested.connect(joined.append)
    app.window.showMinimized()
    app.window.user_lists_controller.alerts_controller._notifications.action_activated.emit(server.row, "join")
    assert joined == [server.row]
    assert not app.window.isMinimized()
