"""Friends: added on the players page and in their dialog.

Marked in table, list and filter.
"""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_helpers import AppDriver

from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.storage.user_lists.friend_store import Friend, FriendKind
from browser_app.ui.inspector.inspector_page_base import LIST_LINE_HEIGHT
from browser_app.ui.inspector.inspector_pages import PLAYERS_PAGE
from browser_app.ui.inspector.player_list_text import PlayerLine
from browser_app.ui.inspector.players_page import PlayerListView
from browser_app.ui.lists.friends_controller import FriendsDialog
from browser_app.ui.lists.server_list_membership import FRIENDS_LIST


def open_players(app: AppDriver) -> tuple[int, PlayerListView]:
    """Show the players of the busiest server."""
    server = max(app.servers(), key=lambda server: app.catalogue.players[server])
    app.table.select_server(server)
    app.settle()
    app.window.servers_view.inspector.show_page(PLAYERS_PAGE)
    return server, app.window.servers_view.inspector.players_page.list_view


def find_line(players: PlayerListView, name: str) -> tuple[int, PlayerLine]:
    return next(
        (at, line) for at, line in enumerate(players.list_model.items) if line.name == name and not line.is_heading
    )


def first_human(players: PlayerListView) -> str:
    return next(line.name for line in players.list_model.items if not line.is_heading and not line.is_bot)


