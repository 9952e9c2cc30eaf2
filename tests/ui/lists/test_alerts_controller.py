"""Alerts, from setting one to the notification."""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_helpers import AppDriver, entry_texts, set_clock

from browser_app.application.alert_rules import player_list_coverage
from browser_app.bridge.alerts import alert_monitor as alerts_module
from browser_app.bridge.alerts.alert_monitor import FRESH_ANSWER_S, REARM_S
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, ServerInfo
from browser_app.storage.setting_declarations import (
    AUTOMATIC_REFRESH,
    NOTIFY_OF_FRIENDS,
    PAUSE_IN_GAME,
    QUERY_ON_REQUEST,
)
from browser_app.storage.user_lists import search_alert_store
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.friend_store import Friend, FriendKind
from browser_app.storage.user_lists.search_alert_store import SearchAlert, SearchAlertKind
from browser_app.ui.lists import alerts_controller
from browser_app.ui.lists.alerts_controller import MAX_NOTIFICATIONS
from browser_app.ui.lists.alerts_dialog import AlertDialog, AnyAlertKind
from browser_app.ui.widgets.basic_widgets import Button


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)


class AlertedServer:
    """One server of the list that is not busy, with answers made by the test."""

    def __init__(self, app: AppDriver) -> None:
        self.app = app
        self.row = next(row for row in app.servers() if app.catalogue.players[row] < 15)
        app.table.select_server(app.servers()[-1])
        app.settle()
        info = app.catalogue.server_info(self.row)
        assert info is not None
        self._info: ServerInfo = info
        self.fired: list[alerts_module.AlertEvent] = []
        self.watch = app.window.user_lists_controller.alerts_controller._alert_monitor
        self.watch.alert_fired.connect(self.fired.append)
        self.now_s = 0.0
        self.watch._clock = lambda: self.now_s

    def alert(self, kind: AlertKind, players: int = 0) -> None:
        address = self.app.catalogue.targets[self.row].address
        self.app.program.storage.alerts.set(ServerAlert(address, kind, players, self.name, 1.0))
        self.app.window.user_lists_controller.alerts_controller.refresh_monitors()

    @property
    def name(self) -> str:
        return self._info.name

    def set_players(self, players: int, *names: str, listed: bool = True) -> None:
        """Merge an answer with this many players, a minute after the last one."""
        self.now_s += 60.0
        rows = tuple(PlayerInfo(name, 1.0, 60.0, None, None, bot=False) for name in names)
        info = replace(self._info, players=players, max_players=16, reserved=0, player_list=rows if listed else None)
        target = self.app.catalogue.targets[self.row]
        self.app.live.merge_results([QueryResult(target, QueryStatus.OK, info, None, 5.0, False, 1, 1.0)])

    def stop_answering(self) -> None:
        target = self.app.catalogue.targets[self.row]
        self.app.live.merge_results([QueryResult(target, QueryStatus.NO_ANSWER, None, "timeout", None, False, 3, 1.0)])


@pytest.fixture
def server(app: AppDriver) -> AlertedServer:
    return AlertedServer(app)


