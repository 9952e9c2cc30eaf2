"""Blocking: one server, a range, a pattern; what it hides is said before, and everything can be undone."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_rig import Room

from browser_app.storage.lists.server_list_store import BlockKind
from browser_app.ui.lists.server_blocking import BlockServerDialog
from browser_app.ui.lists.server_list_membership import ALL_LIST, BLOCKED_LIST
from browser_app.ui.widgets.dialogs import EntryListDialog


def press_b(room: Room, server: int) -> BlockServerDialog:
    room.table.select_server(server)
    room.settle()
    room.table.setFocus()
    room.press(Qt.Key.Key_B)
    dialog = room.window.user_lists_controller.block_controller.block_dialog
    assert dialog is not None
    room.bot.waitExposed(dialog)
    return dialog


def entries_of(room: Room) -> EntryListDialog:
    entries = room.window.user_lists_controller.block_controller.entries_dialog
    assert entries is not None
    return entries


def test_b_and_enter_block_a_server_and_b_lets_it_in_again(room: Room) -> None:
    server = room.servers()[2]
    dialog = press_b(room, server)
    assert dialog.effect_label.text() == f"Hides 1 server: {room.catalogue.name[server]}."
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert server not in room.servers()
    assert room.table.selected_server() != server
    room.window.servers_view.sidebar.select_list(BLOCKED_LIST)
    assert room.servers() == [server]
    room.table.select_server(server)
    room.table.setFocus()
    room.press(Qt.Key.Key_B)
    room.window.servers_view.sidebar.select_list(ALL_LIST)
    assert server in room.servers()
    assert list(room.program.session.blocked) == []


def test_the_button_of_the_notes_says_what_it_does(room: Room) -> None:
    server, notes = room.servers()[2], room.window.servers_view.inspector.notes_page
    dialog = press_b(room, server)
    assert notes.block_button.text() == "Block…"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    room.window.servers_view.sidebar.select_list(BLOCKED_LIST)
    room.table.select_server(server)
    assert notes.block_button.text() == "Unblock"
    notes.block_button.click()
    assert not room.catalogue.blocked[server]
    room.window.servers_view.sidebar.select_list(ALL_LIST)
    room.table.select_server(server)
    assert notes.block_button.text() == "Block…"


def test_a_pattern_says_what_it_hides_while_it_is_typed(room: Room) -> None:
    server = room.servers()[0]
    dialog = press_b(room, server)
    field = dialog.value_fields[BlockKind.NAME]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "*")
    room.wait(lambda: "needs at least one letter" in dialog.effect_label.text())
    assert not dialog.block_button.isEnabled()
    assert dialog.kind is BlockKind.NAME
    QTest.keyClicks(field, "e*")
    room.wait(lambda: dialog.effect_label.text().startswith("Hides"))
    hidden = [each for each in room.servers() if "e" in room.catalogue.name[each].casefold()]
    assert len(hidden) > 3
    assert dialog.effect_label.text().startswith(f"Hides {len(hidden)} servers: ")
    assert dialog.effect_label.text().endswith(f" and {len(hidden) - 3} more.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert set(room.servers()).isdisjoint(hidden)
    assert len(room.servers()) == 24 - len(hidden)


def test_what_a_range_hides_is_let_in_again_from_the_list_of_entries(room: Room) -> None:
    server = room.servers()[0]
    dialog = press_b(room, server)
    QTest.mouseClick(dialog.kind_buttons[BlockKind.NETWORK], Qt.MouseButton.LeftButton)
    host = room.catalogue.targets[server].address.host
    assert dialog.value_fields[BlockKind.NETWORK].text() == f"{host.rpartition('.')[0]}.0/24"
    words = dialog.effect_label.text()
    QTest.mouseClick(dialog.block_button, Qt.MouseButton.LeftButton)
    hidden = 24 - len(room.servers())
    assert f"Hides {hidden} server" in words
    room.window.servers_view.sidebar.select_list(BLOCKED_LIST)
    room.table.select_server(room.servers()[0])
    room.table.setFocus()
    room.press(Qt.Key.Key_B)
    entries = entries_of(room)
    assert len(entries.entry_texts()) == 1
    assert entries.entry_texts()[0].endswith(f" {hidden}")
    assert len(entries.selected_keys()) == 1
    QTest.mouseClick(entries.remove_button, Qt.MouseButton.LeftButton)
    assert entries.entry_texts() == []
    entries.close()
    room.window.servers_view.sidebar.select_list(ALL_LIST)
    assert len(room.servers()) == 24


def test_a_favourite_that_would_be_hidden_is_told(room: Room) -> None:
    server = room.servers()[1]
    room.window.servers_view.toggle_favourite(server)
    dialog = press_b(room, server)
    assert dialog.effect_label.text().endswith(" 1 is a favourite.")
    room.bot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    assert server in room.servers()
    assert list(room.program.session.blocked) == []
