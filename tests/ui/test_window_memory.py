"""What the window remembers: favourites and the last list, over the end of the program; and empty lists in words."""

import threading
from collections.abc import Callable

import pytest
from patience import LIMIT_S
from PySide6.QtCore import Qt
from window_rig import OpenRoom, Room

from browser_app.bridge import known_list
from browser_app.catalogue.facts import KnownServer
from browser_app.storage.database import Database
from browser_app.storage.errors import StorageError
from browser_app.storage.known_servers import read_known_servers
from browser_app.ui.lists import ALL, BLOCKED, FAVOURITES, FRIENDS, RECENT


def choose_list(room: Room, key: str) -> None:
    keys = [item.key for item in room.window.servers.side.items() if item.key]
    room.window.servers.side.setFocus()
    while room.window.servers.side.current != key:
        below = keys.index(key) > keys.index(room.window.servers.side.current)
        room.press(Qt.Key.Key_Down if below else Qt.Key.Key_Up)


def favourites(room: Room) -> set[str]:
    return {str(room.catalogue.targets[s].address) for s in room.servers() if room.catalogue.favourite[s]}


def test_favourites_by_star_and_by_key_survive_the_end(open_room: OpenRoom) -> None:
    room = open_room()
    by_star = room.servers()[5]
    room.click(5, "favourite")
    room.table.select_server(by_key := next(s for s in room.servers()[8:] if s != by_star))
    room.table.setFocus()
    room.press(Qt.Key.Key_F)
    wanted = {str(room.catalogue.targets[server].address) for server in (by_star, by_key)}
    assert favourites(room) == wanted
    assert {item.key: item.servers for item in room.window.servers.side.items()}[FAVOURITES] == 2
    room.end()
    again = open_room()
    assert favourites(again) == wanted
    choose_list(again, FAVOURITES)
    assert {str(again.catalogue.targets[server].address) for server in again.servers()} == wanted
    again.filter("players>=250")
    assert len(again.servers()) == 2
    again.click(0, "favourite")
    again.table.select_server(again.servers()[1])  # a selected server stays where it is
    again.live.rescore()
    assert len(again.servers()) == 1


def test_a_click_on_the_star_neither_joins_nor_turns_round_twice(room: Room) -> None:
    place = room.cell(3, "favourite")
    server = room.servers()[3]
    room.bot.mouseClick(room.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert room.catalogue.favourite[server]
    assert not room.play_bar.counting_down
    row = room.model.place_of(server)
    assert row is not None
    room.click(row, "favourite")
    assert not room.catalogue.favourite[server]


def test_a_press_that_ends_elsewhere_is_no_click_on_the_star(room: Room) -> None:
    viewport = room.table.viewport()
    room.bot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=room.cell(3, "name"))
    room.bot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=room.cell(3, "favourite"))
    assert not room.catalogue.favourite.any()


def test_remembered_rows_are_there_before_anybody_is_asked_then_fresh(open_room: OpenRoom) -> None:
    room = open_room()
    before = set(room.names())
    room.end()
    again = open_room(shown=False)
    seen: list[object] = []

    def look(running: bool) -> None:
        if running:
            seen.extend([set(again.names()), again.catalogue.old.all(), again.window.servers.state.texts()])
            seen.extend(row.remembered for row in again.model.rows(0, 3))

    again.live.running_changed.connect(look)
    again.program.open()
    again.scanned()
    told = ("Remembered from last time, less than a minute ago.", "Fresh: 0 of 24.")
    assert seen == [before, True, told, True, True, True, True]
    assert not again.catalogue.old.any()
    assert again.window.servers.state.isHidden()


def test_a_slow_disk_holds_up_neither_the_window_nor_its_end(
    open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room().end()
    disk = threading.Event()
    real = read_known_servers

    def slow(database: Database, take: Callable[[list[KnownServer]], object]) -> None:
        assert disk.wait(LIMIT_S)
        real(database, take)

    monkeypatch.setattr(known_list, "read_known_servers", slow)
    again = open_room(scanned=False)
    assert again.window.servers.page.texts()[0] == "Reading the list from last time…"
    again.press(Qt.Key.Key_F5)
    assert not again.live.running  # who is remembered is asked, too
    disk.set()
    again.wait(lambda: again.live.running)
    assert len(again.servers()) == 24
    again.scanned()
    disk.clear()
    last = open_room(scanned=False)
    last.window.close()
    threading.Timer(0.05, disk.set).start()
    last.end()
    assert last.servers() == []


def test_a_list_that_cannot_be_read_is_said_to_be_lost(open_room: OpenRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_database: Database, _take: object) -> None:
        raise StorageError("database: the disk reports an error")

    monkeypatch.setattr(known_list, "read_known_servers", broken)
    room = open_room()
    assert len(room.servers()) == 24
    assert any("the disk reports an error" in text for text in room.window.status.texts())


@pytest.mark.parametrize(
    ("key", "what"),
    [
        (FAVOURITES, "No favourites yet."),
        (RECENT, "Nothing played yet."),
        (FRIENDS, "No friend is seen."),
        (BLOCKED, "No server is blocked."),
    ],
)
def test_an_empty_list_says_what_would_fill_it(room: Room, key: str, what: str) -> None:
    choose_list(room, key)
    assert room.servers() == []
    assert room.window.servers.page.texts()[0] == what
    room.bot.mouseClick(room.window.servers.page.step, Qt.MouseButton.LeftButton)
    assert room.window.servers.side.current == ALL
    assert len(room.servers()) == 24
    assert room.window.servers.page.isHidden()


def test_a_filter_that_leaves_nothing_offers_to_clear_it(room: Room) -> None:
    room.filter("players>=250")
    assert room.servers() == []
    assert room.window.servers.page.texts()[0] == "No server passes the filter"
    assert room.window.servers.page.step.text() == "Clear the filter"
    room.bot.mouseClick(room.window.servers.page.step, Qt.MouseButton.LeftButton)
    room.wait(lambda: len(room.servers()) == 24)
    assert room.window.servers.page.isHidden()


def test_friends_and_blocked_servers_have_their_own_lists(room: Room) -> None:
    friend, blocked = room.servers()[3:5]
    room.catalogue.friends[friend] = 2
    room.catalogue.blocked[blocked] = True
    room.live.rescore()
    for key, wanted in ((FRIENDS, [friend]), (BLOCKED, [blocked])):
        choose_list(room, key)
        assert room.servers() == wanted
    choose_list(room, ALL)
    assert blocked not in room.servers()
    assert {item.key: item.servers for item in room.window.servers.side.items()}[ALL] == 23