def test_player_alert_fires_once(server: AlertedServer) -> None:
    server.alert(AlertKind.PLAYERS, 6)
    for players in (3, 5, 6, 7, 5, 6):
        server.set_players(players)
    assert len(server.fired) == 1
    expected = f"6 or more are playing on “{server.name}” · 6/16"
    server.app.wait(lambda: server.app.shown_alert().startswith(expected))
    for _ in range(int(REARM_S // 60) + 1):
        server.set_players(2)
    server.set_players(8)
    assert len(server.fired) == 2


@pytest.mark.parametrize("jump_s", [-3600.0, 86_400.0])
def test_alert_fires_after_the_clock_was_set(
    server: AlertedServer, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    live = server.app.live
    server.watch._clock = time.monotonic
    server.alert(AlertKind.PLAYERS, 6)
    server.set_players(2)
    set_clock(monkeypatch, jump_s)
    assert live.seconds_since_answer(server.row) < FRESH_ANSWER_S
    assert live.query_stale([server.row], FRESH_ANSWER_S) == []
    server.set_players(8)
    server.set_players(9)
    assert len(server.fired) == 1
    server.app.wait(server.app.shown_alert)
    assert live.query_stale([server.row], 0.0) == [server.row]  # its answer is not from the future


def test_server_without_name_is_shown_by_address(server: AlertedServer) -> None:
    app = server.app
    server._info = replace(server._info, name="")
    address = str(app.catalogue.targets[server.row].address)
    server.alert(AlertKind.PLAYERS, 3)
    server.set_players(1)
    server.set_players(4)
    app.wait(lambda: address in app.shown_alert())
    app.table.select_server(server.row)
    assert app.window.servers_view.inspector._name_label.text() == address
    assert address in app.model.server_names()
    app.window.user_lists_controller.alerts_controller.open_dialog()
    dialog = app.window.user_lists_controller.alerts_controller.dialog
    assert dialog is not None
    assert entry_texts(dialog)[0].startswith(address)
    dialog.close()


def test_slot_alert_ignores_silence(server: AlertedServer) -> None:
    server.alert(AlertKind.SLOT)
    server.set_players(10)
    server.set_players(16)
    server.stop_answering()
    server.set_players(12)
    assert server.fired == []  # full for less than `REARM_S`
    for _ in range(int(REARM_S // 60) + 1):
        server.set_players(16)
    server.stop_answering()
    server.set_players(15)
    assert [event.alert.kind for event in server.fired] == [AlertKind.SLOT]


def test_friend_alert_names_each_friend(server: AlertedServer) -> None:
    server.app.window.user_lists_controller.friends_controller.save_friend(
        Friend(FriendKind.PATTERN, "m*", "team", 1.0)
    )
    server.alert(AlertKind.FRIEND)
    server.set_players(1, "moth")
    server.set_players(2, "moth", "someone")
    server.set_players(2, listed=False)
    server.set_players(3, "moth", "Mole", "someone")
    server.set_players(1, "someone")
    server.set_players(3, "moth", "Mole", "someone")
    assert [event.causes for event in server.fired] == [("Mole",)]


def test_invented_names_are_forgotten(server: AlertedServer) -> None:
    server.app.window.user_lists_controller.friends_controller.save_friend(
        Friend(FriendKind.PATTERN, "p*", "team", 1.0)
    )
    server.alert(AlertKind.FRIEND)
    for number in range(30):
        server.set_players(1, f"player {number}")
    (triggers,) = server.watch._triggers.values()
    assert len(triggers) <= 1 + REARM_S // 60
    assert len(server.fired) == 29


def test_removed_alert_does_not_fire(server: AlertedServer) -> None:
    app = server.app
    app.table.select_server(server.row)
    app.settle()
    alert_boxes = app.window.servers_view.inspector.notes_page.alert_boxes
    server.alert(AlertKind.PLAYERS, 6)
    app.window.user_lists_controller.notes_controller.refresh()
    assert alert_boxes.rows[AlertKind.PLAYERS].box.isChecked()
    assert server.watch.timer.isActive()
    app.window.user_lists_controller.alerts_controller.open_dialog()
    dialog = app.window.user_lists_controller.alerts_controller.dialog
    assert dialog is not None
    assert entry_texts(dialog) == [f"{server.name} When 6 or more play"]
    QTest.mouseClick(dialog.tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    assert entry_texts(dialog) == []
    dialog.close()
    assert not alert_boxes.rows[AlertKind.PLAYERS].box.isChecked()
    assert not server.watch.timer.isActive()
    server.set_players(3)
    server.set_players(8)
    assert server.fired == []


def test_watched_servers_are_queried_if_outdated(server: AlertedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    queried: list[int] = []
    monkeypatch.setattr(server.app.live, "query", queried.append)
    server.alert(AlertKind.SLOT)
    server.alert(AlertKind.PLAYERS, 6)
    server.watch.query_watched_servers()
    assert queried == []  # it answered a moment ago
    monkeypatch.setattr(alerts_module, "FRESH_ANSWER_S", 0.0)
    server.watch.query_watched_servers()
    assert queried == [server.row]
    server.app.live.pause()
    server.watch.query_watched_servers()
    assert queried == [server.row]


def test_notification_actions_show_and_join(server: AlertedServer) -> None:
    app = server.app
    app.window.user_lists_controller.alerts_controller._notifications.action_activated.emit(server.row, "default")
    assert app.table.selected_server() == server.row
    joined: list[int] = []
    app.window.servers_view.join_requested.disconnect()
    app.window.servers_view.join_requested.connect(joined.append)
    app.window.showMinimized()
    app.window.user_lists_controller.alerts_controller._notifications.action_activated.emit(server.row, "join")
    assert joined == [server.row]
    assert not app.window.isMinimized()


def open_editor(server: AlertedServer, button: Button) -> AlertDialog:
    """Click a button of the open dialog, and return the dialog for one alert."""
    button.click()
    (editor,) = (each for each in server.app.window.findChildren(AlertDialog) if each.isVisible())
    return editor


def choose_kind(editor: AlertDialog, kind: AnyAlertKind) -> None:
    editor.kind_box.setCurrentIndex(editor.kind_box.findData(kind))


def test_dialog_adds_edits_and_removes(server: AlertedServer) -> None:
    app, storage = server.app, server.app.program.storage
    storage.saved_filters.save("Busy", "players>=8")
    app.table.select_server(server.row)
    app.settle()
    controller = app.window.user_lists_controller.alerts_controller
    controller.open_dialog()
    dialog = controller.dialog
    assert dialog is not None
    assert not dialog.edit_button.isEnabled()

    editor = open_editor(server, dialog.add_button)
    assert not editor.confirm_button.isEnabled()
    QTest.keyClicks(editor.player_field, "owl")
    QTest.keyClick(editor.player_field, Qt.Key.Key_Return)
    assert entry_texts(dialog) == ["Any server When owl appears"]

    editor = open_editor(server, dialog.edit_button)  # the new one is selected
    assert editor.player_field.text() == "owl"
    choose_kind(editor, SearchAlertKind.FILTER)
    editor.confirm_button.click()
    assert entry_texts(dialog) == ["Any server When a server starts to match “Busy”"]

    editor = open_editor(server, dialog.add_button)
    choose_kind(editor, AlertKind.PLAYERS)
    assert editor.server_box.currentText() == server.name
    editor.number_field.setValue(6)
    editor.confirm_button.click()
    wanted = f"{server.name} When 6 or more play"
    assert entry_texts(dialog) == ["Any server When a server starts to match “Busy”", wanted]
    notes = app.window.servers_view.inspector.notes_page.alert_boxes
    assert notes.rows[AlertKind.PLAYERS].box.isChecked()

    editor = open_editor(server, dialog.edit_button)
    assert editor.number_field.value() == 6
    choose_kind(editor, AlertKind.SLOT)
    editor.confirm_button.click()
    assert entry_texts(dialog)[1] == f"{server.name} When a slot is free"
    assert not notes.rows[AlertKind.PLAYERS].box.isChecked()

    storage.saved_filters.delete("Busy")
    controller.refresh_monitors()
    assert entry_texts(dialog)[0] == "Any server When a server starts to match “Busy”, which no longer exists"
    editor = open_editor(server, dialog.add_button)
    choose_kind(editor, SearchAlertKind.FILTER)
    assert not editor.confirm_button.isEnabled()
    assert "Save a filter first" in editor.message_label.text()
    editor.reject()
    dialog.select_entries([*storage.search_alerts, *storage.alerts])
    dialog.remove_button.click()
    assert entry_texts(dialog) == []
    dialog.close()


def test_alert_beyond_the_limit_stays_in_the_dialog(server: AlertedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_alert_store, "MAX_SEARCH_ALERTS", 1)
    app = server.app
    app.program.storage.search_alerts.add(SearchAlert(SearchAlertKind.PLAYER, "owl", 1.0))
    controller = app.window.user_lists_controller.alerts_controller
    controller.open_dialog()
    dialog = controller.dialog
    assert dialog is not None
    editor = open_editor(server, dialog.add_button)
    QTest.keyClicks(editor.player_field, "moth")
    editor.confirm_button.click()
    assert editor.isVisible()
    assert editor.player_field.text() == "moth"
    assert editor.message_label.text().endswith("Remove one first.")
    editor.reject()
    dialog.select_entries([*app.program.storage.search_alerts])
    editor = open_editor(server, dialog.edit_button)
    editor.player_field.setText("moth")
    editor.confirm_button.click()
    assert not editor.isVisible()
    assert entry_texts(dialog) == ["Any server When moth appears"]
    dialog.close()


def test_typed_stars_are_a_pattern_unless_declined(server: AlertedServer) -> None:
    controller = server.app.window.user_lists_controller.alerts_controller
    controller.open_dialog()
    dialog = controller.dialog
    assert dialog is not None
    editor = open_editor(server, dialog.add_button)
    assert editor.literal_box.isHidden()
    QTest.keyClicks(editor.player_field, "*moth*")
    assert editor.literal_box.isVisible()
    editor.confirm_button.click()
    assert entry_texts(dialog) == ["Any server When a name matches *moth*"]
    editor = open_editor(server, dialog.edit_button)
    assert (editor.player_field.text(), editor.literal_box.isChecked()) == ("*moth*", False)
    editor.literal_box.click()
    editor.confirm_button.click()
    assert entry_texts(dialog) == ["Any server When *moth* appears"]
    editor = open_editor(server, dialog.edit_button)
    assert editor.literal_box.isChecked()
    editor.reject()
    dialog.close()


def test_saved_filter_alert_names_filter_and_server(server: AlertedServer) -> None:
    app, saved = server.app, server.app.window.servers_view.saved_filter_controller
    app.program.storage.saved_filters.save("Busy", "players>=15")
    saved.open_menu("saved:Busy", QPoint(0, 0))
    trigger_menu_entry(app, "Notify me of new matches")
    server.set_players(2)
    watch = app.window.user_lists_controller.alerts_controller._filter_monitor
    watch.check_next()
    server.set_players(15)
    watch.check_next()
    expected = f"Busy: {server.name} · 15/16"
    app.wait(lambda: app.shown_alert().startswith(expected))
    saved._rename_filter("Busy", "Full house")
    (alert,) = app.program.storage.search_alerts
    assert alert.value == "Full house"
    saved.open_menu("saved:Full house", QPoint(0, 0))
    trigger_menu_entry(app, "Stop notifying me")
    assert len(app.program.storage.search_alerts) == 0


def test_renamed_filter_alert_misses_no_server(server: AlertedServer) -> None:
    app, saved = server.app, server.app.window.servers_view.saved_filter_controller
    app.program.storage.saved_filters.save("Busy", "players>=15")
    controller = app.window.user_lists_controller.alerts_controller
    controller.toggle_filter_alert("Busy")
    server.set_players(2)
    controller._filter_monitor.check_next()
    saved._rename_filter("Busy", "Full house")
    server.set_players(15)
    controller._filter_monitor.check_next()
    expected = f"Full house: {server.name} · 15/16"
    app.wait(lambda: app.shown_alert().startswith(expected))


def trigger_menu_entry(app: AppDriver, text: str) -> None:
    """Trigger an entry of the open menu, and close it."""
    menu = app.menu()
    (action,) = (action for action in menu.actions() if action.text() == text)
    menu.close()
    action.trigger()


def test_dialog_shows_where_players_are_found(server: AlertedServer) -> None:
    controller = server.app.window.user_lists_controller.alerts_controller
    server.app.program.settings.set(AUTOMATIC_REFRESH, False)
    controller.open_dialog()
    dialog = controller.dialog
    assert dialog is not None
    catalogue = server.app.catalogue
    named, populated = player_list_coverage(catalogue)
    assert dialog.coverage_label.text().startswith("Players are looked up only when you refresh")
    assert f"{named} of {populated} servers with players" in dialog.coverage_label.text()
    assert dialog.coverage_label.text().endswith("Nothing is checked while a game runs.")
    server.app.program.settings.set(PAUSE_IN_GAME, False)
    assert "while a game runs" not in dialog.coverage_label.text()
    dialog.friends_box.click()
    assert server.app.program.settings.get(NOTIFY_OF_FRIENDS)
    server.app.program.settings.set(QUERY_ON_REQUEST, True)
    assert dialog.coverage_label.text().startswith("Servers are queried on request only")
    server.set_players(5, listed=False)
    assert player_list_coverage(catalogue)[0] <= named
    dialog.close()


def test_notifications_are_limited(server: AlertedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    controller = server.app.window.user_lists_controller.alerts_controller
    shown: list[object] = []
    monkeypatch.setattr(controller._notifications, "show", shown.append)
    for _ in range(MAX_NOTIFICATIONS + 2):
        controller.notify_slot_free(server.row)
    assert len(shown) == MAX_NOTIFICATIONS
    assert any(text.startswith("A slot is free on") for text in server.app.window.status_bar.shown_texts())
    monkeypatch.setattr(alerts_controller, "NOTIFICATIONS_SPAN_S", 0.0)
    controller.notify_slot_free(server.row)
    assert len(shown) == MAX_NOTIFICATIONS + 1
