"""Favourites and saved servers across sessions, and the texts of empty lists."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from timeouts import LIMIT_S
from window_rig import OpenRoom, Room

from browser_app.bridge import saved_server_sync
from browser_app.catalogue.server_info import SavedServer
from browser_app.storage.database import Database
from browser_app.storage.saved_servers import load_servers
from browser_app.storage.storage_errors import StorageError
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    BLOCKED_LIST,
    FAVOURITES_LIST,
    FRIENDS_LIST,
    RECENT_LIST,
)


def choose_list(room: Room, key: str) -> None:
    keys = [item.key for item in room.window.servers_view.sidebar.items() if item.key]
    room.window.servers_view.sidebar.setFocus()
    while room.window.servers_view.sidebar.current_key != key:
        below = keys.index(key) > keys.index(room.window.servers_view.sidebar.current_key)
        room.press(Qt.Key.Key_Down if below else Qt.Key.Key_Up)


def favourites(room: Room) -> set[str]:
    return {str(room.catalogue.targets[s].address) for s in room.servers() if room.catalogue.favourite[s]}


def test_favourites_are_saved(open_room: OpenRoom) -> None:
    room = open_room()
    by_star = room.servers()[5]
    room.click(5, "favourite")
    room.table.select_server(by_key := next(s for s in room.servers()[8:] if s != by_star))
    room.table.setFocus()
    room.press(Qt.Key.Key_F)
    wanted = {str(room.catalogue.targets[server].address) for server in (by_star, by_key)}
    assert favourites(room) == wanted
    assert {item.key: item.server_count for item in room.window.servers_view.sidebar.items()}[FAVOURITES_LIST] == 2
    room.end()
    again = open_room()
    assert favourites(again) == wanted
    choose_list(again, FAVOURITES_LIST)
    assert {str(again.catalogue.targets[server].address) for server in again.servers()} == wanted
    again.filter("players>=250")
    assert len(again.servers()) == 2
    again.click(0, "favourite")
    again.table.select_server(again.servers()[1])  # a selected server is kept in place
    again.live.rescore()
    assert len(again.servers()) == 1


def test_star_click_only_toggles(room: Room) -> None:
    place = room.cell(3, "favourite")
    server = room.servers()[3]
    room.bot.mouseClick(room.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert room.catalogue.favourite[server]
    assert not room.play_bar.is_counting_down
    row = room.model.row_of(server)
    assert row is not None
    room.click(row, "favourite")
    assert not room.catalogue.favourite[server]


def test_star_needs_press_and_release(room: Room) -> None:
    viewport = room.table.viewport()
    room.bot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=room.cell(3, "name"))
    room.bot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=room.cell(3, "favourite"))
    assert not room.catalogue.favourite.any()


def test_saved_servers_are_shown_first(open_room: OpenRoom) -> None:
    room = open_room()
    before = set(room.names())
    room.end()
    again = open_room(shown=False)
    seen: list[object] = []

    def look(running: bool) -> None:
        if running:
            seen.extend(
                [set(again.names()), again.catalogue.old.all(), again.window.servers_view.list_banner.shown_texts()]
            )
            seen.extend(row.is_remembered for row in again.model.rows(0, 3))

    again.live.running_changed.connect(look)
    again.program.show()
    again.scanned()
    told = ("Saved servers from less than a minute ago.", "Updated: 0 of 24.")
    assert seen == [before, True, told, True, True, True, True]
    assert not again.catalogue.old.any()
    assert again.window.servers_view.list_banner.isHidden()


def test_slow_disk_blocks_nothing(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    open_room().end()
    disk = threading.Event()
    real = load_servers

    def slow(database: Database, take: Callable[[list[SavedServer]], object]) -> None:
        assert disk.wait(LIMIT_S)
        real(database, take)

    monkeypatch.setattr(saved_server_sync, "load_servers", slow)
    again = open_room(scanned=False)
    assert again.window.servers_view.empty_page.shown_texts()[0] == "Loading saved servers…"
    again.press(Qt.Key.Key_F5)
    assert not again.live.is_running  # saved servers are queried as well
    disk.set()
    again.wait(lambda: again.live.is_running)
    assert len(again.servers()) == 24
    again.scanned()
    disk.clear()
    last = open_room(scanned=False)
    last.window.close()
    threading.Timer(0.05, disk.set).start()
    last.end()
    assert last.servers() == []


def test_unreadable_list_is_reported(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_database: Database, _take: object) -> None:
        raise StorageError("database: the disk reports an error")

    monkeypatch.setattr(saved_server_sync, "load_servers", broken)
    room = open_room()
    assert len(room.servers()) == 24
    assert any("the disk reports an error" in text for text in room.window.status_bar.shown_texts())


@pytest.mark.parametrize(
    ("key", "what"),
    [
        (FAVOURITES_LIST, "No favourites yet."),
        (RECENT_LIST, "No servers joined yet."),
        (FRIENDS_LIST, "No friends found."),
        (BLOCKED_LIST, "No servers blocked."),
    ],
)
def test_empty_list_texts(room: Room, key: str, what: str) -> None:
    choose_list(room, key)
    assert room.servers() == []
    assert room.window.servers_view.empty_page.shown_texts()[0] == what
    room.bot.mouseClick(room.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    assert room.window.servers_view.sidebar.current_key == ALL_LIST
    assert len(room.servers()) == 24
    assert room.window.servers_view.empty_page.isHidden()


def test_empty_result_offers_clearing(room: Room) -> None:
    room.filter("players>=250")
    assert room.servers() == []
    assert room.window.servers_view.empty_page.shown_texts()[0] == "No servers match the filter"
    assert room.window.servers_view.empty_page.action_button.text() == "Clear the filter"
    room.bot.mouseClick(room.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    room.wait(lambda: len(room.servers()) == 24)
    assert room.window.servers_view.empty_page.isHidden()


def test_friends_and_blocked_lists(room: Room) -> None:
    friend, blocked = room.servers()[3:5]
    room.catalogue.friends[friend] = 2
    room.catalogue.blocked[blocked] = True
    room.live.rescore()
    for key, wanted in ((FRIENDS_LIST, [friend]), (BLOCKED_LIST, [blocked])):
        choose_list(room, key)
        assert room.servers() == wanted
    choose_list(room, ALL_LIST)
    assert blocked not in room.servers()
    assert {item.key: item.server_count for item in room.window.servers_view.sidebar.items()}[ALL_LIST] == 23
