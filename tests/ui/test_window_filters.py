"""Filter chips, filter field and saved filters in the window."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from window_rig import OpenRoom, Room

from browser_app.ui.filters.filter_chip_bar import FilterChip
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST
from browser_app.ui.widgets.dialogs import NameDialog


def chip(room: Room, key: str) -> FilterChip:
    return room.window.servers_view.chip_bar.chip(key)


def click(room: Room, key: str) -> None:
    room.bot.mouseClick(chip(room, key), Qt.MouseButton.LeftButton)


def passing(room: Room, test: Callable[[int], object]) -> list[int]:
    return [server for server in range(len(room.catalogue)) if test(server)]


def test_chip_counts(room: Room) -> None:
    c = room.catalogue
    room.catalogue.players[room.servers()[:5]] = 0.0
    room.live.rescore()
    occupied = passing(room, lambda server: c.players[server] >= 1)
    room.wait(lambda: chip(room, "players").state.count_text == str(len(occupied)))
    assert room.window.servers_view.chip_bar.summary_text() == "No filters active"
    click(room, "players")
    assert sorted(room.servers()) == occupied
    assert chip(room, "players").state.count_text == f"hides {24 - len(occupied)}"
    assert chip(room, "players").isChecked()
    assert room.window.servers_view.chip_bar.summary_text() == f"{len(occupied)} of 24 shown"
    click(room, "players")
    assert len(room.servers()) == 24


def test_chip_counts_what_it_alone_hides(room: Room) -> None:
    c = room.catalogue
    c.players[room.servers()[:6]] = 0.0
    c.password[room.servers()[4:9]] = 1.0
    room.live.rescore()
    click(room, "players")
    click(room, "locked")
    empty = passing(room, lambda s: c.players[s] == 0 and c.password[s] != 1)
    assert chip(room, "players").state.count_text == f"hides {len(empty)}"
    before = set(room.servers())
    click(room, "players")
    assert set(room.servers()) - before == set(empty)
    room.bot.mouseClick(room.window.servers_view.chip_bar.clear_button, Qt.MouseButton.LeftButton)
    assert len(room.servers()) == 24


def test_ping_menu(room: Room) -> None:
    room.catalogue.ping_ms[room.servers()] = 20.0
    room.catalogue.ping_ms[room.servers()[:4]] = 90.0
    room.live.rescore()
    click(room, "ping")
    menu = room.menu()
    words = [action.text().partition("\t") for action in menu.actions()]
    assert [word for word, _tab, _number in words] == ["≤ 50 ms", "≤ 80 ms", "≤ 100 ms", "≤ 150 ms", "≤ 200 ms", "Off"]
    assert [number for _word, _tab, number in words] == ["20", "20", "24", "24", "24", "24"]
    menu.actions()[0].trigger()
    menu.close()
    assert chip(room, "ping").state.title == "Ping ≤ 50"
    assert len(room.servers()) == 20
    click(room, "ping")
    menu = room.menu()
    menu.actions()[-1].trigger()
    menu.close()
    assert len(room.servers()) == 24


def test_menu_stays_open_for_several_games(room: Room) -> None:
    games = {room.catalogue.game[server] for server in room.servers()}
    assert games == {"openarena", "quake3"}
    click(room, "game")
    menu = room.menu()
    room.bot.keyClick(menu, Qt.Key.Key_Down)
    room.bot.keyClick(menu, Qt.Key.Key_Space)
    first = set(room.servers())
    assert menu.isVisible()
    assert len({room.catalogue.game[server] for server in first}) == 1
    box = menu.actionGeometry(menu.actions()[1])
    room.bot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=box.center())
    assert menu.isVisible()
    assert len(room.servers()) == 24
    menu.close()
    assert "OpenArena" in chip(room, "game").state.title
    assert len(games) == 2


def test_field_and_chips_combine(room: Room) -> None:
    room.filter("players>=200")
    click(room, "full")
    page = room.window.servers_view.empty_page
    assert page.isVisible()
    assert page.shown_texts()[0] == "No servers match all 2 filters"
    room.wait(lambda: len([each for each in page.findChildren(FilterChip) if each.isVisible()]) == 2)
    offs = {each.state.key: each for each in page.findChildren(FilterChip) if each.isVisible()}
    assert set(offs) == {"full", "text"}
    room.bot.mouseClick(offs["text"], Qt.MouseButton.LeftButton)
    assert room.window.filter_field.text() == ""
    assert room.servers()
    assert page.isHidden()


def test_filters_are_saved_per_list(open_room: OpenRoom) -> None:
    room = open_room()
    room.filter("players>=1")
    click(room, "locked")
    hidden = len(room.servers())
    room.window.servers_view.sidebar.select_list(FAVOURITES_LIST)
    assert room.window.filter_field.text() == ""
    assert not chip(room, "locked").isChecked()
    room.window.servers_view.sidebar.select_list(ALL_LIST)
    assert room.window.filter_field.text() == "players>=1"
    assert len(room.servers()) == hidden
    room.end()
    again = open_room()
    assert again.window.filter_field.text() == "players>=1"
    assert chip(again, "locked").isChecked()
    assert (again.catalogue.players[again.servers()] >= 1).all()


def test_favourites_list_ignores_filters(room: Room) -> None:
    view = room.window.servers_view
    first, second = room.servers()[:2]
    room.catalogue.password[[first, second]] = 1.0, 0.0
    for server in (first, second):
        view.toggle_favourite(server)
    view.sidebar.select_list(FAVOURITES_LIST)
    click(room, "locked")
    assert room.servers() == [second, first]
    assert chip(room, "locked").isChecked()
    assert chip(room, "locked").state.count_text == "hides 0"
    assert view.chip_bar.summary_text() == "2 of 2 shown"


def test_enter_moves_to_filtered_list(room: Room) -> None:
    room.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    room.write("players>=200")
    room.press(Qt.Key.Key_Return)
    assert not room.servers()
    assert room.table.hasFocus()


def name_dialog(room: Room) -> NameDialog:
    room.wait(lambda: room.window.findChildren(NameDialog))
    return room.window.findChildren(NameDialog)[-1]


def test_save_rename_and_delete_filter(open_room: OpenRoom) -> None:
    room = open_room()
    view = room.window.servers_view
    room.filter("game:openarena | players>=6")
    click(room, "locked")
    shown = set(room.servers())
    room.bot.mouseClick(view.chip_bar.save_button, Qt.MouseButton.LeftButton)
    dialog = name_dialog(room)
    assert not dialog.save_button.isEnabled()
    QTest.keyClicks(dialog.name_field, "Near")
    room.bot.keyClick(dialog.name_field, Qt.Key.Key_Return)
    view.filter_controller.clear_filters()
    items = {item.title: item for item in view.sidebar.items()}
    assert items["Near"].server_count == len(shown)
    view.sidebar.select_list("saved:Near")
    assert set(room.servers()) == shown
    view.saved_filter_controller.ask_to_rename("Near")
    dialog = name_dialog(room)
    dialog.name_field.clear()
    QTest.keyClicks(dialog.name_field, "Nearer")
    room.bot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert view.sidebar.current_key == "saved:Nearer"
    room.end()
    again = open_room()
    side = again.window.servers_view.sidebar
    assert "Nearer" in [item.title for item in side.items()]
    click(again, "saved:Nearer")
    assert set(again.servers()) <= shown | set(np.arange(24).tolist())
    assert chip(again, "saved:Nearer").isChecked()
    again.window.servers_view.saved_filter_controller.delete_filter("Nearer")
    assert "Nearer" not in [item.title for item in side.items()]
    assert len(again.servers()) == 24


def test_saving_again_updates_active_filter(room: Room) -> None:
    view, saved = room.window.servers_view, room.program.session.saved_filters
    saved.save("near by", "players>=200")
    room.wait(lambda: chip(room, "saved:near by").state.title == "near by")
    click(room, "saved:near by")
    assert not room.servers()
    view.sidebar.select_list(FAVOURITES_LIST)
    room.filter("players>=0")
    view.saved_filter_controller.ask_to_save()
    dialog = name_dialog(room)
    dialog.name_field.setText("Near  By")
    room.bot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert dict(saved) == {"near by": "players>=0"}
    view.sidebar.select_list(ALL_LIST)
    assert chip(room, "saved:near by").isChecked()
    assert len(room.servers()) == 24


def test_invalid_saved_filter_is_ignored(room: Room) -> None:
    room.program.session.saved_filters.save("newer", "nowhere:1")
    room.wait(lambda: chip(room, "saved:newer").state.title == "newer")
    click(room, "saved:newer")
    assert not chip(room, "saved:newer").isChecked()
    assert len(room.servers()) == 24
    room.filter("players>=200")
    assert not room.servers()


def test_host_limit_alone_cannot_be_saved(room: Room) -> None:
    bar, filters = room.window.servers_view.chip_bar, room.window.servers_view.filter_controller
    filters.toggle_filter("fold", "5")
    assert bar.clear_button.isVisible()
    assert not bar.save_button.isVisible()
    filters.set_filter("text", "players>=0")
    assert bar.save_button.isVisible()


def test_name_with_other_spaces_is_taken(room: Room) -> None:
    saved = room.program.session.saved_filters
    saved.save("near by", "ping<50")
    saved.save("far", "ping>50")
    room.window.servers_view.saved_filter_controller.ask_to_rename("far")
    dialog = name_dialog(room)
    dialog.name_field.setText("Near   by")
    assert not dialog.save_button.isEnabled()
    assert dialog.problem_label.text() == "Another filter already has this name."
    dialog.name_field.setText(" FAR ")
    assert dialog.save_button.isEnabled()


def test_deleted_list_clears_field(room: Room) -> None:
    view, saved = room.window.servers_view, room.program.session.saved_filters
    saved.save("near", "players>=0")
    view.sidebar.select_list("saved:near")
    room.filter("players>=200")
    view.saved_filter_controller.delete_filter("near")
    assert view.sidebar.current_key == ALL_LIST
    assert len(room.servers()) == 24
    saved.save("near", "players>=0")
    view.sidebar.select_list("saved:near")
    assert room.window.filter_field.text() == ""
    assert len(room.servers()) == 24


def test_tag_is_added_once(room: Room) -> None:
    filters, field = room.window.servers_view.filter_controller, room.window.filter_field
    for before, after in (
        ('-tag:"ctf"', '-tag:"ctf" tag:"ctf"'),
        ('tag:"ctf" | players>=6', '(tag:"ctf" | players>=6) tag:"ctf"'),
        ('players>=6 tag:"ctf"', 'players>=6 tag:"ctf"'),
        ('tag:"ctf"', 'tag:"ctf"'),
        ("", 'tag:"ctf"'),
    ):
        filters.clear_filters()
        filters.set_filter("text", before)
        filters.add_term('tag:"ctf"')
        assert field.text() == after


def test_chips_without_space_are_in_more(open_room: OpenRoom) -> None:
    room = open_room(size=(700, 560))
    for key in ("full", "players"):
        click(room, key)
    hidden = [state.key for state in room.window.servers_view.chip_bar.hidden_chips()]
    assert hidden[-1] == "country"
    assert not {"full", "players"} & set(hidden)
    room.bot.mouseClick(room.window.servers_view.chip_bar._more, Qt.MouseButton.LeftButton)
    menu = room.menu()
    country = next(action for action in menu.actions() if action.text() == "Country")
    assert isinstance(country.menu(), QMenu)
    menu.close()
    QApplication.processEvents()


def test_completion(room: Room) -> None:
    field = room.window.filter_field
    assert field.completion is not None
    room.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    room.write("ga")
    assert field.completion.suggestions == ["gain", "game"]
    room.press(Qt.Key.Key_Down)
    room.press(Qt.Key.Key_Down)
    room.press(Qt.Key.Key_Return)
    assert field.text() == "game:"
    room.write("o")
    assert field.completion.suggestions == ["openarena"]
    with room.bot.waitSignal(field.filter_edited):
        room.press(Qt.Key.Key_Tab)
    assert field.text() == "game:openarena"
    assert {room.catalogue.game[server] for server in room.servers()} == {"openarena"}
    room.write(" -lo")
    assert field.completion.suggestions == ["locked"]
    room.press(Qt.Key.Key_Escape)
    assert field.completion.suggestions == []
    assert field.text() == "game:openarena -lo"


def test_type_ahead_blocks_shortcuts(room: Room) -> None:
    names = room.names()
    wanted = next(name for name in names[3:] if names.count(name) == 1)
    room.table.setFocus()
    room.write(wanted[:6])
    assert room.names()[room.table.currentIndex().row()].casefold().startswith(wanted[:6].casefold())
    assert not room.play_bar.is_counting_down
    assert not room.catalogue.favourite.any()


def test_error_is_shown_while_typing(room: Room) -> None:
    field = room.window.filter_field
    room.filter("players>=many")
    assert field.error_note.isVisible()
    assert "needs a number" in field.error_note.error_label.text()
    top = field.mapTo(room.window, field.rect().bottomLeft())
    assert field.error_note.geometry().left() == top.x()
    assert field.error_note.y() > top.y()
    assert field.error_note.height() >= field.error_note.error_label.heightForWidth(
        field.error_note.error_label.width()
    )
    room.table.setFocus()
    room.wait(lambda: not field.error_note.isVisible())
    room.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    room.wait(field.error_note.isVisible)
    room.write("players>=1")
    assert not field.error_note.isVisible()
    room.wait(lambda: field.error is None)
    assert not field.error_note.isVisible()


def test_error_underline_follows_scrolling(room: Room) -> None:
    field = room.window.filter_field
    text = "players>=1 " * 6 + "ping<fast " + "map:veil " * 6
    room.filter(text)
    room.wait(lambda: field.error is not None)
    assert field.error is not None
    start, end, _reason = field.error
    edit = field.findChild(QLineEdit)
    assert edit is not None
    warning = room.program.theme.palette.color("warning")

    def underlined() -> set[int]:
        """Return the characters under which a line is drawn."""
        image = edit.grab().toImage()
        ratio, line = image.devicePixelRatio(), edit.height() - 3
        inside = [x for x in range(edit.width()) if image.pixelColor(round(x * ratio), round(line * ratio)) == warning]
        return {edit.cursorPositionAt(QPoint(x, edit.height() // 2)) for x in inside}

    assert underlined() == set()  # the cursor is at the end, far behind the error
    edit.setCursorPosition(0)
    assert underlined() == set()
    edit.setCursorPosition(end)
    assert set(range(start + 1, end)) <= underlined() <= set(range(start, end + 1))
