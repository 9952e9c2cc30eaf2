"""What the window remembers: favourites and the last list, over the end of the program; and empty lists in words."""

import pytest
from PySide6.QtCore import Qt
from window_rig import OpenRoom, Room

from browser_app.ui.list_order import ALL, FAVOURITES, RECENT


def choose_list(room: Room, key: str) -> None:
    keys = [item.key for item in room.window.side.items() if item.key]
    room.window.side.setFocus()
    while room.window.side.current != key:
        below = keys.index(key) > keys.index(room.window.side.current)
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
    assert {item.key: item.servers for item in room.window.side.items()}[FAVOURITES] == 2
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


def test_remembered_rows_are_there_at_once_marked_old_then_fresh(open_room: OpenRoom) -> None:
    room = open_room()
    before = set(room.names())
    room.end()
    again = open_room(shown=False)
    again.program.open()
    assert set(again.names()) == before
    assert again.catalogue.old.all()
    assert all(row.remembered for row in again.model.rows(0, 3))
    what, why = again.window.state.texts()
    assert what == "Remembered from last time, less than a minute ago."
    assert why == "Fresh: 0 of 24."
    assert not again.window.state.isHidden()
    again.scanned()
    assert not again.catalogue.old.any()
    assert again.window.state.isHidden()


@pytest.mark.parametrize(("key", "what"), [(FAVOURITES, "No favourites yet."), (RECENT, "Nothing played yet.")])
def test_an_empty_list_says_what_would_fill_it(room: Room, key: str, what: str) -> None:
    choose_list(room, key)
    assert room.servers() == []
    assert room.window.state.texts()[0] == what
    room.bot.mouseClick(room.window.state.step, Qt.MouseButton.LeftButton)
    assert room.window.side.current == ALL
    assert len(room.servers()) == 24
    assert room.window.state.isHidden()


def test_a_filter_that_leaves_nothing_offers_to_clear_it(room: Room) -> None:
    room.filter("players>=250")
    assert room.servers() == []
    assert room.window.state.texts() == ("No server passes the filter.", "24 are known.")
    assert room.window.state.step.text() == "Clear the filter"
    room.bot.mouseClick(room.window.state.step, Qt.MouseButton.LeftButton)
    room.wait(lambda: len(room.servers()) == 24)
    assert room.window.state.isHidden()