def click(players: PlayerListView, name: str, x: int) -> None:
    place, _ = find_line(players, name)
    where = QPoint(x, place * LIST_LINE_HEIGHT + LIST_LINE_HEIGHT // 2)
    QTest.mouseClick(players.viewport(), Qt.MouseButton.LeftButton, pos=where)


def open_dialog(app: AppDriver) -> FriendsDialog:
    app.bot.mouseClick(app.window.servers_view.inspector.players_page.friends_button, Qt.MouseButton.LeftButton)
    dialog = app.window.user_lists_controller.friends_controller.dialog
    assert dialog is not None
    app.bot.waitExposed(dialog)
    return dialog


def friends_of(app: AppDriver) -> list[tuple[FriendKind, str, str]]:
    return [(friend.kind, friend.value, friend.group) for friend in app.program.storage.friends]


def test_empty_list_of_friends_opens_dialog(app: AppDriver) -> None:
    view = app.window.servers_view
    view.sidebar.select_list(FRIENDS_LIST)
    app.wait(view.empty_page.isVisible)
    app.bot.mouseClick(view.empty_page.action_button, Qt.MouseButton.LeftButton)
    dialog = app.window.user_lists_controller.friends_controller.dialog
    assert dialog is not None
    assert dialog.isVisible()


def test_click_toggles_friend(app: AppDriver) -> None:
    server, players = open_players(app)
    name = first_human(players)
    click(players, name, 200)
    assert friends_of(app) == []
    click(players, name, 20)
    assert friends_of(app) == [(FriendKind.NAME, name, "friends")]
    assert find_line(players, name)[1].marks_text.startswith("friend")
    row = app.model.rows(app.servers().index(server), app.servers().index(server))[0]
    assert row.friends == 1
    app.window.servers_view.sidebar.select_list(FRIENDS_LIST)
    assert server in app.servers()
    click(players, name, 20)
    assert friends_of(app) == []
    assert find_line(players, name)[1].group is None


def test_keys_select_copy_and_add_friend(app: AppDriver) -> None:
    _, players = open_players(app)
    players.setFocus()
    app.press(Qt.Key.Key_Down)
    chosen = players.selected_item()
    assert chosen is not None
    app.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == chosen.name
    app.press(Qt.Key.Key_Space)
    assert friends_of(app) == [(FriendKind.NAME, chosen.name, "friends")]
    assert players.selected_item() == find_line(players, chosen.name)[1]


def test_dialog_adds_moves_and_removes(app: AppDriver) -> None:
    server, players = open_players(app)
    name = first_human(players)
    dialog = open_dialog(app)
    dialog.name_field.setFocus()
    QTest.keyClicks(dialog.name_field, name[:-1] + "?")
    dialog.new_group_box.setCurrentIndex(dialog.new_group_box.findData("team"))
    QTest.keyClick(dialog.name_field, Qt.Key.Key_Return)
    assert friends_of(app) == [(FriendKind.PATTERN, name[:-1] + "?", "team")]
    assert find_line(players, name)[1].group == "team"
    friend = next(iter(app.program.storage.friends))
    (item,) = dialog.tree.findItems(friend.value, Qt.MatchFlag.MatchRecursive)
    assert app.catalogue.name[server] in item.text(2)
    dialog.select_friend(friend)
    dialog.group_box.setCurrentIndex(dialog.group_box.findData("others"))
    dialog.group_box.activated.emit(dialog.group_box.currentIndex())
    assert friends_of(app)[0][2] == "others"
    assert dialog.selected_friend() is not None
    app.bot.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
    assert friends_of(app) == []
    assert not dialog.remove_button.isEnabled()
    dialog.close()


def test_dialog_follows_friends(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    app.window.user_lists_controller.friends_controller.save_friend(
        Friend(FriendKind.NAME, "moth", "friends", time.time())
    )
    dialog = open_dialog(app)

    def places() -> set[str]:
        return {item.text(2) for item in dialog.tree.findItems("moth", Qt.MatchFlag.MatchRecursive)}

    def list_player(server: int, name: str) -> None:
        info = app.catalogue.info_by_row[server]
        assert info is not None
        info = replace(info, player_list=(PlayerInfo(name, 1.0, 60.0, None, None, bot=False),))
        result = QueryResult(app.catalogue.targets[server], QueryStatus.OK, info, None, 5.0, False, 1, time.time())
        app.live.merge_results([result])

    server, other, *_rest = app.servers()[3:]
    assert places() == {UNKNOWN_VALUE}
    list_player(server, "moth")
    assert places() == {app.catalogue.name[server]}
    with monkeypatch.context() as patch:
        patch.setattr(dialog, "show_friends", lambda _friends: pytest.fail("nothing has changed"))
        list_player(other, "wasp")
        app.live.rescore()
    list_player(server, "wasp")
    assert places() == {UNKNOWN_VALUE}
    dialog.close()


def test_dialog_keeps_invalid_entry(app: AppDriver) -> None:
    dialog = open_dialog(app)
    dialog.name_field.setFocus()
    QTest.keyClicks(dialog.name_field, "*?")
    assert not dialog.add_button.isEnabled()
    assert dialog.problem_label.text() == "a pattern needs at least one letter"
    QTest.keyClick(dialog.name_field, Qt.Key.Key_Return)
    assert dialog.name_field.text() == "*?"
    assert friends_of(app) == []
    dialog.new_kind_box.setCurrentIndex(dialog.new_kind_box.findData(FriendKind.NAME))
    assert dialog.add_button.isEnabled()
    assert dialog.problem_label.isHidden()
    dialog.close()


def test_click_on_pattern_friend_opens_dialog(app: AppDriver) -> None:
    _, players = open_players(app)
    name = first_human(players)
    app.window.user_lists_controller.friends_controller.save_friend(
        Friend(FriendKind.PATTERN, f"{name[0]}*", "team", 1.0)
    )
    click(players, name, 20)
    dialog = app.window.user_lists_controller.friends_controller.dialog
    assert dialog is not None
    chosen = dialog.selected_friend()
    assert chosen is not None
    assert chosen.value == f"{name[0]}*"
    dialog.close()


def test_filter_by_friend_group(app: AppDriver) -> None:
    server, players = open_players(app)
    app.window.user_lists_controller.friends_controller.save_friend(
        Friend(FriendKind.NAME, first_human(players), "team", 1.0)
    )
    app.filter("friend:team")
    assert server in app.servers()
    app.press(Qt.Key.Key_Escape)
    app.filter("friend:others")
    assert app.servers() == []
